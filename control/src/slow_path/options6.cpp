// The hop-by-hop header (RFC 8200 4.2, 4.3): all options of it are looked at, none is carried out. The two high bits of
// an unknown one say what to do. Router alert (RFC 2711) only brings the packet here.
#include "parts.h"

namespace weft::control::answers {

HopByHop check_hop_by_hop(ByteView packet) {
  constexpr uint8_t kPad1 = 0, kRouterAlert = 5;
  if (packet.size() < 48) return {Outcome::malformed};
  const size_t end = 40 + 8 + size_t{packet[41]} * 8;
  if (end > packet.size()) return {Outcome::malformed};
  for (size_t at = 42; at < end;) {
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
