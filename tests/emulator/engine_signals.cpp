// E6, E7, E11 of docs/timing.md: signals and waiting.
#include <catch2/catch.hpp>

#include "engine_support.h"

using namespace weft::test;

TEST_CASE("E6 all consumes the whole mask, any only what was set") {
  Bench m;
  m.program(0, {ctx_arb(1u << 3 | 1u << 5), ctx_arb(1u << 6 | 1u << 7, true), halt()});
  m.run_until(100);
  m.signal({0, 0}, 3);
  m.run_until(200);
  CHECK(m.counters(0, 0).executing == 1);
  CHECK(m.state(0).contexts[0].signals == 1u << 3);
  m.signal({0, 0}, 9);
  m.signal({0, 0}, 5);
  m.run_until(300);
  CHECK(m.counters(0, 0).executing == 2);
  CHECK(m.state(0).contexts[0].signals == 1u << 9);
  m.signal({0, 0}, 7);
  CHECK(m.state(0).contexts[0].signals == 1u << 9);
  m.signal({0, 0}, 6);  // late: the context is Ready already
  CHECK(m.go().kind == StopKind::halted);
  CHECK((m.state(0).contexts[0].signals & 0xfffe) == (1u << 9 | 1u << 6));
}

TEST_CASE("E6 signals that came first count, and a mask of 0 never wakes") {
  Bench m;
  m.program(0, {nop(), nop(), ctx_arb(1u << 4), halt()});
  m.signal({0, 0}, 4);
  CHECK(m.cycle_of(m.go()) == 5);

  Bench sleeper;
  Instruction current = make(InsnId::ctx_arb);
  current[Role::current_mask] = 1;
  sleeper.program(0, {current, halt()});
  sleeper.state(0).contexts[0].wakeup = 0;
  CHECK(sleeper.run_until(weft::emulator::kNever).kind == StopKind::idle);
}

TEST_CASE("E6 the mask in ACTIVE_CTX_WAKEUP_EVENTS serves ctx_arb[--]") {
  Bench m;
  Instruction current = make(InsnId::ctx_arb);
  current[Role::current_mask] = 1;
  m.program(0, {immed(a(0), 1u << 2), csr_wr(Csr::active_ctx_wakeup_events, a(0)), nop(), nop(), nop(), nop(), current,
                halt()});
  m.run_until(200);
  CHECK(m.state(0).contexts[0].state == weft::emulator::ContextState::sleep);
  m.signal({0, 0}, 2);
  CHECK(m.go().kind == StopKind::halted);
}

TEST_CASE("E6 br[] goes on at its label") {
  Bench m;
  Instruction arb = ctx_arb(1u << 2);
  arb[Role::has_target] = 1, arb[Role::target] = 3;
  m.program(0, {arb, halt(), halt(), halt()});
  m.signal({0, 0}, 2);
  CHECK(m.go().pc == 3);
}

TEST_CASE("E7 br_signal consumes, br_!signal does not") {
  Bench m;
  m.program(0, {br_signal(InsnId::br_not_signal, 5, 3), br_signal(InsnId::br_signal, 5, 3), nop(), halt()});
  m.signal({0, 0}, 5);
  const StopReason stop = m.go();
  CHECK(m.cycle_of(stop) == 4);  // not taken, taken with two aborted slots
  CHECK(m.state(0).contexts[0].signals == 1);

  Bench unset;
  unset.program(0, {br_signal(InsnId::br_not_signal, 5, 2), nop(), halt()});
  CHECK(unset.cycle_of(unset.go()) == 3);
}

TEST_CASE("E11 SAME_ME_SIGNAL takes 8 cycles, also to the next context") {
  Bench m;
  // 0x80 = next context, signal 4 in bits 6:3.
  m.program(0, {branch(InsnId::br, 2), nop(), csr_wr(Csr::same_me_signal, k(0x80 | 4 << 3)), kill()}, 1);
  m.load(0, encode({ctx_arb(1u << 4), halt()}), 10);
  m.start(0, 2, 10);
  const StopReason stop = m.go();
  CHECK(stop.context == 1);
  CHECK(m.cycle_of(stop) == 3 + 8);  // the write is in cycle 3
}

