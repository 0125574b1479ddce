// Programs that do little but use the media interface of the IXP2400: registers, buffers, thread free lists, and moves
// between buffers and DRAM, in orders that no sound program has, while frames come and go. DRAM and the media interface
// read and fill the buffers each in its own time; that and what statistics say is the same on both engines at every
// cut.
//
// WEFT_SEED chooses other programs; WEFT_FULL=1 takes twenty times as many.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <string>

#include "compare.h"
#include "reports.h"
#include "varied_board.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::test;

namespace {

constexpr unsigned kElements = 6;  ///< of RBUF and TBUF that programs name: few, so that they meet

/// `name` = `value`, in as few words as it takes.
std::string constant(const char* name, uint64_t value) {
  return fmt::format("immed[{}, {}]\n", name, value & 0xffff) +
         (value > 0xffff ? fmt::format("immed_w1[{}, {}]\n", name, value >> 16) : "");
}

/// A move between DRAM and a buffer. `element` is what names its place there: 64 octets each, from MSF address 0x2000.
std::string move(Random& random, const std::string& element) {
  const uint64_t quadwords = 1 + random.below(8), offset = 8 * random.below(8);
  const std::string awaited = random.chance(1, 4)   ? "dram[read, $$0, buffer, 8, 1], sig_done[t]\nctx_arb[t, d]\n"
                              : random.chance(1, 2) ? "alu[n, n, +, 1]\nctx_arb[d]\n"
                                                    : "ctx_arb[d]\n";
  return constant("m", 1u << 25 | (quadwords - 1) << 21 | 1u << 18 | 1u << 4) + "alu[--, m, OR, " + element + "]\n" +
         fmt::format("dram[{}, --, buffer, {}, max_8], indirect_ref, sig_done[d]\n",
                     random.chance(1, 2) ? "rbuf_rd" : "tbuf_wr", offset) +
         awaited;
}

/// One of the things that programs do. Everything but a wait for an mpacket goes on by itself.
std::string action(Random& random) {
  const uint64_t element = random.below(kElements), count = 1 + random.below(4);
  const std::string place = constant("element", element << 11);
  switch (random.below(16)) {
    case 0:
    case 1: {  // an mpacket is received, copied and given back
      std::string out = "msf[fast_wr, --, claim, 0]\n";
      if (random.chance(1, 3)) out += "scratch[read, $2, buffer, 0, 1], ctx_swap[s]\n";
      out +=
          "ctx_arb[mpacket]\nalu_shf[element, 0x7f, AND, $0, >>24]\nalu_shf[done, --, B, element, <<16]\n"
          "alu[n, n, +, $1]\nalu_shf[element, --, B, element, <<11]\n";
      if (random.chance(3, 4)) out += move(random, "element");
      return out + (random.chance(4, 5) ? "alu[done, done, OR, 0x44]\nmsf[fast_wr, --, done, 0]\n" : "");
    }
    case 2:  // how far transmission has come
      return constant("m", 0x60 + 4 * random.below(3)) + "msf[read, $2, m, 0, 1], ctx_swap[s]\nalu[n, n, +, $2]\n";
    case 3: return constant("m", 0x60) + "msf[read, $2, m, 0, 1], sig_done[s]\nalu[n, n, +, 1]\nctx_arb[s]\n";
    case 4:
      return constant("m", 0x2000 + 64 * element + 4 * random.below(12)) +
             fmt::format("msf[read, $2, m, 0, {}], ctx_swap[s]\nalu[n, n, XOR, $3]\n", count);
    case 5:
      return constant("m", 0x2000 + 64 * element + 4 * random.below(12)) +
             fmt::format("alu[$6, --, B, n]\nmsf[write, $6, m, 0, {}], ctx_swap[s]\n", count);
    case 6:
    case 7: {  // an element of TBUF is sent: its length, start and end of packet, channel
      const uint64_t length = random.chance(1, 8) ? random.below(256) : 8 * (1 + random.below(8));
      const uint64_t ends = random.chance(1, 4) ? random.below(4) : 3;
      const uint64_t channel = random.below(random.chance(1, 8) ? 8 : 4);
      std::string out = constant("m", length << 24 | ends << 8 | channel) + "alu[$6, --, B, m]\nimmed[$7, 0]\n";
      if (random.chance(2, 3)) {  // the next one in turn; others are sent when it comes to them
        out += "immed[m, 0x800]\nscratch[test_and_incr, $8, m, 0], sig_done[d]\nctx_arb[d]\n" +
               constant("element", 0x1800) + "alu_shf[m, --, B, $8, <<3]\n" +
               "immed[done, 0x3ff]\nalu[m, m, AND, done]\nalu[m, m, +, element]\n";
      } else {
        out += constant("m", 0x1800 + 8 * element);
      }
      return out + (random.chance(1, 2) ? "msf[write, $6, m, 0, 2], ctx_swap[s]\n"
                                        : "msf[write, $6, m, 0, 2], sig_done[s]\nalu[n, n, +, 1]\nctx_arb[s]\n");
    }
    case 8:
    case 9:
    case 10: return place + move(random, "element");
    case 11:
      return fmt::format("dram[read, $$0, buffer, {}, {}], sig_done[d]\nctx_arb[d]\n", 8 * random.below(8), count);
    case 12:
      return fmt::format("alu[$$8, --, B, n]\ndram[write, $$8, buffer, {}, {}], sig_done[d]\nctx_arb[d]\n",
                         8 * random.below(8), count);
    case 13: {  // an element is free, or valid, or a free list waits for some time only
      const uint64_t registers[] = {0x44, 0x20, 0x50};
      const uint64_t which = random.below(3);
      const uint64_t value = which == 2 ? 50 + random.below(500) : element;
      return constant("m", value << 16 | registers[which]) + "msf[fast_wr, --, m, 0]\n";
    }
    case 14: return "ctx_arb[voluntary]\n";
    default: return "scratch[incr, --, buffer, 0]\nsram[read, $2, buffer, 0, 2], ctx_swap[s]\nalu[n, n, +, $2]\n";
  }
}

std::string using_media(Random& random, uint64_t engine) {
  std::string out = R"(.reg n m claim done element buffer
.reg $0 $1 $2 $3 $4 $5 $6 $7 $8 $9
.reg $$0 $$1 $$2 $$3 $$4 $$5 $$6 $$7 $$8 $$9 $$10 $$11 $$12 $$13 $$14 $$15
.xfer_order $0 $1
.xfer_order $2 $3 $4 $5
.xfer_order $6 $7 $8 $9
.xfer_order $$0 $$1 $$2 $$3 $$4 $$5 $$6 $$7
.xfer_order $$8 $$9 $$10 $$11 $$12 $$13 $$14 $$15
.sig volatile mpacket s t d
.set $0 $1 $2 $3 $4 $5 $6 $7 $8 $9
.set $$0 $$1 $$2 $$3 $$4 $$5 $$6 $$7
.set $$8 $$9 $$10 $$11 $$12 $$13 $$14 $$15
immed[n, 0]
immed[element, 0]
local_csr_rd[ACTIVE_CTX_STS]
immed[m, 0]
alu[m, m, AND, 7]
alu_shf[buffer, --, B, m, <<5]
alu_shf[claim, --, B, m, <<4]
immed[m, ((&mpacket << 12) | &$0)]
alu[claim, claim, OR, m]
)" + constant("m", engine << 7) +
                    R"(alu[claim, claim, OR, m]
alu_shf[claim, --, B, claim, <<16]
alu[claim, claim, OR, 0x30]
again#:
)";
  for (uint64_t i = 2 + random.below(8); i > 0; --i) {
    out += action(random);
    for (uint64_t words = random.below(random.chance(1, 4) ? 40 : 5); words > 0; --words) out += "alu[n, n, +, 1]\n";
  }
  return out + "br[again#]\n.use n claim done element buffer\n";
}

