// A frame as a list of layers, and the octets of it.
//
//   Bytes frame = build({Ethernet{.destination = router, .source = host}, Ipv4{.source = a, .destination = b},
//                        Udp{.source = 1000, .destination = 9}, Payload{bytes}});
//
// Whatever follows from the rest (types, lengths, checksums, offsets) is filled in unless it is given, so that a wrong
// value is written by naming it. Fields carry the names of the RFCs.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "weft/packet/address.h"
#include "weft/packet/bytes.h"

namespace weft::packet {

struct Ethernet {
  Mac destination;
  Mac source;
  std::optional<uint16_t> type = {};  ///< from the next layer; a length or type of your own choice otherwise
};

struct Vlan {
  uint16_t id = 0;
  uint8_t priority = 0;
  bool drop_eligible = false;
  std::optional<uint16_t> type = {};
};

struct Mpls {
  uint32_t label = 0;
  uint8_t traffic_class = 0;
  uint8_t ttl = 64;
  std::optional<bool> bottom = {};  ///< set when the next layer is not Mpls
};

struct Arp {
  uint16_t operation = 1;  ///< 1 request, 2 reply
  Mac sender_mac;
  Ipv4Address sender;
  Mac target_mac;
  Ipv4Address target;
};

struct Ipv4 {
  uint8_t tos = 0;
  uint16_t identification = 0;
  bool dont_fragment = false;
  bool more_fragments = false;
  uint16_t fragment_offset = 0;  ///< in units of 8 octets
  uint8_t ttl = 64;
  Ipv4Address source;
  Ipv4Address destination;
  Bytes options = {};  ///< padded with End of Options to a multiple of 4
  uint8_t version = 4;
  std::optional<uint8_t> header_length = {};  ///< in words of 4 octets
  std::optional<uint16_t> total_length = {};
  std::optional<uint8_t> protocol = {};
  std::optional<uint16_t> checksum = {};
};

struct Ipv6 {
  uint8_t traffic_class = 0;
  uint32_t flow_label = 0;
  uint8_t hop_limit = 64;
  Ipv6Address source;
  Ipv6Address destination;
  uint8_t version = 6;
  std::optional<uint16_t> payload_length = {};
  std::optional<uint8_t> next_header = {};
};

/// Extension headers of IPv6 (RFC 8200 section 4); they stand after an Ipv6 layer or each other.
struct Options6 {
  bool destination = false;  ///< destination options (60) instead of hop-by-hop options (0)
  Bytes options = {};        ///< padded with Pad1 and PadN so that the header is a multiple of 8 octets
  std::optional<uint8_t> next_header = {};
  std::optional<uint8_t> length = {};  ///< in units of 8 octets, without the first
};

struct Routing6 {
  uint8_t type = 0;
  uint8_t segments_left = 0;
  Bytes data = {};  ///< after the first 4 octets; padded with zeros to a multiple of 8, less 4
  std::optional<uint8_t> next_header = {};
  std::optional<uint8_t> length = {};
};

struct Fragment6 {
  uint16_t offset = 0;  ///< in units of 8 octets
  bool more = false;
  uint32_t identification = 0;
  std::optional<uint8_t> next_header = {};
};

struct Udp {
  uint16_t source = 0;
  uint16_t destination = 0;
  std::optional<uint16_t> length = {};
  std::optional<uint16_t> checksum = {};  ///< 0 = none; a computed 0 becomes ffff
};

struct Tcp {
  enum Flags : uint8_t { fin = 1, syn = 2, rst = 4, psh = 8, ack = 16, urg = 32, ece = 64, cwr = 128 };
  uint16_t source = 0;
  uint16_t destination = 0;
  uint32_t sequence = 0;
  uint32_t acknowledgment = 0;
  uint8_t flags = ack;
  uint16_t window = 65535;
  uint16_t urgent = 0;
  Bytes options = {};  ///< padded with End of Option List to a multiple of 4
  std::optional<uint8_t> data_offset = {};
  std::optional<uint16_t> checksum = {};
};

/// ICMP for IPv4, or ICMPv6 (whose checksum covers a pseudo-header) after an Ipv6 layer.
struct Icmp {
  uint8_t type = 8;
  uint8_t code = 0;
  uint32_t rest = 0;  ///< the four octets after the checksum: identifier and sequence, pointer, next-hop MTU
  std::optional<uint16_t> checksum = {};
};

struct Payload {
  Bytes bytes;
};

using Layer =
    std::variant<Ethernet, Vlan, Mpls, Arp, Ipv4, Ipv6, Options6, Routing6, Fragment6, Udp, Tcp, Icmp, Payload>;

/// The octets of the layers in order.
Bytes build(const std::vector<Layer>& layers);
/// An Ethernet frame has at least 60 octets before its check sequence; zeros are added.
Bytes padded(Bytes frame, size_t size = 60);

}  // namespace weft::packet
