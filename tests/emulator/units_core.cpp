// The control processor's port: times, priority, holding, and that it reads and writes what it says.
#include "units_support.h"

using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

CoreRequest request(MemorySpace space, bool write, uint32_t address, std::vector<uint32_t> data_or_count = {0},
                    uint64_t id = 1) {
  CoreRequest r;
  r.id = id;
  r.space = space;
  r.write = write;
  r.address = address;
  r.count = static_cast<uint8_t>(data_or_count.size());
  std::copy(data_or_count.begin(), data_or_count.end(), r.data.begin());
  return r;
}

struct CoreBench : Bench {
  Answers listener;
  CoreBench() { units.host().set_listener(&listener); }
  /// The ticks from a request to its answer.
  Tick perform_core(const CoreRequest& r) {
    const Tick begin = bus.now;
    listener.all.clear();
    REQUIRE(units.host().request(r, bus.now));
    settle();
    REQUIRE(listener.all.size() == 1);
    CHECK(listener.all[0].id == r.id);
    return listener.all[0].at - begin;
  }
};

}  // namespace

TEST_CASE("K1 an access of the control processor takes the unloaded time of the unit, and its own way") {
  for (const auto& [space, cycles] :
       {std::pair{MemorySpace::scratch, 60u}, {MemorySpace::sram, 90u}, {MemorySpace::dram, 120u}}) {
    for (const bool write : {false, true}) {
      CoreBench t;
      CHECK(t.perform_core(request(space, write, 64)) == cycles * t.period());
      CoreRequest far = request(space, write, 64);
      far.way = 70;
      CHECK(t.perform_core(far) == cycles * t.period() + 140);
    }
  }
  CoreBench t;  // eight longwords: seven more beats of three cycles
  CHECK(t.perform_core(request(MemorySpace::sram, false, 0, std::vector<uint32_t>(8))) == (90 + 21) * t.period());
}

TEST_CASE("K1 a command that arrives behind an access of the control processor is served when its data has passed") {
  // The cycle, after the command was sent, in which memory that changes is too late for it.
  const auto served_in = [](bool behind) {
    for (unsigned cycle = 0;; ++cycle) {
      CoreBench t;
      if (behind) t.units.host().request(request(MemorySpace::sram, false, 0x200, std::vector<uint32_t>(8)), t.bus.now);
      t.run_until(t.bus.now + t.period());
      t.issue(Bench::make(InsnId::sram_read, 0x100));
      t.run_until(t.bus.now + cycle * t.period());
      t.units.host().write(MemorySpace::sram, 0x100, 7);
      t.settle();
      if (t.bus.read(0) != 7) return cycle;
    }
  };
  CoreBench t;
  const Tick one = t.perform(InsnId::sram_read, 0x100);
  const Tick longword = (t.perform(InsnId::sram_read, 0x100, 8) - one) / 7;
  CHECK(served_in(true) == served_in(false) + 8 * longword / t.period() - 1);
}

TEST_CASE("the control processor reads and writes longwords, and nothing beside them") {
  for (const MemorySpace space : {MemorySpace::scratch, MemorySpace::sram, MemorySpace::dram}) {
    CoreBench t;
    HostPort& host = t.units.host();
    const uint32_t channel = space == MemorySpace::sram ? 1u << 30 : 0;
    for (uint32_t i = 0; i < 32; ++i) host.write(space, channel | 4 * i, 0x1000 + i);
    for (uint32_t first = 0; first < 4; ++first)
      for (uint32_t n = 1; n <= 8; ++n) {
        t.perform_core(request(space, false, channel | 4 * first, std::vector<uint32_t>(n)));
        REQUIRE(t.listener.all[0].data.size() == n);
        for (uint32_t i = 0; i < n; ++i) CHECK(t.listener.all[0].data[i] == 0x1000 + first + i);
      }
    for (uint32_t first = 8; first < 12; ++first)
      for (uint32_t n = 1; n <= 7; ++n) {
        std::vector<uint32_t> data;
        for (uint32_t i = 0; i < n; ++i) data.push_back(0x77000000 + 256 * first + 16 * n + i);
        t.perform_core(request(space, true, channel | 4 * first, data));
        for (uint32_t i = 0; i < 32; ++i) {
          const bool inside = i >= first && i < first + n;
          CHECK(host.read(space, channel | 4 * i) == (inside ? data[i - first] : 0x1000 + i));
        }
        for (uint32_t i = 0; i < n; ++i) host.write(space, channel | 4 * (first + i), 0x1000 + first + i);
      }
  }
}

