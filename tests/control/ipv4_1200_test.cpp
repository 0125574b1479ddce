// The control program of the IXP1200 forwarder: layout, tables in one SRAM, and the queues that it shares with the
// microcode.
#include "ipv4_1200.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "board_1200.h"
#include "route_tables.h"
#include "weft/base/files.h"
#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/base/temporary_folder.h"
#include "weft/control/layout_1200.h"

using namespace weft;
using namespace weft::test;
using namespace weft::control;
namespace k = weft::control::ixp1200;

namespace {

ControlOptions board() {
  ControlOptions out = nctu_options();
  out.cycles_per_packet = 1000;
  out.cycles_per_interrupt = 500;
  return out;
}

Result<ControlSetup> load(const std::string& config, const ControlOptions& options = board()) {
  const TemporaryFolder folder;
  const std::string path = folder / "ipv4_1200_test.conf";
  REQUIRE(write_file(path, config));
  return k::load_ipv4_control(path, options);
}

const std::string kPortsText =
    "interface A port 0 mac 02:00:00:00:12:00\naddress A 10.0.0.1/24\n"
    "interface G port 8 mac 02:00:00:00:12:08 mtu 1000 any-mac\naddress G 10.0.8.1/26\n";

}  // namespace

TEST_CASE("IXP1200: nothing overlaps in SRAM and scratch") {
  std::map<uint32_t, uint32_t> sram{{kTrieRoot, k::kTableEnd},
                                    {k::kBuffers, k::kBufferCount * k::kBufferDescriptorBytes},
                                    {k::kQueues, 11 * k::kQueueBytes},
                                    {k::kTicket, 4},
                                    {k::kRings, k::kPorts * k::kQueueSlots * 4},
                                    {k::kCoreRing, k::kCoreSlots * 16},
                                    {k::kReturnRing, k::kReturnSlots * 4}};
  std::map<uint32_t, uint32_t> scratch{{k::kPortConfig, k::kPorts * 16},
                                       {k::kBroadcasts, k::kBroadcastEntries * 4},
                                       {k::kBroadcastMask, 4},
                                       {k::kVector, 4},
                                       {k::kSent, k::kPorts * 4},
                                       {k::kOwn, k::kOwnEntries * 4},
                                       {k::kOwnCommon, 8},
                                       {k::kCounters, k::kPorts * kReasons * 4}};
  for (const auto& [map, end] : {std::pair(&sram, k::kSramBytes), std::pair(&scratch, uint64_t{4096})}) {
    uint64_t last = 0;
    for (const auto& [begin, bytes] : *map) {
      INFO(begin);
      CHECK(begin >= last);
      last = begin + bytes;
    }
    CHECK(last <= end);
  }
}

