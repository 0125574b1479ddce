// mark_dscp against the checksum of the whole header, for every TOS octet and every DSCP, in headers of all sorts.
#include <array>
#include <catch2/catch.hpp>
#include <random>
#include <vector>

#include "machine.h"

using namespace weft;
using emulator::MemorySpace;

namespace {

using Header = std::array<uint16_t, 10>;  // IPv4 without options; [5] is the checksum

uint16_t checksum(Header h) {
  h[5] = 0;
  uint32_t sum = 0;
  for (const uint16_t half : h) sum += half;
  while (sum >> 16) sum = (sum & 0xffff) + (sum >> 16);
  return static_cast<uint16_t>(~sum);
}

}  // namespace

TEST_CASE("Marker: every TOS octet, every DSCP") {
  for (const char* board : {"generic-1200", "generic-2400"}) {
    std::mt19937 random(11);
    std::vector<Header> headers;
    for (uint32_t tos = 0; tos < 256; ++tos) {
      for (uint32_t dscp = 0; dscp < 64; ++dscp) {
        Header h{};
        for (uint16_t& half : h) half = static_cast<uint16_t>(random());
        h[0] = static_cast<uint16_t>(0x4500 | tos);
        // In every other one the last address is such that the checksum is one of those around which it comes round.
        if (dscp % 2) {
          h[9] = 0;
          const uint32_t wanted = (random() % 512 + 0xff00) & 0xffff;
          const uint32_t sum = static_cast<uint16_t>(~checksum(h));
          h[9] = static_cast<uint16_t>(((~wanted & 0xffff) + 0xffff - sum) % 0xffff);
        }
        h[5] = checksum(h);
        headers.push_back(h);
      }
    }
    const auto address = [](size_t i) { return static_cast<uint32_t>(0x40000 + i * 16); };
    auto session =
        test::run_on(board, "mark.uc", {{"HEADERS", static_cast<long>(headers.size())}}, [&](workbench::Session& s) {
          for (size_t i = 0; i < headers.size(); ++i) {
            s.units().host().write(MemorySpace::sram, address(i), 0x08000000u | headers[i][0]);
            s.units().host().write(MemorySpace::sram, address(i) + 4, uint32_t{headers[i][5]} << 16 | headers[i][6]);
            s.units().host().write(MemorySpace::sram, address(i) + 8, static_cast<uint32_t>(i % 64));
          }
        });
    size_t wrong = 0, around = 0;
    for (size_t i = 0; i < headers.size(); ++i) {
      Header h = headers[i];
      h[0] = static_cast<uint16_t>((h[0] & 0xff03) | (i % 64) << 2);
      h[5] = checksum(h);
      around += (h[5] < headers[i][5]) != (h[0] > headers[i][0]) && h[5] != headers[i][5];
      wrong += session->units().host().read(MemorySpace::sram, address(i)) != (0x08000000u | h[0]);
      wrong += session->units().host().read(MemorySpace::sram, address(i) + 4) != (uint32_t{h[5]} << 16 | h[6]);
    }
    INFO(board);
    CHECK(wrong == 0);
    CHECK(around > 1000);  // checksums that came round
  }
}
