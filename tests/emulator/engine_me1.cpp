// What the engine of the IXP1200 does in another way than later ones: contexts, branches that are guessed, find_bset,
// events of units (C2, E3, E4, E16-E19 of docs/timing.md). Programs are text, on a generic-1200 board.
#include <catch2/catch.hpp>
#include <memory>

#include "me1_support.h"

using namespace weft;
using namespace weft::emulator;

namespace {

class Run {
 public:
  explicit Run(ChipOnBoard chip = first_chip("generic-1200"))
      : on_(std::move(chip)), machine_(MachineDescription(on_.chip)), units_(on_, machine_) {
    machine_.attach(units_);
  }

  void load(const std::string& code, unsigned contexts = 1, unsigned engine = 0) {
    machine_.load(engine, assemble_me1("me1.uc", ".registers physical\n" + code));
    machine_.start(engine, contexts);
  }
  StopReason go(uint64_t cycles = 10'000) {
    return machine_.run_until(machine_.now() + cycles * machine_.timing().period);
  }
  /// The cycle in which the halt after the code executes.
  uint64_t halts_after(const std::string& code) {
    load(code);
    const StopReason stop = go();
    if (stop.kind != StopKind::halted) throw std::runtime_error(to_text(stop));
    return stop.at / machine_.timing().period;
  }
  EngineState& state(unsigned engine = 0) { return machine_.state(engine); }
  HostPort& host() { return units_.host(); }
  Machine& machine() { return machine_; }

 private:
  ChipOnBoard on_;
  Machine machine_;
  Units units_;
};

uint64_t cycles(const std::string& code) { return Run().halts_after(code); }

}  // namespace

TEST_CASE("me1: a context has 16 + 16 GPRs and 8 + 8 transfer registers of its own") {
  Run run;
  // Every context writes its own number plus one wherever it can, and leaves to the next one in between.
  run.load(R"(
    local_csr_rd[ACTIVE_CTX_STS]
    immed[a0, 0]
    alu[a0, a0, AND, 3]
    alu[a15, a0, +, 1]
    alu[b15, a0, +, 1]
    alu[$7, a0, +, 1]
    alu[$$7, a0, +, 1]
    ctx_arb[voluntary]
    alu[@a63, --, B, a15]
    ctx_arb[kill]
    nop
)",
           0xf);
  CHECK(run.go().kind == StopKind::idle);
  const EngineState& s = run.state();
  for (unsigned c = 0; c < 4; ++c) {
    CHECK(s.a[16 * c + 15] == (c == 3 ? 3 : c + 1));
    CHECK(s.b[16 * c + 15] == c + 1);
    CHECK(s.s_out[16 * c + 7] == c + 1);
    CHECK(s.d_out[16 * c + 7] == c + 1);
  }
  CHECK(s.a[63] == 3);  // @a63 is a15 of context 3: the others write it before it reads it
}

TEST_CASE("me1: contexts beyond the chip's do not start") {
  Run run;
  run.load("ctx_arb[kill]\nnop\n", 0xff);
  run.go();
  for (unsigned c = 0; c < 8; ++c) CHECK((run.machine().counters(0, c).executing != 0) == (c < 4));
  // Fewer contexts and engines are another experiment.
  ChipOnBoard smaller = first_chip("generic-1200");
  smaller.chip.contexts = smaller.chip.engine.contexts = 2;
  smaller.chip.engines = 3;
  smaller.chip.engine_numbers = {0, 1, 2};
  Run other(smaller);
  CHECK(other.machine().engine_count() == 3);
  other.load("fast_wr[3, INTER_THD_SIG]\nctx_arb[kill]\nnop\n", 0xf, 0);  // thread 3 = engine 1, context 1
  other.load("ctx_arb[inter_thread]\nctx_arb[kill]\nnop\n", 0xf, 1);
  other.go();
  for (unsigned c = 0; c < 4; ++c) CHECK((other.machine().counters(0, c).executing != 0) == (c < 2));
  CHECK(other.machine().counters(1, 0).executing == 1);
  CHECK(other.machine().counters(1, 1).executing == 2);
}

