// E14, M1-M4 of docs/timing.md: stops, order, determinism.
#include <catch2/catch.hpp>

#include "engine_support.h"

using namespace weft::test;

TEST_CASE("E14 faults stop the engine on the instruction") {
  Bench undecodable;
  undecodable.load(0, std::vector<uint64_t>{encode({nop()})[0], 0xffffffffff});
  undecodable.start(0, 1);
  StopReason stop = undecodable.go();
  CHECK(stop.kind == StopKind::undecodable);
  CHECK(stop.pc == 1);
  CHECK(undecodable.go().kind != StopKind::undecodable);  // it stays stopped

  Bench outside;
  outside.program(0, {nop(), nop()}, 4);
  stop = outside.go();
  CHECK(stop.kind == StopKind::outside_store);
  CHECK(stop.pc == 2);
  CHECK(stop.context == 2);

  Bench memory;
  memory.state(0).contexts[0].lm[0] = 4 * 640;
  memory.state(0).a[1] = 5;
  memory.program(0, {move(a(1), lm0()), halt()});
  stop = memory.go();
  CHECK(stop.kind == StopKind::local_memory);
  CHECK(stop.detail == 640);
  CHECK(stop.pc == 0);
  CHECK(memory.state(0).a[1] == 5);

  Bench moving;  // the word leaves nothing behind: its pointer stays, too
  moving.state(0).contexts[0].lm[0] = 4 * 640;
  moving.program(0, {move(a(1), lm0(0, Post::increment)), halt()});
  CHECK(moving.go().kind == StopKind::local_memory);
  CHECK(moving.state(0).contexts[0].lm[0] == 4 * 640);

  Bench unserved;
  unserved.program(0, {scratch_read(0, 0, 1, true), halt()});
  CHECK(unserved.go().kind == StopKind::unserved);
}

TEST_CASE("E14 halt clears the enables, and enabling goes on after it") {
  Bench m;
  m.program(0, {halt(), immed(a(1), 8), kill()}, 3);
  const StopReason stop = m.go();
  CHECK(stop.kind == StopKind::halted);
  CHECK(stop.pc == 0);
  CHECK((m.state(0).ctx_enables & 0xff00) == 0);
  CHECK((m.state(0).ctx_enables >> 27 & 1) == 1);
  m.resume(0);
  m.write_csr(0, Csr::ctx_enables, 0x100);
  m.go();
  CHECK(m.state(0).a[1] == 8);
  CHECK(m.counters(0, 0).total() == m.cycles(0));
}

TEST_CASE("breakpoints stop before the word, per context, and the next run goes on") {
  Bench m;
  m.program(0, {alu(a(1), a(1), AluOp::add, k(1)), voluntary(), branch(InsnId::br, 0)}, 3);
  m.set_breakpoint(0, 0, 2);
  StopReason stop = m.go();
  CHECK(stop.kind == StopKind::breakpoint);
  CHECK(stop.context == 1);
  CHECK(m.state(0).a[16 + 1] == 0);
  stop = m.go();
  CHECK(stop.kind == StopKind::breakpoint);
  CHECK(m.state(0).a[16 + 1] == 1);
  CHECK(m.state(0).a[1] == 2);
  m.set_breakpoint(0, 0, 0);
  CHECK(m.run_until(m.now() + 1000).kind == StopKind::limit);
}

TEST_CASE("a breakpoint is passed once, and the next one stops") {
  Bench m;
  m.program(0, {nop(), nop(), immed(a(1), 1), halt()});
  for (const unsigned pc : {0u, 1u, 2u}) m.set_breakpoint(0, pc);
  for (const unsigned pc : {0u, 1u, 2u}) {
    const StopReason stop = m.go();
    CHECK(stop.kind == StopKind::breakpoint);
    CHECK(stop.pc == pc);
  }
  CHECK(m.state(0).a[1] == 0);
  CHECK(m.go().kind == StopKind::halted);
  CHECK(m.state(0).a[1] == 1);
}

TEST_CASE("one instruction of one engine at a time") {
  Bench m(2);
  m.program(0, {nop(), branch(InsnId::br, 0)});
  m.program(1, {immed(a(1), 1), branch(InsnId::br, 3), nop(), immed(a(2), 2), halt()});
  StopReason stop = m.step_instruction(1);
  CHECK(stop.kind == StopKind::stepped);
  CHECK(stop.pc == 0);
  CHECK(m.state(1).a[1] == 1);
  CHECK(m.cycles(0) == 1);
  CHECK(m.cycles(1) == 1);
  CHECK(m.step_instruction(1).pc == 1);
  CHECK(m.step_instruction(1).pc == 3);
  CHECK(m.state(1).a[2] == 2);
}

