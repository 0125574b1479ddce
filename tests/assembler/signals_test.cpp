// Signals of commands: how long a number and registers belong to one, halves of doubled signals, and commands that
// nobody awaits.
#include <algorithm>
#include <catch2/catch.hpp>
#include <string>

#include "program_support.h"
#include "weft/assembler/assembler.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

namespace {

Assembly run(const std::string& text, const std::string& chip = "ixp2400") {
  Options options;
  options.warnings.add("all");
  if (chip == "ixp1200") {
    options.chip = chip;
    options.profile = isa::Profile::me1;
    options.control_store = 2048;
  }
  return assemble(make_source("s.uc", text), options);
}

/// "line: code: help" of each message of the class, one a line.
std::string said(const Assembly& a, const std::string& code) {
  std::string out;
  for (const Diagnostic& d : a.diagnostics) {
    if (d.code == code) out += std::to_string(d.range.begin.line) + ": " + d.text + ": " + d.remedy + "\n";
  }
  return out;
}
std::string said(const std::string& text, const std::string& code) {
  const Assembly a = run(text);
  INFO(text << render_text(a.diagnostics));
  CHECK(a.image);
  return said(a, code);
}

/// Needs all fifteen signals at once, so that there is none left for one that is still held.
std::string fifteen_signals() {
  std::string names, list;
  for (int k = 0; k < 15; ++k) {
    names += " t" + std::to_string(k);
    list += (k ? ", t" : "t") + std::to_string(k);
  }
  return ".begin\n.sig" + names + "\n.set_sig" + names + "\nctx_arb[" + list + "]\n.end\nctx_arb[kill]\n";
}

bool fits(const std::string& text) {
  const Assembly a = run(text);
  INFO(text << render_text(a.diagnostics));
  CHECK(a.image.has_value() == said(a, "asm-no-register").empty());
  return a.image.has_value();
}

const std::string kWrite = test::kUnawaitedWrite;
const std::string kHead = ".reg a b\n.sig s t\nimmed[a, 0]\n";
const std::string kDram = ".reg read $$x[4]\ndram[read, $$x[0], a, 0, 2], sig_done[s]\n";
const std::string kUse = "alu[--, --, B, $$x[3]]\n";
const std::string kEnd = "ctx_arb[kill]\n";

}  // namespace

TEST_CASE("behind br_!signal the registers are free, and the signal when something clears it") {
  const std::string found = kWrite + "w#: br_!signal[s, w#]\n";
  CHECK(fits(found + test::sixteen_in_use()));
  CHECK_FALSE(fits(found + fifteen_signals()));
  CHECK(fits(found + "br_signal[s, c#]\nc#:\n" + fifteen_signals()));
  CHECK(fits(found + "ctx_arb[s]\n" + fifteen_signals()));
  // One of several: what is set is cleared, what may be under way may stay so.
  const std::string two =
      ".reg zero write $x\n.sig s t\nimmed[zero, 0]\nalu[$x, --, B, zero]\nscratch[write, $x, zero, "
      "0, 1], sig_done[s]\n";
  CHECK(fits(two + "w#: br_!signal[s, w#]\n.set_sig t\nctx_arb[s, t], any\n" + fifteen_signals()));
  CHECK_FALSE(fits(two + ".set_sig t\nctx_arb[s, t], any\n" + fifteen_signals()));
  // The way on which it was not there.
  CHECK_FALSE(fits(kWrite + "br_!signal[s, n#]\nctx_arb[kill]\nn#:\n" + test::sixteen_in_use()));
  CHECK(fits(kWrite + "br_signal[s, y#]\nctx_arb[kill]\ny#:\n" + fifteen_signals()));
}

TEST_CASE("a subroutine gives back each answer to the calls that had it") {
  const std::string sub = "load_addr[r, k#]\nbr[sub#]\nk#:\n";
  const std::string end = "sub#: nop\nrtn[r]\n";
  const auto with = [&](const std::string& wait) {
    return ".reg r zero write $x\n.sig s\nimmed[zero, 0]\nalu[$x, --, B, zero]\nscratch[write, $x, zero, 0, 1], "
           "sig_done[s]\n" +
           sub + wait + "load_addr[r, m#]\nbr[sub#]\nm#:\n" + test::sixteen_in_use() + end;
  };
  CHECK_FALSE(fits(with("")));
  CHECK(fits(with("w#: br_!signal[s, w#]\n")));
  CHECK(fits(with("ctx_arb[s]\n")));
}

