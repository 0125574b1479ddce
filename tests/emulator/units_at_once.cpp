// Commands that a unit plans and performs in one step (UnitModel::at_once): the same times, data, counters and state as
// in two steps, and nothing at all where it declines.
#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <numeric>
#include <random>

#include "units/ixp1200.h"
#include "units/ixp2000.h"
#include "units_support.h"
#include "weft/emulator/stored.h"

using namespace weft;
using namespace weft::emulator;
using weft::isa::InsnId;

namespace {

struct CountedFaults final : UnitPort {
  void fault(std::string, const WordPlace&) override { ++count; }
  WordPlace served_word() const override { return {}; }
  void send(const Reply&) override {}
  void send_to_contexts(const Reply&, unsigned) override {}
  void announce_push(ContextRef, unsigned, unsigned) override {}
  void withdraw_push(ContextRef, unsigned, unsigned) override {}
  void reconsider() override {}
  void reconsider(size_t, Tick) override {}
  uint64_t performing() const override { return kUnasked; }
  unsigned count = 0;
};

/// One unit, and what surrounds it.
template <class Model>
struct Side {
  Model& model;
  UnitCounters counters;
  std::array<uint32_t, 128> registers{};
  CountedFaults port{};
  explicit Side(Model& of) : model(of) { model.connect(port); }

  Times in_two_steps(const Command& c, Tick arrival) {
    PlanUndo undo;
    const Times times = model.plan(c, arrival, undo);
    std::array<uint32_t, 32> data{};
    Service service(c, times, data.data(), counters, registers.data(), nullptr);
    counters.busy += times.busy;
    model.perform(service);
    for (unsigned i = 0; i < service.count(); ++i) registers[c.xfer + i] = data[i];
    return times;
  }
  ServedAtOnce in_one_step(const Command& c, Tick arrival, Tick until) {
    const bool is_sorted = std::is_base_of_v<SortedModel, Model>;
    const AtOnceTerms terms{until, &counters, is_sorted ? arrival : c.issued + model.timing().command * model.period(),
                            c.from, c.xfer};
    const AtOnceWord word{static_cast<uint8_t>(UnitModel::longwords(c)), c.list, c.csr};
    const uint32_t address = c.op == InsnId::fast_wr ? c.data : c.address;
    return model.at_once(c.op)(model, terms, word, address, registers.data() + c.xfer, arrival);
  }
  uint64_t state() const { return Hash().add(model.state()).value(); }
};

struct Tried {
  unsigned served = 0, declined = 0;
};

using Random = std::mt19937_64;
using Address = std::function<uint32_t(InsnId, Random&)>;

/// DRAM uses buffers as well, and only of control words of TBUF several are written.
bool is_kept_out(const Command& c) {
  if (c.op == InsnId::msf_fast_wr) return (c.address & 0xfffc) >= msf::kBufferData;
  if (c.op == InsnId::msf_write || c.op == InsnId::msf_write64) {
    const uint32_t first = c.address & 0x3ffc, longwords = UnitModel::longwords(c);
    return first + 4 * longwords > msf::kBufferData || (first < msf::kTbufControl && longwords > 1);
  }
  return false;
}

/// A read_lock that has to wait for others to unlock.
template <class Model>
bool waits_for_lock(const Model& model, const Command& c) {
  if constexpr (std::is_same_v<Model, Sram1200>)
    return c.op == InsnId::sram_read_lock && (model.locked(c.address) || model.state().locks.size() == 8);
  return false;
}

/// The first tick at which a unit that nothing else waits for serves the command.
template <class Model>
Tick first_start(Model& model, const Command& c, Tick arrival) {
  if constexpr (std::is_base_of_v<SortedModel, Model>) {
    WaitingCommands::Queues queues(model.depths().size());
    const size_t queue = model.queue_of(c);
    QueuedCommand& pending = queues[queue].extend();
    pending.command = c;
    pending.arrival = arrival;
    return model.ready(WaitingCommands(queues, model.depths()), queue);
  }
  return arrival;
}

/// Often something that names few things, so that there are such: threads, elements, lists.
uint32_t written(Random& random) {
  return static_cast<uint32_t>(random() % (random() % 2 == 0 ? 32 : uint64_t{1} << 32));
}

/// Random commands of all instructions that have such a way.
template <class Model>
void compare(Model& first, Model& second, const Address& address) {
  Random random(2400);
  Side<Model> two(first), one(second);
  std::vector<InsnId> with_a_way;
  for (const isa::InsnInfo& info : isa::all_instructions())
    if (first.at_once(info.id) != nullptr) with_a_way.push_back(info.id);
  REQUIRE(!with_a_way.empty());
  std::map<InsnId, Tried> tried;
  Tick now = 0;
  for (size_t i = 0; i < 900 * with_a_way.size(); ++i) {
    const InsnId op = with_a_way[random() % with_a_way.size()];
    Command c = Bench::make(op, address(op, random), static_cast<uint8_t>(1 + random() % 8),
                            static_cast<uint8_t>(random() % 8));
    now += random() % 200;
    c.issued = now;
    if (traits_of(op).access == isa::Access::csr_read || traits_of(op).access == isa::Access::csr_write)
      c.csr = c.address & 0x3fc;
    c.from = {static_cast<uint8_t>(random() % 6), static_cast<uint8_t>(random() % 4)};
    if (op == InsnId::fast_wr) c.data = written(random);
    if (std::is_base_of_v<SortedModel, Model>) c.queue = static_cast<isa::MemoryQueue>(random() % 3);
    c.list = static_cast<uint8_t>(random() % 8);
    const Tick arrival = now + (first.timing().command + random() % 3) * first.period();
    for (uint32_t& r : two.registers) r = written(random);
    one.registers = two.registers;
    const uint64_t before = one.state();
    const UnitCounters counted = one.counters;
    const Tick until = random() % 8 == 0 ? arrival + random() % 100 - std::min<Tick>(arrival, random() % 40) : kNever;
    const unsigned faults = two.port.count;
    const Tick start = first_start(first, c, arrival);
    const bool waits = waits_for_lock(first, c);
    INFO(isa::info(op).name << " of " << unsigned{c.count} << " at 0x" << std::hex << c.address);
    const ServedAtOnce served = one.in_one_step(c, arrival, until);
    const bool done = served.start != kNever;
    if (!done) {
      CHECK(one.state() == before);
      CHECK(one.counters == counted);
      if (!waits) one.in_two_steps(c, start);
    }
    const Times times = waits ? Times{start} : two.in_two_steps(c, start);
    const bool faulty = two.port.count != faults;
    if (done) {
      CHECK(served.start == times.start);
      CHECK(served.at == times.at);
      CHECK(times.first == kNever);
    } else {
      CHECK((faulty || waits || times.start >= until || is_kept_out(c)));
    }
    if (faulty || waits || is_kept_out(c)) CHECK_FALSE(done);
    CHECK(one.registers == two.registers);
    CHECK(one.counters == two.counters);
    REQUIRE(one.state() == two.state());
    ++(done ? tried[op].served : tried[op].declined);
  }
  for (const InsnId op : with_a_way) {
    INFO(isa::info(op).name);
    CHECK(tried[op].served > 100);
    CHECK(tried[op].declined > 10);
  }
}

/// Mostly within `bytes`, which are few so that commands meet, and now and then behind all memory.
uint32_t near(uint32_t bytes, uint32_t outside, Random& random) {
  return static_cast<uint32_t>(random() % 16 == 0 ? outside - random() % 16 : random() % bytes);
}

}  // namespace

