// Octets in network order: the few reads and writes that everything here is made of.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace weft::packet {

using Bytes = std::vector<uint8_t>;
using ByteView = std::span<const uint8_t>;

inline uint16_t get16(ByteView bytes, size_t at) { return static_cast<uint16_t>(bytes[at] << 8 | bytes[at + 1]); }
inline uint32_t get32(ByteView bytes, size_t at) {
  return static_cast<uint32_t>(get16(bytes, at)) << 16 | get16(bytes, at + 2);
}
/// Four octets from there on.
inline uint32_t load32(const uint8_t* from) {
  uint32_t value;
  std::memcpy(&value, from, sizeof value);
  return std::endian::native == std::endian::little ? __builtin_bswap32(value) : value;
}
inline void store32(uint8_t* to, uint32_t value) {
  if constexpr (std::endian::native == std::endian::little) value = __builtin_bswap32(value);
  std::memcpy(to, &value, sizeof value);
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