TEST_CASE("a signal that is set is not given again") {
  const std::string read = "sram[read, $x, a, 0, 1], sig_done[s]\n", head = kHead + ".reg read $x\n";
  const std::string found = "w#: br_!signal[s, w#]\n", end = "ctx_arb[s]\nalu[--, --, B, $x]\n" + kEnd;
  const Assembly a = run(head + read + found + "nop\nnop\n" + read + end);
  CHECK(said(a, "asm-signal-pending") ==
        "9: 's' is given again while it may still be set: br_!signal has found it and does not clear it: clear it "
        "before: test it with br_signal, which does when it branches, or await it with ctx_arb\n");
  CHECK_FALSE(a.image);
  CHECK(said(head + read + found + "br_signal[s, c#]\nc#:\nnop\nnop\nnop\n" + read + end, "asm-signal-pending") == "");
  CHECK(said(head + read + found + "ctx_arb[s]\nnop\nnop\nnop\n" + read + end, "asm-signal-pending") == "");
  // Conditions clear what they find, in both senses.
  for (const char* form :
       {".repeat\nnop\n.until (SIGNAL(s))\n", ".while (!SIGNAL(s))\nnop\n.endw\n",
        ".if (SIGNAL(s))\nnop\n.else\nctx_arb[s]\n.endif\n", ".if (!SIGNAL(s))\nctx_arb[s]\n.endif\n"})
    CHECK(said(head + read + form + "nop\nnop\nnop\n" + read + end, "asm-signal-pending") == "");
}

TEST_CASE("a branch tests one half of a doubled signal") {
  for (const std::string branch : {"br_signal", "br_!signal"}) {
    const Assembly a = run(kHead + kDram + "w#: " + branch + "[s, g#]\nbr[w#]\ng#: ctx_arb[s]\n" + kUse + kEnd);
    CHECK(said(a, "asm-two-signals") ==
          "6: 's' is two signals, and a branch tests one: name its halves, each in its turn: s[0] and s[1]\n");
    CHECK_FALSE(a.image);
  }
  const Assembly structured = run(kHead + kDram + ".repeat\nnop\n.until (SIGNAL(s))\n" + kUse + kEnd);
  CHECK(said(structured, "asm-two-signals").substr(0, 2) == "8:");
  const std::string first = "v#: br_signal[s[0], w#]\nbr[v#]\n", second = "w#: br_!signal[s[1], w#]\n";
  CHECK(said(kHead + kDram + first + second + kUse + kEnd, "asm-wait-missing") == "");
  CHECK(said(kHead + kDram + first + "w#: nop\n" + kUse + kEnd, "asm-wait-missing").find("ctx_arb[s[1]]") !=
        std::string::npos);
}

TEST_CASE("a doubled signal is over when both halves were awaited") {
  const auto dram = [](const std::string& waits) {
    return said(kHead + kDram + waits + kUse + kEnd, "asm-wait-missing");
  };
  CHECK(dram("ctx_arb[s]\n") == "");
  CHECK(dram("ctx_arb[s[0], s[1]]\n") == "");
  CHECK(dram("ctx_arb[s[write]]\nctx_arb[s[read]]\n") == "");
  CHECK(dram("ctx_arb[s[1]]\nctx_arb[s[0]]\n") == "");
  CHECK(dram("").find(": await 's' first: ctx_arb[s]\n") != std::string::npos);
  // A wait for the whole would never end here.
  CHECK(dram("ctx_arb[s[0]]\n").find(": await the other half of 's' too: ctx_arb[s[1]]\n") != std::string::npos);
  CHECK(dram("ctx_arb[s[1]]\n").find(": await the other half of 's' too: ctx_arb[s[0]]\n") != std::string::npos);
  CHECK(dram("br!=ctx[0, o#]\nctx_arb[s[0]]\no#:\n").find("each of them once on every way to here") !=
        std::string::npos);
  // `any` of the two halves is one of them.
  CHECK(dram("ctx_arb[s], any\n") != "");
}

TEST_CASE("of an atomic the first half frees the operand and the second brings the old value") {
  const std::string set = kHead + ".reg $x\nalu[$x, --, B, a]\nsram[test_and_set, $x, a, 0], sig_done[s]\n";
  const std::string write = "alu[$x, --, B, 1]\n.use_wr $x\n", read = "alu[--, --, B, $x]\n";
  const auto missing = [&](const std::string& text) { return said(set + text + kEnd, "asm-wait-missing"); };
  CHECK(missing("ctx_arb[s[write]]\n" + write + "ctx_arb[s[read]]\n" + read) == "");
  CHECK(missing("ctx_arb[s[read]]\n" + read + "ctx_arb[s[write]]\n" + write) == "");
  CHECK(missing("ctx_arb[s[write]]\n" + read + "ctx_arb[s[read]]\n").find("ctx_arb[s[1]]") != std::string::npos);
  CHECK(missing("ctx_arb[s[read]]\n" + write + "ctx_arb[s[write]]\n" + read).find("ctx_arb[s[0]]") !=
        std::string::npos);
}

