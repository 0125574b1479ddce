// Each check with a small program that triggers it and one that does not.
#include "checks_support.h"

using namespace weft::test;
using namespace weft::emulator;

TEST_CASE("check uninitialised: GPR") {
  const std::string text = Run({{move(a(1), b(5)), halt()}}).only(Check::uninitialised);
  CHECK(has(text, "me0 ctx 0 at p.uc:1, word 0x0, cycle 0: reads b5, which nothing has written"));
  Run({{immed(b(5), 0), move(a(1), b(5)), halt()}}).silent();
  // Another context's register of the same number is another register.
  Run other({{branch(InsnId::br_ne_ctx, 2), immed(a(1), 7), move(a(2), a(1)), halt()}}, 2);
  CHECK(other.of(Check::uninitialised).size() == 1);
  Run({{immed(a(3), 1), move(b(1), abs_a(3)), halt()}}).silent();
}

TEST_CASE("check uninitialised: once for a word, with a count") {
  Run run({{move(a(1), b(5)), branch(InsnId::br, 0)}}, 1, CheckMode::warn, 10'000);
  REQUIRE(run.checks->findings().size() == 1);
  CHECK(run.checks->findings()[0].count == 250);  // a turn takes 4 of the 1,000 cycles
}

TEST_CASE("check uninitialised: local memory and transfer registers") {
  CHECK(has(Run({{move(a(1), lm0(2)), halt()}}).only(Check::uninitialised), "reads local memory 2,"));
  Run({{move(lm0(2), k(9)), move(a(1), lm0(2)), halt()}}).silent();
  // A post-modified pointer: 0 is written and read again through the pointer that moved back.
  Run({{move(lm0(0, Post::increment), k(9)), move(lm0(0, Post::decrement), k(8)), move(a(1), lm0(0)), halt()}})
      .silent();
  CHECK(has(Run({{move(a(1), s(4)), halt()}}).only(Check::uninitialised), "reads $4, into which nothing has come"));
  CHECK(has(Run({{base(), write(2, 3, true), halt()}}).only(Check::uninitialised),
            "scratch_write sends $2, which nothing has written"));
  Run({{base(), move(s(2), k(1)), write(2, 3, true), halt()}}).silent();
}

TEST_CASE("check transfer: read before the data is there") {
  const std::string text =
      Run({{base(), read(1, 3, true), read(1, 3, false), move(a(1), s(1)), ctx_arb(1u << 3), halt()}})
          .only(Check::transfer);
  CHECK(has(text, "p.uc:4"));
  CHECK(has(text, "reads $1 before its data is there; scratch_read of me0 ctx 0 at p.uc:3"));
  Run({{base(), read(1, 3, true), move(a(1), s(1)), halt()}}).silent();
}

TEST_CASE("check transfer: changed before it was taken") {
  const std::string text =
      Run({{base(), move(s(1), k(1)), write(1, 3, false), move(s(1), k(2)), ctx_arb(1u << 3), halt()}})
          .only(Check::transfer);
  CHECK(has(text, "changes $1 before its value was taken; scratch_write of me0 ctx 0 at p.uc:3"));
  Run({{base(), move(s(1), k(1)), write(1, 3, false), ctx_arb(1u << 3), move(s(1), k(2)), halt()}}).silent();
}

TEST_CASE("check signal-twice") {
  // Both answers come while the context does something else.
  std::vector<Instruction> program{base(), read(1, 3, false), read(2, 3, false)};
  for (int i = 0; i < 200; ++i) program.push_back(nop());
  program.push_back(ctx_arb(1u << 3));
  program.push_back(halt());
  const std::string text = Run({program}).only(Check::signal_twice);
  CHECK(has(text, "signal answer (s3) is raised by scratch_read of me0 ctx 0 at p.uc:3"));
  CHECK(has(text, "while it is still set; scratch_read of me0 ctx 0 at p.uc:2"));
  Run({{base(), read(1, 3, false), read(2, 4, false), ctx_arb(1u << 3 | 1u << 4), read(1, 3, true), halt()}}).silent();
}

TEST_CASE("check signal-unawaited") {
  // The answer of the first read is never taken.
  const std::string text =
      Run({{base(), read(1, 3, false), read(2, 4, true), read(2, 4, true), kill()}}).only(Check::signal_unawaited);
  CHECK(has(text, "signal answer (s3) was raised by scratch_read of me0 ctx 0 at p.uc:2"));
  CHECK(has(text, "never taken"));
  Run({{base(), read(1, 3, false), read(2, 4, true), ctx_arb(1u << 3), kill()}}).silent();
}

namespace {

/// The context asks for an mpacket, and signal 6 says that it has come; after it the loop at `again`.
std::vector<Instruction> receives(std::vector<Instruction> again, uint32_t engine = 0) {
  std::vector<Instruction> out{base(), immed(a(1), engine << 7 | 6u << 12), move(s(8), a(1)),
                               memory(InsnId::msf_write, s(8), 0x30, 1, 7, true)};
  const auto start = static_cast<uint32_t>(out.size());
  out.insert(out.end(), again.begin(), again.end());
  out.push_back(branch(InsnId::br, start));
  return out;
}

}  // namespace

TEST_CASE("check signal-unawaited: the context has taken the number before") {
  // It ends, and its second answer is there.
  const std::string ended = Run({{base(), move(s(1), k(1)), write(1, 3, true), write(1, 3, false), read(2, 4, true),
                                  read(2, 4, true), kill()}})
                                .only(Check::signal_unawaited);
  CHECK(has(ended, "signal answer (s3) was raised by scratch_write of me0 ctx 0 at p.uc:4"));
  CHECK(has(ended, "never taken it: it has ended"));
  // It waits for work, and at its next turn it would raise the signal again before it waits.
  const std::string turns = Run({receives({move(s(1), k(1)), write(1, 3, true), write(1, 3, false), ctx_arb(1u << 6)})})
                                .only(Check::signal_unawaited);
  CHECK(has(turns, "signal answer (s3) was raised by scratch_write of me0 ctx 0 at p.uc:7"));
  CHECK(has(turns, "it can come to no word that waits for it"));
  // The same with a wait at the next turn.
  Run({receives({move(s(1), k(1)), write(1, 3, false), ctx_arb(1u << 6), ctx_arb(1u << 3)})}).silent();
  Run({receives({move(s(1), k(1)), write(1, 3, false), ctx_arb(1u << 6), br_signal(InsnId::br_not_signal, 3, 7)})})
      .silent();
}

TEST_CASE("check signal-unawaited: a turn that comes early is none") {
  // Context 1 hands its turn on, while context 0 waits for its first mpacket; it ends, or runs for ever.
  const auto early = [](bool awaits, Instruction last) {
    std::vector<Instruction> program = receives({ctx_arb(1u << 6), ctx_arb(awaits ? 1u << 5 : 1u << 4)});
    Instruction other = branch(InsnId::br_eq_ctx, static_cast<uint32_t>(program.size() + 1));
    other[Role::context] = 1;
    for (Instruction& i : program)
      if (i.id == InsnId::br) ++i[Role::target];
    program.insert(program.begin(), other);
    program.push_back(csr_wr(Csr::same_me_signal, k(5 << 3)));
    if (last.id == InsnId::br) last[Role::target] = static_cast<uint32_t>(program.size());
    program.push_back(last);
    return program;
  };
  for (const Instruction& last : {kill(), branch(InsnId::br, 0)}) {
    Run({early(true, last)}, 3).silent();
    CHECK(
        has(Run({early(false, last)}, 3).only(Check::signal_unawaited), "s5 was raised by local_csr_wr of me0 ctx 1"));
  }
}

TEST_CASE("check endless-wait: thread free lists on a chip of 16 engines") {
  // Engine 9 waits on a list, engine 1 does not: by three bits of the engine they would be the same.
  Run::Programs programs(10);
  programs[9] = receives({ctx_arb(1u << 6)}, 9);
  Run({programs}, 1, CheckMode::warn, 300'000, {}, "generic-2800").silent();
  Instruction entry = base(9u << 7 | 6u << 12), write = make(InsnId::msf_fast_wr);
  entry[Role::amount] = 16;
  write.left = b(15), write.right = k(0x30);
  programs[9] = {entry, write, ctx_arb(1u << 6), kill()};
  Run({programs}, 1, CheckMode::warn, 300'000, {}, "generic-2800").silent();
  programs[1] = {ctx_arb(1u << 6), kill()};
  CHECK(has(Run({programs}, 1, CheckMode::warn, 300'000, {}, "generic-2800").only(Check::endless_wait),
            "me1 ctx 0 at p.uc:1"));
}

TEST_CASE("check endless-wait: nobody will raise it") {
  const std::string text = Run({{nop(), ctx_arb(1u << 3), halt()}}).only(Check::endless_wait);
  CHECK(has(text, "p.uc:2"));
  CHECK(has(text, "waits since cycle 4 for answer (s3), which nobody will raise; no command is under way"));
  Run({{base(), read(1, 3, false), ctx_arb(1u << 3), kill()}}).silent();
  // Cut in the middle: the command is under way.
  Run({{base(), read(1, 3, true), kill()}}, 1, CheckMode::warn, 200).silent();
}

TEST_CASE("check endless-wait: two contexts that wait for each other") {
  // Each wants the other to begin.
  const std::vector<Instruction> program{ctx_arb(1u << 3), csr_wr(Csr::same_me_signal, k(0x80 | 3 << 3)),
                                         branch(InsnId::br, 0)};
  Run run({program}, 3);
  const auto texts = run.of(Check::endless_wait);
  REQUIRE(texts.size() == 2);
  CHECK(has(texts[0], "me0 ctx 1 at p.uc:1, word 0x0 could raise it and waits itself for answer (s3)"));
  CHECK(has(texts[1], "me0 ctx 0 at p.uc:1, word 0x0 could raise it"));
  // With a first signal they go round.
  const std::vector<Instruction> started{branch(InsnId::br_ne_ctx, 2), csr_wr(Csr::same_me_signal, k(3 << 3)),
                                         ctx_arb(1u << 3), csr_wr(Csr::same_me_signal, k(0x80 | 3 << 3)),
                                         branch(InsnId::br, 2)};
  Run({started}, 0xff, CheckMode::warn, 100'000).silent();
}

TEST_CASE("check ring: scratch") {
  // 129 words on a ring of 128.
  const auto ring = [](Run& run) { REQUIRE(run.units.host().set_ring(0, 0x400, 128)); };
  const auto put = [](uint32_t times) {
    return std::vector<Instruction>{base(),
                                    move(s(1), k(1)),
                                    immed(a(1), times),
                                    memory(InsnId::scratch_put, s(1), 0, 1, 3, true),
                                    alu(a(1), a(1), AluOp::sub, k(1)),
                                    branch(InsnId::bne, 3),
                                    halt()};
  };
  const std::string text = Run({put(129)}, 1, CheckMode::warn, 1'000'000, ring).only(Check::ring);
  CHECK(has(text, "p.uc:4"));
  CHECK(has(text, "scratch ring 0, which is full"));
  Run({put(128)}, 1, CheckMode::warn, 1'000'000, ring).silent();
}

TEST_CASE("check ring: what was not set up, asked as well as filled") {
  for (const auto& [id, text] :
       {std::pair{InsnId::scratch_get, "engine 0 gets from scratch ring 0, which is not set up"},
        std::pair{InsnId::scratch_put, "engine 0 puts on scratch ring 0, which is not set up"}}) {
    const std::vector<Instruction> program{base(), move(s(1), k(1)), memory(id, s(1), 0, 1, 3, true), halt()};
    const std::string found = Run({program}).only(Check::ring);
    CHECK(has(found, text));
    CHECK(has(found, "p.uc:3"));
    // An empty ring that is there is none: its 0 is the answer.
    Run({program}, 1, CheckMode::warn, 1'000'000, [](Run& run) {
      REQUIRE(run.units.host().set_ring(0, 0x400, 128));
    }).silent();
  }
}

TEST_CASE("check ring: next neighbor") {
  const auto put = [](uint32_t times) {
    return std::vector<Instruction>{immed(a(1), times), move(n_index(Post::increment), k(1)),
                                    alu(a(1), a(1), AluOp::sub, k(1)), branch(InsnId::bne, 1), halt()};
  };
  CHECK(has(Run({put(129), {}}).only(Check::ring), "full next-neighbor ring that me1 reads"));
  Run({put(128), {}}).silent();
}

TEST_CASE("check access: alignment and range") {
  CHECK(has(Run({{base(), read(1, 3, true, 18), halt()}}).only(Check::access),
            "uses address 0x12, which is not a multiple of 4"));
  CHECK(has(
      Run({{base(), memory(InsnId::dram_read, d(0), 4, 1, 4, false), ctx_arb(3u << 4), halt()}}).only(Check::access),
      "not a multiple of 8"));
  CHECK(has(Run({{base(0x4000), read(1, 3, true), halt()}}).only(Check::access), "which does not exist"));
  Run({{base(0x3f00), read(1, 3, true), memory(InsnId::dram_read, d(0), 8, 1, 4, false), ctx_arb(3u << 4), halt()}})
      .silent();
}

TEST_CASE("check csr-latency") {
  const auto pointer = [](unsigned gap) {
    std::vector<Instruction> program{move(lm0(0), k(1)), move(lm0(1), k(2)), immed(a(1), 4),
                                     csr_wr(Csr::active_lm_addr_0, a(1))};
    for (unsigned i = 0; i < gap; ++i) program.push_back(nop());
    program.push_back(move(a(2), lm0(0)));
    program.push_back(halt());
    return program;
  };
  const std::string text = Run({pointer(2)}).only(Check::csr_latency);
  CHECK(has(text, "p.uc:7"));
  CHECK(has(text, "old value of LM_ADDR_0; local_csr_wr of me0 ctx 0 at p.uc:4"));
  Run({pointer(3)}).silent();

  CHECK(has(Run({{immed(a(1), 4), csr_wr(Csr::active_lm_addr_0, a(1)), csr_rd(Csr::active_lm_addr_0), immed(a(2), 0),
                  halt()}})
                .only(Check::csr_latency),
            "old value of"));
}

TEST_CASE("check codes") {
  // Context 0 compares, yields, and branches on what context 1 has left.
  const std::vector<Instruction> bad{immed(a(1), 1), alu(none(), a(1), AluOp::sub, k(1)), voluntary(),
                                     branch(InsnId::beq, 4), halt()};
  const std::string text = Run({bad}).only(Check::codes);
  CHECK(has(text, "p.uc:4"));
  CHECK(has(text, "beq uses condition codes"));
  Run({{immed(a(1), 1), voluntary(), alu(none(), a(1), AluOp::sub, k(1)), branch(InsnId::beq, 4), halt()}}).silent();
}

TEST_CASE("checks stop the run, or are off") {
  const std::vector<Instruction> program{move(a(1), b(5)), nop(), nop(), halt()};
  Run stopped({program}, 1, CheckMode::stop);
  CHECK(stopped.stop.kind == StopKind::asked);
  CHECK(stopped.stop.pc == 0);
  stopped.checks->acknowledge();
  CHECK(stopped.machine.run_until(10'000).kind == StopKind::halted);
  Run off({program}, 1, CheckMode::off);
  CHECK(off.stop.kind == StopKind::halted);
  off.silent();
}

TEST_CASE("checks keep what the loader wrote") {
  Run loaded({{move(a(1), b(5)), move(b(2), lm0(7)), halt()}}, 1, CheckMode::off, 0);
  loaded.machine.state(0).b[5] = 3;
  loaded.machine.state(0).local_memory[7] = 4;
  Checks checks(loaded.machine, {}, all_checks(CheckMode::warn));
  checks.take_present_values();
  loaded.machine.attach(checks);
  CHECK(loaded.machine.run_until(10'000).kind == StopKind::halted);
  CHECK(checks.findings().empty());
}
