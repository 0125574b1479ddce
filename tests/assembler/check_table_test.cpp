// Every check that a microcode assembler makes (isa.md, section 7): the code that reports it, and a program of each
// profile that is reported, or the reason why the profile has no such program.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

namespace {

struct Check {
  const char* what;
  const char* code;
  std::string me2;
  std::string me1;          ///< kSame: the program of me2
  const char* no_me1 = "";  ///< why there is none
};

constexpr const char* kSame = "=";
const std::string kHead = ".reg a b $x $y $$d\n.sig s\nimmed[a, 0]\nimmed[b, 0]\n";
const std::string kHead1 = ".reg a b $x $y $$d\nimmed[a, 0]\nimmed[b, 0]\n";
const std::string kEnd = "\nctx_arb[kill]\n";

std::string names(const char* before, int count, const char* between) {
  std::string out;
  for (int i = 0; i < count; ++i) out += (i ? between : "") + std::string(before) + std::to_string(i);
  return out;
}

std::string filled(const char* command, const char* modifier, int groups) {
  std::string out, use;
  for (int g = 0; g < groups; ++g) {
    const std::string name = "$g" + std::to_string(g);
    out += ".reg " + name + "[8]\n" + command + name + "[0], a, 0, 8], " + modifier + "\n";
    for (int i = 0; i < 8; ++i) use += "alu[--, --, B, " + name + "[" + std::to_string(i) + "]]\n";
  }
  return out + use;
}

std::vector<Check> table() {
  return {
      {"both operands in one bank", "asm-bank-conflict", kHead + "alu[--, a, +, a]" + kEnd, kSame},
      {"two constants as operands", "asm-sources", kHead + "alu[a, 1, +, 2]" + kEnd, kSame},
      {"an ALU constant too wide", "asm-constant-width", kHead + "alu[a, --, B, 256]" + kEnd, kSame},
      {"an immed too wide", "asm-constant-width", kHead + "immed[a, 0x12345678]" + kEnd, kSame},
      {"a shift with arithmetic", "asm-shift-operator", kHead + "alu_shf[a, b, +, a, <<1]" + kEnd, kSame},
      {"an offset in a restricted slot", "asm-operand", kHead + "alu_shf[a, --, B, *l$index0[9], <<1]" + kEnd, "",
       "no local memory"},
      {"an indexed neighbor as destination without step", "asm-operand", kHead + "alu[*n$index, --, B, a]" + kEnd, "",
       "no neighbor registers"},
      {"an offset and a step together", "asm-index", kHead + "alu[*l$index0[1]++, --, B, a]" + kEnd, "",
       "no local memory"},
      {"one pointer as source and destination, stepped at the source", "asm-local-memory-step",
       kHead + "alu[*l$index0, *l$index0++, +, a]" + kEnd, "", "no local memory"},
      {"reading a write transfer register", "asm-transfer-side", ".reg a\n.reg write $w\nalu[a, --, B, $w]" + kEnd,
       kSame},
      {"writing a read transfer register", "asm-transfer-side", ".reg read $r\nalu[$r, --, B, 1]" + kEnd, kSame},
      {"codes used before being set", "asm-undefined-codes", "l#: beq[l#]" + kEnd, "l#: br=0[l#]" + kEnd},
      {"codes across a swap", "asm-undefined-codes", kHead + "alu[--, a, -, 1]\nctx_arb[voluntary]\nl#: beq[l#]" + kEnd,
       kHead1 + "alu[--, a, -, 1]\nctx_arb[voluntary]\nl#: br=0[l#]" + kEnd},
      {"too many slots after br", "asm-defer", "l#: br[l#], defer[3]\nnop\nnop\nnop" + kEnd,
       "l#: br[l#], defer[2]\nnop\nnop" + kEnd},
      {"too many slots after a conditional branch", "asm-defer",
       kHead + "alu[--, a, -, 1]\nl#: beq[l#], defer[4]\nnop\nnop\nnop\nnop" + kEnd,
       kHead1 + "alu[--, a, -, 1]\nl#: br=0[l#], defer[3]\nnop\nnop\nnop" + kEnd},
      {"too many slots after a swap", "asm-defer", "ctx_arb[voluntary], defer[3]\nnop\nnop\nnop" + kEnd,
       "ctx_arb[voluntary], defer[2]\nnop\nnop" + kEnd},
      {"a branch in a slot", "asm-defer-content", "l#: br[l#], defer[1]\nbr[l#]" + kEnd, kSame},
      {"a command in a slot", "asm-defer-content",
       kHead + "l#: br[l#], defer[1]\nsram[read, $x, a, 0, 1], sig_done[s]" + kEnd,
       kHead1 + "l#: br[l#], defer[1]\nsram[read, $x, a, 0, 1], sig_done" + kEnd},
      {"slots after the end", "asm-defer-end", "l#: br[l#], defer[1]\n", kSame},
      {"an indirect shift without its amount", "asm-indirect-shift",
       kHead + "nop\nalu_shf[a, --, B, a, <<indirect]" + kEnd, kSame},
      {"a signal again right after br_signal", "asm-signal-reuse",
       kHead +
           "sram[read, $x, a, 0, 1], sig_done[s]\nw#: br_!signal[s, w#]\nbr_signal[s, u#], "
           "defer[2]\nnop\nnop\nnop\nu#: sram[read, $x, a, 0, 1], ctx_swap[s]" +
           kEnd,
       "", "signals belong to the units"},
      {"a signal again right after ctx_arb", "asm-signal-reuse",
       kHead + "sram[read, $x, a, 0, 1], sig_done[s]\nctx_arb[s]\nsram[read, $x, a, 0, 1], ctx_swap[s]" + kEnd, "",
       "signals belong to the units"},
      {"a unit signals twice before it was awaited", "asm-signal-pending", "", "", "see the test below"},
      {"two writes to one CSR", "asm-csr-write-twice",
       kHead + "local_csr_wr[t_index, a]\nlocal_csr_wr[t_index, a]" + kEnd, "", "local CSRs are only read"},
      {"a CSR write in the slot of a swap", "asm-defer-content",
       kHead + "ctx_arb[voluntary], defer[1]\nlocal_csr_wr[t_index, a]" + kEnd, "", "local CSRs are only read"},
      {"local_csr_rd without its immed", "asm-csr-read-lost", kHead + "local_csr_rd[t_index]\nalu[a, --, B, 1]" + kEnd,
       kHead1 + "local_csr_rd[active_ctx_sts]\nalu[a, --, B, 1]" + kEnd},
      {"the CRC remainder too soon", "asm-crc-too-close",
       kHead + "crc_be[crc_32, a, b]\nlocal_csr_rd[crc_remainder]\nimmed[a, 0]" + kEnd, "", "no CRC unit"},
      {"CRC instructions back to back", "asm-crc-too-close",
       kHead + "crc_be[crc_32, a, b]\ncrc_be[crc_32, a, b]" + kEnd, "", "no CRC unit"},
      {"special names of ctx_arb combined", "asm-ctx-arb", ".sig s\nctx_arb[s, kill]\n", "ctx_arb[sram, kill]\n"},
      {"ctx_swap on a command with two signals", "asm-two-signals",
       kHead + "dram[read, $$d, a, 0, 1], ctx_swap[s]" + kEnd, "", "sdram raises one signal"},
      {"an incomplete .xfer_order", "asm-xfer-order",
       kHead + ".xfer_order $x $y\nsram[read, $x, a, 0, 3], ctx_swap[s]" + kEnd,
       kHead1 + ".xfer_order $x $y\nsram[read, $x, a, 0, 3], ctx_swap" + kEnd},
      {"indirect_ref without an ALU result", "asm-indirect-without-alu",
       kHead + ".reg $z[8]\nnop\nsram[read, $z[0], a, 0, max_8], indirect_ref, ctx_swap[s]" + kEnd,
       kHead1 + ".reg $z[8]\nnop\nsram[read, $z[0], a, 0, 8], indirect_ref, ctx_swap" + kEnd},
      {"a count out of range", "asm-range", kHead + "sram[read, $x, a, 0, 9], ctx_swap[s]" + kEnd,
       kHead1 + "sram[read, $x, a, 0, 9], ctx_swap" + kEnd},
      {"rtn without load_addr", "asm-rtn-register", kHead + "rtn[a]" + kEnd, kSame},
      {"dbl_shf to the left", "asm-shift", kHead + "dbl_shf[a, a, b, <<3]" + kEnd, kSame},
      {"asr without an ALU result", "asm-asr-without-alu", kHead + "nop\nasr[a, b, >>3]" + kEnd, "", "no asr"},
      {"steps of a multiplication apart", "asm-mul-order",
       kHead + "mul_step[a, b], 24x8_start\nnop\nmul_step[a, b], 24x8_step1" + kEnd, "", "no multiplier"},
      {"steps of a multiplication with other operands", "asm-mul-operands",
       kHead + "mul_step[a, b], 16x16_start\nmul_step[a, b], 16x16_step1\nmul_step[b, a], 16x16_step2" + kEnd, "",
       "no multiplier"},
      {"a block with nothing behind it", "asm-block-at-end", kHead + ".if (a == 1)\nnop\n.endif\n", kSame},
      {"more signals than there are", "asm-no-register",
       ".sig " + names("s", 16, " ") + "\n.set_sig " + names("s", 16, " ") + "\nctx_arb[" + names("s", 16, ", ") + "]" +
           kEnd,
       "", "signals belong to the units"},
      {"more transfer registers than there are", "asm-no-register",
       kHead + filled("sram[read, ", "ctx_swap[s]", 3) + kEnd, kHead1 + filled("sram[read, ", "ctx_swap", 2) + kEnd},
      {"a register read while its command is under way", "asm-wait-missing",
       kHead + "sram[read, $x, a, 0, 1], sig_done[s]\nalu[b, --, B, $x]\nctx_arb[s]" + kEnd,
       kHead1 + "sram[read, $x, a, 0, 1], sig_done\nalu[b, --, B, $x]\nctx_arb[sram]" + kEnd},
      {"code that nothing leads to", "asm-unreachable", "l#: br[l#]\nnop" + kEnd, kSame},
      {"a name that is not used", "asm-unused-register", ".reg a" + kEnd, kSame},
      {"contexts that the part has not", "asm-directive", ".num_contexts 6" + kEnd, ".num_contexts 8" + kEnd},
  };
}

Options options_for(isa::Profile profile) {
  Options options;
  if (profile == isa::Profile::me1) {
    options.chip = "ixp1200";
    options.profile = profile;
    options.control_store = 2048;
  }
  options.warnings.add("all");
  return options;
}

size_t count(const Assembly& a, const std::string& code) {
  return static_cast<size_t>(
      std::count_if(a.diagnostics.begin(), a.diagnostics.end(), [&](const Diagnostic& d) { return d.code == code; }));
}

}  // namespace