/// The same with the FBI of an IXP1200: requests for mpackets, FIFOs, ready flags, and moves between FIFOs and SDRAM.
std::string action1200(Random& random, unsigned& labels) {
  const uint64_t element = random.below(kElements), count = 1 + random.below(3);
  const std::string data = constant("m", 8 * element + random.below(5));  // quadwords
  const auto validate = [&] {  // an element is valid: its length, start and end, port
    return constant("m", (8 * (1 + random.below(8))) << 16 | 0x3000 | random.below(3)) + "alu[$out0, --, B, m]\n" +
           constant("m", 128 + element) + "t_fifo_wr[$out0, m, 0, 1], ctx_swap\n";
  };
  switch (random.below(18)) {
    case 0:
    case 1: {  // an mpacket into an element for some thread
      const uint64_t request = random.below(3) | element << 8 | random.below(8) << 16;
      return constant("m", request) + "alu[$out0, --, B, m]\ncsr[write, $out0, RCV_REQ], ctx_swap\n";
    }
    case 2: return fmt::format("fast_wr[{}, RCV_REQ]\n", random.below(3));
    case 3: return "csr[read, $in0, RCV_CNTL], ctx_swap\nalu[n, n, +, $in0]\n";
    case 4: {
      const unsigned label = labels++;
      return fmt::format("br_inp_state[REC_REQ_AVAIL, there{}#]\nalu[n, n, +, 1]\nthere{}#:\n", label, label);
    }
    case 5: return "csr[read, $in0, RCV_RDY_LO], ctx_swap\nalu[n, n, XOR, $in0]\n";
    case 6: return data + fmt::format("r_fifo_rd[$in0, m, 0, {}], ctx_swap\nalu[n, n, +, $in1]\n", count);
    case 7: return data + fmt::format("alu[$out0, --, B, n]\nt_fifo_wr[$out0, m, 0, {}], ctx_swap\n", count);
    case 8:
    case 9: return validate();
    case 10:
    case 11: {
      const char* const way = random.chance(1, 2) ? "r_fifo_rd" : "t_fifo_wr";
      return constant("m", 8 * element) + "alu[--, --, B, m]\n" +
             fmt::format("sdram[{}, --, buffer, 0, {}], indirect_ref, {}\n", way, 1 + random.below(8),
                         random.chance(2, 3) ? "ctx_swap" : "sig_done\nalu[n, n, +, 1]\nctx_arb[sdram]");
    }
    case 12:
      return fmt::format("sdram[read, $$in0, buffer, {}, {}], ctx_swap\nalu[n, n, +, $$in0]\n", random.below(6), count);
    case 13:
      return fmt::format("alu[$$out0, --, B, n]\nsdram[write, $$out0, buffer, {}, 1], ctx_swap\n", random.below(6));
    case 14: return random.chance(1, 2) ? "ctx_arb[voluntary]\n" : fmt::format("fast_wr[{}, XMIT_PTR]\n", element);
    case 15:
    case 16: return validate() + fmt::format("fast_wr[{}, XMIT_PTR]\n", element);  // and is the next to be sent
    default:
      return "scratch[read, $in0, n, 0, 1], ctx_swap\n" + fmt::format("fast_wr[{}, INTER_THD_SIG]\n", random.below(8));
  }
}

