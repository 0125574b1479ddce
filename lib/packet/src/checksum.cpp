#include "weft/packet/checksum.h"

namespace weft::packet {

void ChecksumSum::add(ByteView bytes) {
  size_t at = 0;
  for (; at + 3 < bytes.size(); at += 4) sum_ += get32(bytes, at);  // 65536 = 1 modulo 65535 (RFC 1071, 2)
  for (; at + 1 < bytes.size(); at += 2) sum_ += get16(bytes, at);
  if (at < bytes.size()) sum_ += static_cast<uint64_t>(bytes[at]) << 8;
}

uint16_t ChecksumSum::sum() const {
  uint64_t folded = sum_;
  while (folded >> 16 != 0) folded = (folded & 0xffff) + (folded >> 16);
  return static_cast<uint16_t>(folded);
}

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
