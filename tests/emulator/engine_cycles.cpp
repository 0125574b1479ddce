// E1-E4, E8, E15 of docs/timing.md: where cycles go.
#include <catch2/catch.hpp>

#include "engine_support.h"

using namespace weft::test;
using weft::emulator::CycleCounters;

namespace {

void check_sums(const Machine& machine, unsigned engine) {
  uint64_t busy = 0;
  for (unsigned c = 0; c < weft::emulator::kContexts; ++c) {
    const CycleCounters counters = machine.counters(engine, c);
    CHECK(counters.total() == machine.cycles(engine));
    busy += counters.executing + counters.aborted + counters.stalled;
  }
  const auto& state = machine.state(engine);
  if (state.idle || state.stopped) return;
  CHECK(busy + state.idle_cycles == std::min(machine.cycles(engine), state.next_cycle));
}

/// The cycle in which the halt executes after a branch from word 0 to word 5 with `defer` slots.
uint64_t halt_after(Instruction branch_insn, unsigned n_flag = 0) {
  Bench m;
  m.program(0, {branch_insn, nop(), nop(), nop(), nop(), halt()});
  m.state(0).codes.n = n_flag;
  return m.cycle_of(m.go());
}

}  // namespace

TEST_CASE("E1 one instruction a cycle, results for the next one") {
  Bench m;
  m.program(0, {immed(a(1), 5), alu(b(1), a(1), AluOp::add, k(2)), alu(a(2), a(1), AluOp::add, b(1)), halt()});
  const StopReason stop = m.go();
  CHECK(stop.kind == StopKind::halted);
  CHECK(stop.pc == 3);
  CHECK(m.cycle_of(stop) == 3);
  CHECK(m.state(0).a[2] == 12);
}

TEST_CASE("E2 counters of every context sum to the elapsed cycles") {
  Bench m(2);
  EchoUnit unit(m, 300, 1);
  m.attach(weft::isa::Unit::scratch, unit);
  // Two contexts that fight for a unit with room for one command.
  m.program(0, {scratch_read(0, 4, 1, true), branch(InsnId::br, 0)}, 3);
  m.program(1, {scratch_read(0, 4, 1, true), branch(InsnId::br, 0)}, 7);
  for (Tick t = 1; t < 3000; t += 7) {
    m.run_until(t);
    check_sums(m, 0);
    check_sums(m, 1);
  }
  CHECK(m.counters(0, 0).stalled + m.counters(1, 0).stalled > 0);
  CHECK(m.counters(0, 1).aborted > 0);
  CHECK(m.counters(0, 5).idle == m.cycles(0));
}

TEST_CASE("E3 a taken branch aborts the slots that are not filled") {
  CHECK(halt_after(branch(InsnId::br, 5, 0)) == 3);
  CHECK(halt_after(branch(InsnId::br, 5, 1)) == 3);
  CHECK(halt_after(branch(InsnId::br, 5, 2)) == 3);
  CHECK(halt_after(branch(InsnId::bmi, 5, 0), 1) == 4);
  CHECK(halt_after(branch(InsnId::bmi, 5, 3), 1) == 4);
  CHECK(halt_after(branch(InsnId::bmi, 5, 0), 0) == 5);  // not taken
  CHECK(halt_after(br_bit(InsnId::br_bclr, a(0), 7, 5)) == 4);
  CHECK(halt_after(br_bit(InsnId::br_bset, a(0), 7, 5)) == 5);
}

TEST_CASE("E3 deferred slots execute before the branch takes place") {
  Bench m;
  m.program(0, {branch(InsnId::br, 5, 2), immed(a(1), 1), immed(a(2), 2), immed(a(3), 3), nop(), halt()});
  m.go();
  CHECK(m.state(0).a[1] == 1);
  CHECK(m.state(0).a[2] == 2);
  CHECK(m.state(0).a[3] == 0);
  CHECK(m.counters(0, 0).executing == 4);
  CHECK(m.counters(0, 0).aborted == 0);
}

TEST_CASE("E3 jump and rtn") {
  Bench m;
  Instruction jump = branch(InsnId::jump, 3);
  jump.left = b(2);
  m.program(0, {immed(b(2), 2), jump, halt(), halt(), halt(), halt()});
  const StopReason stop = m.go();
  CHECK(stop.pc == 5);
  CHECK(m.cycle_of(stop) == 5);

  Bench r;
  Instruction rtn = make(InsnId::rtn);
  rtn.left = a(2);
  r.program(0, {immed(a(2), 3), rtn, halt(), halt()});
  CHECK(r.go().pc == 3);
}

