// Contexts that go to sleep for the answer of the command that they send (Op::sleeps): what else comes in those cycles.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "compare.h"
#include "varied_board.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::test;

namespace {

std::string nops(unsigned count) {
  std::string out;
  for (; count > 0; --count) out += "nop\n";
  return out;
}

void compare(const std::vector<uint64_t>& words, unsigned contexts, uint64_t end) {
  compare_engines(board("generic-2400"), words, contexts, end);
}

}  // namespace

// The signal of a context's own lands before, in, or after the cycle in which it sends the command and leaves. With
// the number that the command has it ends the sleep, and the command's is left; with another one it is left itself.
TEST_CASE("a signal of the engine's own comes as a context goes to sleep") {
  for (const char* const signal : {"s", "other"})
    for (const unsigned to : {0u, 1u, 0x80u})
      for (const bool twice : {false, true})
        for (unsigned before = 0; before < 16; ++before) {
          INFO("signal " << signal << " to " << to << ", " << before << " words before the command");
          const std::string write =
              "local_csr_wr[SAME_ME_SIGNAL, (" + std::to_string(to) + " | (&" + signal + " << 3))]\n";
          const std::string text =
              ".reg a b $0 $1\n.xfer_order $0 $1\n.sig volatile s other\nimmed[a, 0x100]\n"
              "immed[b, 0]\nagain#:\n" +
              write + (twice ? write : "") + nops(before) +
              "sram[read, $0, a, 0, 2], ctx_swap[s]\nalu[b, b, +, $1]\nalu[b, b, +, 1]\n" + nops(3) + "br[again#]\n";
          compare(assembled(text), to == 0 ? 1 : 7, 1500);
        }
}

// A context may be Ready by what is known without anybody having looked; a signal that it has had then comes once more.
TEST_CASE("a signal comes again to a context that is awake by a known answer") {
  for (unsigned between = 0; between < 250; between += 5) {
    INFO(between << " words between the signals");
    compare(assembled(".reg a b $0 $1\n.xfer_order $0 $1\n.sig volatile s t\nimmed[a, 0x100]\nimmed[b, 0]\n"
                      "br=ctx[0, sender#]\n"
                      "again#:\nsram[read, $0, a, 0, 2], sig_done[s]\nctx_arb[s, t]\nalu[b, b, +, $1]\nbr[again#]\n"
                      "sender#:\nlocal_csr_wr[SAME_ME_SIGNAL, (1 | (&t << 3))]\n" +
                      nops(between) + "local_csr_wr[SAME_ME_SIGNAL, (1 | (&t << 3))]\n" + nops(20) +
                      "ctx_arb[voluntary]\nbr[sender#]\n"),
            3, 3000);
  }
}

// Contexts are woken by signals of the engine before their answers come. Two of those come before a context leaves for
// a third, which is known, while the engine is ahead of them: they are one signal.
TEST_CASE("answers with one signal that come before a context goes to sleep for a known one") {
  compare(
      assembled(".reg a b $0 $1 $2\n.xfer_order $0 $1\n.sig volatile s t\nimmed[a, 0x100]\nimmed[b, 0]\n.set $0 $1 $2\n"
                "again#:\nlocal_csr_wr[SAME_ME_SIGNAL, (0x80 | (&t << 3))]\n"
                "sram[read, $0, a, 0, 2], ctx_swap[t]\nalu[b, b, +, $1]\nnop\n"
                "scratch[read, $2, a, 0, 1], sig_done[t]\nctx_arb[t]\nalu[b, b, XOR, $2]\n"
                "scratch[read, $2, a, 0, 1], sig_done[t]\nctx_arb[t]\nalu[b, b, XOR, $2]\n" +
                nops(5) + "br[again#]\n"),
      0x38, 1200);
}

