#include "firewall/connections.h"

#include <fmt/format.h>

#include "weft/control/address.h"

namespace weft::control::firewall {

namespace {

Tuple tuple_of(std::span<const uint32_t> node) {
  const uint32_t ports = node[kNodePorts];
  return {node[kNodeSource], node[kNodeDestination], static_cast<uint16_t>(ports >> 16), static_cast<uint16_t>(ports)};
}

std::string_view protocol_name(uint8_t protocol) {
  return protocol == 6 ? "tcp" : protocol == 17 ? "udp" : protocol == 1 ? "icmp" : "protocol";
}

std::string text_of(const Tuple& t, uint8_t protocol) {
  const std::string source = control::to_text(IpAddress(t.source)),
                    destination = control::to_text(IpAddress(t.destination));
  if (protocol == 6 || protocol == 17)
    return fmt::format("{}:{} > {}:{}", source, t.source_port, destination, t.destination_port);
  return fmt::format("{} > {}", source, destination);
}

}  // namespace

Connection connection_of(std::span<const uint32_t, kEntryLongwords> words) {
  Connection c;
  c.lives = words[kEntryLife] == kLives;
  c.state = words[kEntryState] >> 24;
  c.flags = words[kEntryState] & 0xffff;
  c.expires = words[kEntryExpires];
  c.protocol = static_cast<uint8_t>(words[kEntryOrigin] >> 24);
  c.in_port = words[kEntryOrigin] >> 16 & 0xff;
  c.original = tuple_of(words.subspan(0, kNodeLongwords));
  c.reply = tuple_of(words.subspan(kNodeLongwords, kNodeLongwords));
  c.packets[0] = words[kEntryPackets];
  c.packets[1] = words[kEntryPackets + 1];
  return c;
}

std::string_view tcp_state_name(unsigned state) {
  static constexpr std::array<std::string_view, 10> kNames{"NONE",     "SYN_SENT",   "SYN_RECV", "ESTABLISHED",
                                                           "FIN_WAIT", "CLOSE_WAIT", "LAST_ACK", "TIME_WAIT",
                                                           "CLOSE",    "SYN_SENT2"};
  return state < kNames.size() ? kNames[state] : "?";
}

std::string to_text(const Connection& c, const uint32_t* now) {
  std::string out(protocol_name(c.protocol));
  if (c.protocol == 6)
    out += fmt::format(" {}", tcp_state_name(c.state));
  else if (c.protocol != 17 && c.protocol != 1)
    out += fmt::format(" {}", c.protocol);
  out += " " + text_of(c.original, c.protocol);
  if (c.protocol == 1) out += fmt::format(" id {}", c.original.source_port);
  out += ", " + text_of(c.reply, c.protocol);
  if (c.protocol == 1) out += fmt::format(" id {}", c.reply.destination_port);
  if ((c.flags & kEntryReplied) == 0) out += ", unreplied";
  out += fmt::format(", {} and {} packets", c.packets[0], c.packets[1]);
  if (now) out += fmt::format(", {} ticks left", static_cast<int32_t>(c.expires - *now));
  return out;
}

}  // namespace weft::control::firewall
