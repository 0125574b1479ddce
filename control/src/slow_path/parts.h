// What the files of the answers share: the packet that came in, and how a packet gets onto a link.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "answer.h"

namespace weft::control::answers {

using packet::Bytes;
using packet::ByteView;
using packet::Ipv6Address;

inline constexpr uint16_t kTypeIpv4 = 0x0800, kTypeArp = 0x0806, kTypeVlan = 0x8100, kTypeIpv6 = 0x86dd,
                          kTypeMpls = 0x8847, kTypeMplsGroup = 0x8848;
inline constexpr uint8_t kIcmp = 1, kIgmp = 2, kTcp = 6, kUdp = 17, kIcmpv6 = 58, kNoNextHeader = 59;
inline constexpr uint8_t kHopByHop = 0, kRouting = 43, kFragment = 44, kDestinationOptions = 60;
inline constexpr uint8_t kTtl = 64;  ///< of what the router itself sends

struct Incoming {
  const RouterView& router;
  AnswerState& state;
  const LinkView& link;
  Reason reason;
  uint64_t nanoseconds;
  Mac from;         ///< link-layer source
  bool group;       ///< sent to a link-layer broadcast or multicast
  ByteView packet;  ///< after the link header; answer_ipv4 and answer_ipv6 cut off what follows the packet
  std::optional<HopView> hop = {};  ///< that a label has chosen: the routes are not asked where the packet goes
};

Answer answer_arp(const Incoming& in);
Answer answer_ipv4(Incoming in);
Answer answer_ipv6(Incoming in);
Answer answer_mpls(const Incoming& in, uint16_t type);

/// A network packet in a frame for a next hop, with the labels of that.
OutgoingFrame framed(const HopView& hop, uint16_t type, ByteView packet);
/// The hop for a station of a link itself.
HopView station(const LinkView& link, const Mac& mac);
/// The link behind a next hop; null when the table knows a port that has no interface.
const LinkView* link_of(const RouterView& router, const HopView& hop);
Mac mac_at(ByteView bytes, size_t at);
void append(Bytes& out, ByteView bytes);
/// What an ICMP or ICMPv6 error begins with; its checksum is 0.
Bytes error_header(uint8_t type, uint8_t code, uint32_t rest);
inline Answer silent(Outcome outcome) { return {outcome, {}, {}}; }

/// A packet for a station whose MAC is not known: the station is asked for (ARP, neighbour solicitation) and the packet
/// is gone; `unreachable` when it was asked often enough (RFC 1812 3.3.2: an empty table alone is no reason for an
/// error).
Answer ask(const Incoming& in, const HopView& hop, const std::variant<uint32_t, Ipv6Address>& station,
           Answer (*unreachable)(const Incoming&));
void heard_of(AnswerState& state, const LearntNeighbour& neighbour);

// IPv4

inline size_t header4(ByteView packet) { return size_t{packet[0] & 0xfu} * 4; }
/// The router's address at a link, best the one that shares a network with `peer`; 0 when the link has none.
uint32_t address_at(const LinkView& link, uint32_t peer);
bool own_address(const RouterView& router, uint32_t address);
void set_checksum4(Bytes& packet);
/// A header without options before a payload; total length and checksum are right.
Bytes packet4(uint8_t tos, uint16_t identification, uint8_t protocol, uint32_t source, uint32_t destination,
              ByteView payload, ByteView options = {});

struct Error4 {
  Outcome outcome;
  uint8_t type, code;
  uint32_t rest = 0;    ///< pointer << 24, or the next-hop MTU
  uint32_t source = 0;  ///< 0: an address of the link by which the error leaves
};
/// The error about a packet, if one may be sent (RFC 1812 4.3.2).
Answer error4(const Incoming& in, const Error4& error);
/// The way to a station that has sent a packet. Where its network is connected here and its MAC not known, the answer
/// goes where the packet came from.
HopView way_back4(const Incoming& in, uint32_t address);

enum class OptionVerdict : uint8_t { fine, problem, source_route };
struct OptionCheck {
  OptionVerdict verdict = OptionVerdict::fine;
  uint8_t pointer = 0;  ///< of a problem: octet of the header
};
OptionCheck check_options4(ByteView packet);
/// Record route and timestamps of a packet whose options are fine. `egress`: the address of the link by which it
/// leaves.
void fill_options4(Bytes& packet, const RouterView& router, uint32_t egress, uint64_t nanoseconds);
/// Record route and timestamp of a packet whose options are fine, for the answer to it; padded to words.
Bytes recording_options4(ByteView packet);
/// The pieces of a packet that is longer than the MTU; empty when it cannot be cut.
std::vector<Bytes> fragments4(ByteView packet, uint32_t mtu);

// IPv6

Ipv6Address address6_at(ByteView bytes, size_t at);
bool own_address(const RouterView& router, const Ipv6Address& address);
bool own_address(const LinkView& link, const Ipv6Address& address);
/// The address of the routers of one of the link's networks (RFC 4291 2.6.1).
bool anycast6(const LinkView& link, const Ipv6Address& address);
/// An address of a link to send from; null when it has none.
const Ipv6Address* source_at(const LinkView& link, const Ipv6Address& peer);
inline bool multicast6(const Ipv6Address& a) { return a.octets[0] == 0xff; }
inline bool link_local6(const Ipv6Address& a) { return a.octets[0] == 0xfe && (a.octets[1] & 0xc0) == 0x80; }
bool unspecified6(const Ipv6Address& a);
bool loopback6(const Ipv6Address& a);
bool on_link(const LinkView& link, const Ipv6Address& address);
/// An ICMPv6 message with its checksum in an IPv6 packet.
Bytes icmp6(const Ipv6Address& source, const Ipv6Address& destination, uint8_t hop_limit, Bytes message,
            uint8_t traffic_class = 0);
uint8_t traffic_class6(ByteView packet);
bool icmp6_checksum_right(ByteView packet, size_t message);

struct Error6 {
  Outcome outcome;
  uint8_t type, code;
  uint32_t rest = 0;
  bool also_to_groups = false;          ///< RFC 4443 2.4 e.3: the two exceptions
  const Ipv6Address* source = nullptr;  ///< null: an address of the receiving link
};
Answer error6(const Incoming& in, const Error6& error);
HopView way_back6(const Incoming& in, const Ipv6Address& address);
/// What is above the extension headers: its protocol and place. `later`: the packet is a fragment other than the first.
struct Upper6 {
  uint8_t protocol = 59;
  size_t at = 0;
  size_t named_at = 6;                   ///< the octet that says which protocol it is
  bool later = false, fragment = false;  ///< with a fragment header
  bool part = false;                     ///< and not all of its packet (RFC 6946: a whole one is not a fragment)
};
Upper6 upper6(ByteView packet);
bool extension6(uint8_t protocol);

/// A UDP datagram that a receiver takes (RFC 768, 1122 4.1.3.4, 8200 8.1), of a packet cut to its length. No error is
/// sent about another one: who sent it, and to which port, cannot be believed.
bool udp_right4(ByteView packet);
bool udp_right6(ByteView packet, size_t at);
/// Neighbour solicitation or advertisement at `at`.
Answer neighbour6(const Incoming& in, size_t at);

/// A header of hop-by-hop or destination options: fine, or what to do.
struct OptionCheck6 {
  Outcome outcome = Outcome::forwarded;  ///< forwarded: all options may pass
  uint32_t pointer = 0;
  bool also_to_groups = false;
};
OptionCheck6 check_options6(ByteView packet, size_t header);

}  // namespace weft::control::answers
