// A frame taken apart: layers, their fields as text with their place, and what is wrong with it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/packet/bytes.h"

namespace weft::packet {

/// A field that lies in the frame. Fields of less than an octet start inside one: `bit` counts from the first bit of
/// the frame, most significant first.
struct DecodedField {
  std::string_view name;  ///< "ttl"; a string literal
  size_t bit = 0;
  size_t bits = 0;
  std::string text;
};

struct DecodedLayer {
  std::string_view name;  ///< ethernet vlan mpls arp ipv4 ipv6 udp tcp icmp icmpv6 payload padding
  size_t offset = 0;      ///< first octet in the frame
  size_t length = 0;      ///< of the header; of everything for payload and padding
  std::vector<DecodedField> fields;

  /// The text of a field, empty when there is none of that name.
  std::string_view operator[](std::string_view field) const;
};

struct DecodedFrame {
  std::vector<DecodedLayer> layers;
  /// Each a sentence: "ipv4: header checksum is 1234, should be 5678".
  std::vector<std::string> faults;

  /// The first layer of that name.
  const DecodedLayer* find(std::string_view layer) const;
};

/// Never fails: what cannot be understood is payload, with a fault where it should have been more.
DecodedFrame decode(ByteView frame);

/// "02:..:01 > 02:..:02 ipv4 10.0.0.1 > 10.1.0.1 ttl 64 udp 1000 > 9 payload 18"
std::string one_line(const DecodedFrame& frame);
/// One line per layer and per field, then the faults.
std::string describe(const DecodedFrame& frame);

/// The UDP payload of an IPv4 or IPv6 packet in an Ethernet frame, if it is one and no later fragment.
std::optional<ByteView> udp_payload(ByteView frame);

}  // namespace weft::packet
