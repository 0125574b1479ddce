// Checks on what contexts share, each with a program that triggers it and programs that do not.
#include "checks_support.h"

using namespace weft::test;
using namespace weft::emulator;

namespace {

constexpr uint32_t kWord = 16;  // the longword in scratch that everybody uses

/// Puts `programs[n]` after each other; context n runs the n-th.
std::vector<Instruction> by_context(const std::vector<std::vector<Instruction>>& programs) {
  std::vector<Instruction> out;
  std::vector<size_t> starts;
  size_t at = programs.size() - 1;
  for (const auto& program : programs) starts.push_back(at), at += program.size();
  for (size_t n = 1; n < programs.size(); ++n) {
    Instruction i = branch(InsnId::br_eq_ctx, static_cast<uint32_t>(starts[n]));
    i[Role::context] = static_cast<uint32_t>(n);
    out.push_back(i);
  }
  for (size_t n = 0; n < programs.size(); ++n)
    for (Instruction i : programs[n]) {
      if (i[Role::target] != 0) i[Role::target] += static_cast<uint32_t>(starts[n]);
      out.push_back(i);
    }
  return out;
}

Instruction store() { return write(1, 3, true); }
Instruction load() { return read(2, 3, true, kWord); }
Instruction signal_same(uint32_t context, uint32_t signal) {
  return csr_wr(Csr::same_me_signal, k(context | signal << 3));
}

/// Waits until a read-modify-write of the lock at 32 says that it was free.
std::vector<Instruction> locked(const std::vector<Instruction>& inside) {
  std::vector<Instruction> out{base(),
                               nop(),
                               move(s(4), k(1)),
                               memory(InsnId::scratch_test_and_set, s(4), 32, 1, 6, false),
                               ctx_arb(3u << 6),
                               alu(none(), none(), AluOp::b, s(4)),
                               branch(InsnId::bne, 2)};
  out.insert(out.end(), inside.begin(), inside.end());
  out.push_back(move(s(5), k(1)));
  out.push_back(memory(InsnId::scratch_clr, s(5), 32, 1, 3, true));
  out.push_back(kill());
  return out;
}

}  // namespace

TEST_CASE("check race: two contexts write") {
  const std::vector<Instruction> program{base(), move(s(1), k(1)), store(), kill()};
  const std::string text = Run({program}, 3).only(Check::race);
  CHECK(has(text, "me0 ctx 1 at p.uc:3"));
  CHECK(
      has(text, "scratch_write writes scratch[0x10], which scratch_write of me0 ctx 0 at p.uc:3, word 0x2 in cycle "));
  CHECK(has(text, " wrote; no signal, ring or lock stands between the two"));
  // One context may do what it wants, and so may readers.
  Run({{base(), move(s(1), k(1)), store(), load(), store(), kill()}}).silent();
  Run({{base(), load(), kill()}}, 0xff).silent();
  // Neighbouring longwords are not the same one.
  Run({by_context({{base(), move(s(1), k(1)), store(), kill()}, {base(), read(2, 3, true, kWord + 4), kill()}})}, 3)
      .silent();
}

TEST_CASE("check race: a write after a read, in another memory, from another engine") {
  const auto access = [](InsnId op) {
    return std::vector<Instruction>{
        base(), move(d(0), k(1)), move(d(1), k(2)), memory(op, d(0), 64, 1, 6, false), ctx_arb(3u << 6), kill()};
  };
  const auto texts = Run({access(InsnId::dram_read), access(InsnId::dram_write)}).of(Check::race);
  REQUIRE(texts.size() == 1);
  CHECK(has(texts[0], "dram_write writes dram[0x40], which dram_read of me0 ctx 0"));
  CHECK(has(texts[0], " read; no signal"));
}

TEST_CASE("check race: two lines are one finding, on however many microengines their program runs") {
  const std::vector<Instruction> program{base(), move(s(1), k(1)), load(), store(), kill()};
  const Run run({program, program, program, program}, 0xff);
  // The store with the load, and with itself.
  REQUIRE(run.of(Check::race).size() == 2);
  for (const Finding& f : run.checks->findings()) CHECK(f.count > 1);
}