namespace {

struct Journal : weft::emulator::Observer {
  std::vector<std::pair<ContextRef, uint64_t>> executed;
  void on_execute(ContextRef who, uint16_t, uint64_t cycle) override { executed.push_back({who, cycle}); }
};

/// A line that an actor of a rank writes into a common list when its time comes.
struct Bell : weft::emulator::Actor {
  Bell(Tick when, int mark, std::vector<int>& out, Machine* seen = nullptr)
      : at(when), number(mark), list(out), machine(seen) {}
  Tick next_event() const override { return at; }
  void run(Tick) override {
    at = weft::emulator::kNever;
    list.push_back(number);
    if (machine != nullptr) executed_before = machine->instructions();
  }
  Tick at;
  int number;
  std::vector<int>& list;
  Machine* machine;
  uint64_t executed_before = 0;
};

}  // namespace

TEST_CASE("M1 units, then control, then engines by number") {
  Bench m(3);
  std::vector<int> order;
  Bell control(20, 3, order, &m), first(20, 1, order), second(20, 2, order);
  m.attach(control, weft::emulator::Rank::control);
  m.attach(first, weft::emulator::Rank::unit);
  m.attach(second, weft::emulator::Rank::unit);
  Journal journal;
  m.attach(journal);
  for (unsigned e : {2u, 0u, 1u}) m.program(e, {nop(), nop(), nop(), kill()});
  m.run_until(1000);
  CHECK(order == std::vector<int>{1, 2, 3});
  CHECK(control.executed_before == 6);  // two cycles of three engines
  REQUIRE(journal.executed.size() == 12);
  for (size_t i = 0; i < journal.executed.size(); ++i) {
    CHECK(journal.executed[i].first.engine == i % 3);
    CHECK(journal.executed[i].second == i / 3);
  }
}

TEST_CASE("M2 what happens between two cycles is seen in the later one") {
  Bench m;
  struct Caller : weft::emulator::Actor {
    explicit Caller(Machine& on) : machine(on) {}
    Tick next_event() const override { return at; }
    void run(Tick) override {
      at = weft::emulator::kNever;
      machine.signal({0, 0}, 2);
    }
    Machine& machine;
    Tick at = 101;
  } caller(m);
  m.attach(caller, weft::emulator::Rank::unit);
  m.program(0, {ctx_arb(1u << 2), halt()});
  CHECK(m.go().at == 110);
}

TEST_CASE("M3 a run in pieces is the same run") {
  const auto hash = [](Tick piece) {
    Bench m(2);
    EchoUnit unit(m, 137, 2);
    m.attach(weft::isa::Unit::scratch, unit);
    weft::emulator::TraceHash trace;
    m.attach(trace);
    for (unsigned e : {0u, 1u}) m.program(e, {scratch_read(0, 4, 1, true), nop(), branch(InsnId::br, 0)}, 0x1f);
    for (Tick t = 0; t < 30000; t += piece) m.run_until(std::min<Tick>(t + piece, 30000));
    return trace.value();
  };
  CHECK(hash(30000) == hash(1));
  CHECK(hash(30000) == hash(33));
}

TEST_CASE("M4 equal runs have equal trace hashes, other runs do not") {
  const auto hash = [](Tick latency) {
    Bench m(2);
    EchoUnit unit(m, latency, 2);
    m.attach(weft::isa::Unit::scratch, unit);
    weft::emulator::TraceHash trace;
    m.attach(trace);
    for (unsigned e : {0u, 1u}) m.program(e, {scratch_read(0, 4, 1, true), nop(), branch(InsnId::br, 0)}, 0x1f);
    m.run_until(30000);
    return trace.value();
  };
  CHECK(hash(600) == hash(600));
  CHECK(hash(600) != hash(610));
}

TEST_CASE("M4 a restored machine repeats what followed") {
  Bench m;
  m.program(0, {alu(a(1), a(1), AluOp::add, k(3)), voluntary(), branch(InsnId::br, 0)}, 0xff);
  m.run_until(5000);
  const auto saved = m.save();
  weft::emulator::TraceHash first, second;
  m.attach(first);
  m.run_until(9000);
  const uint32_t value = m.state(0).a[1];
  m.detach(first);
  m.restore(saved);
  CHECK(m.now() == 5000);
  m.attach(second);
  m.run_until(9000);
  CHECK(m.state(0).a[1] == value);
  CHECK(first.value() == second.value());
}

