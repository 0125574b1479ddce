// The Internet checksum (RFC 1071) and its incremental update (RFC 1624).
#pragma once

#include <cstdint>

#include "weft/packet/bytes.h"

namespace weft::packet {

/// A one's complement sum over 16-bit words. Parts are added in order; only the last may have an odd length (it counts
/// as if a zero octet followed).
class ChecksumSum {
 public:
  void add(ByteView bytes);
  void add16(uint16_t word) { sum_ += word; }
  void add32(uint32_t word) { sum_ += (word >> 16) + (word & 0xffff); }
  /// The folded sum, not complemented: ddf2 for the words 0001 f203 f4f5 f6f7.
  uint16_t sum() const;
  /// What goes into the header.
  uint16_t checksum() const { return static_cast<uint16_t>(~sum()); }

 private:
  uint64_t sum_ = 0;
};

uint16_t internet_checksum(ByteView bytes);

/// The checksum after a 16-bit field changed, RFC 1624 equation 3: HC' = ~(~HC + ~m + m'). Unlike RFC 1141's formula it
/// never gives ffff where a full computation gives 0000.
uint16_t update_checksum(uint16_t checksum, uint16_t before, uint16_t after);
/// The same for an aligned 32-bit field, such as an address.
uint16_t update_checksum32(uint16_t checksum, uint32_t before, uint32_t after);

}  // namespace weft::packet
