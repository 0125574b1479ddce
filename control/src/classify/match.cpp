#include "weft/control/classify/match.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <span>

#include "weft/base/json.h"
#include "weft/control/address.h"

namespace weft::control::classify {

namespace {

struct Name {
  std::string_view text;
  uint32_t value;
};
// IANA, Assigned Internet Protocol Numbers.
constexpr std::array kProtocols{Name{"icmp", 1},  Name{"igmp", 2},  Name{"ipip", 4},  Name{"tcp", 6},
                                Name{"udp", 17},  Name{"gre", 47},  Name{"esp", 50},  Name{"ah", 51},
                                Name{"ospf", 89}, Name{"pim", 103}, Name{"sctp", 132}};
// RFC 2474, 2597, 3246.
constexpr std::array kDscps{Name{"be", 0},    Name{"cs1", 8},   Name{"af11", 10}, Name{"af12", 12}, Name{"af13", 14},
                            Name{"cs2", 16},  Name{"af21", 18}, Name{"af22", 20}, Name{"af23", 22}, Name{"cs3", 24},
                            Name{"af31", 26}, Name{"af32", 28}, Name{"af33", 30}, Name{"cs4", 32},  Name{"af41", 34},
                            Name{"af42", 36}, Name{"af43", 38}, Name{"cs5", 40},  Name{"ef", 46},   Name{"cs6", 48},
                            Name{"cs7", 56}};

std::span<const Name> names_of(Field field) {
  if (field == Field::protocol) return kProtocols;
  if (field == Field::dscp) return kDscps;
  return {};
}

bool is_address(Field field) { return field == Field::source || field == Field::destination; }

std::string_view example(Field field) {
  switch (field) {
    case Field::source:
    case Field::destination: return "192.0.2.0/24, 192.0.2.1, 192.0.2.1-192.0.2.9 or any";
    case Field::source_port:
    case Field::destination_port: return "80, 1024-65535 or any";
    case Field::protocol: return "tcp, 17, 1-5 or any";
    case Field::dscp: return "46, ef, 10-14 or any";
  }
  return {};
}

ParsedRange wrong(std::string problem, std::string remedy) {
  return {std::nullopt, std::move(problem), std::move(remedy)};
}

ParsedRange in_order(Field field, uint32_t low, uint32_t high, std::string_view text) {
  if (low <= high) return {Range{low, high}, {}, {}};
  return wrong(fmt::format("the range {} of the field {} ends before it begins", text, field_name(field)),
               "write the smaller end first");
}

ParsedRange one_address(std::string_view text) {
  const auto address = parse_address(text);
  if (!address)
    return wrong(fmt::format("'{}' is not an IPv4 address", text), fmt::format("write {}", example(Field::source)));
  if (address->is_v6())
    return wrong(fmt::format("{} is an IPv6 address, and rules match IPv4 packets", text),
                 fmt::format("write {}", example(Field::source)));
  return {Range{address->v4(), address->v4()}, {}, {}};
}

ParsedRange one_prefix(std::string_view text) {
  const ParsedPrefix parsed = parse_prefix(text);
  if (!parsed.value) return wrong(parsed.problem, parsed.remedy);
  const Prefix& p = *parsed.value;
  if (p.address.is_v6())
    return wrong(fmt::format("{} is an IPv6 prefix, and rules match IPv4 packets", text),
                 fmt::format("write {}", example(Field::source)));
  if (p.network() != p) {
    return wrong(fmt::format("the prefix {} has bits set beyond its mask", text),
                 fmt::format("write {} for the network, or {} for one host", to_text(p.network()), to_text(p.address)));
  }
  return {Range{first_in(p.address, p.length).v4(), last_in(p.address, p.length).v4()}, {}, {}};
}

ParsedRange one_number(Field field, std::string_view text) {
  uint32_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (!text.empty() && error == std::errc{} && end == text.data() + text.size() && value <= field_max(field))
    return {Range{value, value}, {}, {}};
  const auto names = names_of(field);
  for (const Name& n : names) {
    if (n.text == text) return {Range{n.value, n.value}, {}, {}};
  }
  const std::string remedy = fmt::format("write {}", example(field));
  if (names.empty()) return wrong(fmt::format("'{}' is not a number from 0 to {}", text, field_max(field)), remedy);
  std::vector<std::string> known;
  for (const Name& n : names) known.emplace_back(n.text);
  const auto close = nearest(text, known);
  return wrong(
      fmt::format("'{}' is neither a {} by name nor a number from 0 to {}", text, field_name(field), field_max(field)),
      close ? fmt::format("did you mean '{}'?", *close) : remedy);
}

}  // namespace

std::string_view field_name(Field field) {
  constexpr std::array<std::string_view, kFields> names{"source",           "destination", "source-port",
                                                        "destination-port", "protocol",    "dscp"};
  return names[static_cast<size_t>(field)];
}

ParsedRange parse_range(Field field, std::string_view text) {
  if (text == "any" || text == "*") return {full_range(field), {}, {}};
  const auto one = [&](std::string_view part) {
    return is_address(field) ? one_address(part) : one_number(field, part);
  };
  if (const size_t dash = text.find('-'); dash != std::string_view::npos) {
    const ParsedRange low = one(text.substr(0, dash)), high = one(text.substr(dash + 1));
    if (!low.value) return low;
    if (!high.value) return high;
    return in_order(field, low.value->low, high.value->high, text);
  }
  return is_address(field) && text.find('/') != std::string_view::npos ? one_prefix(text) : one(text);
}

void MatchReader::bad(size_t at, std::string text, std::string remedy) {
  out_->error("classify-match", range_of(file_, line_, (*words_)[std::min(at, words_->size() - 1)]), std::move(text),
              std::move(remedy));
  failed_ = true;
}

bool MatchReader::take(size_t& at) {
  if (at >= words_->size()) return false;
  const auto found = std::ranges::find_if(kAllFields, [&](Field f) { return field_name(f) == (*words_)[at].text; });
  if (found == kAllFields.end()) return false;
  const Field field = *found;
  bool& named = named_[static_cast<size_t>(field)];
  if (named)
    bad(at, fmt::format("the field {} is there twice", field_name(field)),
        "a rule has one range for each field: join them, or write two rules");
  named = true;
  if (++at >= words_->size()) {
    bad(at, fmt::format("the field {} has no value", field_name(field)),
        fmt::format("write {} and then {}", field_name(field), example(field)));
    return true;
  }
  const ParsedRange parsed = parse_range(field, (*words_)[at].text);
  if (parsed.value)
    match_[field] = *parsed.value;
  else
    bad(at, parsed.problem, parsed.remedy);
  ++at;
  return true;
}

std::string to_text(const Match& match) {
  std::string out;
  for (const Field f : kAllFields) {
    const auto [low, high] = match[f];
    if (match[f] == full_range(f)) continue;
    if (!out.empty()) out += ' ';
    const auto end = [&](uint32_t value) {
      return is_address(f) ? to_text(IpAddress(value)) : fmt::format("{}", value);
    };
    out += fmt::format("{} {}", field_name(f), end(low));
    if (low != high) out += fmt::format("-{}", end(high));
  }
  return out.empty() ? "any" : out;
}

}  // namespace weft::control::classify
