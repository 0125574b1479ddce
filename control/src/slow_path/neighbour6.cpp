// Neighbour discovery (RFC 4861 7.1, 7.2): solicitations for the router's addresses are answered, and they and
// advertisements to the router teach the MAC of a station on the link.
#include <optional>

#include "parts.h"

namespace weft::control::answers {

namespace {

constexpr uint8_t kSolicitation = 135, kAdvertisement = 136, kSourceMac = 1, kTargetMac = 2;

struct Options {
  bool valid = true;
  std::optional<Mac> source, target;
};

Options options_of(ByteView message) {
  Options out;
  for (size_t at = 24; at < message.size();) {
    const size_t length = at + 2 <= message.size() ? size_t{message[at + 1]} * 8 : 0;
    if (length == 0 || at + length > message.size()) return {false, {}, {}};
    if (message[at] == kSourceMac) out.source = mac_at(message, at + 2);
    if (message[at] == kTargetMac) out.target = mac_at(message, at + 2);
    at += length;
  }
  return out;
}

bool solicited_node(const Ipv6Address& group, const Ipv6Address& target) {
  static constexpr std::array<uint8_t, 13> kFront{0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0xff};
  return std::equal(kFront.begin(), kFront.end(), group.octets.begin()) &&
         std::equal(group.octets.begin() + 13, group.octets.end(), target.octets.begin() + 13);
}

Bytes advertisement(const LinkView& link, const Ipv6Address& target, bool solicited) {
  // Router, solicited, override: the last one not where each router of the network answers (RFC 4861 7.2.7).
  const unsigned flags = 0x80u | (solicited ? 0x40u : 0u) | (own_address(link, target) ? 0x20u : 0u);
  Bytes out{kAdvertisement, 0, 0, 0, static_cast<uint8_t>(flags), 0, 0, 0};
  append(out, target.octets);
  out.push_back(kTargetMac);
  out.push_back(1);
  append(out, link.mac);
  return out;
}

Answer solicited(const Incoming& in, const Ipv6Address& target, const Options& options) {
  const Ipv6Address source = address6_at(in.packet, 8), destination = address6_at(in.packet, 24);
  if (multicast6(destination) && !solicited_node(destination, target)) return silent(Outcome::neighbour_discovery);
  // An anycast address is nobody's source (RFC 4291 2.6).
  const Ipv6Address* from = own_address(in.link, target) ? &target : source_at(in.link, target);
  if (!from) return silent(Outcome::neighbour_discovery);
  if (unspecified6(source)) {  // is the address in use? All stations hear that it is.
    if (options.source || !multicast6(destination)) return silent(Outcome::neighbour_discovery);
    Ipv6Address all;
    all.octets = {0xff, 0x02, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    const HopView hop = station(in.link, {0x33, 0x33, 0, 0, 0, 1});
    return {Outcome::neighbour_advertisement,
            {framed(hop, kTypeIpv6, icmp6(*from, all, 255, advertisement(in.link, target, false)))},
            {}};
  }
  if (multicast6(source) || loopback6(source) || !on_link(in.link, source) || own_address(in.router, source)) {
    return silent(Outcome::neighbour_discovery);
  }
  const Mac mac = options.source.value_or(in.from);
  if ((mac[0] & 1) != 0) return silent(Outcome::neighbour_discovery);
  Answer out{Outcome::neighbour_advertisement, {}, {}};
  out.frames.push_back(
      framed(station(in.link, mac), kTypeIpv6, icmp6(*from, source, 255, advertisement(in.link, target, true))));
  if (options.source) out.learnt.push_back({source, in.link.port, in.link.vlan, mac});
  return out;
}

}  // namespace

Answer neighbour6(const Incoming& in, size_t at) {
  const ByteView message = in.packet.subspan(at);
  if (message.size() < 24 || in.packet[7] != 255 || message[1] != 0 || !icmp6_checksum_right(in.packet, at)) {
    return silent(Outcome::neighbour_discovery);
  }
  const Ipv6Address target = address6_at(message, 8);
  const Options options = options_of(message);
  if (!options.valid || multicast6(target)) return silent(Outcome::neighbour_discovery);
  if (message[0] == kSolicitation) {
    const bool ours = own_address(in.link, target) || anycast6(in.link, target);
    return ours ? solicited(in, target, options) : silent(Outcome::neighbour_discovery);
  }
  // An advertisement sent to this router alone, about a station of this link.
  const bool ours = own_address(in.link, address6_at(in.packet, 24));
  const bool right = options.target && (*options.target)[0] % 2 == 0 && on_link(in.link, target) &&
                     !own_address(in.router, target) && !unspecified6(target) && !loopback6(target);
  if (message[0] != kAdvertisement || !ours || !right) return silent(Outcome::neighbour_discovery);
  return {Outcome::learnt, {}, {{target, in.link.port, in.link.vlan, *options.target}}};
}

}  // namespace weft::control::answers