TEST_CASE("check race: a signal orders") {
  const std::vector<Instruction> writer{base(), move(s(1), k(1)), store(), signal_same(1, 5), kill()};
  Run({by_context({writer, {base(), ctx_arb(1u << 5), load(), kill()}})}, 3).silent();
  // The same with the read before the wait.
  Run run({by_context({writer, {base(), load(), ctx_arb(1u << 5), kill()}})}, 3);
  CHECK(run.of(Check::race).size() == 1);
  // Through a third context: order is transitive.
  Run({by_context(
          {writer, {base(), ctx_arb(1u << 5), signal_same(2, 7), kill()}, {base(), ctx_arb(1u << 7), load(), kill()}})},
      7)
      .silent();
  // What a context does between its signal and its swap comes first for its neighbour.
  const std::vector<Instruction> early{base(), move(s(1), k(1)), signal_same(1, 5), store(), kill()};
  Run({by_context({early, {base(), ctx_arb(1u << 5), load(), kill()}})}, 3).silent();
  const std::vector<Instruction> late{base(), move(s(1), k(1)), signal_same(1, 5), read(6, 7, true, kWord + 8), store(),
                                      kill()};
  CHECK(Run({by_context({late, {base(), ctx_arb(1u << 5), load(), kill()}})}, 3).of(Check::race).size() == 1);
  // A signal from somebody else says nothing about the writer.
  Run other({by_context({{base(), move(s(1), k(1)), store(), kill()},
                         {base(), signal_same(2, 7), kill()},
                         {base(), ctx_arb(1u << 7), load(), kill()}})},
            7);
  CHECK(other.of(Check::race).size() == 1);
}

TEST_CASE("check race: a lock orders, whoever comes first") {
  const std::vector<Instruction> inside{load(), alu(s(1), s(2), AluOp::add, k(1)), store()};
  Run run({locked(inside), locked(inside), locked(inside)}, 0xff, CheckMode::warn, 3'000'000,
          [](Run& r) { r.units.host().write(MemorySpace::scratch, 32, 0); });
  run.silent();
  CHECK(run.units.host().read(MemorySpace::scratch, kWord) == 24);
  Run open({locked({}), {base(), load(), kill()}, locked(inside)});
  CHECK(open.of(Check::race).size() == 1);
}