// The second engine is ahead of the first one, which writes into its next-neighbor registers: such a write may be due
// before a context has left, and be made after that.
TEST_CASE("a neighbor writes while a context leaves for a known answer, or for others") {
  for (const char* const leave : {"ctx_arb[s]\n", "ctx_arb[voluntary]\n"})
    for (unsigned between = 0; between < 24; ++between) {
      INFO(leave << between << " words between the writes");
      compare_engines(
          board("generic-2400"),
          assembled(".reg a b c $0 $1 n$x\n.xfer_order $0 $1\n.sig volatile s\nimmed[a, 0x100]\nimmed[b, 0]\n"
                    "local_csr_rd[ACTIVE_CTX_STS]\nimmed[c, 0]\nbr_bset[c, 3, second#]\n"
                    "first#:\nalu[n$x, b, +, 1]\nalu[b, b, +, 1]\n" +
                    nops(between) +
                    "br[first#]\n"
                    "second#:\nsram[read, $0, a, 0, 2], sig_done[s]\n" +
                    nops(20) + leave + nops(4) + "br[second#]\n"),
          3, 4000, 2, 61);
    }
}

// They stay in the list of what is due, which has 128 places, until a word asks for signals.
TEST_CASE("signals of the engine's own that no word asks for") {
  for (const char* const word : {"nop\n", "local_csr_wr[CSR_CTX_POINTER, 3]\n", "br[again#], defer[1]\nnop\n"}) {
    INFO(word);
    compare(assembled(".sig volatile s\nagain#:\nlocal_csr_wr[SAME_ME_SIGNAL, (0x80 | (&s << 3))]\n"
                      "local_csr_wr[SAME_ME_SIGNAL, (&s << 3)]\n" +
                      std::string(word) + "br[again#]\n"),
            7, 1500);
  }
}