TEST_CASE("E4: me1 passes the engine round 0, 1, 2, 3") {
  Run run;
  run.load(R"(
    alu[a0, @b0, +, 1]
    alu[@b0, --, B, a0]
    ctx_arb[voluntary]
    ctx_arb[kill]
    nop
)",
           0xf);
  run.go();
  for (unsigned c = 0; c < 4; ++c) CHECK(run.state().a[16 * c] == c + 1);
}

TEST_CASE("E3: me1 loses one slot after br, two after other branches, less those that are deferred") {
  // Word 0 to 3 branches to the halt; the halt executes in the cycle that is the sum.
  CHECK(cycles("br[l2#]\nnop\nl2#:\nhalt\n") == 1 + 1);
  CHECK(cycles("br[l2#], defer[1]\nnop\nl2#:\nhalt\n") == 2);
  CHECK(cycles("br=ctx[0, l2#]\nnop\nl2#:\nhalt\n") == 1 + 1);
  CHECK(cycles("alu[--, a0, -, 0]\nbeq[l4#]\nnop\nnop\nl4#:\nhalt\n") == 2 + 2);
  CHECK(cycles("alu[--, a0, -, 0]\nbeq[l4#], defer[1]\nnop\nnop\nl4#:\nhalt\n") == 3 + 1);
  CHECK(cycles("alu[--, a0, -, 0]\nbeq[l4#], defer[2]\nnop\nnop\nl4#:\nhalt\n") == 4);
  CHECK(cycles("br_bclr[a0, 3, l3#]\nnop\nnop\nl3#:\nhalt\n") == 1 + 2);
  CHECK(cycles("br=byte[a0, 0, 0, l3#]\nnop\nnop\nl3#:\nhalt\n") == 1 + 2);
  CHECK(cycles("l0#:\nimmed[b0, 4]\njump[b0, l0#]\nnop\nnop\nhalt\n") == 2 + 2);
  CHECK(cycles("alu[--, a0, -, 0]\nbne[l3#]\nnop\nl3#:\nhalt\n") == 3);  // not taken
  CHECK(cycles("ctx_arb[voluntary]\nhalt\n") == 1 + 1);
  CHECK(cycles("ctx_arb[voluntary], defer[1]\nnop\nhalt\n") == 2);
}

TEST_CASE("E16: a guessed branch costs as br when it is taken, and the slots of its kind when it is not") {
  const std::string equal = "alu[--, a0, -, 0]\n";
  CHECK(cycles(equal + "beq[l4#], guess_branch\nnop\nnop\nl4#:\nhalt\n") == 2 + 1);
  CHECK(cycles(equal + "bne[l4#], guess_branch\nnop\nnop\nl4#:\nhalt\n") == 4 + 2);
  CHECK(cycles(equal + "beq[l4#], defer[1], guess_branch\nnop\nnop\nl4#:\nhalt\n") == 3);
  CHECK(cycles(equal + "bne[l4#], defer[1], guess_branch\nnop\nnop\nl4#:\nhalt\n") == 4 + 1);
  CHECK(cycles(equal + "bne[l4#], defer[2], guess_branch\nnop\nnop\nl4#:\nhalt\n") == 4);
  CHECK(cycles("br_bclr[a0, 3, l3#], guess_branch\nnop\nnop\nl3#:\nhalt\n") == 1 + 1);
  CHECK(cycles("br_bset[a0, 3, l3#], guess_branch\nnop\nnop\nl3#:\nhalt\n") == 3 + 2);
  CHECK(cycles("br=byte[a0, 0, 0, l3#], guess_branch\nnop\nnop\nl3#:\nhalt\n") == 1 + 1);
  CHECK(cycles("br=ctx[1, l2#], guess_branch\nnop\nl2#:\nhalt\n") == 2 + 1);
  // The lost slots are aborted cycles of the context, and the words after the branch are executed once.
  Run run;
  run.load(equal +
           "bne[l5#], defer[1], guess_branch\nalu[a1, a1, +, 1]\nalu[a1, a1, +, 1]\nalu[a1, a1, +, 1]\nl5#:\nhalt\n");
  run.go();
  CHECK(run.state().a[1] == 3);
  CHECK(run.machine().counters(0, 0).aborted == 1);
}

