// An IPv6 packet at the control processor: hop-by-hop options, then look up, hop limit, scope, MTU (RFC 8200, 4291,
// 4443), or the router's own addresses.
#include <utility>

#include "parts.h"

namespace weft::control::answers {

namespace {

bool neighbour_discovery(uint8_t type) { return type == 135 || type == 136; }

/// Extension headers that forbid a destination to take the packet (RFC 8200 4, 5095 3); nothing when none does. What is
/// in a part of a packet is not looked at, since parts are not put together.
std::optional<Answer> refused6(const Incoming& in, const Ipv6Address* from) {
  const ByteView p = in.packet;
  uint8_t kind = p[6];
  size_t named_at = 6;
  for (size_t at = 40; extension6(kind) && at + 8 <= p.size();) {
    Error6 error{Outcome::parameter_problem, 4, 0};
    error.source = from;
    if (kind == kHopByHop && at != 40) {  // nowhere but after the IPv6 header
      error.code = 1;
      error.rest = static_cast<uint32_t>(named_at);
      return error6(in, error);
    }
    if (kind == kRouting && p[at + 3] != 0) {  // no type is known here
      error.rest = static_cast<uint32_t>(at + 2);
      return error6(in, error);
    }
    if (kind == kDestinationOptions) {
      const OptionCheck6 options = check_options6(p, at);
      if (options.outcome == Outcome::parameter_problem) {
        error.code = 2;
        error.rest = options.pointer;
        return error6(in, error);
      }
      if (options.outcome != Outcome::forwarded) return silent(options.outcome);
    }
    if (kind == kFragment && (packet::get16(p, at + 2) & 0xfff9) != 0) break;
    named_at = at;
    at += kind == kFragment ? 8 : 8 + size_t{p[at + 1]} * 8;
    kind = p[named_at];
  }
  return std::nullopt;
}

/// For one of the router's addresses. Parts of packets are not put together, and routing headers are not followed.
Answer local6(const Incoming& in) {
  const ByteView p = in.packet;
  const Ipv6Address source = address6_at(p, 8), destination = address6_at(p, 24);
  // The anycast address of a network's routers is nobody's source (RFC 4291 2.6).
  const Ipv6Address* from = own_address(in.router, destination) ? &destination : source_at(in.link, source);
  if (auto refused = refused6(in, from)) return *std::move(refused);
  const Upper6 upper = upper6(p);
  if (upper.part || upper.at > p.size()) return silent(Outcome::local);
  if (upper.protocol == kUdp) {
    if (!udp_right6(p, upper.at)) return silent(Outcome::malformed);
    Error6 error{Outcome::port_unreachable, 1, 4};
    error.source = from;
    return error6(in, error);
  }
  if (upper.protocol != kIcmpv6 && upper.protocol != kTcp && upper.protocol != kNoNextHeader &&
      !extension6(upper.protocol)) {
    // RFC 8200 4: the pointer is that of the next header value.
    Error6 error{Outcome::protocol_unreachable, 4, 1, static_cast<uint32_t>(upper.named_at)};
    error.source = from;
    return error6(in, error);
  }
  const ByteView message = p.subspan(upper.at);
  if (upper.protocol != kIcmpv6 || message.size() < 8) return silent(Outcome::local);
  if (neighbour_discovery(message[0]))  // never in fragments, whole or not (RFC 6980 5)
    return upper.fragment ? silent(Outcome::neighbour_discovery) : neighbour6(in, upper.at);
  if (message[0] != 128) return silent(Outcome::local);
  if (!icmp6_checksum_right(p, upper.at)) return silent(Outcome::malformed);
  const HopView hop = way_back6(in, source);
  if (hop.reason != 0 || !from || own_address(in.router, source)) return silent(Outcome::no_way_back);
  Bytes reply(message.begin(), message.end());
  reply[0] = 129;
  const Bytes packet = icmp6(*from, source, kTtl, std::move(reply), traffic_class6(p));
  if (packet.size() > hop.mtu) return silent(Outcome::no_way_back);  // a router is not a source of fragments
  return {Outcome::echo_reply, {framed(hop, kTypeIpv6, packet)}, {}};
}

Answer multicast(const Incoming& in) {
  const Upper6 upper = upper6(in.packet);
  const bool message = upper.protocol == kIcmpv6 && !upper.fragment && upper.at < in.packet.size();
  return message && neighbour_discovery(in.packet[upper.at]) ? neighbour6(in, upper.at) : silent(Outcome::multicast);
}

Answer address_unreachable(const Incoming& in) { return error6(in, {Outcome::host_unreachable, 1, 3}); }

Answer forward6(const Incoming& in, const HopView& hop) {
  const ByteView p = in.packet;
  if (p[7] <= 1) return error6(in, {Outcome::time_exceeded, 3, 0});
  if (link_local6(address6_at(p, 8))) return error6(in, {Outcome::beyond_scope, 1, 2});
  if (hop.reason == uint8_t(Reason::unresolved)) {
    if (hop.gateway) return ask(in, hop, *hop.gateway, address_unreachable);  // that a label leads to
    return ask(in, hop, hop.gateway6.value_or(address6_at(p, 24)), address_unreachable);
  }
  const uint32_t mtu = std::max<uint32_t>(hop.mtu, 1280);  // every link of IPv6 takes so much (RFC 8200 5)
  if (p.size() > mtu) return error6(in, {Outcome::too_big, 2, 0, mtu, true});
  Bytes packet(p.begin(), p.end());
  --packet[7];
  return {Outcome::forwarded, {framed(hop, kTypeIpv6, packet)}, {}};
}

}  // namespace

Answer answer_ipv6(Incoming in) {
  const ByteView all = in.packet;
  if (all.size() < 40 || all[0] >> 4 != 6) return silent(Outcome::malformed);
  const size_t total = 40 + size_t{packet::get16(all, 4)};
  if (total > all.size()) return silent(Outcome::malformed);
  in.packet = all.first(total);

  const Ipv6Address source = address6_at(all, 8), destination = address6_at(all, 24);
  const bool group = multicast6(destination);
  // Only multicast may come from nobody: whether an address is in use is asked that way.
  if (loopback6(source) || multicast6(source) || (unspecified6(source) && !group))
    return silent(Outcome::source_martian);
  if (loopback6(destination) || unspecified6(destination)) return silent(Outcome::destination_martian);
  if (in.reason == Reason::mpls_ttl) return error6(in, {Outcome::time_exceeded, 3, 0});
  if (in.packet[6] == kHopByHop) {
    const OptionCheck6 options = check_options6(in.packet, 40);
    if (options.outcome == Outcome::parameter_problem) {
      return error6(in, {Outcome::parameter_problem, 4, 2, options.pointer, options.also_to_groups});
    }
    if (options.outcome != Outcome::forwarded) return silent(options.outcome);
  }
  if (group) return multicast(in);
  if (in.group) return silent(Outcome::link_broadcast);
  if (in.hop) return forward6(in, *in.hop);
  if (own_address(in.router, destination)) {
    // A link-local address is the router's on its own link only.
    return link_local6(destination) && !own_address(in.link, destination) ? silent(Outcome::link_local) : local6(in);
  }
  if (link_local6(destination)) return silent(Outcome::link_local);
  const HopView hop = in.router.lookup6(destination);
  switch (static_cast<Reason>(hop.reason)) {
    case Reason::local: return local6(in);
    case Reason::no_route: return error6(in, {Outcome::no_route, 1, 0});
    case Reason::discard_route: return silent(Outcome::discard_route);
    default: return forward6(in, hop);
  }
}

}  // namespace weft::control::answers
