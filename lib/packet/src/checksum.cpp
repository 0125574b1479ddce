#include "weft/packet/checksum.h"

#include <bit>
#include <cstring>

namespace weft::packet {

/// Modulo 65535; what is not 0 does not become 0.
static uint16_t fold(uint64_t sum) {
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(sum);
}

void ChecksumSum::add(ByteView bytes) {
  // 65536 = 1 modulo 65535, so words of 32 bits do as well, and with octets exchanged in all of them the sum has them
  // exchanged (RFC 1071, 2).
  uint64_t native = 0;
  size_t at = 0;
  for (; at + 4 <= bytes.size(); at += 4) {
    uint32_t word;
    std::memcpy(&word, bytes.data() + at, sizeof word);
    native += word;
  }
  const uint16_t folded = fold(native);
  sum_ += std::endian::native == std::endian::little ? static_cast<uint16_t>(folded << 8 | folded >> 8) : folded;
  for (; at + 1 < bytes.size(); at += 2) sum_ += get16(bytes, at);
  if (at < bytes.size()) sum_ += static_cast<uint64_t>(bytes[at]) << 8;
}

uint16_t ChecksumSum::sum() const { return fold(sum_); }

uint16_t internet_checksum(ByteView bytes) {
  ChecksumSum sum;
  sum.add(bytes);
  return sum.checksum();
}

uint16_t update_checksum(uint16_t checksum, uint16_t before, uint16_t after) {
  ChecksumSum sum;
  sum.add16(static_cast<uint16_t>(~checksum));
  sum.add16(static_cast<uint16_t>(~before));
  sum.add16(after);
  return sum.checksum();
}

uint16_t update_checksum32(uint16_t checksum, uint32_t before, uint32_t after) {
  const uint16_t high =
      update_checksum(checksum, static_cast<uint16_t>(before >> 16), static_cast<uint16_t>(after >> 16));
  return update_checksum(high, static_cast<uint16_t>(before), static_cast<uint16_t>(after));
}

}  // namespace weft::packet
