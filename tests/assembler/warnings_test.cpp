// Checks between instructions: each has a program that it reports and a neighbour that it leaves alone. Then the
// classes.
#include <algorithm>
#include <catch2/catch.hpp>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

namespace {

Assembly with(const std::string& text, std::initializer_list<const char*> warnings = {}) {
  Options options;
  for (const char* w : warnings) CHECK(options.warnings.add(w));
  return assemble(make_source("w.uc", text), options);
}

unsigned count(const Assembly& a, const std::string& code) {
  return static_cast<unsigned>(
      std::count_if(a.diagnostics.begin(), a.diagnostics.end(), [&](const Diagnostic& d) { return d.code == code; }));
}

/// The code is reported for the first program, and nothing at all for the second.
void reports(const std::string& code, const std::string& wrong, const std::string& good) {
  const Assembly bad = with(wrong, {"all"});
  {
    INFO(code << "\n" << wrong << render_text(bad.diagnostics));
    CHECK(count(bad, code) >= 1);
  }
  const Assembly fine = with(good, {"all"});
  INFO(code << "\n" << good << render_text(fine.diagnostics));
  CHECK(fine.diagnostics.empty());
  CHECK(fine.image);
}

}  // namespace

TEST_CASE("checks: a signal is not given again right after it was awaited") {
  const std::string head = ".reg z $x\n.sig s\nimmed[z, 0]\n";
  const std::string read = "scratch[read, $x, z, 0, 1], sig_done[s]\n";
  const std::string tail = "ctx_arb[s]\nalu[--, --, B, $x]\nctx_arb[kill]\n";
  reports("asm-signal-reuse", head + read + "ctx_arb[s]\n" + read + tail,
          head + read + "ctx_arb[s]\nalu[z, --, B, $x]\nalu[z, z, +, 1]\nalu[z, z, +, 1]\n" + read + tail);
  // A taken branch takes its time, unless its slots are filled.
  reports("asm-signal-reuse",
          head + read + "w#:\nbr_signal[s, got#], defer[2]\nnop\nnop\nbr[w#]\ngot#:\n" + read + tail,
          head + read + "w#:\nbr_signal[s, got#]\nbr[w#]\ngot#:\n" + read + tail);
  // An ordinary loop: the branch back takes its time.
  reports("asm-signal-reuse", head + read + "ctx_arb[s]\nalu[--, --, B, $x]\n" + read + tail,
          head + "l#:\n" + read + "ctx_arb[s]\nalu[z, --, B, $x]\nbne[l#]\nctx_arb[kill]\n");
}

TEST_CASE("checks: distances are cycles of the chip, as the emulator counts them") {
  const auto warned = [](const std::string& text, LostCycles lost) {
    Options options;
    options.lost = lost;
    const Assembly a = assemble(make_source("w.uc", text), options);
    INFO(text << render_text(a.diagnostics));
    CHECK(a.image);
    return count(a, "asm-local-memory-too-soon") + count(a, "asm-csr-too-soon") + count(a, "asm-crc-too-close");
  };
  constexpr LostCycles kChip{2, 3, 3, 2}, kFree{0, 0, 0, 0}, kOne{1, 1, 1, 1};
  const std::string head = ".reg p x\nimmed[p, 0]\n", tail = "alu[--, --, B, x]\nctx_arb[kill]\n";
  const std::string use = "alu[x, --, B, *l$index0[0]]\n";
  // The branch takes three cycles, so the write counts at its target.
  const std::string write = "local_csr_wr[active_lm_addr_0, p]\n", look = "cam_lookup[x, p], lm_addr0[1]\n";
  const std::string to_use = "br[t#]\nnop\nt#:\n" + use + tail;
  for (const std::string& late : {write, look}) {
    CHECK(warned(head + late + "nop\nnop\nnop\n" + use + tail, kChip) == 0);
    CHECK(warned(head + late + "nop\nnop\n" + use + tail, kChip) == 1);
    CHECK(warned(head + late + to_use, kChip) == 0);
    CHECK(warned(head + late + to_use, kFree) == 1);
    CHECK(warned(head + late + "nop\n" + to_use, kOne) == 0);
    CHECK(warned(head + late + to_use, kOne) == 1);
    // A filled slot takes a cycle off what the branch loses, and is one itself.
    CHECK(warned(head + late + "br[t#], defer[1]\nnop\nt#:\n" + use + tail, kChip) == 0);
  }
  // The remainder: five cycles, of which an aborting branch is three or, with slots, as many as it has.
  const std::string crc = ".reg a b\nimmed[a, 1]\ncrc_be[crc_32, --, a]\n";
  const std::string remainder = "local_csr_rd[crc_remainder]\nimmed[b, 0]\nalu[--, --, B, b]\nctx_arb[kill]\n";
  CHECK(warned(crc + "nop\nnop\nbr[t#]\nnop\nt#:\n" + remainder, kChip) == 0);
  CHECK(warned(crc + "nop\nbr[t#]\nnop\nt#:\n" + remainder, kChip) == 1);
  CHECK(warned(crc + "nop\nnop\nbr[t#]\nnop\nt#:\n" + remainder, kFree) == 1);
  // Deferred slots of a swap belong to the time before it.
  CHECK(warned(head + write + "ctx_arb[voluntary], defer[1]\n" + use + tail, kChip) == 1);
  CHECK(warned(head + write + "ctx_arb[voluntary]\n" + use + tail, kChip) == 0);
  // BYTE_INDEX is used by byte_align alone.
  const std::string index = head + "local_csr_wr[byte_index, p]\n", align = "byte_align_be[x, p]\n";
  CHECK(warned(index + "nop\nnop\n" + align + tail, kChip) == 1);
  CHECK(warned(index + "nop\nnop\nnop\n" + align + tail, kChip) == 0);
}