TEST_CASE("a command that nobody awaits keeps its signal and registers, and is told with -Wall") {
  const std::string inner =
      ".reg zero\nimmed[zero, 0]\n.begin\n.sig s\n.reg write $x\nalu[$x, --, B, "
      "zero]\nscratch[write, $x, zero, 0, 1], sig_done[s]\n";
  CHECK_FALSE(fits(inner + ".end\n" + test::sixteen_in_use()));
  CHECK_FALSE(fits(inner + ".end\n" + fifteen_signals()));
  CHECK(fits(inner + "ctx_arb[s]\n.end\n" + test::sixteen_in_use()));
  CHECK(fits(inner + ".io_completed s\n.end\n" + fifteen_signals()));
  CHECK(said(inner + ".end\nnop\n" + kEnd, "asm-unused-signal") ==
        "7: 's' is given here and never awaited: await it: ctx_arb[s], or leave out sig_done\n");
  for (const char* awaits : {"ctx_arb[s]\n", "br_signal[s, l#]\nl#:\n", "br!=ctx[0, l#]\nctx_arb[s]\nl#:\n"})
    CHECK(said(inner + awaits + ".end\n" + kEnd, "asm-unused-signal") == "");
  // The second of two.
  CHECK(said(inner + "ctx_arb[s]\nnop\nnop\nnop\nscratch[write, $x, zero, 4, 1], sig_done[s]\n.end\n" + kEnd,
             "asm-unused-signal")
            .substr(0, 3) == "12:");
  // Awaited in a subroutine, or by the next turn of a loop.
  CHECK(said(".reg r zero write $x\n.sig s\nimmed[zero, 0]\nalu[$x, --, B, zero]\nscratch[write, $x, zero, 0, 1], "
             "sig_done[s]\nload_addr[r, k#]\nbr[sub#]\nk#:\nctx_arb[kill]\nsub#: ctx_arb[s]\nrtn[r]\n",
             "asm-unused-signal") == "");
  CHECK(said(".reg zero write $x\n.sig s\n.set_sig s\nimmed[zero, 0]\nl#: ctx_arb[s]\nalu[$x, --, B, "
             "zero]\nnop\nnop\nscratch[write, $x, zero, 0, 1], sig_done[s]\nbr[l#]\n",
             "asm-unused-signal") == "");
  // Someone else may look.
  const std::string given = ".reg write $x\nalu[$x, --, B, a]\nscratch[write, $x, a, 0, 1], sig_done[v]\n" + kEnd;
  const std::string head = ".reg a\nimmed[a, 0]\n";
  CHECK(said(head + ".sig volatile v\n" + given, "asm-unused-signal") == "");
  CHECK(said(head + ".sig v\nimmed[a, &v]\n" + given, "asm-unused-signal") == "");
}

TEST_CASE("a command without a signal is over behind a wait for a later one of its unit") {
  const std::string head = kHead + ".reg read $x $y\n.reg write $w $v\n";
  const std::string read = "sram[read, $x, a, 0, 1]\n", use = "alu[b, --, B, $x]\nalu[--, --, B, b]\n";
  const auto missing = [&](const std::string& text) { return said(head + text + kEnd, "asm-wait-missing"); };
  CHECK(missing(read + use) ==
        "7: '$x' is read here, but the command that fills it may still be under way: let the command give a signal and "
        "await it: sig_done and ctx_arb, or ctx_swap; if the program knows otherwise that it is over, write "
        ".io_completed $x before this\n");
  CHECK(missing(read + "ctx_arb[voluntary]\n" + use) != "");
  CHECK(missing(read + "scratch[read, $y, a, 0, 1], ctx_swap[s]\n" + use) != "");
  CHECK(missing(read + "sram[read, $y, a, 4, 1], ctx_swap[s]\n" + use) == "");
  CHECK(missing(read + "sram[read, $y, a, 4, 1], sig_done[s]\nctx_arb[s]\n" + use) == "");
  CHECK(missing(read + ".io_completed $x\n" + use) == "");
  CHECK(missing(read + ".io_completed_type sram\n" + use) == "");
  CHECK(missing(read + ".set_rd $x\n" + use) == "");
  CHECK(missing(read + "sram[read, $x, a, 4, 1], ctx_swap[s]\n" + use) == "");
  const std::string write = "alu[$w, --, B, a]\nsram[write, $w, a, 0, 1]\n", again = "alu[$w, --, B, 1]\n";
  CHECK(missing(write + again + ".use_wr $w\n").substr(0, 2) == "8:");
  CHECK(missing(write + "sram[read, $y, a, 0, 1], ctx_swap[s]\n" + again + ".use_wr $w\n") == "");
  CHECK(missing(write + "ctx_arb[voluntary]\n" + again + ".use_wr $w\n").substr(0, 2) == "9:");
  CHECK(missing(write + "scratch[read, $y, a, 0, 1], ctx_swap[s]\n" + again + ".use_wr $w\n") == "");
  CHECK(missing("l#:\n" + write + "br[l#]\n").substr(0, 2) == "7:");
  CHECK(missing("l#:\n" + write + "sram[read, $y, a, 0, 1], ctx_swap[s]\nbr[l#]\n") == "");
  // The IXP1200: the event of the unit.
  const Assembly a =
      run(".reg a b $x $y\nimmed[a, 0]\nsram[read, $x, a, 0, 1]\nsram[read, $y, a, 1, 1], ctx_swap\nalu[b, "
          "--, B, $x]\nalu[--, --, B, b]\nctx_arb[kill]\n",
          "ixp1200");
  CHECK(said(a, "asm-wait-missing") == "");
}