TEST_CASE("E17: the result of find_bset is there two instructions later") {
  const auto loaded = [](const std::string& between) {
    Run run;
    run.state().a[1] = 0x00080010;  // bit 4, and bit 3 of the high half
    run.load("find_bset[a1]\nnop\nfind_bset[a1, >>16]\n" + between +
             "load_bset_result1[a2]\nload_bset_result2[b2]\nhalt\n");
    run.go();
    return std::pair{run.state().a[2], run.state().b[2]};
  };
  CHECK(loaded("nop\n") == std::pair{3u, 4u});
  CHECK(loaded("") == std::pair{4u, 4u});  // the first load still finds the old result 1, the second what has moved
  Run never;
  never.load("load_bset_result1[a2]\nhalt\n");
  never.state().a[2] = 9;
  never.go();
  CHECK(never.state().a[2] == 0);
}

TEST_CASE("E17: find_bset_with_mask takes its turn among the results of find_bset") {
  Run run;
  run.state().a[1] = 0x00080010;  // bit 4, and bit 3 of the high half
  run.state().b[1] = 0x0000ffe8;  // bit 3 is in, bits 0 to 2 and 4 are not
  run.load(
      "find_bset[a1]\nnop\nfind_bset_with_mask[b1, a1, >>16]\nnop\nload_bset_result1[a2]\nload_bset_result2[b2]\n"
      "find_bset_with_mask[b1, a1]\nnop\nload_bset_result1[a3]\nload_bset_result2[b3]\nhalt\n");
  run.go();
  CHECK(run.state().a[2] == 3);
  CHECK(run.state().b[2] == 4);
  CHECK(run.state().a[3] == 16);  // what is set is masked, and the mask says nothing about bits 16 and above
  CHECK(run.state().b[3] == 3);
}