namespace {

/// A write of a CSR behind the back of contexts that sleep, or of signals that are there.
std::string foreign_write(Random& random, const std::string& signal) {
  const auto csr = [](const std::string& name, const std::string& value) {
    return "local_csr_wr[" + name + ", " + value + "]\n";
  };
  const std::string context = std::to_string(random.below(8));
  switch (random.below(8)) {
    case 0:  // a step of the timestamp is 16 cycles
      return csr("ACTIVE_FUTURE_COUNT_SIGNAL", "&" + signal) +
             csr("ACTIVE_CTX_FUTURE_COUNT", std::to_string(random.below(75)));
    case 1: return csr("ACTIVE_CTX_SIG_EVENTS", random.chance(1, 2) ? "0" : "(1 << &" + signal + ")");
    case 2:
      return csr("CSR_CTX_POINTER", context) + nops(4) +
             csr("INDIRECT_CTX_SIG_EVENTS", random.chance(1, 2) ? "0" : "(1 << &" + signal + ")");
    case 3:
      return csr("CSR_CTX_POINTER", context) + nops(4) +
             "local_csr_rd[INDIRECT_CTX_SIG_EVENTS]\nimmed[c, 0]\n"
             "alu[b, b, XOR, c]\n";
    case 5:
      return "immed[c, " + std::to_string(random.below(256) << 8) + "]\n" +
             csr("CTX_ENABLES", "c");  // all others go on as they were
    case 6:
      return csr("CSR_CTX_POINTER", context) + nops(4) +
             "local_csr_rd[INDIRECT_CTX_STS]\nimmed[c, 0]\nalu[b, b, +, c]\n";
    case 4:
      return csr("CSR_CTX_POINTER", context) + nops(4) + csr("INDIRECT_CTX_WAKEUP_EVENTS", "(1 << &" + signal + ")");
    default: return "local_csr_rd[ACTIVE_CTX_SIG_EVENTS]\nimmed[c, 0]\nalu[b, b, +, c]\n";
  }
}

/// A command that gives two signals, or one of a unit that answers otherwise.
std::string double_command(Random& random) {
  switch (random.below(4)) {
    case 0: return "scratch[test_and_add, $2, a, 0], sig_done[d]\nctx_arb[d]\nalu[b, b, +, $2]\n";
    case 1: return "sram[swap, $0, a, 8], sig_done[d]\nctx_arb[d]\nalu[b, b, +, $0]\n";
    case 2: return "sram[swap, $0, a, 8], sig_done[d]\nscratch[read, $2, a, 0, 1], sig_done[s]\nctx_arb[d, s]\n";
    default: return "sram[test_and_incr, $0, a, 12], sig_done[d]\nctx_arb[d]\nalu[b, b, XOR, $0]\n";
  }
}

/// Commands and signals of the engine's own, with the numbers that the commands have, in any order.
std::string signalling(Random& random) {
  std::string out = R"(.reg a b c $0 $1 $2 $$0 $$1
.xfer_order $0 $1 $2
.xfer_order $$0 $$1
.sig volatile s t
.sig d
immed[a, 0x100]
immed[b, 0]
.set $0 $1 $2 $$0 $$1
again#:
)";
  for (uint64_t i = 2 + random.below(8); i > 0; --i) {
    const std::string signal = random.chance(1, 2) ? "s" : "t";
    switch (random.below(18)) {
      case 16:  // it takes $2 or $$0 at its service, which lies behind an early end of the wait
        out += "sram[write, $2, a, 16, 1], ctx_swap[" + signal + "]\nalu[$2, b, +, a]\nalu[b, b, +, 1]\n";
        break;
      case 17:
        out += "dram[write, $$0, a, 16, 1], sig_done[" + signal + "]\nctx_arb[" + signal +
               "]\nalu[$$0, b, +, a]\nalu[b, b, +, 1]\n";
        break;
      case 0:
      case 1:
      case 2: {
        const uint64_t to = random.chance(1, 3) ? 0x80 : random.below(8);
        out += "local_csr_wr[SAME_ME_SIGNAL, (" + std::to_string(to) + " | (&" + signal + " << 3))]\n";
        break;
      }
      case 3:
      case 4: out += "sram[read, $0, a, 0, 2], ctx_swap[" + signal + "]\nalu[b, b, +, $1]\n"; break;
      case 5:
        out += "scratch[read, $2, a, 0, 1], sig_done[" + signal + "]\nctx_arb[" +
               (random.chance(1, 4) ? "s, t" : signal) + "]\nalu[b, b, XOR, $2]\n";
        break;
      case 6:
        out += std::string("local_csr_wr[") + (random.chance(1, 2) ? "NEXT" : "PREV") + "_NEIGHBOR_SIGNAL, (" +
               std::to_string(random.below(8)) + " | (&" + signal + " << 3))]\n";
        break;
      case 7:
        out += "br_signal[" + signal + ", there" + std::to_string(i) + "#]\nalu[b, b, +, 7]\nthere" +
               std::to_string(i) + "#:\n";
        break;
      case 8:
        out += "sram[read, $0, a, 0, 2], sig_done[s]\nscratch[read, $2, a, 0, 1], sig_done[t]\nctx_arb[s, t], any\n";
        break;
      case 11: out += foreign_write(random, signal); break;
      case 12: out += double_command(random); break;
      case 10:  // engine << 7 | context << 4 | signal
        out += "immed[c, " + std::to_string(random.below(2) << 7 | random.below(8) << 4) + "]\nalu[--, c, +, &" +
               signal + "]\ncap[fast_wr, alu, INTERTHREAD_SIG]\n";
        break;
      case 9: out += "dram[read, $$0, a, 0, 1], sig_done[d]\nctx_arb[d]\nalu[b, b, +, $$1]\n"; break;
      default: out += random.chance(1, 2) ? "ctx_arb[voluntary]\n" : "alu[b, b, +, 1]\n";
    }
    out += nops(static_cast<unsigned>(random.below(random.chance(1, 2) ? 4 : 16)));
  }
  // DRAM gives two signals; a branch tests one of them.
  for (const std::string signal : {"s", "t"}) {
    if (out.find("dram[write, $$0, a, 16, 1], sig_done[" + signal + "]") == std::string::npos) continue;
    const std::string test = "br_signal[" + signal + ",";
    for (size_t at = out.find(test); at != std::string::npos; at = out.find(test, at))
      out.replace(at, test.size(), "br_signal[" + signal + "[0],");
  }
  return out + "br[again#]\n";
}

