// Longest-prefix match through the whole machine: packets to random addresses leave by the next hop that an independent
// match names, over the real table of 270,849 routes on the board generic-2400.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "../control/route_tables.h"
#include "forwarder.h"
#include "weft/base/files.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr uint32_t kHops = 199;  // neighbours 10.1.0.2 to 10.1.0.200, MAC 02:00:00:00:03:00 + n

}  // namespace

TEST_CASE("100000 random addresses with 270849 routes: the next hop of an independent match") {
  const auto rows = read_table("routes/routeviews_ipasn_20080501.dat.gz");
  REQUIRE(rows.size() == 270'849);
  constexpr uint32_t kCount = 100'000;

  std::string table = (std::filesystem::temp_directory_path() / "weft-table-XXXXXX").string();
  REQUIRE(mkstemp(table.data()) >= 0);
  std::string text, via;
  LinearMatch linear;
  for (const TableRow& r : rows) {
    text += fmt::format("{} {}\n", control::to_text(r.prefix), r.number);
    linear.add(r.prefix, r.number % kHops);
  }
  REQUIRE(write_file(table, text));

  ForwarderSetup setup;
  setup.quiet = 200'000;  // the core empties its ring meanwhile
  setup.config =
      "interface P0 port 0 mac 02:00:00:00:01:00\ninterface P1 port 1 mac 02:00:00:00:01:01\n"
      "address P0 10.0.0.1/24\naddress P1 10.1.0.1/24\nswitch martians off\nswitch answers off\n";
  for (uint32_t n = 0; n < kHops; ++n) {
    setup.config += fmt::format("neighbour 10.1.0.{} mac 02:00:00:00:03:{:02x}\n", n + 2, n);
    via += fmt::format(" 10.1.0.{}", n + 2);
  }
  setup.config += fmt::format("routes-from {} via{}\n", table, via);

  Random random(2008);
  std::vector<uint32_t> addresses;
  while (addresses.size() < kCount) {
    const uint32_t a = random.next32();
    // Multicast and beyond, loopback and the router's own networks are not decided by the table.
    if (a >> 24 >= 224 || a >> 24 == 127 || a >> 8 == 0x0a0000 || a >> 8 == 0x0a0100) continue;
    UdpFrame f;
    f.destination_mac = 0x020000000100;
    f.source = 0x0a000002;
    f.destination = a;
    f.index = static_cast<uint32_t>(addresses.size());
    addresses.push_back(a);
    setup.in[0].push_back({0, make_frame(f)});
  }
  const ForwarderResult result = run_forwarder(setup);
  std::filesystem::remove(table);

  std::vector<int> hop(kCount, -1);  // -1: did not leave
  for (const CapturedPacket& p : result.out.at(1)) {
    REQUIRE(frame_index(p.bytes) < kCount);
    hop[frame_index(p.bytes)] = static_cast<int>(frame_mac(p.bytes) - 0x020000000300);
  }
  size_t wrong = 0, routed = 0;
  for (uint32_t i = 0; i < kCount; ++i) {
    const auto expected = linear.find(addresses[i]);
    routed += expected.has_value();
    wrong += hop[i] != (expected ? static_cast<int>(*expected) : -1);
  }
  CHECK(wrong == 0);
  CHECK(result.out.at(1).size() == routed);
  CHECK(routed > kCount / 4);
  CHECK(routed < kCount);
  // The others had no route; the core takes what its ring holds.
  CHECK(result.to_core("no_route") + result.dropped("core_ring_full") == kCount - routed);
  CHECK(result.free_buffers == kBuffers);
}
