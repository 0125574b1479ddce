// ixp2800: what the manual says of it, and units that reach sixteen engines.
#include "media_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

BoardDescription large() { return board("generic-2800"); }

}  // namespace

TEST_CASE("ixp2800 is what the manual says") {
  const BoardDescription b = large();
  const ChipDescription& chip = b.chips.at(0).chip;
  CHECK(chip.engines == 16);
  CHECK(chip.contexts == 8);
  CHECK(chip.engine_numbers ==
        std::vector<uint8_t>{0, 1, 2, 3, 4, 5, 6, 7, 0x10, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17});
  CHECK(chip.engine.control_store == 8192);
  CHECK(chip.scratch.bytes == 16384);
  CHECK(b.chips[0].sram.size() == 4);
  // 1/28 ns: 1,400 MHz = 20 ticks, 200 = 140, 400/3 = 210, a byte at 1 Gb/s = 224.
  CHECK(chip.engine.period == 20);
  CHECK(b.chips[0].sram.at(3).period == 140);
  CHECK(b.chips[0].dram.period == 210);
  CHECK(b.chips[0].ports.at(0).byte_ticks == 224);
  CHECK(chip.sram.timing.unloaded == 150);
  CHECK(chip.dram.timing.unloaded == 300);
}

TEST_CASE("ixp2800: all four SRAM channels are there, and DRAM as a whole has 6,400 MB/s") {
  Bench t(large());
  for (uint32_t channel = 0; channel < 4; ++channel) {
    t.bus.set(0, 100 + channel);
    t.perform(InsnId::sram_write, channel << 30 | 0x40);
  }
  for (uint32_t channel = 0; channel < 4; ++channel) {
    CHECK(t.perform(InsnId::sram_read, channel << 30 | 0x40, 1, 3) == 150 * t.period());
    CHECK(t.bus.read(3) == 100 + channel);
  }
  // 8 bytes each 1.25 ns = 35 ticks.
  CHECK(t.perform(InsnId::dram_read, 0, 8) - t.perform(InsnId::dram_read, 0, 1) == 7 * 35);
  CHECK(t.view("sram3").counters.faults == 0);
}

TEST_CASE("ixp2800: interrupts, signals, reflector and free lists reach engine 15") {
  Bench t(large());
  Command c = Bench::make(InsnId::cap_fast_wr, 0);
  c.csr = 0x4b20;
  c.from = {15, 3};
  t.perform(c);
  c.from = {7, 3};
  t.perform(c);
  CHECK(t.units.host().interrupts(0, 0) == uint64_t{1} << (7 * 8 + 3));
  CHECK(t.units.host().take_interrupts(0, 1) == uint64_t{1} << (7 * 8 + 3));
  CHECK(t.units.host().interrupts(0, 1) == 0);

  c = Bench::make(InsnId::cap_fast_wr, 0);
  c.csr = 0x4b28;
  c.data = 13u << 7 | 6u << 4 | 9u;
  t.perform(c);
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].to == ContextRef{13, 6});
  CHECK(t.bus.signals[0].number == 9);

  t.bus.set(20, 0xfeed, false, 14);
  t.perform(InsnId::cap_calc_read, 1u << 31 | 14u << 10 | 20u << 2, 1, 2);
  CHECK(t.bus.read(2) == 0xfeed);

  t.bus.signals.clear();
  t.units.host().write_msf(0x30, 4u << 12 | 11u << 7 | 5u << 4 | 1u, t.bus.now);
  t.units.set_source(0, frames_of({pattern(60, 0)}), t.bus.now);
  t.settle(Tick{224} * 200);
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].to == ContextRef{11, 5});
  CHECK((t.bus.read(16 * 5 + 1, false, 11) >> 16 & 0xff) == 60);
}

TEST_CASE("a chip of eight engines sees three bits of engine number in a free list entry") {
  Bench t;
  t.units.host().write_msf(0x30, 4u << 12 | 11u << 7 | 5u << 4 | 1u, 0);  // bit 10 is ignored: engine 3
  t.units.set_source(0, frames_of({pattern(60, 0)}));
  t.settle();
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.signals[0].to == ContextRef{3, 5});
}
