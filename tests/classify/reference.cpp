#include "reference.h"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <sstream>

namespace weft::test {

namespace {

constexpr Fields kMax{0xffffffff, 0xffffffff, 0xffff, 0xffff, 0xff, 0x3f};
constexpr std::array kPorts{20u, 22u, 25u, 53u, 80u, 161u, 443u, 1024u, 5060u, 8080u, 65535u};
constexpr std::array kProtocols{1u, 6u, 17u, 47u, 50u};

uint32_t between(Random& random, uint32_t low, uint32_t high) {
  return static_cast<uint32_t>(random.between(low, high));
}

uint32_t mask_of(unsigned length) { return length == 0 ? 0 : 0xffffffffu << (32 - length); }

void random_field(Random& random, size_t field, uint32_t& low, uint32_t& high) {
  const auto any_range = [&] {
    low = between(random, 0, kMax[field]);
    const uint32_t width = kMax[field] >> between(random, 1, 6);  // few rules take most of the values
    high = between(random, low, kMax[field] - low < width ? kMax[field] : low + width);
  };
  const auto one = [&](uint32_t value) { low = high = value; };
  switch (field) {
    case 0:
    case 1: {
      if (random.chance(1, 12)) return;  // any address
      if (random.chance(1, 8)) return any_range();
      // Few networks, so that rules overlap.
      const uint32_t mask = mask_of(between(random, random.chance(1, 8) ? 1 : 10, 32));
      const uint32_t address = between(random, 0, 7) << 29 | between(random, 0, 3) << 20 | (random.next32() & 0xff0ff);
      low = address & mask;
      high = address | ~mask;
      return;
    }
    case 2:
    case 3:
      if (random.chance(1, 3)) return;
      if (random.chance(1, 2)) return one(kPorts[random.below(kPorts.size())]);
      return any_range();
    case 4:
      if (random.chance(1, 3)) return;
      if (random.chance(1, 8)) return any_range();
      return one(kProtocols[random.below(kProtocols.size())]);
    default:
      if (random.chance(2, 3)) return;
      if (random.chance(1, 2)) return any_range();
      return one(between(random, 0, 63));
  }
}

std::string address(uint32_t a) { return fmt::format("{}.{}.{}.{}", a >> 24, a >> 16 & 255, a >> 8 & 255, a & 255); }

}  // namespace

int first_match(const std::vector<PlainRule>& rules, const Fields& header) {
  for (size_t r = 0; r < rules.size(); ++r) {
    bool matches = true;
    for (size_t f = 0; f < header.size(); ++f)
      matches = matches && rules[r].low[f] <= header[f] && header[f] <= rules[r].high[f];
    if (matches) return static_cast<int>(r);
  }
  return -1;
}

std::vector<PlainRule> random_rules(Random& random, size_t count) {
  std::vector<PlainRule> rules(count);
  for (PlainRule& r : rules) {
    for (size_t f = 0; f < kMax.size(); ++f) random_field(random, f, r.low[f], r.high[f]);
  }
  return rules;
}

Fields random_header(Random& random, const std::vector<PlainRule>& rules) {
  Fields h;
  for (size_t f = 0; f < h.size(); ++f) h[f] = between(random, 0, kMax[f]);
  if (rules.empty() || random.chance(1, 4)) return h;
  const PlainRule& r = rules[random.below(rules.size())];
  const bool edges = random.chance(1, 2);
  for (size_t f = 0; f < h.size(); ++f) {
    h[f] = between(random, r.low[f], r.high[f]);
    if (!edges || random.chance(2, 3)) continue;
    const std::array<uint32_t, 4> near{r.low[f] - 1, r.low[f], r.high[f], r.high[f] + 1};
    h[f] = near[random.below(near.size())] & kMax[f];
  }
  return h;
}

std::vector<Fields> edge_headers(const std::vector<PlainRule>& rules) {
  std::vector<Fields> out;
  for (const PlainRule& r : rules) {
    for (size_t f = 0; f < kMax.size(); ++f) {
      for (const uint32_t value : {r.low[f] - 1, r.low[f], r.high[f], r.high[f] + 1}) {
        Fields h = r.low;
        h[f] = value & kMax[f];  // beyond the ends of a field its other end is as good
        out.push_back(h);
      }
    }
  }
  return out;
}

std::string as_text(const std::vector<PlainRule>& rules) {
  constexpr std::array names{"source", "destination", "source-port", "destination-port", "protocol", "dscp"};
  std::string out;
  for (size_t i = 0; i < rules.size(); ++i) {
    out += rules[i].low == PlainRule{}.low && rules[i].high == kMax ? "match any" : "match";
    for (size_t f = 0; f < kMax.size(); ++f) {
      const uint32_t low = rules[i].low[f], high = rules[i].high[f];
      if (low == 0 && high == kMax[f]) continue;
      out += fmt::format(" {} ", names[f]);
      const auto text = [&](uint32_t v) { return f < 2 ? address(v) : fmt::format("{}", v); };
      const uint32_t size = high - low;
      if (low == high)
        out += text(low);
      else if (f < 2 && (size & (size + 1)) == 0 && (low & size) == 0)
        out += fmt::format("{}/{}", text(low), 32 - __builtin_popcount(size));
      else
        out += fmt::format("{}-{}", text(low), text(high));
    }
    out += fmt::format(" : number {}\n", i);
  }
  return out;
}

std::vector<PlainRule> read_filters(const std::string& path) {
  std::vector<PlainRule> out;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    unsigned s[5], d[5], ports[4], protocol = 0, mask = 0;
    if (std::sscanf(line.c_str(), "@%u.%u.%u.%u/%u %u.%u.%u.%u/%u %u : %u %u : %u %x/%x", &s[0], &s[1], &s[2], &s[3],
                    &s[4], &d[0], &d[1], &d[2], &d[3], &d[4], &ports[0], &ports[1], &ports[2], &ports[3], &protocol,
                    &mask) != 16) {
      continue;
    }
    PlainRule r;
    const auto network = [&](size_t field, const unsigned* w) {
      const uint32_t a = w[0] << 24 | w[1] << 16 | w[2] << 8 | w[3];
      r.low[field] = a & mask_of(w[4]);
      r.high[field] = a | ~mask_of(w[4]);
    };
    network(0, s);
    network(1, d);
    r.low[2] = ports[0];
    r.high[2] = ports[1];
    r.low[3] = ports[2];
    r.high[3] = ports[3];
    if (mask == 0xff) r.low[4] = r.high[4] = protocol;
    out.push_back(r);
  }
  return out;
}

std::vector<Fields> read_trace(const std::string& path) {
  std::vector<Fields> out;
  std::ifstream in(path);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    Fields h{};
    for (size_t f = 0; f < 5; ++f) words >> h[f];
    if (words) out.push_back(h);
  }
  return out;
}

std::vector<int> read_numbers(const std::string& path) {
  std::vector<int> out;
  std::ifstream in(path);
  for (int n = 0; in >> n;) out.push_back(n);
  return out;
}

}  // namespace weft::test