std::string using_fbi(Random& random) {
  std::string out = R"(.reg read $in0 $in1 $in2 $in3 $in4 $in5
.reg write $out0 $out1 $out2 $out3 $out4 $out5
.reg read $$in0 $$in1 $$in2 $$in3 $$in4 $$in5
.reg write $$out0 $$out1
.reg n m buffer
.xfer_order $in0 $in1 $in2 $in3 $in4 $in5
.xfer_order $out0 $out1 $out2 $out3 $out4 $out5
.xfer_order $$in0 $$in1 $$in2 $$in3 $$in4 $$in5
.xfer_order $$out0 $$out1
.set $out1 $out2 $out3 $out4 $out5 $$out1
immed[n, 0]
)" + constant("buffer", 16 * random.below(4)) +
                    "again#:\n";
  unsigned labels = 0;
  for (uint64_t i = 2 + random.below(8); i > 0; --i) {
    out += action1200(random, labels);
    for (uint64_t words = random.below(random.chance(1, 4) ? 40 : 5); words > 0; --words) out += "alu[n, n, +, 1]\n";
    out += "alu[n, n, AND, 0x7c]\n";
  }
  return out + "br[again#]\n.use n buffer\n";
}

struct Scenario {
  std::vector<std::vector<uint64_t>> programs;  ///< by engine
  std::vector<unsigned> contexts;
  std::vector<emulator::Frame> frames;
  uint64_t cycles = 0;
};