TEST_CASE("checks: a warning says the cycles that lie between, those that a taken branch loses with them") {
  const auto lie = [](const std::string& text, LostCycles lost, const std::string& between) {
    Options options;
    options.lost = lost;
    const Assembly a = assemble(make_source("w.uc", text), options);
    INFO(text << render_text(a.diagnostics));
    return std::any_of(a.diagnostics.begin(), a.diagnostics.end(), [&](const Diagnostic& d) {
      return d.text.find(": " + between + " cycles lie") != std::string::npos;
    });
  };
  const std::string head = ".reg p x\nimmed[p, 0]\n", tail = "alu[--, --, B, x]\nctx_arb[kill]\n";
  const std::string way = "br[t#]\nnop\nt#:\n";
  for (const std::string& text :
       {head + "local_csr_wr[active_lm_addr_0, p]\n" + way + "alu[x, --, B, *l$index0[0]]\n" + tail,
        head + "local_csr_wr[t_index, p]\n" + way + "local_csr_rd[t_index]\nimmed[x, 0]\n" + tail}) {
    CHECK(lie(text, LostCycles{0, 0, 0, 0}, "1 of 3"));
    CHECK(lie(text, LostCycles{1, 1, 1, 1}, "2 of 3"));
  }
}

TEST_CASE("checks: without a chip file a part loses what its deferred slots can fill") {
  const std::string text =
      ".reg p x\nimmed[p, 0]\nlocal_csr_wr[active_lm_addr_0, p]\nbr[t#]\nnop\nt#:\nalu[x, --, B, *l$index0[0]]\n"
      "alu[--, --, B, x]\nctx_arb[kill]\n";
  CHECK(count(with(text), "asm-local-memory-too-soon") == 0);
}

TEST_CASE("checks: what a command fills or takes is left alone until it was awaited") {
  const std::string head = ".reg z $x\n.sig s\nimmed[z, 0]\n";
  reports(
      "asm-wait-missing",
      head +
          "scratch[read, $x, z, 0, 1], sig_done[s]\nalu[z, --, B, $x]\nctx_arb[s]\nalu[--, --, B, z]\nctx_arb[kill]\n",
      head +
          "scratch[read, $x, z, 0, 1], sig_done[s]\nctx_arb[s]\nalu[z, --, B, $x]\nalu[--, --, B, z]\nctx_arb[kill]\n");
  reports("asm-wait-missing",
          head +
              "alu[$x, --, B, z]\nscratch[write, $x, z, 0, 1], sig_done[s]\nalu[$x, z, +, "
              "1]\nctx_arb[s]\nscratch[write, $x, z, 4, 1], ctx_swap[s]\nctx_arb[kill]\n",
          head +
              "alu[$x, --, B, z]\nscratch[write, $x, z, 0, 1], sig_done[s]\nctx_arb[s]\nalu[$x, z, +, 1]\nalu[z, z, +, "
              "1]\nnop\nscratch[write, $x, z, 4, 1], ctx_swap[s]\nctx_arb[kill]\n");
  // The data is read only where the signal has been found.
  const Assembly found = with(head +
                                  "scratch[read, $x, z, 0, 1], sig_done[s]\nbr_signal[s, "
                                  "there#]\nctx_arb[s]\nthere#:\nalu[--, --, B, $x]\nctx_arb[kill]\n",
                              {"all"});
  INFO(render_text(found.diagnostics));
  CHECK(count(found, "asm-wait-missing") == 0);
}

