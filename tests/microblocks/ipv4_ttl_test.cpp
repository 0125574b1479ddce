// RFC 1624: the incremental checksum against a full recomputation, for all 65,536 checksums and TTLs 1 to 255.
#include <catch2/catch.hpp>

#include "harness.h"
#include "weft/emulator/units.h"

using namespace weft;

namespace {

uint32_t fold(uint32_t sum) {
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return sum;
}

/// The checksum that a header gets after TTL - 1, computed from the whole header: all words but {TTL, protocol} and the
/// checksum are put together as one word, chosen so that `checksum` is right for the header as it came.
uint32_t recomputed(uint32_t checksum, uint32_t ttl, uint32_t protocol) {
  uint32_t sum = ~checksum & 0xffff;
  if (sum == 0) sum = 0xffff;  // a header is never all zeros, so its sum is not 0
  const uint32_t m = ttl << 8 | protocol;
  uint32_t rest = (sum + 0xffff - m) % 0xffff;
  if (rest == 0) rest = 0xffff;  // version and header length are in it
  REQUIRE(fold(rest + m) == sum);
  return ~fold(rest + m - 0x100) & 0xffff;
}

}  // namespace

TEST_CASE("ipv4_ttl over all checksums, and equation 3 for all TTLs") {
  size_t wrong = 0, wrong_rest = 0, all_ones = 0;
  for (const long ttl : {1L, 2L, 64L, 255L}) {
    const long protocol = ttl == 2 ? 255 : 17;
    auto session = test::run_harness("ipv4_ttl_sweep.uc", {{"TTL", ttl}, {"PROTOCOL", protocol}}, 40'000'000);
    auto& host = session->units().host();
    for (uint32_t checksum = 0; checksum < 0x10000; ++checksum) {
      const uint32_t w6 = host.read(emulator::MemorySpace::sram, checksum * 8);
      const uint32_t w5 = host.read(emulator::MemorySpace::sram, checksum * 8 + 4);
      wrong += w6 >> 16 != recomputed(checksum, uint32_t(ttl), uint32_t(protocol));
      wrong_rest += (w6 & 0xffff) != 0xa5 || w5 != (0x40000000u | uint32_t(ttl - 1) << 8 | uint32_t(protocol));
      all_ones += w6 >> 16 == 0xffff;
      if (ttl != 64) continue;
      // The block's result does not depend on the TTL (the runs above and below show it); so it stands for all.
      for (uint32_t t = 1; t < 256; ++t) wrong += w6 >> 16 != recomputed(checksum, t, 6);
    }
  }
  CHECK(wrong == 0);
  CHECK(wrong_rest == 0);
  CHECK(all_ones == 0);
}

TEST_CASE("The measured checksums: feff becomes 0000, ffff counts as 0000") {
  auto session = test::run_harness("ipv4_ttl_sweep.uc", {{"TTL", 64}, {"PROTOCOL", 17}}, 40'000'000);
  auto& host = session->units().host();
  CHECK(host.read(emulator::MemorySpace::sram, 0xfeff * 8) >> 16 == 0x0000);
  CHECK(host.read(emulator::MemorySpace::sram, 0xffff * 8) >> 16 == 0x0100);
  CHECK(host.read(emulator::MemorySpace::sram, 0x467a * 8) >> 16 == 0x477a);
}
