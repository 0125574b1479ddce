// IPv4 options (RFC 791 3.1): what is wrong with them, and what a router writes into them.
//
// The pointer of a parameter problem names the octet: of an option whose length cannot be, the option itself; else its
// length, pointer or flags octet.
#include <optional>
#include <utility>

#include "parts.h"

namespace weft::control::answers {

namespace {

constexpr uint8_t kEnd = 0, kNop = 1, kRecordRoute = 7, kTimestamp = 68, kLooseRoute = 131, kStrictRoute = 137;
constexpr uint8_t kTimeOnly = 0, kTimeAndAddress = 1, kPrespecified = 3;

/// Calls take(option, place) for each option with a length that fits; a place otherwise.
template <class Take>
std::optional<size_t> walk(ByteView header, Take&& take) {
  for (size_t at = 20; at < header.size();) {
    if (header[at] == kEnd) return std::nullopt;
    if (header[at] == kNop) {
      ++at;
      continue;
    }
    if (at + 2 > header.size() || header[at + 1] < 2 || at + header[at + 1] > header.size()) return at;
    if (const std::optional<size_t> wrong = take(header.subspan(at, header[at + 1]), at)) return wrong;
    at += header[at + 1];
  }
  return std::nullopt;
}

/// Octets that the next entry of a timestamp option takes; 0 for flags that do not exist.
size_t timestamp_entry(uint8_t flags) {
  switch (flags & 0xf) {
    case kTimeOnly: return 4;
    case kTimeAndAddress:
    case kPrespecified: return 8;
    default: return 0;
  }
}

/// Which octet of an option is wrong, from its begin. `pointer` is counted from 1, and beyond the length when all is
/// full.
std::optional<size_t> wrong_octet(ByteView o) {
  switch (o[0]) {
    case kRecordRoute:
    case kLooseRoute:
    case kStrictRoute:
      if (o.size() < 3) return 1;
      if (o[2] < 4 || (o[2] <= o.size() && o[2] + 3u > o.size())) return 2;
      return std::nullopt;
    case kTimestamp: {
      if (o.size() < 4) return 1;
      if (o[2] < 5) return 2;
      const size_t entry = timestamp_entry(o[3]);
      if (entry == 0) return 3;
      if (o[2] > o.size())
        return o[3] >> 4 == 15 ? std::optional<size_t>(3) : std::nullopt;  // full: is there room to count?
      if (o[2] + entry - 1 > o.size()) return 2;
      return std::nullopt;
    }
    default: return std::nullopt;
  }
}

void put_at(Bytes& packet, size_t at, uint32_t value) {
  packet::set16(packet, at, value >> 16);
  packet::set16(packet, at + 2, value & 0xffff);
}

void fill_timestamp(Bytes& packet, size_t at, const RouterView& router, uint32_t egress, uint32_t time) {
  const size_t length = packet[at + 1], next = packet[at + 2];
  const uint8_t flags = packet[at + 3] & 0xf;
  if (next > length) {
    packet[at + 3] = static_cast<uint8_t>(packet[at + 3] + 0x10);  // stations that found no room
    return;
  }
  size_t place = at + next - 1;
  if (flags == kPrespecified && !own_address(router, packet::get32(packet, place))) return;
  if (flags == kTimeAndAddress) put_at(packet, place, egress);
  if (flags != kTimeOnly) place += 4;
  put_at(packet, place, time);
  packet[at + 2] = static_cast<uint8_t>(next + timestamp_entry(flags));
}

}  // namespace

OptionCheck check_options4(ByteView packet) {
  bool route = false, record = false, stamp = false;
  const auto wrong = walk(packet.first(header4(packet)), [&](ByteView option, size_t at) -> std::optional<size_t> {
    const bool source = option[0] == kLooseRoute || option[0] == kStrictRoute;
    // Each of these at most once.
    bool* seen = source ? &route : option[0] == kRecordRoute ? &record : option[0] == kTimestamp ? &stamp : nullptr;
    if (seen && std::exchange(*seen, true)) return at;
    const auto octet = wrong_octet(option);
    return octet ? std::optional<size_t>(at + *octet) : std::nullopt;
  });
  if (wrong) return {OptionVerdict::problem, static_cast<uint8_t>(*wrong)};
  return {route ? OptionVerdict::source_route : OptionVerdict::fine, 0};
}

Bytes recording_options4(ByteView packet) {
  Bytes out;
  walk(packet.first(header4(packet)), [&](ByteView option, size_t) -> std::optional<size_t> {
    if (option[0] == kRecordRoute || option[0] == kTimestamp) append(out, option);
    return std::nullopt;
  });
  while (out.size() % 4 != 0) packet::put8(out, kEnd);
  return out;
}

void fill_options4(Bytes& packet, const RouterView& router, uint32_t egress, uint64_t nanoseconds) {
  const uint32_t time = static_cast<uint32_t>(nanoseconds / 1'000'000 % 86'400'000);  // since midnight UT
  const Bytes header(packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(header4(packet)));
  walk(header, [&](ByteView option, size_t at) -> std::optional<size_t> {
    if (option[0] == kTimestamp) fill_timestamp(packet, at, router, egress, time);
    if (option[0] == kRecordRoute && option[2] <= option.size()) {
      put_at(packet, at + option[2] - 1, egress);
      packet[at + 2] = static_cast<uint8_t>(option[2] + 4);
    }
    return std::nullopt;
  });
}

}  // namespace weft::control::answers