Scenario scenario(uint64_t seed, const emulator::ChipOnBoard& chip) {
  Random random(seed);
  Scenario out;
  out.cycles = 3000 + random.below(12000);
  const uint64_t engines = 1 + random.below(std::min(5u, chip.chip.engines));
  for (uint64_t e = 0; e < engines; ++e) {
    const bool fbi = chip.chip.profile == isa::Profile::me1;
    out.programs.push_back(fbi ? assembled(using_fbi(random), isa::Profile::me1) : assembled(using_media(random, e)));
    const unsigned all = fbi ? 15 : 255;
    out.contexts.push_back(random.chance(1, 2) ? all : static_cast<unsigned>(1 + random.below(all)));
  }
  for (unsigned i = 0; i < 40; ++i) {
    emulator::Frame frame;
    frame.bytes.resize(60 + random.below(random.chance(1, 2) ? 5 : 300));
    for (uint8_t& byte : frame.bytes) byte = static_cast<uint8_t>(random.below(256));
    out.frames.push_back(std::move(frame));
  }
  return out;
}

struct Subject {
  Subject(const emulator::ChipOnBoard& chip, const Scenario& s)
      : machine(emulator::MachineDescription(chip.chip)), units(chip, machine) {
    machine.attach(units);
    for (unsigned port = 0; port < units.port_count(); ++port)
      units.set_source(port, std::make_shared<emulator::ListSource>(s.frames, 20));
    for (unsigned e = 0; e < s.programs.size(); ++e) {
      machine.load(e, s.programs[e]);
      machine.start(e, s.contexts[e]);
    }
  }
  emulator::Machine machine;
  emulator::Units units;
};

/// Frames that were sent. In some programs the units have few places, so that commands are refused.
uint64_t compare(uint64_t seed, emulator::ChipOnBoard chip) {
  if (Random places(seed + 3); places.chance(1, 3))
    for (emulator::UnitTiming* timing : {&chip.chip.msf.timing, &chip.chip.fbi.timing, &chip.chip.dram.timing})
      timing->inlet = static_cast<uint32_t>(1 + places.below(3));
  const Scenario s = scenario(seed, chip);
  Subject reference(chip, s), fast(chip, s), told(chip, s);
  const auto kind = seed % 2 == 0 ? Reports::Kind::all : Reports::Kind::counts;
  const Reports expected(reference.machine, reference.units, chip, kind), seen(told.machine, told.units, chip, kind);
  Random random(seed + 2);
  const auto after = static_cast<uint32_t>(random.below(3));
  fast.machine.set_execution({true, 512, after});
  told.machine.set_execution({true, 512, after});
  const std::vector<Side> others{{"nobody looks", fast.machine, fast.units}, {"observers", told.machine, told.units}};
  const emulator::Tick end = s.cycles * chip.chip.engine.period;
  compare_at_cuts(random, fmt::format("seed {}", seed), {"", reference.machine, reference.units}, others, end);
  INFO("seed " << seed);
  require_same(expected.text(), seen.text());
  uint64_t sent = 0;
  for (unsigned port = 0; port < reference.units.port_count(); ++port)
    sent += reference.units.counters(port).transmitted_frames;
  return sent;
}

/// The first one, and how many.
std::pair<uint64_t, uint64_t> seeds() {
  const char* const text = std::getenv("WEFT_SEED");
  return {text != nullptr ? std::strtoull(text, nullptr, 0) : 1, std::getenv("WEFT_FULL") != nullptr ? 2000 : 100};
}

}  // namespace

TEST_CASE("DRAM and the media interface use the buffers in the order of the reference") {
  constexpr const char* kBoards[] = {"generic-2400", "generic-2800", "generic-2400",
                                     "itj-dual-2400"};  // the last has links
  uint64_t sent = 0;
  const auto [first, count] = seeds();
  for (uint64_t seed = first; seed < first + count; ++seed)
    sent += compare(seed, chip_of(seed / 4, kBoards[seed % std::size(kBoards)]));
  CHECK(sent > count);
}

TEST_CASE("SDRAM and the FBI of the IXP1200 use the FIFOs in the order of the reference") {
  uint64_t sent = 0;
  const auto [first, count] = seeds();
  for (uint64_t seed = first; seed < first + count; ++seed) sent += compare(seed, chip_of(seed, "nctu-1200"));
  CHECK(sent > count);
}
