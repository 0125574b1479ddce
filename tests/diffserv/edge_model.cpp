#include "edge_model.h"

#include <fmt/format.h>

namespace weft::test {

namespace {

constexpr const char* kNames[] = {"EF", "AF1", "AF2", "AF3", "AF4", "BE"};

std::string address(uint64_t a) {
  return fmt::format("{}.{}.{}.{}", a >> 24 & 255, a >> 16 & 255, a >> 8 & 255, a & 255);
}
uint64_t bytes_at(const Bytes& b, size_t at, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; ++i) value = value << 8 | (at + i < b.size() ? b[at + i] : 0);
  return value;
}

}  // namespace

std::string ModelRule::text() const {
  constexpr const char* fields[] = {"source", "destination", "source-port", "destination-port", "protocol", "dscp"};
  constexpr uint64_t max[] = {0xffffffff, 0xffffffff, 0xffff, 0xffff, 0xff, 0x3f};
  std::string out = "match";
  for (size_t i = 0; i < 6; ++i) {
    if (low[i] == 0 && high[i] == max[i]) continue;
    out += i < 2 ? fmt::format(" {} {}-{}", fields[i], address(low[i]), address(high[i]))
                 : fmt::format(" {} {}-{}", fields[i], low[i], high[i]);
  }
  if (out == "match") out += " any";
  return out + fmt::format(" : class {} dscp {}\n", kNames[cls], dscp ? fmt::format("{}", *dscp) : "keep");
}

std::array<uint64_t, 6> header_of(const Bytes& b) {
  const uint64_t protocol = b[23];
  const uint64_t total = bytes_at(b, 16, 2), offset = bytes_at(b, 20, 2) & 0x1fff;
  const bool ports = (protocol == 6 || protocol == 17) && offset == 0 && total >= 24;
  return {bytes_at(b, 26, 4), bytes_at(b, 30, 4), ports ? bytes_at(b, 34, 2) : 0, ports ? bytes_at(b, 36, 2) : 0,
          protocol,           b[15] / 4u};
}

EdgeModel::Decision EdgeModel::decide(unsigned in_port, const Bytes& frame) const {
  Decision out{router.decide(in_port, frame), 5};
  if (out.text != "sent") return out;
  Bytes padded = frame;
  if (padded.size() < 60) padded.resize(60, 0);
  const auto header = header_of(padded);
  for (const ModelRule& r : rules) {
    bool matches = true;
    for (size_t i = 0; i < 6; ++i) matches = matches && header[i] >= r.low[i] && header[i] <= r.high[i];
    if (!matches) continue;
    out.cls = r.cls;
    if (r.dscp) {
      Bytes& b = out.frame;
      b[15] = static_cast<uint8_t>(*r.dscp << 2 | (b[15] & 3));
      b[24] = b[25] = 0;
      uint32_t sum = 0;
      for (size_t i = 14; i < 34; i += 2) sum += static_cast<uint32_t>(bytes_at(b, i, 2));
      while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
      b[24] = static_cast<uint8_t>(~sum >> 8);
      b[25] = static_cast<uint8_t>(~sum);
    }
    break;
  }
  return out;
}

}  // namespace weft::test
