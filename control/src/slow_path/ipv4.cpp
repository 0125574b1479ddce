// An IPv4 packet at the control processor: the tests of the engines once more (packets with options come here before
// them), then options, look up, TTL, MTU, as a router does (RFC 1812 5.2.1), or its own addresses.
#include "parts.h"
#include "weft/packet/checksum.h"

namespace weft::control::answers {

namespace {

/// RFC 1812 5.3.7 and 4.2.2.11; the part under `martians` may be switched off.
bool source_refused(const RouterView& router, uint32_t source) {
  const uint32_t top = source >> 24;
  if (source == 0 || top == 127 || (top >= 224 && top < 240) || source == 0xffffffff) return true;
  const uint8_t reason = router.lookup(source).reason;
  if (reason == uint8_t(Reason::local)) return true;
  return router.martians() &&
         (top == 0 || top >= 240 || source >> 16 == 0xa9fe || reason == uint8_t(Reason::directed_broadcast));
}

bool destination_refused(const RouterView& router, uint32_t destination) {
  const uint32_t top = destination >> 24;
  if (destination == 0 || top == 127) return true;
  return router.martians() && (top == 0 || (top >= 240 && destination != 0xffffffff));
}

Answer send4(const HopView& hop, const Bytes& packet, Outcome outcome) {
  if (packet.size() <= hop.mtu) return {outcome, {framed(hop, kTypeIpv4, packet)}, {}};
  Answer out{outcome == Outcome::forwarded ? Outcome::fragmented : outcome, {}, {}};
  for (const Bytes& piece : fragments4(packet, hop.mtu)) out.frames.push_back(framed(hop, kTypeIpv4, piece));
  if (out.frames.empty()) return silent(Outcome::malformed);
  return out;
}

Answer echo(const Incoming& in) {
  const ByteView message = in.packet.subspan(header4(in.packet));
  const uint32_t source = packet::get32(in.packet, 12), destination = packet::get32(in.packet, 16);
  if (message.size() < 8 || packet::internet_checksum(message) != 0) return silent(Outcome::malformed);
  if (message[0] != 8) return silent(Outcome::local);
  const HopView hop = way_back4(in, source);
  if (hop.reason != 0 || in.group) return silent(Outcome::no_way_back);
  Bytes reply(message.begin(), message.end());
  reply[0] = 0;
  packet::set16(reply, 2, 0);
  packet::set16(reply, 2, packet::internet_checksum(reply));
  // What records the way goes on recording it on the way back (RFC 1812 4.3.3.6).
  Bytes packet = packet4(in.packet[1], in.state.identification++, kIcmp, destination, source, reply,
                         recording_options4(in.packet));
  const LinkView* link = link_of(in.router, hop);
  fill_options4(packet, in.router, link ? address_at(*link, source) : destination, in.nanoseconds);
  set_checksum4(packet);
  return send4(hop, packet, Outcome::echo_reply);
}

/// For one of the router's addresses. Fragments are not put together.
Answer local4(const Incoming& in) {
  const ByteView p = in.packet;
  if ((packet::get16(p, 6) & 0x3fff) != 0) return silent(Outcome::local);
  if (p[9] == kIcmp) return echo(in);
  const uint32_t asked = packet::get32(p, 16);
  if (p[9] == kUdp && !udp_right4(p)) return silent(Outcome::malformed);
  if (p[9] == kUdp) return error4(in, {Outcome::port_unreachable, 3, 3, 0, asked});
  if (p[9] == kTcp || p[9] == kIgmp) return silent(Outcome::local);
  return error4(in, {Outcome::protocol_unreachable, 3, 2, 0, asked});  // RFC 1812 5.2.7.1
}

Answer host_unreachable(const Incoming& in) { return error4(in, {Outcome::host_unreachable, 3, 1}); }

Answer forward4(const Incoming& in, const HopView& hop) {
  const ByteView p = in.packet;
  if (p[8] <= 1) return error4(in, {Outcome::time_exceeded, 11, 0});
  if (hop.reason == uint8_t(Reason::unresolved)) {
    if (hop.gateway6) return ask(in, hop, *hop.gateway6, host_unreachable);  // that a label leads to
    return ask(in, hop, hop.gateway.value_or(packet::get32(p, 16)), host_unreachable);
  }
  if (p.size() > hop.mtu && (p[6] & 0x40) != 0) return error4(in, {Outcome::too_big, 3, 4, hop.mtu & 0xffff});
  Bytes packet(p.begin(), p.end());
  --packet[8];
  const LinkView* link = link_of(in.router, hop);
  const uint32_t egress = link ? address_at(*link, packet::get32(p, 16)) : 0;
  fill_options4(packet, in.router, egress != 0 ? egress : address_at(in.link, 0), in.nanoseconds);
  set_checksum4(packet);
  return send4(hop, packet, Outcome::forwarded);
}

}  // namespace

Answer answer_ipv4(Incoming in) {
  const ByteView all = in.packet;
  if (all.size() < 20 || all[0] >> 4 != 4) return silent(Outcome::malformed);
  const size_t header = header4(all), total = packet::get16(all, 2);
  if (header < 20 || total < header || total > all.size()) return silent(Outcome::malformed);
  in.packet = all.first(total);
  // 0000 and ffff are the same number in one's complement: the sum over a right header is ffff either way.
  packet::ChecksumSum sum;
  sum.add(all.first(header));
  if (sum.sum() != 0xffff) return silent(in.reason == Reason::options ? Outcome::options_checksum : Outcome::malformed);

  const uint32_t source = packet::get32(all, 12), destination = packet::get32(all, 16);
  if (source_refused(in.router, source)) return silent(Outcome::source_martian);
  if (destination_refused(in.router, destination)) return silent(Outcome::destination_martian);
  if (destination >> 28 == 0xe || destination == 0xffffffff) return silent(Outcome::multicast);
  if (in.group) return silent(Outcome::link_broadcast);
  // A label's TTL has ended: whether this router has a route does not matter.
  if (in.reason == Reason::mpls_ttl) return error4(in, {Outcome::time_exceeded, 11, 0});
  const OptionCheck options = check_options4(in.packet);
  if (options.verdict == OptionVerdict::problem) {
    return error4(in, {Outcome::parameter_problem, 12, 0, uint32_t{options.pointer} << 24});
  }
  if (options.verdict == OptionVerdict::source_route) return silent(Outcome::source_route);

  if (in.hop) return forward4(in, *in.hop);
  const HopView hop = in.router.lookup(destination);
  switch (static_cast<Reason>(hop.reason)) {
    case Reason::local: return local4(in);
    case Reason::no_route: return error4(in, {Outcome::no_route, 3, 0});
    case Reason::directed_broadcast: return silent(Outcome::directed_broadcast);
    case Reason::discard_route: return silent(Outcome::discard_route);
    default: return forward4(in, hop);
  }
}

}  // namespace weft::control::answers