TEST_CASE("checks: a line of two words does not end behind the deferred slots") {
  const auto program = [](const std::string& defer, const std::string& line) {
    return ".reg r y\nimmed[y, 1]\nimmed[r, 2]\nalu[--, y, -, 1]\nbeq[l#], defer[" + defer + "]\n" + line +
           "\nl#: alu[--, r, +, y]\nctx_arb[kill]\n";
  };
  reports("asm-defer-content", program("1", "r = 0x12345678"), program("2", "r = 0x12345678"));
  reports("asm-defer-content", program("2", "nop\nr = (y + 1) << 4\n"), program("3", "nop\nr = (y + 1) << 4"));
  // Lines of one macro body are others in each call.
  reports("asm-defer-content", "#macro m[x]\nx = 0x12345678\n#endm\n" + program("1", "m[r]\nm[r]"),
          "#macro m[x]\nalu[x, x, +, 1]\n#endm\n" + program("1", "m[r]\nm[r]"));
}

// A transfer register is read on another side than it is written.
TEST_CASE("checks: bytes of a transfer register that are kept are those of its read side") {
  const std::string write = "scratch[write, $x, z, 0, 1], ctx_swap[s]\nctx_arb[kill]\n";
  reports("asm-transfer-side", ".reg z\n.reg write $x\n.sig s\nimmed[z, 0]\nimmed[$x, 1]\nimmed_w1[$x, 2]\n" + write,
          ".reg z v\n.reg write $x\n.sig s\nimmed[z, 0]\nimmed[v, 1]\nimmed_w1[v, 2]\nalu[$x, --, B, v]\n" + write);
  const std::string read = "scratch[read, $x, z, 4, 1], ctx_swap[s]\n";
  reports("asm-never-set", ".reg z $x\n.sig s\nimmed[z, 0]\nld_field[$x, 0011, z]\n" + write,
          ".reg z $x\n.sig s\nimmed[z, 0]\n" + read + "ld_field[$x, 0011, z]\n" + write);
  // Both sides have one number, and the read side is not given away before.
  const Assembly a =
      with(".reg z b $x $y\n.sig s\nimmed[z, 0]\n" + read +
           "scratch[read, $y, z, 8, 1], ctx_swap[s]\nalu[b, --, B, $y]\nld_field[$x, 0011, b]\n" + write);
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  const auto word = [&](size_t i) { return *isa::decode(isa::Profile::me2, a.image->words[i]); };
  CHECK(word(1).xfer.value != word(2).xfer.value);
  CHECK(word(4).dest.value == word(1).xfer.value);
  CHECK(word(5).xfer.value == word(4).dest.value);
}

TEST_CASE("checks: steps that belong together") {
  const std::string head = ".reg a b c\nimmed[a, 1]\nimmed[b, 2]\n",
                    tail = "alu[--, a, +, b]\nalu[--, --, B, c]\nctx_arb[kill]\n";
  reports("asm-pop-count", head + "pop_count1[a]\npop_count2[b]\npop_count3[c, a]\n" + tail,
          head + "pop_count1[a]\npop_count2[a]\npop_count3[c, a]\n" + tail);
  reports("asm-pop-count", head + "pop_count1[a]\nnop\npop_count2[a]\npop_count3[c, a]\n" + tail,
          head + "pop_count1[b]\npop_count2[b]\npop_count3[c, b]\n" + tail);
  reports("asm-mul-operands",
          head + "mul_step[a, b], 24x8_start\nmul_step[b, a], 24x8_step1\nmul_step[c, --], 24x8_last\n" + tail,
          head + "mul_step[a, b], 24x8_start\nmul_step[a, b], 24x8_step1\nmul_step[c, --], 24x8_last\n" + tail);
}

TEST_CASE("checks: a CSR is not read or used before a write to it took effect") {
  reports("asm-csr-too-soon",
          ".reg a\nimmed[a, 1]\nlocal_csr_wr[t_index, a]\nlocal_csr_rd[t_index]\nimmed[a, 0]\nalu[--, --, B, "
          "a]\nctx_arb[kill]\n",
          ".reg a\nimmed[a, 1]\nlocal_csr_wr[t_index, a]\nnop\nnop\nnop\nlocal_csr_rd[t_index]\nimmed[a, 0]\nalu[--, "
          "--, B, a]\nctx_arb[kill]\n");
  reports("asm-csr-too-soon",
          ".reg a\nimmed[a, 4]\nlocal_csr_wr[t_index, a]\nalu[a, --, B, *$index]\nalu[--, --, B, a]\nctx_arb[kill]\n",
          ".reg a\nimmed[a, 4]\nlocal_csr_wr[t_index, a]\nnop\nnop\nnop\nalu[a, --, B, *$index]\nalu[--, --, B, "
          "a]\nctx_arb[kill]\n");
  reports("asm-local-memory-too-soon",
          ".reg a\nimmed[a, 4]\ncam_lookup[a, a], lm_addr0[0]\nalu[a, --, B, *l$index0[0]]\nalu[--, --, B, "
          "a]\nctx_arb[kill]\n",
          ".reg a\nimmed[a, 4]\ncam_lookup[a, a], lm_addr0[0]\nalu[--, --, B, a]\nnop\nnop\nalu[a, --, B, "
          "*l$index0[0]]\nalu[--, --, B, a]\nctx_arb[kill]\n");
  reports("asm-csr-read-lost",
          ".reg a\nlocal_csr_rd[active_ctx_sts]\nnop\nimmed[a, 0]\nalu[--, --, B, a]\nctx_arb[kill]\n",
          ".reg a\nlocal_csr_rd[active_ctx_sts]\nimmed[a, 0]\nalu[--, --, B, a]\nctx_arb[kill]\n");
}

