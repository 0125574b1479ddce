// -O: single rewrites by hand, and the behaviour of plain and optimised programs on the emulator: what they leave in
// memory, which commands they issue in which order, what those carry, and that no cycle is added.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>

#include "weft/assembler/assembler.h"
#include "weft/base/random.h"
#include "weft/base/render.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"
#include "weft/isa/isa.h"

using namespace weft;
using namespace weft::assembler;

namespace {

image::Image build(const std::string& text, bool optimise, isa::Profile profile = isa::Profile::me2) {
  Options options;
  if (profile == isa::Profile::me1) {
    options.chip = "ixp1200";
    options.profile = profile;
    options.control_store = isa::sizes(profile).control_store;
  }
  options.optimize = optimise;
  Assembly a = assemble(make_source("t.uc", text), options);
  INFO(text << render_text(a.diagnostics));
  REQUIRE(a.image);
  return std::move(*a.image);
}

std::vector<std::string> lines(const std::vector<uint64_t>& words) {
  std::vector<std::string> out;
  for (uint64_t w : words)
    out.push_back(isa::print(isa::Profile::me2, *isa::decode(isa::Profile::me2, w), isa::PrintNames()));
  return out;
}
std::vector<std::string> optimised(const std::string& text) { return lines(build(text, true).words); }
bool has(const std::vector<std::string>& all, const std::string& part) {
  return std::any_of(all.begin(), all.end(), [&](const std::string& l) { return l.find(part) != std::string::npos; });
}

emulator::ChipOnBoard chip_of(const char* name) {
  const auto board = emulator::load_board(name, {WEFT_SOURCE_DIR "/emulator"});
  if (!board) throw std::runtime_error(render_text(board.error()));
  return board->chips[0];
}
const emulator::ChipOnBoard& chip(isa::Profile profile) {
  static const auto me1 = chip_of("generic-1200"), me2 = chip_of("generic-2400");
  return profile == isa::Profile::me1 ? me1 : me2;
}

struct Recorder : emulator::Observer {
  std::vector<std::string> events;
  void on_issue(const emulator::Command& c) override {
    events.push_back(fmt::format("{} {:x} x{}", isa::info(c.op).name, c.address, c.count));
  }
  void on_pull(emulator::ContextRef, bool d, unsigned, uint32_t value, emulator::Tick) override {
    events.push_back(fmt::format("{} {:x}", d ? "dd" : "d", value));
  }
};

struct Behaviour {
  std::vector<std::string> events;
  std::vector<uint32_t> memory;
  uint64_t cycles = 0;
  bool halted = false;
};

constexpr unsigned kResults = 64;

/// Runs the contexts of the mask on microengine 0. Each has `kResults` longwords of scratch for itself.
Behaviour run(const std::vector<uint64_t>& words, unsigned contexts = 1, isa::Profile profile = isa::Profile::me2) {
  emulator::Machine machine(emulator::MachineDescription(chip(profile).chip));
  emulator::Units units(chip(profile), machine);
  Recorder recorder;
  machine.attach(units);
  machine.attach(recorder);
  machine.load(0, words);
  machine.start(0, contexts);
  const auto stop = machine.run_until(200000 * machine.timing().period);
  Behaviour b;
  b.halted = stop.kind == emulator::StopKind::halted;
  b.cycles = machine.cycles(0);
  b.events = std::move(recorder.events);
  for (unsigned i = 0; i < kResults * 8; ++i)
    b.memory.push_back(units.host().read(emulator::MemorySpace::scratch, 4 * i));
  return b;
}

void same_behaviour(const std::string& text) {
  const image::Image plain = build(text, false), faster = build(text, true);
  const Behaviour x = run(plain.words), y = run(faster.words);
  INFO(text);
  REQUIRE(x.halted);
  REQUIRE(y.halted);
  CHECK(x.memory == y.memory);
  CHECK(x.events == y.events);
  CHECK(y.cycles <= x.cycles);
}

/// A sound program of blocks: straight code, conditions, counted loops, commands, yields, padding, calls. With `shared`
/// it can run in several contexts at once: nothing is read that another context may have changed, memory is its own
/// part.
class Writer {
 public:
  explicit Writer(Random& random, bool shared = false) : random_(random), shared_(shared) {}