TEST_CASE("rings by the port of the control processor") {
  CoreBench t;
  REQUIRE(t.units.host().set_ring(2, 0x400, 128));
  CoreRequest put = request(MemorySpace::scratch, true, 2, {5, 6, 7});
  put.ring = true;
  t.perform_core(put);
  CHECK(t.units.host().ring(2).count == 3);
  CoreRequest get = request(MemorySpace::scratch, false, 2, std::vector<uint32_t>(4));
  get.ring = true;
  t.perform_core(get);
  CHECK(t.listener.all[0].data == std::vector<uint32_t>{5, 6, 7, 0});
}

TEST_CASE("a fault of the control processor's access says whose it is, and names no word") {
  CoreBench t;
  CoreRequest get = request(MemorySpace::scratch, false, 5);
  get.ring = true;
  t.perform_core(get);
  UnitView view = t.view("scratch");
  REQUIRE(view.faults.size() == 1);
  CHECK_FALSE(view.faults[0].by.known);
  CHECK_THAT(view.faults[0].text, Catch::StartsWith("the control processor: "));
  CHECK(view.last_fault == view.faults[0].text);

  t.issue(Bench::make(InsnId::scratch_get, 5 * 4, 1));
  t.settle();
  view = t.view("scratch");
  REQUIRE(view.faults.size() == 2);
  CHECK(view.faults[1].by.known);
  CHECK_THAT(view.faults[1].text, Catch::StartsWith("engine 0 "));
}

TEST_CASE("K2 commands of engines come first, until patience ends") {
  const auto answered_at = [](Tick patience) {
    CoreBench t;
    Tick at = kNever;
    bool asked = false;
    // The engines always have another read of 8 longwords at hand: SRAM is busy all the time.
    for (uint64_t c = 0; c < 20'000 && at == kNever; ++c) {
      t.run_until(c * t.period());
      for (int i = 0; i < 4; ++i) t.issue(Bench::make(InsnId::sram_read, 0, 8));
      if (c == 1000 && !asked) {
        asked = true;
        CoreRequest r = request(MemorySpace::sram, false, 0x100);
        r.patience = patience;
        t.units.host().request(r, t.bus.now);
      }
      if (!t.listener.all.empty()) at = t.listener.all[0].at / t.period();
    }
    return at;
  };
  CHECK(answered_at(kNever) == kNever);
  const Tick at = answered_at(5000 * 10);  // cycles of 10 ticks
  CHECK(at >= 6000);
  CHECK(at <= 6000 + 90 + 2 * 24);  // its own time, and the command in front
}

TEST_CASE("K3 a held unit serves nobody else until the next request") {
  CoreBench t;
  CoreRequest first = request(MemorySpace::scratch, true, 0x40, {1}, 1);
  first.hold = true;
  t.units.host().request(first, t.bus.now);
  t.run_until(t.bus.now + 30 * t.period());
  CHECK(t.issue(Bench::make(InsnId::scratch_read, 0x40, 1, 0, 2)));
  t.run_until(t.bus.now + 1000 * t.period());
  CHECK(t.bus.signals.empty());  // its read waits
  t.units.host().write(MemorySpace::scratch, 0x40, 9);
  t.units.host().request(request(MemorySpace::scratch, true, 0x40, {2}, 2), t.bus.now);
  t.settle();
  CHECK(t.listener.all.size() == 2);
  REQUIRE(t.bus.signals.size() == 1);
  CHECK(t.bus.read(0) == 2);  // what the last request wrote
}

TEST_CASE("K4 requests of the control processor keep their order and a snapshot keeps them all") {
  CoreBench t;
  for (uint64_t id = 1; id <= 6; ++id)
    t.units.host().request(request(MemorySpace::dram, true, 0x80, {static_cast<uint32_t>(id)}, id), t.bus.now);
  t.run_until(t.bus.now + 100 * t.period());
  const auto saved = t.units.save();
  const Tick at = t.bus.now;
  const uint64_t hash = t.units.state_hash();
  t.settle();
  REQUIRE(t.listener.all.size() == 6);
  for (size_t i = 0; i < 6; ++i) CHECK(t.listener.all[i].id == i + 1);
  CHECK(t.units.host().read(MemorySpace::dram, 0x80) == 6);
  const auto first = t.listener.all;
  const uint64_t end = t.units.state_hash();
  const auto before = static_cast<size_t>(
      std::count_if(first.begin(), first.end(), [&](const Answers::Answer& a) { return a.at <= at; }));

  t.units.restore(*saved);
  t.bus.now = at;
  t.listener.all.clear();
  CHECK(t.units.state_hash() == hash);
  t.settle();
  CHECK(t.units.state_hash() == end);
  REQUIRE(t.listener.all.size() == 6 - before);
  for (size_t i = before; i < 6; ++i) {
    CHECK(t.listener.all[i - before].id == first[i].id);
    CHECK(t.listener.all[i - before].at == first[i].at);
  }
}