TEST_CASE("checks: an rtn goes where load_addr says") {
  reports("asm-rtn-register",
          ".reg r a\nimmed[a, 1]\nimmed[r, 5]\nbr[sub#]\nback#:\nalu[--, --, B, a]\nctx_arb[kill]\nsub#:\nalu[a, a, +, "
          "1]\nrtn[r]\n",
          ".reg r a\nimmed[a, 1]\nload_addr[r, back#]\nbr[sub#]\nback#:\nalu[--, --, B, "
          "a]\nctx_arb[kill]\nsub#:\nalu[a, a, +, 1]\nrtn[r]\n");
}

TEST_CASE("checks: names and code that nothing uses are reported when asked for") {
  const std::string text =
      ".reg a unused\n.sig idle\nimmed[a, 1]\nnever#:\nalu[--, --, B, a]\nbr[end#]\nalu[a, a, +, "
      "1]\nend#:\nctx_arb[kill]\n";
  const Assembly quiet = with(text);
  INFO(render_text(quiet.diagnostics));
  CHECK(quiet.diagnostics.empty());
  const Assembly all = with(text, {"all"});
  INFO(render_text(all.diagnostics));
  CHECK(count(all, "asm-unused-register") == 1);
  CHECK(count(all, "asm-unused-signal") == 1);
  CHECK(count(all, "asm-unused-label") == 1);
  CHECK(count(all, "asm-unreachable") == 1);
  CHECK(all.diagnostics.size() == 4);
  CHECK(with(text, {"unused-signal"}).diagnostics.size() == 1);
}

TEST_CASE("warning classes: off, as errors, and by name") {
  const std::string text = ".reg a\nimmed[a, 1]\nlocal_csr_wr[t_index, a]\nlocal_csr_wr[t_index, a]\nctx_arb[kill]\n";
  const auto severity = [&](std::initializer_list<const char*> options) {
    const Assembly a = with(text, options);
    REQUIRE(a.diagnostics.size() <= 1);
    if (a.diagnostics.empty()) return std::string("off");
    CHECK(a.image.has_value() != a.diagnostics.has_errors());
    return std::string(a.diagnostics.has_errors() ? "error" : "warning");
  };
  CHECK(severity({}) == "warning");
  CHECK(severity({"no-asm-csr-write-twice"}) == "off");
  CHECK(severity({"no-csr-write-twice"}) == "off");
  CHECK(severity({"no-csr-write-twice", "csr-write-twice"}) == "warning");
  CHECK(severity({"no-all"}) == "off");
  CHECK(severity({"no-all", "csr-write-twice"}) == "warning");
  CHECK(severity({"error"}) == "error");
  CHECK(severity({"error", "no-error=csr-write-twice"}) == "warning");
  CHECK(severity({"error=csr-write-twice"}) == "error");
  CHECK(severity({"error=signal-reuse"}) == "warning");
  CHECK(severity({"error", "no-error"}) == "warning");
  WarningOptions options;
  CHECK(!options.add(""));
  CHECK(!options.add("no-"));
  CHECK(!options.add("error="));
}

TEST_CASE("warning classes: a pragma in the source comes before the command line") {
  const std::string text =
      ".reg a\nimmed[a, 1]\n#pragma warning(push)\n#pragma warning(disable: asm-csr-write-twice)\n"
      "local_csr_wr[t_index, a]\nlocal_csr_wr[t_index, a]\n#pragma warning(pop)\n#pragma warning(error: "
      "asm-csr-write-twice)\n"
      "nop\nlocal_csr_wr[t_index, a]\nlocal_csr_wr[t_index, a]\nctx_arb[kill]\n";
  const Assembly a = with(text);
  INFO(render_text(a.diagnostics));
  CHECK(a.diagnostics.size() == 1);
  CHECK(a.diagnostics.has_errors());
  CHECK(with(text, {"no-csr-write-twice"}).diagnostics.has_errors());
}