TEST_CASE("checks: each has its code, on both profiles") {
  for (const Check& check : table()) {
    for (const auto profile : {isa::Profile::me2, isa::Profile::me1}) {
      const std::string& text = profile == isa::Profile::me1 && check.me1 != kSame ? check.me1 : check.me2;
      if (text.empty()) {
        CHECK(std::string(check.no_me1) != "");
        continue;
      }
      const Assembly a = assemble(make_source("check.uc", text), options_for(profile));
      INFO(check.what << (profile == isa::Profile::me1 ? ", me1: " : ", me2: ") << check.code << "\n"
                      << text << render_text(a.diagnostics));
      CHECK(count(a, check.code) >= 1);
    }
  }
}

TEST_CASE("checks: unit signals of the IXP1200") {
  const auto said = [](const std::string& text, const char* code) {
    const Assembly a = assemble(make_source("check.uc", kHead1 + text + kEnd), options_for(isa::Profile::me1));
    INFO(text << render_text(a.diagnostics));
    CHECK_FALSE(a.diagnostics.has_errors());
    return count(a, code);
  };
  // A unit has one signal, so it comes again and again: that is not a mistake.
  CHECK(said("sram[read, $x, a, 0, 1], sig_done\nctx_arb[sram]\nsram[read, $x, a, 0, 1], sig_done\nctx_arb[sram]",
             "asm-signal-reuse") == 0);
  // Two commands of one unit under way: the first answer wakes the context.
  CHECK(said("sram[read, $x, a, 0, 1], sig_done\nsram[read, $y, a, 0, 1], sig_done\nctx_arb[sram]",
             "asm-signal-pending") == 1);
  CHECK(said("sram[read, $x, a, 0, 1], sig_done\nctx_arb[sram]\nsram[read, $y, a, 0, 1], ctx_swap",
             "asm-signal-pending") == 0);
  CHECK(said("sram[read, $x, a, 0, 1], sig_done\n.reg $$q[2]\nsdram[read, $$q[0], a, 0, 1], sig_done\nctx_arb[sram, "
             "sdram]",
             "asm-signal-pending") == 0);
}