  std::string program() {
    out_ = ".reg zero address back\n.reg $x[2] $y[2]\n.sig done\n";
    line(shared_
             ? "local_csr_rd[ACTIVE_CTX_STS]\nimmed[zero, 0]\nalu[zero, zero, AND, 7]\nalu_shf[zero, --, B, zero, <<8]"
             : "immed[zero, 0]");
    for (unsigned i = 0; i < kNames; ++i)
      out_ += fmt::format(".reg e{0} o{0}\nimmed[e{0}, {1}]\nimmed[o{0}, {2}]\n", i, random_.below(60000),
                          random_.below(60000));
    out_ += "immed[$x[0], 1]\nimmed[$x[1], 2]\n";
    out_ += "scratch[read, $y[0], zero, 0, 2], ctx_swap[done]\n";
    block(3);
    for (unsigned i = 0; i < kNames; ++i) {
      store(fmt::format("e{}", i), 8 * i);
      store(fmt::format("o{}", i), 8 * i + 4);
    }
    // Shared: halt would stop the contexts that are not ready yet.
    line(shared_ ? "ctx_arb[kill]" : "halt");
    for (unsigned k = 0; k < kSubroutines; ++k) {
      line(fmt::format(".subroutine\nsub{}#:", k));
      for (uint64_t n = 1 + random_.below(4); n > 0; --n) simple();
      if (random_.chance(1, 2)) branch_around(1);
      simple();
      line("rtn[back]\n.endsub");
    }
    return out_;
  }

 private:
  static constexpr unsigned kNames = 5, kSubroutines = 2;
  void line(const std::string& text) { out_ += text + "\n"; }
  void store(const std::string& name, unsigned at) {
    line(fmt::format("alu[$x[0], --, B, {}]", name));
    line(fmt::format("scratch[write, $x[0], zero, {}, 1], ctx_swap[done]", at));
  }
  std::string even() { return fmt::format("e{}", random_.below(kNames)); }
  std::string odd() { return fmt::format("o{}", random_.below(kNames)); }
  std::string any() { return random_.chance(1, 2) ? even() : odd(); }

