// weft_bench_emulator [WHAT...]: how fast both engines are, on one core. Prints figures, and the hash of what was
// computed, which must be the same for both. WHAT chooses among loop, 1200, 2400, 2800, example, linear, fast and
// reference. `--once PART ENGINE CYCLES` runs one of the forwarders once and prints no times (bench/count).
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "report.h"
#include "weft/assembler/assembler.h"
#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/statistics.h"
#include "weft/emulator/units.h"
#include "weft/workbench/session.h"

namespace weft::bench {
namespace {

double host = 0;  ///< cycles in a nanosecond

[[noreturn]] void give_up(const Diagnostics& diagnostics) {
  fmt::print(stderr, "{}", render_text(diagnostics));
  std::exit(1);
}

const char* name_of(bool fast) { return fast ? "fast" : "reference"; }

/// Nothing but arithmetic and a branch, on one context of so many engines.
void alu_loop(unsigned engines, bool fast) {
  const assembler::Assembly program = assembler::assemble(
      make_source("loop.uc",
                  ".reg a b\nimmed[a, 1]\nimmed[b, 3]\nagain#:\nalu[a, a, +, 7]\nalu[b, a, XOR, b]\n"
                  "alu_shf[b, a, AND~, b, <<1]\nbr[again#]\n"),
      {});
  if (!program.image) give_up(program.diagnostics);
  const auto board = emulator::load_board("generic-2400", {WEFT_SOURCE_DIR "/emulator"});
  if (!board) give_up(board.error());
  std::vector<double> times;
  Work work;
  for (int round = 0; round < 5; ++round) {
    emulator::Machine machine{emulator::MachineDescription(board->chips[0].chip)};
    emulator::Units units(board->chips[0], machine);
    machine.attach(units);
    machine.set_execution({fast});
    for (unsigned i = 0; i < engines; ++i) {
      machine.load(i, program.image->words);
      machine.start(i, 1);
    }
    work.cycles = 4'000'000 / engines;
    times.push_back(seconds([&] { machine.run_until(work.cycles * machine.timing().period); }));
    work.instructions = machine.instructions();
    work.hash = machine.state(0).a[0] | uint64_t{machine.state(0).b[0]} << 32;
  }
  print(fmt::format("ALU loop, {} engines, {}", engines, name_of(fast)), work, median(times), host);
}

uint64_t hash_of(const emulator::Machine& machine, const emulator::Units& units) {
  uint64_t hash = units.state_hash();
  for (unsigned e = 0; e < machine.engine_count(); ++e) {
    const emulator::EngineState& s = machine.state(e);
    for (const auto* file : {&s.a, &s.b, &s.s_in, &s.d_in})
      for (const uint32_t value : *file) hash = (hash ^ value) * 0x100000001b3;
    hash = (hash ^ s.instructions) * 0x100000001b3;
  }
  return hash;
}

/// Headers, trie, rules: random, but always the same.
void fill(emulator::HostPort& host_port) {
  using emulator::MemorySpace;
  Random random(2400);
  for (uint32_t at = 0; at < 65536 * 32; at += 32) {
    for (uint32_t i = 0; i < 8; ++i) host_port.write(MemorySpace::dram, at + 4 * i, random.next32());
    if (random.chance(15, 16)) host_port.write(MemorySpace::dram, at, 0x45000000 | (random.next32() & 0xffffff));
  }
  for (uint32_t at = 0; at < 1 << 20; at += 4) {
    const uint32_t leaf = random.chance(1, at < 65536 * 4 ? 3 : 2) ? 1u << 31 : 0;
    host_port.write(MemorySpace::sram, at, leaf | static_cast<uint32_t>(0x40000 + 1024 * random.below(700)));
  }
  for (uint32_t at = 0; at < 512; at += 16) {
    for (uint32_t i = 0; i < 4; ++i) host_port.write(MemorySpace::sram, 1u << 30 | (at + 4 * i), random.next32());
    host_port.write(MemorySpace::sram, 1u << 30 | (at + 4), random.chance(1, 4) ? 3 : 0xffff);
  }
  for (unsigned ring = 0; ring < 4; ++ring) host_port.set_ring(ring, 0x1000 + ring * 1024, 256);
}

/// All engines and contexts forward: programs/forward.uc on the chip of a board.
class Forwarding {
 public:
  explicit Forwarding(const char* board_name) {
    auto assembly = assembler::assemble(WEFT_SOURCE_DIR "/bench/programs/forward.uc", {});
    if (!assembly.image) give_up(assembly.diagnostics);
    words_ = std::move(assembly.image->words);
    auto board = emulator::load_board(board_name, {WEFT_SOURCE_DIR "/emulator"});
    if (!board) give_up(board.error());
    board_ = std::move(*board);
  }

  const emulator::ChipOnBoard& chip() const { return board_.chips[0]; }
  uint64_t ticks_per_second() const { return board_.ticks_per_second; }

  struct Running {
    Running(const emulator::ChipOnBoard& chip, bool fast)
        : machine(emulator::MachineDescription(chip.chip)), units(chip, machine) {
      machine.attach(units);
      machine.set_execution({fast});
    }
    uint64_t commands() const {
      uint64_t sum = 0;
      for (const emulator::UnitView& unit : units.inspect()) sum += unit.counters.commands;
      return sum;
    }
    void run_to(uint64_t cycle) { machine.run_until(cycle * machine.timing().period); }

    emulator::Machine machine;
    emulator::Units units;
  };

  std::unique_ptr<Running> start(bool fast) const {
    auto out = std::make_unique<Running>(chip(), fast);
    fill(out->units.host());
    for (unsigned i = 0; i < out->machine.engine_count(); ++i) {
      out->machine.load(i, words_);
      out->machine.start(i, 0xff);
    }
    return out;
  }

