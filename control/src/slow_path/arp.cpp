// ARP (RFC 826): requests for the router's addresses are answered, and both kinds teach the sender's MAC when they are
// meant for us. Probes (RFC 5227), whose sender address is 0, are answered and teach nothing.
#include "parts.h"

namespace weft::control::answers {

Answer answer_arp(const Incoming& in) {
  const ByteView p = in.packet;
  if (p.size() < 28) return silent(Outcome::malformed);
  const bool ethernet_ipv4 = packet::get32(p, 0) == (0x0001u << 16 | kTypeIpv4) && packet::get16(p, 4) == 0x0604;
  if (!ethernet_ipv4) return silent(Outcome::malformed);
  const uint16_t operation = packet::get16(p, 6);
  const Mac sender_mac = mac_at(p, 8);
  const uint32_t sender = packet::get32(p, 14), target = packet::get32(p, 24);
  const auto own = [&](uint32_t a) {
    return std::ranges::any_of(in.link.addresses, [a](const auto& x) { return x.address == a; });
  };
  if ((operation != 1 && operation != 2) || (sender_mac[0] & 1) != 0 || sender_mac == Mac{} || !own(target) ||
      own(sender)) {
    return silent(Outcome::arp);
  }
  Answer out{operation == 1 ? Outcome::arp_reply : Outcome::learnt, {}, {}};
  const bool neighbour = std::ranges::any_of(in.link.addresses, [sender](const auto& x) {
    const uint32_t host = sender & x.hosts();
    return x.contains(sender) && (x.length >= 31 || (host != 0 && host != x.hosts()));
  });
  if (neighbour) out.learnt.push_back({sender, in.link.port, in.link.vlan, sender_mac});
  if (operation == 2) return neighbour ? out : silent(Outcome::arp);
  if (sender != 0 && !neighbour) return silent(Outcome::arp);
  Bytes reply;
  packet::put32(reply, 0x0001u << 16 | kTypeIpv4);
  packet::put32(reply, 0x0604'0002);
  append(reply, in.link.mac);
  packet::put32(reply, target);
  append(reply, sender_mac);
  packet::put32(reply, sender);
  out.frames.push_back(framed(station(in.link, sender_mac), kTypeArp, reply));
  return out;
}

}  // namespace weft::control::answers