  void simple() {
    static constexpr const char* ops[] = {"+", "-", "AND", "OR", "XOR", "AND~", "B-A", "+carry"};
    const unsigned known = shared_ ? 7 : 8;  // the carry is lost where another context may run
    switch (random_.below(13)) {
      case 0: return line(fmt::format("immed[{}, {}]", any(), random_.below(65536)));
      case 1: return line(fmt::format("alu_shf[{}, {}, OR, {}, <<{}]", any(), even(), odd(), 1 + random_.below(30)));
      case 2: return line(fmt::format("alu[{}, --, B, {}]", any(), any()));
      case 3: return line("nop");
      case 4: return line(fmt::format("ld_field[{}, 0110, {}]", even(), odd()));
      case 5: return line(fmt::format("alu[--, {}, AND, 7]\nalu_shf[{}, --, B, {}, >>indirect]", even(), any(), odd()));
      case 6: return line(fmt::format("alu[--, --, B, {0}]\nasr[{1}, {0}, >>3]", odd(), any()));
      case 7: return line(fmt::format("alu[$x[{}], {}, +, {}]", random_.below(2), even(), odd()));
      case 8: return line(fmt::format("immed_w1[{}, {}]", any(), random_.below(65536)));
      case 9:
        return line(fmt::format("alu[{}, {}, +, {}]\nimmed[{}, 5]\nalu[{}, {}, +carry, {}]", any(), even(), odd(),
                                any(), any(), even(), odd()));
      default: return line(fmt::format("alu[{}, {}, {}, {}]", any(), even(), ops[random_.below(known)], odd()));
    }
  }
  void command() {
    switch (random_.below(5)) {
      case 0: return line(fmt::format("scratch[write, $x[0], zero, {}, 2], ctx_swap[done]", 96 + 4 * random_.below(8)));
      case 1:
        line(fmt::format("scratch[read, $y[0], zero, {}, 2], ctx_swap[done]", 4 * random_.below(24)));
        return line(fmt::format("alu[{}, --, B, $y[{}]]", any(), random_.below(2)));
      case 2:
        line(fmt::format("scratch[read, $y[0], zero, {}, 1], sig_done[done]", 4 * random_.below(24)));
        for (uint64_t k = random_.below(4); k > 0; --k) simple();
        line("ctx_arb[done]");
        return line(fmt::format("alu[{}, {}, +, $y[0]]", odd(), even()));
      case 3: return line("ctx_arb[voluntary]");
      default:
        line(fmt::format("alu[address, {}, AND, 0x3c]\nalu[address, address, +, zero]", even()));
        return line("scratch[write, $x[1], address, 64, 1], ctx_swap[done]");
    }
  }
  void branch_around(unsigned depth) {
    static constexpr const char* kinds[] = {"beq", "bne", "bhs", "blo", "bge", "blt", "bmi", "bpl"};
    const unsigned id = ++labels_;
    switch (random_.below(4)) {
      case 0: line(fmt::format("br_bset[{}, {}, else{}#]", any(), random_.below(32), id)); break;
      case 1: line(fmt::format("br=byte[{}, {}, {}, else{}#]", any(), random_.below(4), random_.below(256), id)); break;
      default:
        line(fmt::format("alu[--, {}, -, {}]", even(), odd()));
        for (uint64_t k = random_.below(3); k > 0; --k) line(fmt::format("immed[{}, {}]", any(), random_.below(999)));
        line(fmt::format("{}[else{}#]", kinds[random_.below(8)], id));
        break;
    }
    block(depth - 1);
    line(fmt::format("br[end{}#]", id));
    line(fmt::format("else{}#:", id));
    block(depth - 1);
    if (random_.chance(1, 3)) line(fmt::format("br[end{}#]", id));
    line(fmt::format("end{}#:", id));
  }
  void call() {
    const unsigned id = ++labels_;
    line(fmt::format("load_addr[back, back{0}#]\nbr[sub{1}#]\nback{0}#:", id, random_.below(kSubroutines)));
  }
  void loop(unsigned depth) {
    const unsigned id = ++labels_;
    line(".begin");
    line(fmt::format(".reg count{}", id));
    line(fmt::format("immed[count{}, {}]", id, 1 + random_.below(4)));
    line(fmt::format("loop{}#:", id));
    block(depth - 1);
    line(fmt::format("alu[count{0}, count{0}, -, 1]", id));
    if (random_.chance(1, 2)) line(fmt::format("immed[{}, {}]", any(), random_.below(999)));
    line(fmt::format("bne[loop{}#]", id));
    line(".end");
  }
  void block(unsigned depth) {
    for (uint64_t k = 1 + random_.below(5); k > 0; --k) {
      switch (depth == 0 ? random_.below(6) : random_.below(9)) {
        case 4: command(); break;
        case 6: branch_around(depth); break;
        case 7: loop(depth); break;
        case 8: call(); break;
        default: simple(); break;
      }
    }
  }

  Random& random_;
  bool shared_;
  std::string out_;
  unsigned labels_ = 0;
};

}  // namespace

TEST_CASE("optimiser: an independent instruction goes down into the slot of a branch") {
  const auto out = optimised(
      ".reg a b c\nimmed[a, 1]\nimmed[b, 2]\nloop#:\nalu[c, a, +, 1]\nalu[a, a, -, b]\nimmed[b, "
      "7]\nbne[loop#]\nalu[--, b, +, c]\nctx_arb[kill]\n");
  // The test stays before its branch.
  CHECK(has(out, "defer[1]"));
  CHECK(out[5].find("immed[") == 0);
  CHECK(out[4].find("bne[") == 0);
}

TEST_CASE("optimiser: a branch to a branch goes to the end of the chain, a branch to the next word goes away") {
  const auto out = optimised(
      ".reg a\nimmed[a, 1]\nalu[--, --, B, a]\nbeq[x#]\nalu[a, a, +, 1]\nbr[y#]\nx#:\nbr[z#]\ny#:\nalu[a, a, +, "
      "2]\nz#:\n"
      "alu[--, --, B, a]\nctx_arb[kill]\n");
  REQUIRE(out.size() >= 7);
  CHECK(has(out, "beq["));
  // x#: br[z#] is still there for others, but beq no longer goes through it.
  const auto beq = std::find_if(out.begin(), out.end(), [](const std::string& l) { return l.find("beq[") == 0; });
  const auto z = out.size() - 2;
  CHECK(beq->find(fmt::format("l{}#", z)) != std::string::npos);
  const auto next = optimised(".reg a\nimmed[a, 1]\nbr[y#]\ny#:\nalu[a, a, +, 1]\nalu[--, --, B, a]\nctx_arb[kill]\n");
  CHECK(!has(next, "br["));
}