 private:
  std::vector<uint64_t> words_;
  emulator::BoardDescription board_;
};

/// `watched` by statistics and coverage. Host cycles per instruction.
double forward(const char* board_name, bool fast, bool watched = false) {
  const Forwarding forwarding(board_name);
  const uint64_t warm = 100'000, measured = fast ? 1'000'000 : 200'000;
  std::vector<double> times;
  Work work;
  for (int round = 0; round < 5; ++round) {
    const auto running = forwarding.start(fast);
    emulator::Machine& machine = running->machine;
    running->run_to(warm);
    emulator::Statistics statistics(machine, running->units, forwarding.chip(), forwarding.ticks_per_second());
    emulator::Coverage coverage(machine);
    if (watched) machine.attach(statistics), machine.attach(coverage);
    const uint64_t before = machine.instructions(), commands_before = running->commands();
    times.push_back(seconds([&] { running->run_to(warm + measured); }));
    work.instructions = machine.instructions() - before;
    work.commands = running->commands() - commands_before;
    work.cycles = measured;
    if (watched) {
      machine.detach(statistics), machine.detach(coverage);
      uint64_t executed = 0;
      for (unsigned e = 0; e < machine.engine_count(); ++e)
        for (const emulator::Coverage::Word& word : coverage.words(e)) executed += word.all_executed();
      work.hash = executed;
    }
    if (round > 0 || watched) continue;
    // The same cut for both engines.
    const auto again = forwarding.start(fast);
    again->run_to(50'000);
    work.hash = hash_of(again->machine, again->units);
    if (fast) {
      double busy = 0;
      for (unsigned i = 0; i < machine.engine_count(); ++i)
        busy += 1 - static_cast<double>(machine.state(i).idle_cycles) / static_cast<double>(warm + measured);
      fmt::print("  engines not idle: {:.0f} %\n", 100 * busy / machine.engine_count());
    }
  }
  return print(fmt::format("forwarding, {} engines x 8, {}{}", forwarding.chip().chip.engines, name_of(fast),
                           watched ? ", statistics and coverage" : ""),
               work, median(times), host);
}

/// The example as it is, with media and control processor; some engines have no program.
void example(bool fast) {
  std::vector<double> times;
  Work work;
  for (int round = 0; round < 3; ++round) {
    auto project = workbench::load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder");
    if (!project) give_up(project.error());
    auto session = workbench::Session::create(std::move(*project));
    if (!session) give_up(session.error());
    (*session)->machine().set_execution({fast});
    times.push_back(seconds([&] { (*session)->run({}); }));
    work.instructions = (*session)->machine().instructions();
    work.cycles = (*session)->machine().now() / (*session)->machine().timing().period;
    work.commands = 0;
    for (const emulator::UnitView& unit : (*session)->units().inspect()) work.commands += unit.counters.commands;
    work.hash = (*session)->state_hash();
  }
  print(fmt::format("examples/ipv4-forwarder, {}", name_of(fast)), work, median(times), host);
}

/// One run of a forwarder for a tool that counts what the host does (bench/count): prints what was executed as JSON.
int run_once(const std::string& part, const std::string& engine, const std::string& cycles) {
  const bool fast = engine == name_of(true);
  uint64_t last = 0;
  const auto [end, error] = std::from_chars(cycles.data(), cycles.data() + cycles.size(), last);
  const bool known = part == "1200" || part == "2400" || part == "2800";
  if (!known || (!fast && engine != name_of(false)) || error != std::errc{} || end != cycles.data() + cycles.size()) {
    fmt::print(stderr, "use: weft_bench_emulator --once 1200|2400|2800 fast|reference CYCLES\n");
    return 2;
  }
  Work work;
  if (part == "1200") {
    work = forward1200_once(fast, last);
  } else {
    const auto running = Forwarding(part == "2400" ? "generic-2400" : "generic-2800").start(fast);
    running->run_to(last);
    work = {running->machine.instructions(), running->commands(), last, 0};
  }
  fmt::print("{{\"instructions\": {}, \"commands\": {}}}\n", work.instructions, work.commands);
  return 0;
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
  using namespace weft::bench;
  const std::vector<std::string> chosen(argv + 1, argv + argc);
  if (chosen.size() == 4 && chosen[0] == "--once") return run_once(chosen[1], chosen[2], chosen[3]);
  const auto wanted = [&](std::initializer_list<std::string> alternatives, const std::string& what) {
    const auto is_chosen = [&](const std::string& name) {
      return std::find(chosen.begin(), chosen.end(), name) != chosen.end();
    };
    return std::none_of(alternatives.begin(), alternatives.end(), is_chosen) || is_chosen(what);
  };
  const auto part = [&](const char* what) {
    return wanted({"loop", "1200", "2400", "2800", "example", "linear"}, what);
  };
  host = host_cycles_per_nanosecond();
  fmt::print("host: {:.2f} GHz, {}\n", host, __VERSION__);
  for (const bool fast : {true, false}) {
    if (!wanted({"fast", "reference"}, name_of(fast))) continue;
    double small = 0, large = 0;
    if (part("loop")) alu_loop(1, fast);
    if (part("loop")) alu_loop(8, fast);
    if (part("1200")) small = forward1200(fast, host);
    if (part("2400")) forward("generic-2400", fast);
    if (part("2400")) forward("generic-2400", fast, true);
    if (part("2800")) large = forward("generic-2800", fast);
    if (small > 0 && large > 0)
      fmt::print("  an instruction at 16 x 8 costs {:.2f} times one at 6 x 4 (at most 2.5)\n", large / small);
    if (part("example")) example(fast);
  }
  if (!part("linear")) return 0;
  fmt::print("cost by length of the run, 6 engines x 4, fast\n");
  linear1200(host);
}