TEST_CASE("at once: scratch") {
  FakeBus bus;
  const ChipDescription chip = board().chips.at(0).chip;
  Scratch first(chip.scratch, chip.engine.period, bus), second(chip.scratch, chip.engine.period, bus);
  for (Scratch* s : {&first, &second})
    for (unsigned ring = 0; ring < 4; ++ring) REQUIRE(s->set_ring(ring, 1024 * ring, 128, ring % 2 == 0));
  compare(first, second, [&](InsnId op, Random& random) -> uint32_t {
    if (op == InsnId::scratch_get || op == InsnId::scratch_put)
      return static_cast<uint32_t>(random() % (random() % 8 == 0 ? 64 : 16));  // rings from 4 on are not set up
    return near(256, chip.scratch.bytes, random);
  });
}

TEST_CASE("at once: SRAM") {
  FakeBus bus;
  const ChipOnBoard on = board().chips.at(0);
  const auto make = [&] {
    return std::make_unique<SramChannel>(0, on.chip.sram, on.sram.at(0), on.chip.engine.period, bus);
  };
  const auto first = make(), second = make();
  compare(*first, *second,
          [&](InsnId, Random& random) { return near(256, static_cast<uint32_t>(on.sram.at(0).bytes), random); });
}

TEST_CASE("at once: DRAM, with and without rows") {
  FakeBus bus;
  ChipOnBoard on = board().chips.at(0);
  const bool rows = GENERATE(false, true);
  if (rows) {
    on.chip.dram.banks = 4;
    on.chip.dram.row_bytes = 2048;
    on.chip.dram.row_miss = 24;
    on.chip.dram.turn_round = 8;
    on.chip.dram.refresh_interval = 300;
    on.chip.dram.refresh_cycles = 20;
  }
  Msf msf(on.chip.msf, on.media, on.ports, on.links, on.chip, bus);
  Dram first(on.chip.dram, on.dram, on.chip.engine.period, bus, msf);
  Dram second(on.chip.dram, on.dram, on.chip.engine.period, bus, msf);
  compare(first, second,
          [&](InsnId, Random& random) { return near(16384, static_cast<uint32_t>(on.dram.bytes), random); });
}

