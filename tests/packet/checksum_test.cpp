// The Internet checksum against published sums, and its incremental form against a full computation.
#include "weft/packet/checksum.h"

#include <catch2/catch.hpp>

using namespace weft::packet;

TEST_CASE("the example of RFC 1071") {
  const Bytes words{0x00, 0x01, 0xf2, 0x03, 0xf4, 0xf5, 0xf6, 0xf7};
  ChecksumSum sum;
  sum.add(words);
  CHECK(sum.sum() == 0xddf2);
  CHECK(internet_checksum(words) == 0x220d);
  CHECK(internet_checksum(Bytes{0x12}) == 0xedff);  // an odd octet is the high half
  CHECK(internet_checksum(Bytes{}) == 0xffff);
}

TEST_CASE("a published IPv4 header") {
  const Bytes header{0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
                     0x00, 0x00, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
  CHECK(internet_checksum(header) == 0xb861);
}

TEST_CASE("the example of RFC 1624: equation 3 gives 0000 where RFC 1141 gave ffff") {
  CHECK(update_checksum(0xdd2f, 0x5555, 0x3285) == 0x0000);
}

TEST_CASE("a time to live one less, measured at a reference router") {
  // The time to live is the high half of its word, so one less is 0100 less.
  CHECK(update_checksum(0xfeff, 0x4011, 0x3f11) == 0x0000);
  CHECK(update_checksum(0xffff, 0x4011, 0x3f11) == 0x0100);
}

TEST_CASE("decrementing the time to live equals a full computation for all 65,536 x 255 headers") {
  // A header is any word (the rest of its sum) and the word of time to live and protocol. Equation 3 gives what a full
  // computation gives, but where the sum is all zero words, which no header with a version has.
  uint64_t wrong = 0;
  for (uint32_t ttl = 1; ttl <= 255; ++ttl) {
    const auto before = static_cast<uint16_t>(ttl << 8 | 17);
    const auto after = static_cast<uint16_t>((ttl - 1) << 8 | 17);
    for (uint32_t rest = 0; rest <= 0xffff; ++rest) {
      uint32_t old_sum = rest + before;
      old_sum = (old_sum & 0xffff) + (old_sum >> 16);
      uint32_t new_sum = rest + after;
      new_sum = (new_sum & 0xffff) + (new_sum >> 16);
      const auto old_checksum = static_cast<uint16_t>(~old_sum);
      if (update_checksum(old_checksum, before, after) != static_cast<uint16_t>(~new_sum)) ++wrong;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a changed address") {
  Bytes header{0x45, 0x00, 0x00, 0x73, 0x00, 0x00, 0x40, 0x00, 0x40, 0x11,
               0xb8, 0x61, 0xc0, 0xa8, 0x00, 0x01, 0xc0, 0xa8, 0x00, 0xc7};
  const uint16_t updated = update_checksum32(0xb861, 0xc0a80001, 0x0a0b0c0d);
  header[12] = 0x0a, header[13] = 0x0b, header[14] = 0x0c, header[15] = 0x0d;
  set16(header, 10, 0);
  CHECK(updated == internet_checksum(header));
}
