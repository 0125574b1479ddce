// Words as host code: the same state as by the reference, at every cut, and with every body that has host code.
//
// WEFT_SEED chooses other programs; WEFT_FULL=1 takes ten times as many.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <fstream>
#include <string>

#include "compare.h"
#include "random_program.h"
#include "weft/emulator/observers/coverage.h"

using namespace weft;
using namespace weft::test;

namespace {

#ifdef WEFT_TRANSLATES
constexpr bool kTranslates = true;
#else
constexpr bool kTranslates = false;
#endif

/// Restores the environment.
class Environment {
 public:
  Environment(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Environment() { unsetenv(name_); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;

 private:
  const char* name_;
};

const emulator::ChipOnBoard& chip(isa::Profile profile) {
  return board(profile == isa::Profile::me2 ? "generic-2400" : "nctu-1200");
}

struct Subject {
  Subject(const emulator::ChipOnBoard& of, const std::vector<std::vector<uint64_t>>& programs, uint64_t seed)
      : machine(emulator::MachineDescription(of.chip)), units(of, machine) {
    machine.attach(units);
    Random random(seed);
    for (unsigned e = 0; e < programs.size(); ++e) {
      machine.load(e, programs[e]);
      emulator::EngineState& s = machine.state(e);
      for (auto* file : {&s.a, &s.b, &s.s_in, &s.d_in})
        for (uint32_t& longword : *file)
          longword = random.chance(1, 4) ? 0xffffffff * random.below(2) : random.next32();
      if (random.chance(1, 3)) machine.write_csr(e, isa::Csr::ctx_enables, 1u << 16);  // a pointer for all contexts
      machine.start(e, static_cast<unsigned>(random.chance(1, 3) ? 1 : 1 + random.below(255)));
    }
  }
  emulator::Machine machine;
  emulator::Units units;
};

std::vector<uint64_t> encoded(isa::Profile profile, const std::vector<isa::Instruction>& program) {
  std::vector<uint64_t> out;
  for (const isa::Instruction& i : program) {
    const auto word = isa::encode(profile, i);
    REQUIRE(word);
    out.push_back(*word);
  }
  return out;
}

/// Programs that compute and branch; the number of stretches that became host code.
uint64_t compare(uint64_t seed, isa::Profile profile) {
  Random random(seed);
  ProgramStyle style;
  style.length = static_cast<unsigned>(30 + random.below(60));
  style.commands = static_cast<unsigned>(random.below(8));
  style.branches = static_cast<unsigned>(5 + random.below(30));
  style.csrs = style.cross = false;
  std::vector<std::vector<uint64_t>> programs;
  for (uint64_t e = 0, engines = 1 + random.below(3); e < engines; ++e)
    programs.push_back(encoded(profile, random_program(random, profile, style)));
  const emulator::ChipOnBoard& of = chip(profile);
  Subject reference(of, programs, seed), translated(of, programs, seed), counted(of, programs, seed);
  emulator::Coverage expected(reference.machine), seen(counted.machine);
  reference.machine.attach(expected);
  counted.machine.attach(seen);
  const auto after = static_cast<uint32_t>(1 + random.below(3));
  translated.machine.set_execution({true, static_cast<uint32_t>(1 + random.below(600)), after});
  counted.machine.set_execution({true, 512, after});
  const emulator::Tick period = of.chip.engine.period, end = (1000 + random.below(3000)) * period;
  while (reference.machine.now() < end) {
    const emulator::Tick cut =
        std::min(end, reference.machine.now() + 1 + random.below(random.chance(1, 2) ? 15 : 400) * period);
    const emulator::StopReason a = reference.machine.run_until(cut), b = translated.machine.run_until(cut);
    INFO("seed " << seed << ", cut at tick " << cut << ": " << to_text(a) << "; " << to_text(b));
    REQUIRE(a == b);
    const std::string state = difference(reference.machine, reference.units, translated.machine, translated.units);
    if (!state.empty()) FAIL("state differs: " << state);
    counted.machine.run_until(cut);
    if (a.kind != emulator::StopKind::limit) break;
  }
  INFO("seed " << seed);
  CHECK(to_json(expected, {}) == to_json(seen, {}));
  return translated.machine.translated_stretches();
}

void compare_all(isa::Profile profile) {
  const char* text = std::getenv("WEFT_SEED");
  const uint64_t first = text != nullptr ? std::strtoull(text, nullptr, 0) : 1;
  const uint64_t count = std::getenv("WEFT_FULL") != nullptr ? 2'000 : 200;
  uint64_t stretches = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) stretches += compare(seed, profile);
  if (kTranslates && std::getenv("WEFT_TRANSLATE") == nullptr) CHECK(stretches > 3 * count);
}

isa::Operand gpr(isa::Bank bank, uint32_t n) { return {isa::OperandKind::gpr, bank, isa::Post::none, n}; }
isa::Instruction alu(isa::Operand dest, isa::Operand left, isa::AluOp op, isa::Operand right) {
  isa::Instruction i;
  i.id = isa::InsnId::alu;
  i.dest = dest, i.left = left, i.right = right;
  i[isa::Role::op] = static_cast<uint32_t>(op);
  return i;
}

/// Fills local memory from a longword on, up or down, until there is none.
std::vector<uint64_t> beyond_local_memory(uint32_t first, isa::Post step_by) {
  const isa::Operand a1 = gpr(isa::Bank::a, 1), a2 = gpr(isa::Bank::a, 2), b0 = gpr(isa::Bank::b, 0);
  const isa::Operand next{isa::OperandKind::local_mem0, isa::Bank::none, step_by, 0};
  isa::Instruction start, point, again;
  start.id = isa::InsnId::immed;
  start.dest = b0;
  start[isa::Role::value] = 4 * first;
  point.id = isa::InsnId::local_csr_wr;
  point.left = b0;
  point[isa::Role::csr] = static_cast<uint32_t>(isa::Csr::active_lm_addr_0);
  again.id = isa::InsnId::br;
  again[isa::Role::target] = 5;
  const isa::Instruction step = alu(a1, a1, isa::AluOp::add, b0);
  return encoded(isa::Profile::me2, {start, point, step, step, step, step, alu(a2, a1, isa::AluOp::xor_, b0),
                                     alu(next, a2, isa::AluOp::sub, b0), again});
}

}  // namespace

TEST_CASE("host code does what the reference does on ixp2400") { compare_all(isa::Profile::me2); }
TEST_CASE("host code does what the reference does on ixp1200") { compare_all(isa::Profile::me1); }

TEST_CASE("host code stops where local memory ends") {
  for (const bool up : {true, false}) {
    INFO(up);
    const std::vector<std::vector<uint64_t>> programs{
        beyond_local_memory(up ? 600 : 40, up ? isa::Post::increment : isa::Post::decrement)};
    Subject reference(chip(isa::Profile::me2), programs, 7), translated(chip(isa::Profile::me2), programs, 7);
    for (Subject* subject : {&reference, &translated}) {
      subject->machine.write_csr(0, isa::Csr::ctx_enables, 0);
      subject->machine.start(0, 1);
    }
    translated.machine.set_execution({true, 512, 2});
    const emulator::StopReason a = reference.machine.run_until(1'000'000), b = translated.machine.run_until(1'000'000);
    INFO(to_text(a) << "; " << to_text(b));
    CHECK(a.kind == emulator::StopKind::local_memory);
    CHECK(a.pc == 7);
    CHECK(a == b);
    CHECK(difference(reference.machine, reference.units, translated.machine, translated.units).empty());
    if (kTranslates && std::getenv("WEFT_TRANSLATE") == nullptr) CHECK(translated.machine.translated_stretches() > 0);
  }
}

// A word at the target takes its shift amount from the word before the branch, though the words behind the branch write
// the same in the stretch.
TEST_CASE("host code leaves operands of the word before a branch to the word at its target") {
  const isa::Operand a1 = gpr(isa::Bank::a, 1), a2 = gpr(isa::Bank::a, 2), b0 = gpr(isa::Bank::b, 0),
                     b1 = gpr(isa::Bank::b, 1);
  isa::Instruction test, shift, again;
  test.id = isa::InsnId::br_bset;
  test.left = a1;
  test[isa::Role::bit] = 3;
  test[isa::Role::target] = 4;
  shift.id = isa::InsnId::alu_shf;
  shift.dest = a2, shift.left = a1, shift.right = b1;
  shift[isa::Role::op] = static_cast<uint32_t>(isa::AluOp::and_);
  shift[isa::Role::shift] = static_cast<uint32_t>(isa::ShiftKind::left_indirect);
  again.id = isa::InsnId::br;
  again[isa::Role::target] = 0;
  const std::vector<std::vector<uint64_t>> programs{
      encoded(isa::Profile::me2, {alu(a1, a1, isa::AluOp::add, b0), test, alu(b1, a2, isa::AluOp::xor_, b0),
                                  alu(b1, a2, isa::AluOp::sub, b1), shift, alu(b0, a2, isa::AluOp::xor_, b0), again})};
  Subject reference(chip(isa::Profile::me2), programs, 11), translated(chip(isa::Profile::me2), programs, 11);
  for (Subject* subject : {&reference, &translated}) subject->machine.start(0, 1);
  translated.machine.set_execution({true, 512, 2});
  reference.machine.run_until(40'000);
  translated.machine.run_until(40'000);
  CHECK(difference(reference.machine, reference.units, translated.machine, translated.units).empty());
}

// Another engine writes a transfer register that a loop without commands reads, through the reflector (H3).
TEST_CASE("host code waits for what others may write into its transfer registers") {
  const isa::Operand a1 = gpr(isa::Bank::a, 1), b1 = gpr(isa::Bank::b, 1), a12 = gpr(isa::Bank::a, 12);
  const isa::Operand moved{isa::OperandKind::xfer_s, isa::Bank::none, isa::Post::none, 0};
  isa::Instruction low, high, write, again;
  low.id = isa::InsnId::immed;
  low.dest = a12;
  low[isa::Role::value] = 1 << 10;  // engine 1, register 0 of the S file
  high.id = isa::InsnId::immed_w1;
  high.dest = a12;
  high[isa::Role::value] = 0x8000;
  write.id = isa::InsnId::cap_calc_write;
  write.xfer = moved, write.left = a12, write.right = {isa::OperandKind::constant, isa::Bank::none, isa::Post::none, 0};
  write[isa::Role::count] = 1;
  write[isa::Role::signal] = 1;
  write[isa::Role::signal_mode] = static_cast<uint32_t>(isa::SignalMode::ctx_swap);
  again.id = isa::InsnId::br;
  const auto back = [&](uint32_t target) {
    again[isa::Role::target] = target;
    return again;
  };
  const std::vector<std::vector<uint64_t>> programs{
      encoded(isa::Profile::me2,
              {low, high, alu(a1, a1, isa::AluOp::add, b1), alu(moved, a1, isa::AluOp::xor_, b1), write, back(2)}),
      encoded(isa::Profile::me2, {alu(a1, a1, isa::AluOp::add, moved), alu(b1, a1, isa::AluOp::xor_, b1), back(0)})};
  Subject reference(chip(isa::Profile::me2), programs, 13), translated(chip(isa::Profile::me2), programs, 13);
  for (Subject* subject : {&reference, &translated})
    for (const unsigned engine : {0u, 1u}) subject->machine.start(engine, 1);
  translated.machine.set_execution({true, 512, 2});
  for (emulator::Tick cut = 5'000; cut <= 100'000; cut += 5'000) {
    reference.machine.run_until(cut);
    translated.machine.run_until(cut);
    CHECK(difference(reference.machine, reference.units, translated.machine, translated.units).empty());
  }
}

// Counts of registers in flight are compared several at once: each of them must be among those. The answer for one
// comes between the last command, where the engine has its turn, and the stretch behind it, which reads all of them.
TEST_CASE("host code waits for each register that is in flight") {
  const bool me1 = GENERATE(true, false);
  const isa::Profile profile = me1 ? isa::Profile::me1 : isa::Profile::me2;
  for (unsigned in_flight = 0; in_flight < 7; ++in_flight)
    for (unsigned rounds = 1; rounds < 40; ++rounds) {
      INFO("$" << in_flight << ", " << rounds << " rounds");
      std::string text = ".reg a n sum $0 $1 $2 $3 $4 $5 $6 $7\n";
      for (unsigned r = 0; r < 8; ++r) text += fmt::format(".addr ${0} {0}\n", r);  // which ones are compared at once
      if (!me1) text += ".sig s\n";
      text += ".set $0 $1 $2 $3 $4 $5 $6 $7\nimmed[a, 0x100]\nimmed[sum, 1]\nagain#:\n";
      text += "alu[$7, sum, +, 1]\n";
      text += std::string("sram[write, $7, a, 0, 1], ctx_swap") + (me1 ? "\n" : "[s]\n");
      text += "sram[read, $" + std::to_string(in_flight) + ", a, 0, 1], sig_done" + (me1 ? "\n" : "[s]\n");
      text += "br=byte[a, 3, 255, early#]\n";  // never, but the read must not have its effect before
      text += "immed[n, " + std::to_string(rounds) + "]\nwait#:\nalu[n, n, -, 1]\nbne[wait#]\n";
      text += "scratch[incr, --, a, 0]\n";
      for (unsigned words = 0; words < 6; ++words) text += "alu[n, n, +, 1]\n";
      for (unsigned r = 0; r < 7; ++r) text += "alu[sum, sum, +, $" + std::to_string(r) + "]\n";
      const std::string await = std::string("ctx_arb[") + (me1 ? "sram" : "s") + "]\nbr[again#]\n";
      text += await;
      text += "early#:\nalu[sum, sum, +, $" + std::to_string(in_flight) + "]\n" + await;
      const std::vector<std::vector<uint64_t>> programs{assembled(text, profile)};
      Subject reference(chip(profile), programs, 17), translated(chip(profile), programs, 17);
      for (Subject* subject : {&reference, &translated}) subject->machine.start(0, 1);
      translated.machine.set_execution({true, 512, 2});
      const emulator::Tick end = 3'000 * chip(profile).chip.engine.period;
      reference.machine.run_until(end);
      translated.machine.run_until(end);
      CHECK(difference(reference.machine, reference.units, translated.machine, translated.units).empty());
    }
}

TEST_CASE("WEFT_TRANSLATE=off and 0 runs leave all words to the interpreter") {
  const std::vector<std::vector<uint64_t>> programs{beyond_local_memory(600, isa::Post::increment)};
  const auto stretches = [&](uint32_t after) {
    Subject subject(chip(isa::Profile::me2), programs, 7);
    subject.machine.set_execution({true, 512, after});
    subject.machine.run_until(1'000);
    return subject.machine.translated_stretches();
  };
  CHECK(stretches(0) == 0);
  const Environment off("WEFT_TRANSLATE", "off");
  CHECK(stretches(1) == 0);
}

#ifdef __linux__
TEST_CASE("no memory is both writable and executable while host code runs") {
  const std::vector<std::vector<uint64_t>> programs{beyond_local_memory(600, isa::Post::increment)};
  Subject subject(chip(isa::Profile::me2), programs, 7);
  subject.machine.set_execution({true, 512, 1});
  subject.machine.run_until(1'000);
  std::ifstream maps("/proc/self/maps");
  REQUIRE(maps);
  for (std::string line; std::getline(maps, line);) {
    INFO(line);
    CHECK(line.find(" rwx") == std::string::npos);
  }
}
#endif