TEST_CASE("E18: a unit has one event, and a second reference before the first is awaited counts once") {
  Run run;
  run.host().write(MemorySpace::sram, 0, 7);
  run.host().write(MemorySpace::sram, 4, 8);
  run.load(R"(
    sram[read, $0, a0, 0, 1], sig_done
    sram[read, $1, a0, 1, 1], sig_done
    ctx_arb[sram]                       ; the first is enough
    alu[a1, --, B, $0]
    alu[a2, --, B, $1]
    nop
    nop
    br_!signal[sram, late#]
late#:
    ctx_arb[sram]                       ; and here the second
    alu[a3, --, B, $1]
    halt
)");
  CHECK(run.go().kind == StopKind::halted);
  CHECK(run.state().a[1] == 7);
  CHECK(run.state().a[2] == 0);
  CHECK(run.state().a[3] == 8);

  // Both arrive before anyone waits: one event, so the second wait never ends.
  Run once;
  once.load(R"(
    sram[read, $0, a0, 0, 1], sig_done
    sram[read, $1, a0, 1, 1], sig_done
    immed[a5, 40]
wait#:
    alu[a5, a5, -, 1]
    bne[wait#]
    ctx_arb[sram]
    ctx_arb[sram]
    halt
)");
  CHECK(once.go().kind == StopKind::idle);
}

TEST_CASE("E18: events of different units are awaited together or one of them") {
  Run run;
  run.load(R"(
    sram[read, $0, a0, 0, 1], sig_done
    sdram[read, $$0, a0, 0, 1], sig_done
    ctx_arb[sram, sdram]
    halt
)");
  // SDRAM is the later one: issued in cycle 1, there 46 cycles later, in which the halt executes.
  CHECK(run.go().at / run.machine().timing().period == 47);
  Run any;
  any.load(R"(
    sram[read, $0, a0, 0, 1], sig_done
    sdram[read, $$0, a0, 0, 1], sig_done
    ctx_arb[sram, sdram], any
    halt
)");
  CHECK(any.go().at / any.machine().timing().period == 22);
}

TEST_CASE("me1: input states come from the FBI") {
  CHECK(cycles("br_inp_state[REC_REQ_AVAIL, l3#]\nnop\nnop\nl3#:\nhalt\n") == 1 + 2);
  CHECK(cycles("br_inp_state[PUSH_PROTECT, l3#]\nnop\nnop\nl3#:\nhalt\n") == 3);
}

TEST_CASE("me1: cycles of every context sum to the elapsed ones") {
  Run run;
  run.load(R"(
again#:
    sram[read, $0, a0, 0, 8], ctx_swap
    sram[read, $0, a0, 0, 8], sig_done
    alu[a1, a1, +, 1]
    br_bset[a1, 0, odd#], guess_branch
    nop
odd#:
    ctx_arb[sram]
    br[again#]
)",
           0xf);
  for (unsigned i = 0; i < 50; ++i) {
    run.go(37);
    for (unsigned c = 0; c < 8; ++c) CHECK(run.machine().counters(0, c).total() == run.machine().cycles(0));
  }
  CHECK(run.machine().counters(0, 0).executing > 0);
  CHECK(run.machine().counters(0, 3).aborted > 0);
}

TEST_CASE("E19: addresses count longwords in SRAM and scratch, quadwords in SDRAM and the FIFOs") {
  Run run;
  for (uint32_t i = 0; i < 16; ++i) {
    run.host().write(MemorySpace::sram, 4 * i, 0x100 + i);
    run.host().write(MemorySpace::scratch, 4 * i, 0x200 + i);
    run.host().write(MemorySpace::dram, 4 * i, 0x300 + i);
    run.host().write_rfifo(4 * i, 0x400 + i);
  }
  run.halts_after(
      "immed[a1, 2]\nimmed[b1, 3]\n"
      "sram[read, $0, a1, 3, 1], ctx_swap\nscratch[read, $1, a1, 3, 1], ctx_swap\n"
      "sdram[read, $$0, a1, 3, 1], ctx_swap\nr_fifo_rd[$2, a1, 3, 1], ctx_swap\nhalt\n");
  CHECK(run.state().s_in[0] == 0x105);  // the sum counts, 2 + 3
  CHECK(run.state().s_in[1] == 0x205);
  CHECK(run.state().d_in[0] == 0x30a);
  CHECK(run.state().s_in[2] == 0x40a);
}

TEST_CASE("C2: me1 takes an absent left operand as 0") {
  // With all registers full of ones, what B and ~B leave behind as the left operand can only be nothing.
  Run run;
  for (uint32_t& value : run.state().a) value = ~0u;
  for (uint32_t& value : run.state().b) value = ~0u;
  run.load("alu[a1, --, B, 5]\nalu[a2, --, ~B, 5]\nhalt\n");
  run.go();
  CHECK(run.state().a[1] == 5);
  CHECK(run.state().a[2] == ~5u);
  CHECK(run.state().previous.left == 0);
}

TEST_CASE("me1: a full queue stalls the engine until there is room") {
  Run run;
  // Ordered SRAM reads of eight longwords take 16 cycles each, and 16 fit.
  std::string code;
  for (unsigned i = 0; i < 20; ++i) code += "sram[read, $0, a0, 0, 8]\n";
  run.load(code + "sram[read, $0, a0, 0, 1], priority\nhalt\n");
  run.go();
  CHECK(run.machine().counters(0, 0).stalled > 20);
  CHECK(run.machine().counters(0, 0).executing == 22);
}