TEST_CASE("of several observers one that has left is told nothing more") {
  struct Watch : weft::emulator::Observer {
    size_t executed = 0, swapped = 0;
    void on_execute(ContextRef, uint16_t, uint64_t) override { ++executed; }
    void on_state(ContextRef, weft::emulator::ContextState, uint64_t) override { ++swapped; }
  };
  std::array<Watch, 3> watches;
  Bench m;
  m.program(0, {nop(), voluntary(), branch(InsnId::br, 0)}, 3);
  for (Watch& watch : watches) m.attach(watch);
  m.run_until(m.now() + 1000);
  m.detach(watches[1]);
  const Watch left = watches[1];
  CHECK(left.executed > 0);
  m.run_until(m.now() + 1000);
  CHECK(watches[1].executed == left.executed);
  CHECK(watches[1].swapped == left.swapped);
  CHECK(watches[0].executed > left.executed);
  CHECK(watches[2].executed == watches[0].executed);
}

TEST_CASE("observers see commands, answers and signals, and may stop the run") {
  struct Watch : weft::emulator::Observer {
    std::vector<std::string> events;
    size_t executed = 0, stop_after = 100;
    void on_execute(ContextRef, uint16_t, uint64_t) override { ++executed; }
    void on_issue(const weft::emulator::Command& c) override { events.push_back("issue " + std::to_string(c.issued)); }
    void on_push(ContextRef to, bool, unsigned number, uint32_t, Tick at) override {
      events.push_back("push " + std::to_string(to.context) + " " + std::to_string(number) + " " + std::to_string(at));
    }
    void on_signal(ContextRef, unsigned number, Tick at) override {
      events.push_back("signal " + std::to_string(number) + " " + std::to_string(at));
    }
    bool wants_stop() const override { return executed == stop_after; }
  } watch;
  Bench m;
  EchoUnit unit(m, 95);
  m.attach(weft::isa::Unit::scratch, unit);
  m.attach(watch);
  m.program(0, {nop(), scratch_read(1, 4, 9, true), nop(), halt()}, 2);
  watch.stop_after = 3;
  const StopReason stop = m.go();
  CHECK(stop.kind == StopKind::asked);
  CHECK(stop.pc == 2);
  CHECK(watch.events == std::vector<std::string>{"issue 10", "push 1 17 105", "signal 9 105"});
  m.detach(watch);
  CHECK(m.go().kind == StopKind::halted);
  CHECK(watch.executed == 3);
}

TEST_CASE("a step moves on from a breakpoint") {
  Bench m;
  m.program(0, {nop(), nop(), halt()});
  m.set_breakpoint(0, 0);
  CHECK(m.step_instruction(0).kind == StopKind::stepped);
  CHECK(m.state(0).contexts[0].pc == 1);
}

TEST_CASE("br_inp_state asks the units") {
  Bench m;
  EchoUnit unit(m, 10);
  unit.raised_state = 3;
  m.attach(weft::isa::Unit::scratch, unit);
  m.program(0,
            {br_inp_state(InsnId::br_inp_state, 2, 4), br_inp_state(InsnId::br_inp_state, 3, 3), nop(), halt(), nop()});
  CHECK(m.go().pc == 3);
}

TEST_CASE("commands carry sums, counts of the indirect word and transfer registers of the context") {
  Bench m;
  EchoUnit unit(m, 10);
  m.attach(weft::isa::Unit::scratch, unit);
  Instruction read = scratch_read(3, 0x40, 6, true);
  read.left = a(1), read[Role::indirect] = 1, read[Role::count] = 8;
  m.state(0).a[16 * 2 + 1] = 0x100;
  m.state(0).a[16 * 2 + 2] = 1u << 25 | 11u << 21;
  read.right = k(0x20);
  m.program(0, {alu(none(), none(), AluOp::b, a(2)), read, halt()}, 1u << 2);
  m.go();
  REQUIRE(unit.seen.size() == 1);
  const auto& c = unit.seen[0];
  CHECK(c.address == 0x120);
  CHECK(c.count == 12);
  CHECK(c.xfer == 16 * 2 + 3);
  CHECK_FALSE(c.xfer_d);
  CHECK(c.signal == 6);
  CHECK(c.from == ContextRef{0, 2});
}