TEST_CASE("optimiser: a nop that pads nothing goes, one within the latency of a CSR stays") {
  CHECK(optimised(".reg a\nimmed[a, 1]\nnop\nnop\nalu[--, --, B, a]\nctx_arb[kill]\n").size() == 3);
  CHECK(optimised(".reg a\nimmed[a, 64]\nlocal_csr_wr[active_lm_addr_0, a]\nnop\nnop\nnop\nalu[--, --, B, "
                  "*l$index0[0]]\nctx_arb[kill]\n")
            .size() == 7);
  CHECK(optimised("#pragma optimize(\"\", off)\n.reg a\nimmed[a, 1]\nnop\nalu[--, --, B, a]\nctx_arb[kill]\n").size() ==
        4);
}

TEST_CASE("optimiser: what a wait, a carry or an indirect shift needs stays in its place") {
  // The data of the command must be there before it is read, and the register written before it is taken.
  same_behaviour(
      ".reg a z $x\n.sig s\nimmed[z, 0]\nimmed[a, 77]\nalu[$x, --, B, a]\nscratch[write, $x, z, 0, 1], ctx_swap[s]\n"
      "scratch[read, $x, z, 0, 1], sig_done[s]\nimmed[a, 5]\nctx_arb[s]\nalu[$x, a, +, $x]\nscratch[write, $x, z, 4, "
      "1], ctx_swap[s]\nhalt\n");
  same_behaviour(
      ".reg a b c z $x\n.sig s\nimmed[z, 0]\nimmed[a, 0xffff]\nimmed_w1[a, 0xffff]\nimmed[b, 1]\nalu[c, a, +, "
      "b]\nimmed[b, 9]\nbr[n#]\n"
      "nop\nn#:\nalu[c, a, +carry, b]\nalu[$x, --, B, c]\nscratch[write, $x, z, 0, 1], ctx_swap[s]\nhalt\n");
}

TEST_CASE("optimiser: what stands between find_bset and the load of its result stays there") {
  const std::string text =
      ".reg a b c d $x\nimmed[a, 8]\nimmed[d, 0]\nfind_bset[a]\nimmed[b, 1]\nload_bset_result1[c]\n"
      "sram[read, $x, d, 0, 1], ctx_swap\nalu[--, b, +, c]\nalu[--, --, B, $x]\nctx_arb[kill]\n";
  const std::vector<uint64_t> words = build(text, true, isa::Profile::me1).words;
  const auto id = [&](size_t at) { return isa::decode(isa::Profile::me1, words[at])->id; };
  size_t find = 0;
  while (id(find) != isa::InsnId::find_bset) ++find;
  CHECK(id(find + 1) == isa::InsnId::immed);
  CHECK(id(find + 2) == isa::InsnId::load_bset_result1);
}

TEST_CASE("optimiser: lines under #pragma optimize off stay as they are, those around them do not") {
  const std::string moves = "loop#:\nalu[c, a, +, 1]\nalu[a, a, -, b]\nimmed[b, 7]\nbne[loop#]\n";
  const std::string head = ".reg a b c\nimmed[a, 1]\nimmed[b, 2]\n", tail = "alu[--, b, +, c]\nnop\nctx_arb[kill]\n";
  const std::string off = "#pragma optimize(\"bcntdfs\", off)\n", on = "#pragma optimize(\"\", on)\n";
  CHECK(has(optimised(head + moves + tail), "defer["));
  CHECK(optimised(head + moves + tail).size() == 8);
  // The nop after the guarded lines still goes.
  const auto guarded = optimised(head + off + moves + on + tail);
  CHECK_FALSE(has(guarded, "bne[l2#], defer["));
  CHECK(guarded.size() == 8);
  CHECK(optimised(off + head + moves + tail) == lines(build(head + moves + tail, false).words));
}

TEST_CASE("optimiser: commands and ctx_arb get their slots filled, and registers under way are left alone") {
  const auto swap = optimised(
      ".reg a b z $x $y\n.sig s\nimmed[z, 0]\nimmed[a, 5]\nimmed[b, 6]\nscratch[read, $x, z, 0, 1], ctx_swap[s]\n"
      "alu[a, b, +, $x]\n.use a\nctx_arb[kill]\n");
  CHECK(has(swap, "ctx_swap[s1], defer[2]"));
  const auto wait = optimised(
      ".reg a b z $x\n.sig s\nimmed[z, 0]\nscratch[read, $x, z, 0, 1], sig_done[s]\nimmed[a, 5]\nimmed[b, "
      "6]\nctx_arb[s]\n"
      "alu[a, b, +, $x]\nalu[b, a, +, 1]\n.use b\nctx_arb[kill]\n");
  CHECK(has(wait, "ctx_arb[s1], defer[2]"));
  // The register that the command takes must be written before it: nothing to fill with.
  const auto write = optimised(
      ".reg z $x\n.sig s\nimmed[z, 0]\nimmed[$x, 5]\nscratch[write, $x, z, 0, 1], ctx_swap[s]\nctx_arb[kill]\n");
  CHECK_FALSE(has(write, "defer"));
}