TEST_CASE("E20 what is due comes before a later change from outside, also in lost cycles") {
  // Context 0 raises signal 4 in context 1 with cycle 8 and then loses cycles 8 to 10 behind a branch, so that it does
  // not look. A unit raises signal 5 in cycle `late`; context 1 awaits either and takes what is there at that moment.
  const auto left = [](uint64_t late) {
    Bench m;
    m.program(0, {csr_wr(Csr::same_me_signal, k(0x80 | 4 << 3)), nop(), nop(), nop(), nop(), nop(),
                  alu(none(), none(), AluOp::b, k(0)), branch(InsnId::beq, 9), nop(), branch(InsnId::br, 9)});
    m.load(0, encode({ctx_arb(1u << 4 | 1u << 5, true), halt()}), 20);
    m.start(0, 2, 20);
    // Context 1 gets the engine first.
    m.state(0).last_running = 0;
    m.run_until(80);
    REQUIRE(m.state(0).contexts[1].state == weft::emulator::ContextState::sleep);
    m.run_until(late * 10);
    m.signal({0, 1}, 5);
    m.run_until(200);
    CHECK(m.state(0).contexts[1].state == weft::emulator::ContextState::ready);
    return m.state(0).contexts[1].signals & 0xfffe;
  };
  CHECK(left(9) == 1u << 4);   // 5 came first and was taken
  CHECK(left(13) == 1u << 5);  // 4 came first, though the engine looks only after the lost cycles
}

TEST_CASE("E21 at equal times a neighbor comes before the engine itself") {
  // Context 1 of engine 0 awaits one of two signals: 4, which its own engine sends in cycle 0 and which takes 20 here,
  // and 5 from engine 1, which takes 12 and is sent in cycle 7, 8 or 9. What lands first is taken, the other one stays.
  const auto left = [](size_t sent_in) {
    MachineDescription description = engines(2);
    description.engine.same_me_signal = 20;
    description.engine.neighbor_signal = 12;
    Machine m(description);
    m.load(0, encode({csr_wr(Csr::same_me_signal, k(0x80 | 4 << 3)), ctx_arb(1u << 9)}));
    m.load(0, encode({ctx_arb(1u << 4 | 1u << 5, true), ctx_arb(1u << 8)}), 10);
    m.start(0, 1);
    m.start(0, 2, 10);
    std::vector<Instruction> other(sent_in, nop());
    other.push_back(csr_wr(Csr::prev_neighbor_signal, k(1 | 5 << 3)));
    other.push_back(kill());
    m.load(1, encode(other));
    m.start(1, 1);
    m.run_until(300);
    return m.state(0).contexts[1].signals & 0xfffe;
  };
  CHECK(left(7) == 1u << 4);
  CHECK(left(8) == 1u << 4);  // both land with cycle 20
  CHECK(left(9) == 1u << 5);
}

TEST_CASE("E11 neighbor signals take 12 cycles") {
  Bench m(2);
  m.program(0, {csr_wr(Csr::next_neighbor_signal, k(2 | 6 << 3)), kill()});
  m.program(1, {ctx_arb(1u << 6), halt()}, 4);
  const StopReason stop = m.go();
  CHECK(stop.engine == 1);
  CHECK(stop.context == 2);
  CHECK(m.cycle_of(stop) == 12);

  Bench back(2);
  back.program(1, {csr_wr(Csr::prev_neighbor_signal, k(6 << 3)), kill()});
  back.program(0, {ctx_arb(1u << 6), halt()});
  CHECK(back.cycle_of(back.go()) == 12);
}

TEST_CASE("E11 the timestamp steps every 16 cycles and a future count raises its signal") {
  Bench m;
  m.program(0, {csr_wr(Csr::active_future_count_signal, k(7)), csr_wr(Csr::active_ctx_future_count, k(5)),
                ctx_arb(1u << 7), csr_rd(Csr::timestamp_low), immed(a(1), 0), halt()});
  const StopReason stop = m.go();
  CHECK(m.cycle_of(stop) == 5 * 16 + 2);
  CHECK(m.state(0).a[1] == 5);
}
