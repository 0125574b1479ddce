// Takes the link header off, finds the interface, and asks the protocol. Also the frames on their way out.
#include "answer.h"

#include "parts.h"

namespace weft::control {

namespace answers {

Mac mac_at(ByteView bytes, size_t at) {
  Mac mac;
  std::copy_n(bytes.begin() + static_cast<std::ptrdiff_t>(at), mac.size(), mac.begin());
  return mac;
}

void append(Bytes& out, ByteView bytes) { out.insert(out.end(), bytes.begin(), bytes.end()); }

Bytes error_header(uint8_t type, uint8_t code, uint32_t rest) {
  Bytes out;
  packet::put8(out, type);
  packet::put8(out, code);
  packet::put16(out, 0);
  packet::put32(out, rest);
  return out;
}

namespace {

/// Labels before an IP packet that has its last TTL: as the engines push them.
Bytes pushed(const HopView& hop, uint16_t type, ByteView packet) {
  const bool six = type == kTypeIpv6;
  const unsigned dscp = (six ? packet::get16(packet, 0) >> 6 : packet[1] >> 2) & 63u;
  const uint8_t ttl = packet[six ? 7 : 8], tc = static_cast<uint8_t>(hop.tcs ? (*hop.tcs)[dscp] : dscp >> 3);
  Bytes out;
  for (unsigned i = 0; i < hop.labels.count; ++i) {
    const mpls::PushLabel l = mpls::push_of(hop.labels.words[i]);
    const bool bottom = i + 1u == hop.labels.count;
    packet::put32(out,
                  l.label << 12 | uint32_t{l.tc.value_or(tc)} << 9 | (bottom ? 1u << 8 : 0u) | l.ttl.value_or(ttl));
  }
  return out;
}

}  // namespace

OutgoingFrame framed(const HopView& hop, uint16_t type, ByteView packet) {
  OutgoingFrame frame{hop.port, {}};
  frame.bytes.reserve(packet.size() + 30);
  append(frame.bytes, hop.destination);
  append(frame.bytes, hop.source);
  if (hop.vlan != 0) {
    packet::put16(frame.bytes, kTypeVlan);
    packet::put16(frame.bytes, hop.vlan);
  }
  const bool labels = hop.labels.count != 0 && (type == kTypeIpv4 || type == kTypeIpv6);
  packet::put16(frame.bytes, labels ? kTypeMpls : type);
  if (labels) append(frame.bytes, pushed(hop, type, packet));
  append(frame.bytes, packet);
  return frame;
}

HopView station(const LinkView& link, const Mac& mac) { return {0, link.port, link.vlan, link.mtu, mac, link.mac}; }

const LinkView* link_of(const RouterView& router, const HopView& hop) {
  for (const LinkView& link : router.links()) {
    if (link.port == hop.port && link.vlan == hop.vlan) return &link;
  }
  return nullptr;
}

}  // namespace answers

TokenBucket TokenBucket::unlimited() {
  TokenBucket bucket;
  bucket.limited_ = false;
  return bucket;
}

bool TokenBucket::take(uint64_t nanoseconds) {
  if (!limited_) return true;
  const uint64_t full = burst_ * kSecond;
  const uint64_t passed = nanoseconds > last_ ? nanoseconds - last_ : 0;
  last_ += passed;
  // A long pause fills the bucket; the product below then stays far from 2^64.
  if (per_second_ != 0 && passed > full / per_second_)
    credit_ = full;
  else
    credit_ = std::min(full, credit_ + passed * per_second_);
  if (credit_ < kSecond) return false;
  credit_ -= kSecond;
  return true;
}

std::string_view outcome_name(Outcome outcome) {
  static constexpr std::array<std::string_view, kOutcomes> kNames{"forwarded",
                                                                  "fragmented",
                                                                  "time_exceeded",
                                                                  "no_route",
                                                                  "host_unreachable",
                                                                  "too_big",
                                                                  "parameter_problem",
                                                                  "beyond_scope",
                                                                  "port_unreachable",
                                                                  "protocol_unreachable",
                                                                  "echo_reply",
                                                                  "arp_reply",
                                                                  "neighbour_advertisement",
                                                                  "asked",
                                                                  "learnt",
                                                                  "local",
                                                                  "multicast",
                                                                  "arp",
                                                                  "neighbour_discovery",
                                                                  "link_local",
                                                                  "router_alert",
                                                                  "error_about_error",
                                                                  "error_about_fragment",
                                                                  "error_about_group",
                                                                  "error_about_source",
                                                                  "rate_limited",
                                                                  "no_way_back",
                                                                  "options_checksum",
                                                                  "malformed",
                                                                  "source_martian",
                                                                  "destination_martian",
                                                                  "link_broadcast",
                                                                  "directed_broadcast",
                                                                  "discard_route",
                                                                  "source_route",
                                                                  "option_discard",
                                                                  "no_interface",
                                                                  "label_stack",
                                                                  "label_too_big"};
  return kNames[static_cast<size_t>(outcome)];
}

Answer answer(const RouterView& router, unsigned port, Reason reason, packet::ByteView frame, AnswerState& state,
              uint64_t nanoseconds) {
  using namespace answers;
  if (frame.size() < 14) return silent(Outcome::malformed);
  size_t network = 14;
  HopView here{0, port, 0, 0, {}, {}};
  uint16_t type = packet::get16(frame, 12);
  if (type == kTypeVlan) {
    if (frame.size() < 18) return silent(Outcome::malformed);
    here.vlan = packet::get16(frame, 14) & 0xfff;
    type = packet::get16(frame, 16);
    network = 18;
  }
  const LinkView* link = link_of(router, here);
  if (!link) return silent(Outcome::no_interface);
  const Incoming in{
      router, state, *link, reason, nanoseconds, mac_at(frame, 6), (frame[0] & 1) != 0, frame.subspan(network)};
  Answer out = type == kTypeArp                              ? answer_arp(in)
               : type == kTypeIpv4                           ? answer_ipv4(in)
               : type == kTypeIpv6                           ? answer_ipv6(in)
               : type == kTypeMpls || type == kTypeMplsGroup ? answer_mpls(in, type)
                                                             : silent(Outcome::malformed);
  for (const LearntNeighbour& n : out.learnt) heard_of(state, n);
  return out;
}

}  // namespace weft::control
