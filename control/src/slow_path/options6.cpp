// Hop-by-hop and destination options (RFC 8200 4.2, 4.3, 4.6): all of them are looked at, none is carried out. The two
// high bits of an unknown one say what to do. Router alert (RFC 2711) only brings the packet here.
#include "parts.h"

namespace weft::control::answers {

OptionCheck6 check_options6(ByteView packet, size_t header) {
  constexpr uint8_t kPad1 = 0, kRouterAlert = 5;
  if (packet.size() < header + 8) return {Outcome::malformed};
  const size_t end = header + 8 + size_t{packet[header + 1]} * 8;
  if (end > packet.size()) return {Outcome::malformed};
  for (size_t at = header + 2; at < end;) {
    const uint8_t kind = packet[at];
    if (kind == kPad1) {
      ++at;
      continue;
    }
    if (at + 2 > end || at + 2 + packet[at + 1] > end) return {Outcome::malformed};
    if (kind != kRouterAlert) {
      const uint32_t pointer = static_cast<uint32_t>(at);
      if (kind >> 6 == 1) return {Outcome::option_discard};
      if (kind >> 6 == 2) return {Outcome::parameter_problem, pointer, true};
      if (kind >> 6 == 3) return {Outcome::parameter_problem, pointer, false};
    }
    at += 2 + size_t{packet[at + 1]};
  }
  return {};
}

}  // namespace weft::control::answers
