// A labelled packet at the control processor, as it came in: one whose label has no TTL left, or one that a label led
// to the IP packet after it, and that one here. The labels come off by the table, as the engines took them off.
#include <utility>

#include "parts.h"
#include "weft/packet/checksum.h"

namespace weft::control::answers {

namespace {

struct Entry {
  uint32_t label = 0;
  uint8_t tc = 0, ttl = 0;
  bool bottom = false;
};

/// The stack, top first; nothing when the frame ends before it.
std::optional<std::vector<Entry>> stack_of(ByteView bytes) {
  std::vector<Entry> out;
  for (size_t at = 0; at + 4 <= bytes.size(); at += 4) {
    const uint32_t word = packet::get32(bytes, at);
    out.push_back({word >> 12, static_cast<uint8_t>(word >> 9 & 7), static_cast<uint8_t>(word), (word & 0x100) != 0});
    if (out.back().bottom) return out;
  }
  return std::nullopt;
}

/// The TTL and DSCP of a uniform path, put into the packet after it; the TTL is never raised.
void share(Bytes& packet, const std::optional<uint8_t>& ttl, const std::optional<uint8_t>& dscp) {
  const bool six = packet[0] >> 4 == 6;
  uint8_t& own = packet[six ? 7 : 8];
  if (ttl) own = std::min(own, *ttl);
  if (dscp && six) packet::set16(packet, 0, (packet::get16(packet, 0) & ~0x0fc0u) | uint32_t{*dscp} << 6);
  if (dscp && !six) packet[1] = static_cast<uint8_t>((packet[1] & 3) | *dscp << 2);
}

bool right_sum4(ByteView packet) {
  if (header4(packet) < 20 || header4(packet) > packet.size()) return false;
  packet::ChecksumSum sum;
  sum.add(packet.first(header4(packet)));
  return sum.sum() == 0xffff;
}

Answer nobody(const Incoming&) { return silent(Outcome::host_unreachable); }

Answer ip(Incoming in, ByteView packet, std::optional<HopView> hop = std::nullopt) {
  if (packet.size() < 20) return silent(Outcome::label_stack);
  in.packet = packet;
  in.hop = std::move(hop);
  const unsigned version = packet[0] >> 4;
  return version == 4 ? answer_ipv4(in) : version == 6 ? answer_ipv6(in) : silent(Outcome::label_stack);
}

/// The next hop of a labelled packet whose station is not known yet: it is asked for.
Answer ask_hop(const Incoming& in, const HopView& hop) {
  if (hop.gateway6) return ask(in, hop, *hop.gateway6, nobody);
  if (hop.gateway) return ask(in, hop, *hop.gateway, nobody);
  return silent(Outcome::label_stack);
}

}  // namespace

Answer answer_mpls(const Incoming& in, uint16_t type) {
  if (type == kTypeMplsGroup) return silent(Outcome::multicast);
  if (in.reason == Reason::mpls_router_alert) return silent(Outcome::router_alert);
  auto stack = stack_of(in.packet);
  if (!stack) return silent(Outcome::label_stack);
  const ByteView inner = in.packet.subspan(stack->size() * 4);
  if (in.reason == Reason::mpls_ttl) return ip(in, inner);

  // Of what comes off only the last one is seen by the IP packet; before that each hands on to the next one, by its
  // mode.
  std::optional<uint8_t> ttl, dscp;
  std::optional<HopView> hop;
  size_t at = 0;
  while (at < stack->size() && !hop) {
    const auto view = in.router.label((*stack)[at].label);
    if (!view) return silent(Outcome::label_stack);
    const mpls::Lsp& lsp = view->lsp;
    const bool leaves = lsp.kind == mpls::Lsp::Kind::swap || lsp.kind == mpls::Lsp::Kind::pop_forward;
    if (leaves && in.reason == Reason::unresolved) return ask_hop(in, view->hop);
    if (lsp.kind == mpls::Lsp::Kind::swap)
      return silent(in.reason == Reason::mtu ? Outcome::label_too_big : Outcome::label_stack);
    if (lsp.kind == mpls::Lsp::Kind::special || at + lsp.pops > stack->size()) return silent(Outcome::label_stack);
    const Entry top = (*stack)[at];
    at += lsp.pops;
    if (lsp.kind == mpls::Lsp::Kind::pop_forward) hop = view->hop;
    if (at < stack->size()) {
      Entry& below = (*stack)[at];
      if (lsp.mode.ttl) below.ttl = std::min(below.ttl, top.ttl);
      if (lsp.mode.tc) below.tc = top.tc;
    } else {
      if (lsp.mode.ttl) ttl = top.ttl;
      if (lsp.mode.tc) dscp = in.router.dscp_of(top.tc);
    }
  }
  if (at < stack->size())  // leaves with the labels that are left
    return silent(in.reason == Reason::mtu ? Outcome::label_too_big : Outcome::label_stack);
  Bytes packet(inner.begin(), inner.end());
  if (packet.size() < 20) return silent(Outcome::label_stack);
  if (packet[0] >> 4 == 4) {
    if (!right_sum4(packet)) return silent(Outcome::malformed);
    share(packet, ttl, dscp);
    set_checksum4(packet);
  } else {
    share(packet, ttl, dscp);
  }
  return ip(in, packet, std::move(hop));
}

}  // namespace weft::control::answers
