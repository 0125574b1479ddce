// What differs between two frames, field by field.
#pragma once

#include <string>
#include <vector>

#include "weft/packet/bytes.h"

namespace weft::packet {

struct FieldDifference {
  std::string layer;  ///< "ipv4", or "mpls#2" for the second of several
  std::string field;  ///< empty when one frame lacks the whole layer
  size_t octet = 0;   ///< where the field (or layer) starts in the frame that has it, the left one if both do
  std::string left;   ///< text of the field; for a layer its header in hexadecimal; empty where it is missing
  std::string right;
};

/// Empty exactly when the frames are equal octet for octet. Layers are matched by name and order, so an inserted label
/// or VLAN tag is one difference and not a different rest.
std::vector<FieldDifference> differences(ByteView left, ByteView right);

/// One line each: "ipv4.ttl (octet 22): 64 -> 63".
std::string to_string(const std::vector<FieldDifference>& differences);

}  // namespace weft::packet