TEST_CASE("at once: registers of the media interface") {
  FakeBus bus;
  const ChipOnBoard on = board().chips.at(0);
  Msf first(on.chip.msf, on.media, on.ports, on.links, on.chip, bus);
  Msf second(on.chip.msf, on.media, on.ports, on.links, on.chip, bus);
  const auto write = [](Msf& msf) {  // half of the elements of TBUF are on their way, others have no second longword
    Side<Msf> side(msf);
    std::iota(side.registers.begin(), side.registers.end(), 0x12340001u);
    for (uint32_t element = 0; element < 64; ++element)
      side.in_two_steps(Bench::make(InsnId::msf_write, msf::kTbufControl + 8 * element, 1 + element % 2),
                        1000 * element);
    side.in_two_steps(Bench::make(InsnId::msf_write, msf::kRxPortMap, 1), 100'000);
  };
  write(first);
  write(second);
  const uint32_t not_modelled = 0x100;
  compare(first, second, [&](InsnId op, Random& random) -> uint32_t {
    const uint32_t from[] = {0, msf::kRxPortMap, msf::kTxSequence, msf::kTbufControl, msf::kBufferData, not_modelled};
    const auto address = static_cast<uint32_t>(from[random() % std::size(from)] + random() % 64);
    return op == InsnId::msf_fast_wr ? (address & 0xfffc) | written(random) << 16 : address;
  });
}

TEST_CASE("at once: SRAM and SDRAM of the IXP1200, while no command waits before") {
  FakeBus bus;
  ChipOnBoard on = board("generic-1200").chips.at(0);
  on.chip.sram1200.turn_round = GENERATE(0u, 3u);
  Sram1200 first(on.chip, on.sram.at(0), bus), second(on.chip, on.sram.at(0), bus);
  compare(first, second,
          [&](InsnId, Random& random) { return near(256, static_cast<uint32_t>(on.sram.at(0).bytes), random) & ~3u; });
  HashUnit hash(on.chip.hash, on.chip.engine.period, bus);
  Fbi fbi(on, bus, hash);
  Sdram1200 one(on.chip, on.dram, bus, fbi), other(on.chip, on.dram, bus, fbi);
  compare(one, other,
          [&](InsnId, Random& random) { return near(65536, static_cast<uint32_t>(on.dram.bytes), random); });
}

TEST_CASE("at once: scratch and registers of the FBI") {
  FakeBus bus;
  const ChipOnBoard on = board("generic-1200").chips.at(0);
  HashUnit hash_of_first(on.chip.hash, on.chip.engine.period, bus),
      hash_of_second(on.chip.hash, on.chip.engine.period, bus);
  Fbi first(on, bus, hash_of_first), second(on, bus, hash_of_second);
  Random random(1200);
  for (unsigned i = 0; i < 200; ++i) {
    const auto at = static_cast<uint32_t>(random()), value = static_cast<uint32_t>(random());
    for (Fbi* fbi : {&first, &second}) {
      fbi->scratch().write(at % on.chip.scratch.bytes & ~3u, value);
      if ((at & 0x3fc) >= fbi_csr::kSelfDestruct) fbi->write_csr(at & 0x3fc, value, std::nullopt);
    }
  }
  compare(first, second, [&](InsnId op, Random& r) -> uint32_t {
    if (op == InsnId::r_fifo_rd) return near(first.fifo_bytes(), first.fifo_bytes() + 16, r) & ~3u;
    if (op == InsnId::fast_wr || op == InsnId::csr_write) {
      const uint32_t told[] = {fbi_csr::kReceiveRequest, fbi_csr::kInterThreadSignal, fbi_csr::kEnqueueSeq1,
                               static_cast<uint32_t>(r())};
      return told[r() % 4];
    }
    if (op != InsnId::csr_read) return near(256, on.chip.scratch.bytes, r) & ~3u;
    return r() % 16 == 0 ? fbi_csr::kReceiveControl : static_cast<uint32_t>(r());
  });
}