/// The same on the IXP1200, where a command's number is that of its unit.
std::string signalling1200(Random& random) {
  std::string out = R"(.reg a b c $0 $1 $2 $$0 $$1
.xfer_order $0 $1 $2
.xfer_order $$0 $$1
immed[a, 0x100]
immed[b, 0]
.set_wr $2
again#:
)";
  for (uint64_t i = 2 + random.below(8); i > 0; --i) {
    const std::string there = "there" + std::to_string(i) + "#";
    switch (random.below(14)) {
      case 12:  // they take registers at their service, which lies behind an early end of the wait
        out += "scratch[write, $2, a, 16, 1], ctx_swap\nalu[$2, b, +, a]\nalu[b, b, +, 1]\n";
        break;
      case 13: out += "sram[write, $2, a, 16, 1], sig_done\nctx_arb[sram]\nalu[$2, b, +, a]\nalu[b, b, +, 1]\n"; break;
      case 0: out += "sram[read, $0, a, 0, 2], ctx_swap\nalu[b, b, +, $1]\n"; break;
      case 1: out += "sram[read, $0, a, 0, 2], sig_done\nsram[read, $1, a, 4, 1], sig_done\nctx_arb[sram]\n"; break;
      case 2: out += "scratch[read, $2, a, 0, 1], sig_done\nctx_arb[fbi]\nalu[b, b, XOR, $2]\n"; break;
      case 3: out += "scratch[test_and_set_bits, $2, a, 0], ctx_swap\n"; break;
      case 4: out += "sdram[read, $$0, a, 0, 1], sig_done\nctx_arb[sdram]\nalu[b, b, +, $$1]\n"; break;
      case 5:
        out += "sdram[read, $$0, a, 0, 1], sig_done\nsram[read, $0, a, 0, 2], sig_done\nctx_arb[sram, sdram]\n";
        break;
      case 6:  // of another context, which may wait for a command or for this
        out += "immed[c, " + std::to_string(random.below(8)) + "]\nfast_wr[c, INTER_THD_SIG]\n";
        break;
      case 7:
        out += "scratch[read, $2, a, 0, 1], sig_done\nbr_signal[fbi, " + there + "]\nctx_arb[" +
               (random.chance(1, 2) ? "fbi, inter_thread" : "fbi") + "]\n" + there + ":\n";
        break;
      case 8:
        out += "sram[read, $0, a, 0, 1], sig_done\nfast_wr[" + std::to_string(random.below(8)) +
               ", INTER_THD_SIG]\nctx_arb[sram, inter_thread]\n";
        break;
      case 9:  // to all contexts of all engines
        out += "fast_wr[" + std::to_string(random.below(4)) + ", ENQUEUE_SEQ1]\n";
        break;
      case 10:
        out += "scratch[read, $2, a, 0, 1], sig_done\nctx_arb[fbi, seq_num1_change]\nalu[b, b, XOR, $2]\nfast_wr[" +
               std::to_string(random.below(4)) + ", ENQUEUE_SEQ1]\n";
        break;
      default: out += random.chance(1, 2) ? "ctx_arb[voluntary]\n" : "alu[b, b, +, 1]\n";
    }
    out += nops(static_cast<unsigned>(random.below(random.chance(1, 2) ? 4 : 16)));
  }
  return out + "br[again#]\n";
}

/// WEFT_SEED is the first of them.
template <class Check>
void for_all_seeds(Check check) {
  const char* const text = std::getenv("WEFT_SEED");
  const uint64_t first = text != nullptr ? std::strtoull(text, nullptr, 0) : 1;
  const uint64_t count = std::getenv("WEFT_FULL") != nullptr ? 2000 : 150;
  for (uint64_t seed = first; seed < first + count; ++seed) check(seed);
}

}  // namespace

TEST_CASE("contexts that signal each other beside their commands do what they do on the reference") {
  const auto check = [](uint64_t seed, const emulator::ChipOnBoard& chip) {
    INFO("seed " << seed);
    Random random(seed);
    const std::string program = signalling(random);
    compare_engines(chip, assembled(program), static_cast<unsigned>(1 + random.below(255)), 1200);
  };
  check(1912, board("generic-2400"));  // a signal of another thread with the number of an answer that is known
  for_all_seeds([&](uint64_t seed) { check(seed, chip_of(seed, "generic-2400")); });
}