TEST_CASE("optimiser: the IXP1200 has fewer slots, and its programs do the same") {
  constexpr auto me1 = isa::Profile::me1;
  // Counts down from 20 in two ways, sends branches through branches, waits for scratch and for SRAM.
  const std::string text =
      ".reg n sum step place $x $y\nimmed[n, 20]\nimmed[sum, 0]\nimmed[place, 0]\nimmed[step, 1]\n"
      "loop#:\nalu[sum, sum, +, n]\nalu[$x, --, B, sum]\nscratch[write, $x, place, 0, 1], ctx_swap\nalu[place, place, "
      "+, 1]\n"
      "scratch[read, $y, place, 0, 1], sig_done\nalu[sum, sum, +, 3]\nctx_arb[fbi]\nalu[sum, sum, +, $y]\nsram[write, "
      "$x, place, 0, 1], ctx_swap\n"
      "br_bset[n, 0, odd#]\nalu[sum, sum, +, 5]\nimmed[step, 1]\nbr[on#]\nodd#:\nalu[step, step, +, 1]\nalu[sum, sum, "
      "XOR, step]\nbr[on#]\non#:\n"
      "alu[n, n, -, 1]\nimmed_w1[sum, 7]\nbr!=0[loop#]\nbr=byte[sum, 0, 3, "
      "done#]\nnop\nctx_arb[voluntary]\ndone#:\nalu[$x, --, B, sum]\n"
      "scratch[write, $x, place, 4, 1], ctx_swap\nhalt\n";
  const image::Image plain = build(text, false, me1), faster = build(text, true, me1);
  CHECK(faster.words != plain.words);
  unsigned deferred = 0;
  for (uint64_t word : faster.words) deferred += (*isa::decode(me1, word))[isa::Role::defer];
  CHECK(deferred >= 3);
  const Behaviour x = run(plain.words, 1, me1), y = run(faster.words, 1, me1);
  CHECK(x.halted);
  CHECK(y.halted);
  CHECK(x.events.size() > 60);
  CHECK(x.events == y.events);
  CHECK(x.memory == y.memory);
  CHECK(y.cycles < x.cycles);
}

TEST_CASE("optimiser: random structured programs do the same in no more cycles") {
  const char* full = std::getenv("WEFT_FULL");
  const unsigned count = full && *full == '1' ? 4000 : 400;
  uint64_t saved = 0, total = 0;
  for (unsigned seed = 1; seed <= count; ++seed) {
    Random random(seed);
    const std::string text = Writer(random).program();
    CAPTURE(seed, text);
    const image::Image plain = build(text, false), faster = build(text, true);
    const Behaviour x = run(plain.words), y = run(faster.words);
    REQUIRE(x.halted);
    REQUIRE(y.halted);
    REQUIRE(x.memory == y.memory);
    REQUIRE(x.events == y.events);
    REQUIRE(y.cycles <= x.cycles);
    total += x.cycles;
    saved += x.cycles - y.cycles;
  }
  INFO(saved << " of " << total << " cycles saved");
  CHECK(saved * 100 >= total);
}

TEST_CASE("optimiser: contexts that share the engine leave the same in their memory") {
  for (unsigned seed = 1; seed <= 100; ++seed) {
    Random random(1000 + seed);
    const std::string text = Writer(random, true).program();
    CAPTURE(seed, text);
    const Behaviour x = run(build(text, false).words, 0xff), y = run(build(text, true).words, 0xff);
    REQUIRE(x.memory == y.memory);
    // Each of the eight has written something of its own.
    for (unsigned c = 0; c < 8; ++c)
      REQUIRE(std::any_of(x.memory.begin() + c * kResults, x.memory.begin() + (c + 1) * kResults,
                          [](uint32_t v) { return v != 0; }));
  }
}