TEST_CASE("check race: a ring orders") {
  const auto prepare = [](Run& run) { REQUIRE(run.units.host().set_ring(0, 0x400, 128)); };
  const std::vector<Instruction> producer{base(), move(s(1), k(1)), store(),
                                          memory(InsnId::scratch_put, s(1), 0, 1, 3, true), kill()};
  const std::vector<Instruction> consumer{base(),
                                          memory(InsnId::scratch_get, s(2), 0, 1, 3, true),
                                          alu(none(), none(), AluOp::b, s(2)),
                                          branch(InsnId::beq, 1),
                                          load(),
                                          kill()};
  Run({producer, consumer}, 1, CheckMode::warn, 300'000, prepare).silent();
  // A flag in memory instead of the ring is a race itself.
  std::vector<Instruction> flag = producer, poll = consumer;
  flag[3] = memory(InsnId::scratch_write, s(1), 0, 1, 3, true);
  poll[1] = memory(InsnId::scratch_read, s(2), 0, 1, 3, true);
  CHECK(Run({flag, poll}, 1, CheckMode::warn, 300'000, prepare).of(Check::race).size() >= 1);
}

TEST_CASE("check race: absolute registers and next-neighbor rings order") {
  Run shared({by_context({{base(), move(s(1), k(1)), store(), move(abs_a(3), k(1)), kill()},
                          {base(), immed(a(1), 0), voluntary(), alu(none(), none(), AluOp::b, abs_a(3)),
                           branch(InsnId::beq, 2), load(), kill()}})},
             3);
  CHECK(shared.of(Check::race).empty());
  Run run({{base(), move(s(1), k(1)), store(), move(n_index(Post::increment), k(7)), kill()},
           {base(), immed(a(1), 0), br_inp_state(InsnId::br_inp_state, 0, 2), move(a(1), n_index(Post::increment)),
            load(), kill()}});
  CHECK(run.of(Check::race).empty());
}

TEST_CASE("check race: what one context enters into the CAM and another one finds orders") {
  Instruction enter = make(InsnId::cam_write), look = make(InsnId::cam_lookup);
  enter.left = a(2), enter.right = k(1);
  look.dest = a(1), look.left = k(7);
  const std::vector<Instruction> writer{base(), immed(a(2), 7), move(s(1), k(1)), store(), enter, kill()};
  const auto reader = [](const Instruction& found) {  // a(1) has bit 7 when there is something
    return std::vector<Instruction>{
        base(), voluntary(), found, alu(none(), a(1), AluOp::and_, k(0x80)), branch(InsnId::beq, 1), load(), kill()};
  };
  CHECK(Run({by_context({writer, reader(look)})}, 3).of(Check::race).empty());
  CHECK(Run({by_context({writer, reader(immed(a(1), 0x80))})}, 3).of(Check::race).size() == 1);
}

namespace {

/// Four buffers of 256 bytes from DRAM 0x1000 on, all on scratch ring 0.
void with_pool(Run& run) {
  HostPort& host = run.units.host();
  REQUIRE(host.set_ring(0, 0x400, 128));
  for (uint32_t i = 0; i < 4; ++i) {
    const uint32_t handle = 0x1000 + 256 * i;
    REQUIRE(host.ring_put(0, std::array{handle}));
  }
  run.pools = {{"small", BufferPool::List::scratch_ring, 0, 0, MemorySpace::dram, 0, 0x1000, 256, 4, 0}};
}
Instruction take(uint32_t xfer) { return memory(InsnId::scratch_get, s(xfer), 0, 1, 3, true); }
Instruction give(uint32_t xfer) { return memory(InsnId::scratch_put, s(xfer), 0, 1, 3, true); }
Run pooled(const std::vector<Instruction>& program) { return Run({program}, 1, CheckMode::warn, 300'000, with_pool); }

}  // namespace

TEST_CASE("check buffer-free") {
  const std::string text =
      pooled({base(), take(1), move(s(2), s(1)), give(2), give(2), halt()}).only(Check::buffer_free);
  CHECK(has(text, "me0 ctx 0 at p.uc:5"));
  CHECK(has(text,
            "scratch_put gives back buffer 0x1000 of pool small, which is free: scratch_put of me0 ctx 0 at p.uc:4"));
  CHECK(has(pooled({base(), immed(a(1), 0x999), move(s(2), a(1)), give(2), halt()}).only(Check::buffer_free),
            "puts 0x999 on the free list of pool small, which has no such buffer"));
  // What lay on the list at the start is free.
  CHECK(has(pooled({base(), immed(a(1), 0x1100), move(s(2), a(1)), give(2), halt()}).only(Check::buffer_free),
            "is free: something outside the programs gave it back"));
  pooled({base(), take(1), move(s(2), s(1)), give(2), take(1), move(s(2), s(1)), give(2), halt()}).silent();
}

TEST_CASE("check buffer-leak") {
  // The second handle takes the place of the first one.
  const std::string text = pooled({base(), take(1), take(1), halt()}).only(Check::buffer_leak);
  CHECK(has(text, "me0 ctx 0 at p.uc:2"));
  CHECK(
      has(text,
          "scratch_get took buffer 0x1000 of pool small, and now it is neither on the free list nor in any register"));
  // Known in a register, in memory, or on another ring; on its way at the end.
  pooled({base(), take(1), move(a(1), s(1)), take(1), halt()}).silent();
  pooled({base(), take(1), move(s(2), s(1)), memory(InsnId::sram_write, s(2), 0, 1, 3, true), move(s(2), k(0)), take(1),
          halt()})
      .silent();
  Run({{base(), take(1), halt()}}, 1, CheckMode::warn, 500, with_pool).silent();
  // Held by somebody outside of the chip.
  const auto hold = [](Run& run) {
    with_pool(run);
    run.held = {0x1000};
  };
  Run({{base(), take(1), take(1), halt()}}, 1, CheckMode::warn, 300'000, hold).silent();
  // Written to memory, and then overwritten there.
  CHECK(pooled({base(), take(1), move(s(2), s(1)), memory(InsnId::sram_write, s(2), 0, 1, 3, true), move(s(2), k(0)),
                memory(InsnId::sram_write, s(2), 0, 1, 3, true), take(1), halt()})
            .of(Check::buffer_leak)
            .size() == 1);
}

TEST_CASE("check signal-lost") {
  CHECK(has(Run({{csr_wr(Csr::prev_neighbor_signal, k(5 << 3)), halt()}}).only(Check::signal_lost),
            "no engine is before this one"));
  CHECK(has(Run({{csr_wr(Csr::same_me_signal, k(1)), halt()}}).only(Check::signal_lost), "signal 0 is none"));
  // Context 1 was never started.
  const std::string text =
      Run({{signal_same(1, 5), nop(), nop(), nop(), nop(), nop(), nop(), nop(), nop(), nop(), kill()}})
          .only(Check::signal_lost);
  CHECK(has(text, "local_csr_wr raises signal s5, and nobody will see it: me0 ctx 1, for which it is, is inactive"));
  Run({by_context({{signal_same(1, 5), kill()}, {ctx_arb(1u << 5), kill()}})}, 3).silent();
}

TEST_CASE("check signal-lost: through the CSR access proxy") {
  const auto interthread = [](uint32_t value) {
    return std::vector<Instruction>{immed(b(15), 0x4b28), immed(a(1), value), move(s(1), a(1)),
                                    memory(InsnId::cap_calc_write, s(1), 0, 1, 3, true), halt()};
  };
  const std::string engine = Run({interthread(12u << 7 | 2u << 4 | 3)}).only(Check::signal_lost);
  CHECK(has(engine, "me0 ctx 0 at p.uc:4"));
  CHECK(has(engine,
            "cap_calc_write raises a signal, and nobody will see it: INTERTHREAD_SIG = 0x623: there is no engine 12"));
  CHECK(has(Run({interthread(2u << 4)}).only(Check::signal_lost), "INTERTHREAD_SIG = 0x20: signal 0 is none"));
  Instruction fast = make(InsnId::cap_fast_wr);
  fast[Role::csr] = 0x4b28;
  fast[Role::data] = 12u << 7 | 3;
  CHECK(has(Run({{base(), fast, read(1, 3, true), halt()}}).only(Check::signal_lost), "cap_fast_wr raises a signal"));
  // To a context that waits for it.
  std::vector<Instruction> raises = interthread(1u << 7 | 3);
  raises.back() = kill();
  Run({raises, {ctx_arb(1u << 3), kill()}}).silent();
}

TEST_CASE("check control-store") {
  Run off({{nop(), nop()}});
  CHECK(off.stop.kind == StopKind::outside_store);
  CHECK(has(off.only(Check::control_store),
            "me0 ctx 0 at p.uc:2, word 0x1, cycle 1: immed goes on at 0x2; the program ends at 0x1"));
  CHECK(has(Run({{nop(), branch(InsnId::br, 9), halt()}}).only(Check::control_store), "br goes on at 0x9"));
  Run({{branch(InsnId::br, 2), nop(), halt()}}).silent();
}

TEST_CASE("check hash: the multiplier of the width") {
  const auto runs = [](InsnId op, uint32_t csr, uint32_t multiplier) {
    return Run(
        {{move(s(1), k(1)), move(s(2), k(2)), move(s(3), k(3)), move(s(4), k(4)), hash_command(op, 1, 3), kill()}}, 1,
        CheckMode::warn, 300'000, [=](Run& run) { run.units.host().write_cap(csr, multiplier); });
  };
  CHECK(has(runs(InsnId::hash_48, 0x4900, 0).only(Check::hash), "me0 ctx 0 at p.uc:5, word 0x4, cycle "));
  CHECK(has(runs(InsnId::hash_48, 0x4900, 0).only(Check::hash),
            "hash_48 runs while the multiplier for 48 bits is 0: every result is 0"));
  runs(InsnId::hash_48, 0x4900, 5).silent();
  runs(InsnId::hash_48, 0x4904, 0x8000).silent();
  CHECK(has(runs(InsnId::hash_48, 0x4904, 0x10000).only(Check::hash), "for 48 bits"));  // beyond the 48
  CHECK(has(runs(InsnId::hash_48, 0x4908, 5).only(Check::hash), "for 48 bits"));        // of another width
  runs(InsnId::hash_64, 0x490c, 0x10000).silent();
  CHECK(has(runs(InsnId::hash_64, 0x4900, 5).only(Check::hash), "for 64 bits"));
  runs(InsnId::hash_128, 0x491c, 1).silent();
  CHECK(has(runs(InsnId::hash_128, 0x490c, 1).only(Check::hash), "for 128 bits"));
}

TEST_CASE("check read-alignment: only by name") {
  const std::vector<Instruction> program{base(), memory(InsnId::sram_read, s(1), 5, 1, 3, true), halt()};
  Run({program}).silent();
  const auto named = [](Run& run) { run.named = {Check::read_alignment}; };
  CHECK(has(Run({program}, 1, CheckMode::warn, 300'000, named).only(Check::read_alignment),
            "sram_read uses address 0x5, which is not a multiple of 4"));
}