// A number of a signal that is in a register from the first words on, until a user puts another one there: context 1
// is awake before its command is served, and its next word writes what that command has to take. The first such signal
// comes some commands later.
TEST_CASE("a user changes a register that holds the number of a signal") {
  const std::vector<uint64_t> words = assembled(R"(.reg a b c note $2
.sig volatile s other
immed[a, 0x100]
immed[b, 0]
immed[note, (0x5a01 | (&other << 3))]
.set $2
br=ctx[0, sender#]
again#:
sram[write, $2, a, 0, 1], ctx_swap[s]
alu[$2, b, +, a]
alu[b, b, +, 1]
alu[a, a, +, 4]
br[again#]
sender#:
immed[c, 100]
later#:
ctx_arb[voluntary]
alu[c, c, -, 1]
bne[later#]
local_csr_wr[SAME_ME_SIGNAL, note]
br[sender#]
)");
  const emulator::ChipOnBoard& chip = board("generic-2400");
  const emulator::Tick period = chip.chip.engine.period;
  for (uint32_t number = 1; number < 4; ++number)
    for (uint64_t cycle = 300; cycle < 3000; cycle += 23) {
      INFO("number " << number << " from cycle " << cycle << " on");
      EqualEngines reference(chip, words, 3, 1), fast(chip, words, 3, 1);
      fast.machine.set_execution({true, 512, 2});
      for (EqualEngines* engines : {&reference, &fast}) {
        engines->machine.run_until(cycle * period);
        emulator::EngineState& state = engines->machine.state(0);
        for (auto* bank : {&state.a, &state.b})
          for (uint32_t& value : *bank)
            if (value >> 8 == 0x5a) value = 0x5a01 | number << 3;
        engines->machine.run_until((cycle + 1000) * period);
      }
      const std::string state = difference(reference.machine, reference.units, fast.machine, fast.units);
      if (!state.empty()) FAIL("state differs: " << state);
    }
}

// The number stands in a CSR that the program has written once.
TEST_CASE("a user changes the number of the signal that a future count raises") {
  const std::vector<uint64_t> words = assembled(R"(.reg a b c $2
.sig volatile s other
immed[a, 0x100]
immed[b, 0]
local_csr_wr[ACTIVE_FUTURE_COUNT_SIGNAL, &other]
.set $2
again#:
local_csr_rd[TIMESTAMP_LOW]
immed[c, 0]
alu[c, c, +, 2]
local_csr_wr[ACTIVE_CTX_FUTURE_COUNT, c]
nop
sram[write, $2, a, 0, 1], ctx_swap[s]
alu[$2, b, +, a]
alu[b, b, +, 1]
alu[a, a, +, 4]
br[again#]
)");
  const emulator::ChipOnBoard& chip = board("generic-2400");
  const emulator::Tick period = chip.chip.engine.period;
  for (uint32_t number = 1; number < 4; ++number)
    for (uint64_t cycle = 300; cycle < 3000; cycle += 23) {
      INFO("number " << number << " from cycle " << cycle << " on");
      EqualEngines reference(chip, words, 1, 1), fast(chip, words, 1, 1);
      fast.machine.set_execution({true, 512, 2});
      for (EqualEngines* engines : {&reference, &fast}) {
        engines->machine.run_until(cycle * period);
        engines->machine.write_csr(0, isa::Csr::active_future_count_signal, number, 0);
        engines->machine.run_until((cycle + 1000) * period);
      }
      const std::string state = difference(reference.machine, reference.units, fast.machine, fast.units);
      if (!state.empty()) FAIL("state differs: " << state);
    }
}

TEST_CASE("contexts that signal each other while a user changes what programs have put somewhere") {
  for_all_seeds([&](uint64_t seed) {
    INFO("seed " << seed);
    Random random(seed), user(seed + 1);
    const std::string program = signalling(random);
    compare_engines(chip_of(seed, "generic-2400"), assembled(program), static_cast<unsigned>(1 + random.below(255)),
                    1200, 2, 7, &user);
  });
}

// In every second one all engines crowd at queues of few places.
TEST_CASE("contexts of the IXP1200 that signal each other beside their commands") {
  for_all_seeds([](uint64_t seed) {
    INFO("seed " << seed);
    Random random(seed);
    const std::string program = signalling1200(random);
    const auto contexts = static_cast<unsigned>(1 + random.below(15));
    emulator::ChipOnBoard chip = chip_of(seed, "nctu-1200");
    const bool crowded = random.chance(1, 2);
    if (crowded) {
      emulator::ChipDescription& c = chip.chip;
      for (uint32_t* depth : {&c.sram1200.ordered, &c.sram1200.optimize_mem, &c.sram1200.priority, &c.sdram1200.ordered,
                              &c.sdram1200.priority, &c.sdram1200.bank_queue, &c.fbi.timing.inlet})
        *depth = static_cast<uint32_t>(1 + random.below(4));
    }
    compare_engines(chip, assembled(program, isa::Profile::me1), crowded ? 15 : contexts, crowded ? 800 : 1500,
                    crowded ? 6 : 2);
  });
}
