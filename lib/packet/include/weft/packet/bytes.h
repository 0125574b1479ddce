// Octets in network order: the few reads and writes that everything here is made of.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace weft::packet {

using Bytes = std::vector<uint8_t>;
using ByteView = std::span<const uint8_t>;

inline uint16_t get16(ByteView bytes, size_t at) { return static_cast<uint16_t>(bytes[at] << 8 | bytes[at + 1]); }
inline uint32_t get32(ByteView bytes, size_t at) {
  return static_cast<uint32_t>(get16(bytes, at)) << 16 | get16(bytes, at + 2);
}
inline void put8(Bytes& out, unsigned value) { out.push_back(static_cast<uint8_t>(value)); }
inline void put16(Bytes& out, unsigned value) {
  put8(out, value >> 8);
  put8(out, value);
}
inline void put32(Bytes& out, uint32_t value) {
  put16(out, value >> 16);
  put16(out, value & 0xffff);
}
inline void set16(Bytes& bytes, size_t at, unsigned value) {
  bytes[at] = static_cast<uint8_t>(value >> 8);
  bytes[at + 1] = static_cast<uint8_t>(value);
}

}  // namespace weft::packet