TEST_CASE("IXP1200: the trie in one SRAM finds what the longest prefix says") {
  Random random(1200);
  std::string config =
      kPortsText + "neighbour 10.0.0.2 mac 02:00:00:00:aa:00\nneighbour 10.0.8.2 mac 02:00:00:00:aa:08\n";
  LinearMatch reference;  // 0: port 0, 1: port 8, 2: discarded
  std::vector<Prefix> prefixes;
  std::set<Prefix> known;
  for (int i = 0; i < 600; ++i) {
    Prefix p{0, static_cast<uint8_t>(random.between(1, 32))};
    p.address = (0x14000000 | (random.next32() & 0x03ffffff)) & netmask(p.length);
    if (p.length < 8 || !known.insert(p).second) continue;
    const auto hop = static_cast<uint32_t>(random.below(3));
    reference.add(p, hop);
    prefixes.push_back(p);
    config += fmt::format("route {} {}\n", to_text(p),
                          hop == 2   ? "discard"
                          : hop == 0 ? "via 10.0.0.2"
                                     : "via 10.0.8.2");
  }
  const auto setup = load(config);
  if (!setup) FAIL(render_text(setup.error()));
  const image::MemoryWrite* table = nullptr;
  for (const image::MemoryWrite& w : setup->memory) {
    CHECK(w.region != image::Region::sram1);
    if (w.region == image::Region::sram0) table = &w;
  }
  REQUIRE(table);
  const auto lookup = [&](uint32_t address) -> int {
    uint32_t entry = table->values.at(address >> 16);
    for (const unsigned shift : {8u, 0u})
      if (entry & 1) entry = table->values.at((entry & ~3u) / 4 + (address >> shift & 255));
    REQUIRE((entry & 1) == 0);
    const uint32_t hop = table->values.at(entry / 4);
    switch (hop >> 24) {
      case 0: {
        const bool gigabit = (hop >> 16 & 15) == 8;
        CHECK((hop & 0xffff) == (gigabit ? 1000u : 1500u));
        CHECK(table->values.at(entry / 4 + 1) == 0x02000000u);
        CHECK(table->values.at(entry / 4 + 2) == (gigabit ? 0xaa080200u : 0xaa000200u));
        CHECK(table->values.at(entry / 4 + 3) == (gigabit ? 0x00001208u : 0x00001200u));
        return gigabit ? 1 : 0;
      }
      case uint32_t(Reason::discard_route): return 2;
      case uint32_t(Reason::no_route): return -1;
      default: return -2;
    }
  };
  size_t wrong = 0;
  const auto check = [&](uint32_t address) {
    const auto expected = reference.find(address);
    if (lookup(address) != (expected ? static_cast<int>(*expected) : -1)) ++wrong;
  };
  for (const Prefix& p : prefixes)
    for (const uint32_t a :
         {p.address.v4(), p.address.v4() - 1, last_in(p.address, p.length).v4(), last_in(p.address, p.length).v4() + 1})
      check(a);
  for (int i = 0; i < 100'000; ++i) check(0x14000000 | (random.next32() & 0x07ffffff));
  CHECK(wrong == 0);
}

TEST_CASE("IXP1200: what the microcode knows nothing of is refused") {
  const std::pair<const char*, const char*> wrong[] = {{"interface V port 0 vlan 5\n", "control-interface"},
                                                       {"address A 2001:db8::1/64\n", "control-family"},
                                                       {"route 2001:db8::/32 discard\n", "control-family"},
                                                       {"mpls interface G\n", "control-labels"},
                                                       {"mpls table split\n", "control-labels"},
                                                       {"label 33 pop\n", "control-labels"},
                                                       {"route 20.0.0.0/8 push 500 via 10.0.0.2\n", "control-labels"}};
  for (const auto& [line, code] : wrong) {
    INFO(line);
    const auto setup = load(kPortsText + line);
    REQUIRE_FALSE(setup);
    const Diagnostic& problem = setup.error().list()[0];
    CHECK(problem.code == code);
    if (std::string_view(line).starts_with("route 2001")) continue;  // of the whole file: tables of routes are long
    CHECK(problem.range.begin.line == std::ranges::count(kPortsText, '\n') + 1);
  }
}

TEST_CASE("IXP1200: an unknown line is not offered those with labels") {
  const auto setup = load(kPortsText + "switches on\n" + "grmbl\n");
  REQUIRE_FALSE(setup);
  const std::string& remedy = setup.error().list()[1].remedy;
  INFO(remedy);
  CHECK(remedy.find("routes-from") != std::string::npos);
  CHECK(remedy.find("label") == std::string::npos);
  CHECK(remedy.find("mpls") == std::string::npos);
}

TEST_CASE("IXP1200: ports and broadcast addresses as the microcode reads them") {
  const auto setup = load(kPortsText + "switch martians off\n");
  REQUIRE(setup);
  std::map<uint64_t, std::vector<uint32_t>> scratch;
  for (const image::MemoryWrite& w : setup->memory)
    if (w.region == image::Region::scratch) scratch[w.address] = w.values;
  const auto& ports = scratch.at(k::kPortConfig);
  REQUIRE(ports.size() == 36);
  CHECK(std::vector(ports.begin(), ports.begin() + 4) == std::vector<uint32_t>{0x02000000, 0x12000000, 0, 0});
  CHECK(std::vector(ports.begin() + 32, ports.end()) == std::vector<uint32_t>{0x02000000, 0x12080000, kFlagAnyMac, 0});
  const auto& broadcasts = scratch.at(k::kBroadcasts);
  REQUIRE(broadcasts.size() == 16);
  CHECK(broadcasts[0] == 0x0a0000ff);
  CHECK(broadcasts[1] == 0x0a00083f);
  CHECK(broadcasts[15] == 0xffffffff);
  CHECK(scratch.at(k::kBroadcastMask) == std::vector<uint32_t>{0x0a00003f});
}

TEST_CASE("IXP1200: what does not fit is said") {
  const auto code = [](const Result<ControlSetup>& r) { return r ? std::string("none") : r.error().begin()->code; };
  ControlOptions small = board();
  small.sram_bytes[0] = 1u << 20;
  CHECK(code(load(kPortsText, small)) == "control-buffers");
  std::string many = kPortsText;
  for (unsigned i = 0; i < 1300; ++i)
    many +=
        fmt::format("route 20.{}.{}.0/24 discard\nroute 20.{}.{}.1/32 discard\n", i / 256, i % 256, i / 256, i % 256);
  CHECK(code(load(many)) == "control-trie-full");
  std::string networks;
  for (unsigned i = 0; i < 17; ++i) networks += fmt::format("address A 10.1.{}.1/24\n", i);
  CHECK(code(load("interface A port 0 mac 02:00:00:00:12:00\n" + networks)) == "control-networks");
  CHECK(code(load("interface A port 9 mac 02:00:00:00:12:00\n")) != "none");
}

TEST_CASE("IXP1200: the program takes messages in order, counts them, and gives buffers back") {
  auto program = k::make_ipv4_program(board());
  CHECK(program->name() == "ipv4-1200");
  CHECK(!program->check_command("route 10.0.0.0/8 discard"));
  const auto results = [](std::vector<uint32_t> values) { return Event{Event::Kind::results, std::move(values), {}}; };

  Reaction r = program->on({Event::Kind::interrupt, {}, {}});
  CHECK(r.cycles == 500);
  REQUIRE(r.accesses.size() == 1);
  CHECK(r.accesses[0].address == k::kQueues + 9 * 16);
  CHECK(r.accesses[0].count == 8);

  // One message: TTL, port 3.
  r = program->on(results({1, 0, 0, 0, 0, 0, 0, 0}));
  REQUIRE(r.accesses.size() == 1);
  CHECK(r.accesses[0].address == k::kCoreRing);
  CHECK(r.accesses[0].count == 4);
  r = program->on(results({0x60010, 3u << 16 | 60, 40, 0x10000}));
  CHECK(r.cycles == 1000);
  REQUIRE(r.accesses.size() == 4);
  CHECK(r.accesses[0].address == k::kReturnRing);
  CHECK(r.accesses[0].values == std::vector<uint32_t>{0x60010});
  CHECK(r.accesses[1].address == k::kQueues + 10 * 16);
  CHECK(r.accesses[1].values == std::vector<uint32_t>{1});
  CHECK(r.accesses[2].address == k::kQueues + 9 * 16 + 4);
  CHECK(r.accesses[2].values == std::vector<uint32_t>{1});
  CHECK(r.accesses[3].kind == Access::Kind::read);
  CHECK(program->packets() == 1);
  CHECK(program->counts() == std::vector<ControlCount>{{"ttl", 3, false, 1}});
  r = program->on(results({1, 1, 0, 0, 1, 0, 0, 0}));
  CHECK(r.accesses.empty());
  CHECK(r.timer_cycles == 0);

  // Options, with a checksum that is wrong: 4f00 ... all zeros.
  program->on({Event::Kind::timer, {}, {}});
  r = program->on(results({2, 1, 0, 0, 1, 1, 0, 0}));
  CHECK(r.accesses.at(0).address == k::kCoreRing + 16);
  r = program->on(results({0x60020, 8u << 16 | 100, 36, 0}));
  REQUIRE(r.accesses.size() == 1);
  CHECK(r.accesses[0].region == image::Region::dram);
  CHECK(r.accesses[0].address == 0x60020ull * 512 + 12);
  std::vector<uint32_t> header(16, 0);
  header[0] = 0x08004f00;
  r = program->on(results(header));
  CHECK(r.accesses.at(0).values == std::vector<uint32_t>{0x60020});
  CHECK(program->counts().back() == ControlCount{"options_checksum", 8, true, 1});
  CHECK(program->packets() == 2);

  // A return queue that is full: later.
  for (uint32_t returned = 2; returned < 2 + k::kReturnSlots; ++returned) {
    program->on(results({1000, returned, 0, 0, returned, 2, 0, 0}));
    r = program->on(results({0x60030, 60, 37, 0}));
  }
  r = program->on(results({1000, 130, 0, 0, 130, 2, 0, 0}));
  CHECK(r.accesses.empty());
  CHECK(r.timer_cycles > 0);
  r = program->on({Event::Kind::timer, {}, {}});
  CHECK(r.accesses.size() == 1);
  r = program->on(results({1000, 130, 0, 0, 130, 3, 0, 0}));
  CHECK(r.accesses.size() == 1);
  CHECK(r.timer_cycles == 0);
}
