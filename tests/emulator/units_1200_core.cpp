// The control processor at the memories of the IXP1200: K2 and K3 of docs/timing.md.
#include "units_1200_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

CoreRequest request(MemorySpace space, uint32_t address, bool write = false) {
  CoreRequest r;
  r.space = space;
  r.address = address;
  r.write = write;
  r.data[0] = 0xcafe;
  return r;
}

}  // namespace

TEST_CASE("IXP1200: the control processor reads and writes each memory in the time of an engine's access") {
  for (const auto& [space, read_cycles, write_cycles] :
       {std::tuple{MemorySpace::sram, 22u, 22u}, std::tuple{MemorySpace::dram, 46u, 46u},
        std::tuple{MemorySpace::scratch, 16u, 20u}}) {
    Bench t(board1200());
    Answers answers;
    t.units.host().set_listener(&answers);
    REQUIRE(t.units.host().request(request(space, 0x44, true), 0));
    t.settle();
    REQUIRE(answers.all.size() == 1);
    CHECK(t.units.host().read(space, 0x44) == 0xcafe);
    CHECK(t.units.host().read(space, 0x40) == 0);  // of SDRAM's quadword the other half stays
    CAPTURE(static_cast<int>(space), write_cycles);
    const Tick begin = t.bus.now;
    REQUIRE(t.units.host().request(request(space, 0x44), begin));
    t.settle();
    REQUIRE(answers.all.size() == 2);
    CHECK(answers.all[1].data == std::vector<uint32_t>{0xcafe});
    CHECK(answers.all[1].at - begin == read_cycles * t.period());
    CHECK(t.view("pci").counters.faults == 0);
  }
}

TEST_CASE("K2: engines come first, until the control processor has waited for too long") {
  for (const Tick patience : {kNever, Tick{20 * 5}}) {
    Bench t(board1200());
    Answers answers;
    t.units.host().set_listener(&answers);
    for (unsigned i = 0; i < 8; ++i) REQUIRE(t.issue(Bench::make(InsnId::sram_read, 0, 8)));
    CoreRequest r = request(MemorySpace::sram, 0);
    r.patience = patience;
    REQUIRE(t.units.host().request(r, 0));
    t.settle();
    REQUIRE(answers.all.size() == 1);
    // Eight bursts of 16 cycles from cycle 4 on: then 18 cycles to the answer. With patience it comes after the
    // second.
    CHECK(answers.all[0].at / t.period() == (patience == kNever ? 4 + 8 * 16 + 18 : 4 + 2 * 16 + 18));
  }
}

TEST_CASE("K3: while the control processor holds SRAM, engines wait") {
  Bench t(board1200());
  Answers answers;
  t.units.host().set_listener(&answers);
  CoreRequest hold = request(MemorySpace::sram, 0);
  hold.hold = true;
  REQUIRE(t.units.host().request(hold, 0));
  t.run_until(10 * t.period());
  CHECK(together(t, {Bench::make(InsnId::sram_read, 4)}, 100)[0] == 0);
  const Tick begin = t.bus.now;
  REQUIRE(t.units.host().request(request(MemorySpace::sram, 8), begin));
  t.settle();
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].at - begin == (4 + 2 + 18) * t.period());
}