TEST_CASE("E4 swaps abort two slots and go round robin") {
  Bench m;
  // Every context notes the order in which it came, then yields for ever.
  m.program(0, {alu(abs_a(100), abs_a(100), AluOp::add, k(1)), move(b(3), abs_a(100)), voluntary(), kill()},
            0b10100001);
  m.run_until(1000);
  CHECK(m.state(0).b[3] == 1);           // context 0
  CHECK(m.state(0).b[16 * 5 + 3] == 2);  // then 5
  CHECK(m.state(0).b[16 * 7 + 3] == 3);  // then 7
  CHECK(m.counters(0, 0).executing == 4);
  CHECK(m.counters(0, 0).aborted == 4);
  CHECK(m.state(0).ctx_enables >> 8 == 0);
  CHECK(m.cycles(0) == 100);
  check_sums(m, 0);
}

TEST_CASE("E4 deferred slots of a swap run in the leaving context") {
  Bench m;
  m.program(0, {ctx_arb(1, false, 2), immed(a(1), 1), immed(a(2), 2), halt()});
  const StopReason stop = m.go();
  CHECK(m.cycle_of(stop) == 3);
  CHECK(m.state(0).a[2] == 2);
}

TEST_CASE("E4 four-context mode skips odd contexts and has 32 registers a context") {
  Bench m;
  m.load(0, encode({immed(a(20), 9), kill()}));
  m.write_csr(0, Csr::ctx_enables, 0x80000000);
  m.start(0, 0xff);
  m.run_until(1000);
  CHECK(m.state(0).a[20] == 9);
  CHECK(m.state(0).a[32 + 20] == 9);
  CHECK(m.counters(0, 1).executing == 0);
  CHECK(m.counters(0, 2).executing == 2);
}

TEST_CASE("E8 a command without room stalls and leaves nothing behind") {
  Bench m;
  EchoUnit unit(m, 200, 1);
  m.attach(weft::isa::Unit::scratch, unit);
  m.program(0, {scratch_read(0, 4, 1, false), scratch_read(1, 8, 2, false), halt()});
  const StopReason stop = m.go();
  CHECK(m.cycle_of(stop) == 21);  // the unit is free again at tick 200 = cycle 20
  CHECK(m.counters(0, 0).stalled == 19);
  CHECK(unit.seen.size() == 2);
  CHECK(unit.seen[1].sequence == unit.seen[0].sequence + 1);
}

TEST_CASE("E8 engines that wait for the same unit are served in turn") {
  // A unit with room for one command and 3 cycles for each: all engines try again in every cycle, and in the order of
  // the engines number 0 would always be first.
  for (const unsigned count : {2u, 3u, 5u}) {
    Bench m(count);
    EchoUnit unit(m, 30, 1);
    m.attach(weft::isa::Unit::scratch, unit);
    std::vector<Instruction> program(12, scratch_read(0, 4, 1, false));
    program.push_back(kill());
    for (unsigned e = 0; e < count; ++e) m.program(e, program);
    m.run_until(100'000);
    REQUIRE(unit.seen.size() == 12 * count);
    for (size_t i = 0; i < unit.seen.size(); ++i) {
      INFO("command " << i << " of " << count << " engines");
      CHECK(unit.seen[i].from.engine == i % count);
    }
    for (unsigned e = 0; e < count; ++e) CHECK(m.counters(e, 0).executing == 13);
  }
}

TEST_CASE("E8 the turn passes over engines that do not wait") {
  Bench m(4);
  EchoUnit unit(m, 30, 1);
  m.attach(weft::isa::Unit::scratch, unit);
  std::vector<Instruction> many(6, scratch_read(0, 4, 1, false)), one{scratch_read(0, 4, 1, false), kill()};
  many.push_back(kill());
  m.program(0, many);
  m.program(1, one);
  m.program(3, many);
  m.run_until(100'000);
  std::vector<unsigned> order;
  for (const auto& command : unit.seen) order.push_back(command.from.engine);
  CHECK(order == std::vector<unsigned>{0, 1, 3, 0, 3, 0, 3, 0, 3, 0, 3, 0, 3});
}

TEST_CASE("E15 latency is measured from the issue to Ready, and Ready executes at once on an idle engine") {
  Bench m;
  EchoUnit unit(m, 600);
  m.attach(weft::isa::Unit::scratch, unit);
  m.program(0, {scratch_read(2, 4, 3, true), move(a(1), s(2)), halt()});
  const StopReason stop = m.go();
  CHECK(m.cycle_of(stop) == 61);
  CHECK(m.state(0).a[1] == 0x1004);
  CHECK(m.counters(0, 0).idle == 57);  // 0: command, 1-2: aborted, 60: move, 61: halt
  check_sums(m, 0);
}
