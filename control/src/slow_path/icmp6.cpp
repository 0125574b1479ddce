// ICMPv6 messages (RFC 4443), and addresses to send them from.
#include "parts.h"
#include "weft/packet/checksum.h"

namespace weft::control::answers {

namespace {

constexpr size_t kLongest = 1280;  ///< of an error with its headers (RFC 4443 2.4 c)
constexpr uint8_t kRedirect = 137;

uint16_t checksum6(const Ipv6Address& source, const Ipv6Address& destination, ByteView message,
                   uint8_t protocol = kIcmpv6) {
  packet::ChecksumSum sum;
  sum.add(source.octets);
  sum.add(destination.octets);
  sum.add32(static_cast<uint32_t>(message.size()));
  sum.add16(protocol);
  sum.add(message);
  return sum.checksum();
}

/// About errors and redirects none may be sent; nor about what may be one and cannot be seen.
bool about_error(ByteView packet) {
  const Upper6 upper = upper6(packet);
  if (upper.protocol != kIcmpv6) return false;
  if (upper.later || upper.at >= packet.size()) return true;
  return packet[upper.at] < 128 || packet[upper.at] == kRedirect;
}

}  // namespace

Ipv6Address address6_at(ByteView bytes, size_t at) {
  Ipv6Address a;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), a.octets.size(), a.octets.begin());
  return a;
}

bool unspecified6(const Ipv6Address& a) { return a == Ipv6Address{}; }
bool loopback6(const Ipv6Address& a) {
  Ipv6Address one;
  one.octets[15] = 1;
  return a == one;
}

namespace {
bool shares_network(const LinkView::Address6& own, const Ipv6Address& a) {
  for (unsigned bit = 0; bit < own.length; ++bit) {
    if (((own.address.octets[bit / 8] ^ a.octets[bit / 8]) & (0x80 >> bit % 8)) != 0) return false;
  }
  return true;
}
}  // namespace

bool on_link(const LinkView& link, const Ipv6Address& address) {
  return link_local6(address) ||
         std::ranges::any_of(link.addresses6, [&](const auto& own) { return shares_network(own, address); });
}

bool own_address(const LinkView& link, const Ipv6Address& address) {
  return std::ranges::any_of(link.addresses6, [&](const auto& own) { return own.address == address; });
}

bool anycast6(const LinkView& link, const Ipv6Address& address) {
  return std::ranges::any_of(link.addresses6, [&](const auto& own) {
    if (own.length >= 127 || link_local6(own.address) || !shares_network(own, address)) return false;  // RFC 6164
    for (unsigned bit = own.length; bit < 128; ++bit) {
      if ((address.octets[bit / 8] & (0x80 >> bit % 8)) != 0) return false;
    }
    return true;
  });
}

bool own_address(const RouterView& router, const Ipv6Address& address) {
  return std::ranges::any_of(router.links(), [&](const LinkView& link) { return own_address(link, address); });
}

const Ipv6Address* source_at(const LinkView& link, const Ipv6Address& peer) {
  const Ipv6Address* best = nullptr;
  int score = -1;
  for (const auto& own : link.addresses6) {
    const int value = (link_local6(own.address) == link_local6(peer) ? 2 : 0) + (shares_network(own, peer) ? 1 : 0);
    if (value > score) best = &own.address, score = value;
  }
  return best;
}

Bytes icmp6(const Ipv6Address& source, const Ipv6Address& destination, uint8_t hop_limit, Bytes message,
            uint8_t traffic_class) {
  packet::set16(message, 2, 0);
  packet::set16(message, 2, checksum6(source, destination, message));
  Bytes out;
  packet::put32(out, 6u << 28 | uint32_t{traffic_class} << 20);
  packet::put16(out, static_cast<unsigned>(message.size()));
  packet::put8(out, kIcmpv6);
  packet::put8(out, hop_limit);
  append(out, source.octets);
  append(out, destination.octets);
  append(out, message);
  return out;
}

uint8_t traffic_class6(ByteView packet) { return static_cast<uint8_t>(packet::get16(packet, 0) >> 4); }

bool icmp6_checksum_right(ByteView packet, size_t message) {
  return checksum6(address6_at(packet, 8), address6_at(packet, 24), packet.subspan(message)) == 0;
}

bool extension6(uint8_t protocol) {
  return protocol == kHopByHop || protocol == kDestinationOptions || protocol == kRouting || protocol == kFragment;
}

Upper6 upper6(ByteView packet) {
  Upper6 out;
  out.protocol = packet[6];
  out.at = 40;
  while (true) {
    if (!extension6(out.protocol) || out.at + 8 > packet.size()) return out;
    size_t length = 8;
    if (out.protocol != kFragment)
      length += size_t{packet[out.at + 1]} * 8;
    else {
      const uint16_t where = packet::get16(packet, out.at + 2);  // the offset, and whether more follow
      out.fragment = true;
      out.later = (where & 0xfff8) != 0;
      out.part = (where & 0xfff9) != 0;
    }
    out.protocol = packet[out.at];
    out.named_at = out.at;
    out.at += length;
    if (out.later || out.at > packet.size()) return out;
  }
}

bool udp_right6(ByteView packet, size_t at) {
  const ByteView message = packet.subspan(at);
  if (message.size() < 8) return false;
  const size_t length = packet::get16(message, 4);
  return length >= 8 && length <= message.size() && packet::get16(message, 6) != 0 &&
         checksum6(address6_at(packet, 8), address6_at(packet, 24), message.first(length), kUdp) == 0;
}

HopView way_back6(const Incoming& in, const Ipv6Address& address) {
  // A link-local station is on the link that the packet came by; so is one of a network connected there.
  const bool station_known = (in.from[0] & 1) == 0;
  if (link_local6(address) && station_known) return station(in.link, in.from);
  const HopView hop = in.router.lookup6(address);
  const bool here = hop.port == in.link.port && hop.vlan == in.link.vlan && on_link(in.link, address);
  if (hop.reason == uint8_t(Reason::unresolved) && here && station_known) return station(in.link, in.from);
  return hop;
}

Answer error6(const Incoming& in, const Error6& error) {
  const ByteView p = in.packet;
  const Ipv6Address source = address6_at(p, 8), destination = address6_at(p, 24);
  if (about_error(p)) return silent(Outcome::error_about_error);
  if (!error.also_to_groups && (in.group || multicast6(destination))) return silent(Outcome::error_about_group);
  if (unspecified6(source) || loopback6(source) || multicast6(source) || own_address(in.router, source)) {
    return silent(Outcome::error_about_source);
  }
  const HopView hop = way_back6(in, source);
  const LinkView* out_link = link_of(in.router, hop);
  const Ipv6Address* from = error.source;
  if (!from && own_address(in.router, destination)) from = &destination;  // RFC 4443 2.2 a
  if (!from) from = source_at(in.link, source);
  if (!from && out_link) from = source_at(*out_link, source);
  if (hop.reason != 0 || !from) return silent(Outcome::no_way_back);
  if (!in.state.errors.take(in.nanoseconds)) return silent(Outcome::rate_limited);

  Bytes message = error_header(error.type, error.code, error.rest);
  append(message, p.first(std::min(p.size(), kLongest - 48)));
  return {error.outcome, {framed(hop, kTypeIpv6, icmp6(*from, source, kTtl, std::move(message)))}, {}};
}

}  // namespace weft::control::answers
