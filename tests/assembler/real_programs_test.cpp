// The language as programs are written that were not written for this assembler: names that differ by case, calls over
// several lines, one word for a register and a signal, functions of texts in operands.
#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "weft/assembler/assembler.h"
#include "weft/assembler/index.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

namespace {

Options with_case() {
  Options options;
  options.case_sensitive = true;
  return options;
}

Assembly run(const std::string& text, const Options& options = {}) {
  return assemble(make_source("t.uc", text), options);
}

std::vector<uint64_t> words(const std::string& text, const Options& options = {}) {
  const Assembly a = run(text, options);
  INFO(text << render_text(a.diagnostics));
  REQUIRE(a.image);
  CHECK(a.diagnostics.empty());
  return a.image->words;
}

std::string preprocessed(const std::string& text, Options options = {}) {
  options.dump = "preprocessed";
  const Assembly a = run(text, options);
  INFO(text << render_text(a.diagnostics));
  CHECK_FALSE(a.diagnostics.has_errors());
  return a.dump;
}

/// The first diagnostic with this code, or one without text.
Diagnostic said(const Assembly& a, const std::string& code) {
  for (const Diagnostic& d : a.diagnostics)
    if (d.code == code) return d;
  return {};
}

constexpr const char* kOption = "with -C (\"case_sensitive\" in weft.json)";

}  // namespace

// --- case ---

TEST_CASE("with -C a define and a macro may differ by case alone") {
  const std::string text =
      "#define NFD_VID2NATQ(_vid, _q) ((_vid) * 8 + (_q))\n"
      "#macro nfd_vid2natq(out, vid, q)\n"
      "immed[out, NFD_VID2NATQ(vid, q)]\n"
      "#endm\n"
      ".reg natq\n"
      "nfd_vid2natq(natq, 3, 2)\n"
      "alu[--, --, B, natq]\n"
      "halt\n";
  CHECK(words(text, with_case()) == words(".reg natq\nimmed[natq, 26]\nalu[--, --, B, natq]\nhalt\n"));
  const Assembly without = run(text);
  CHECK_FALSE(without.image);
  CHECK(said(without, "pp-name-in-use").remedy.find(kOption) != std::string::npos);
}

TEST_CASE("with -C every kind of name has case") {
  const std::string text =
      ".reg Value value $In $in @Seen @seen\n"
      ".sig Done done\n"
      ".import_var i$Port I$port\n"
      ".alloc_mem Table scratch global 64\n"
      ".alloc_mem table scratch global 64\n"
      "#define Limit 1\n"
      "#define limit 2\n"
      "#macro put(a, A)\n"
      "alu[a, --, B, A]\n"
      "#endm\n"
      "immed[Value, Limit]\n"
      "immed[value, limit]\n"
      "put(@Seen, Value)\n"
      "put(@seen, value)\n"
      "Again#:\n"
      "scratch[read, $In, Value, 0, 1], sig_done[Done]\n"
      "scratch[read, $in, value, 0, 1], sig_done[done]\n"
      "CTX_ARB[Done, done]\n"
      "again#:\n"
      "alu[Value, $In, AND, value]\n"
      "alu[value, --, b, $in]\n"
      "alu[--, Value, XOR, value]\n"
      "beq[Again#]\n"
      "bne[again#]\n"
      "immed[Value, (i$Port)]\n"
      "immed[value, (i$port)]\n"
      "alu[--, Value, or, value]\n"
      "immed[Value, (Table & 0xffff)]\n"
      "immed[value, (table & 0xffff)]\n"
      "alu[--, Value, OR, value]\n"
      "alu[--, @Seen, OR, @seen]\n"
      "HALT\n";
  const Assembly a = run(text, with_case());
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  CHECK_FALSE(a.diagnostics.has_errors());
  // Each name is its own: the same program with names that differ by more.
  std::string other = text;
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"Value", "v1"},
                                                                                 {"$In", "$i1"},
                                                                                 {"@Seen", "@s1"},
                                                                                 {"Done", "d1"},
                                                                                 {"Again#", "a1#"},
                                                                                 {"Table", "t1"},
                                                                                 {"i$Port", "i$p1"},
                                                                                 {"I$port", "i$port"},
                                                                                 {"Limit", "l1"},
                                                                                 {"(a, A)", "(a, a1)"},
                                                                                 {"B, A]", "B, a1]"}})
    for (size_t at = 0; (at = other.find(from, at)) != std::string::npos; at += to.size())
      other.replace(at, from.size(), to);
  CHECK(a.image->words == words(other));
  CHECK(a.image->memory.size() == 2);
  REQUIRE(a.image->labels.size() == 2);
  CHECK(a.image->labels[0].name == "Again#");
  CHECK(a.image->labels[1].name == "again#");

  // Without it each of the pairs is one name, said where it is declared for the second time, with the option.
  const Assembly without = run(text);
  CHECK_FALSE(without.image);
  size_t named = 0;
  for (const Diagnostic& d : without.diagnostics) named += d.remedy.find(kOption) != std::string::npos;
  CHECK(named > 0);
  for (const std::string one :
       {".reg Value value\n", ".sig Done done\n", "#define Limit 1\n#define limit 2\n", "#macro m(a, A)\n#endm\n",
        "#macro m\n#endm\n#macro M\n#endm\n", "#macro m\n#endm\n#define M 1\n", "Again#:\nnop\nagain#:\nnop\n",
        "#define VALUE 1\n.reg value\n"}) {
    const Assembly b = run(one + "halt\n");
    INFO(one << render_text(b.diagnostics));
    CHECK(std::any_of(b.diagnostics.begin(), b.diagnostics.end(),
                      [](const Diagnostic& d) { return d.remedy.find(kOption) != std::string::npos; }));
  }
  // Where the two are spelt alike, the option is no help and is not named.
  const Assembly twice = run(".reg a a\nhalt\n");
  CHECK(said(twice, "asm-redeclared").remedy.find("-C") == std::string::npos);
}

TEST_CASE("with -C a name in the wrong case is told the right one") {
  const auto remedy = [](const std::string& text, const std::string& code) {
    const Assembly a = run(text, with_case());
    INFO(text << render_text(a.diagnostics));
    CHECK_FALSE(a.image);
    return said(a, code).remedy;
  };
  CHECK(remedy(".reg packet_length\nimmed[PACKET_LENGTH, 1]\nhalt\n", "asm-undeclared-register") ==
        "did you mean 'packet_length'?");
  CHECK(remedy(".sig Done\nctx_arb[DONE]\nhalt\n", "asm-undeclared-signal") == "did you mean 'Done'?");
  CHECK(remedy("br[AGAIN#]\nagain#:\nhalt\n", "asm-undefined-label") == "did you mean 'again#'?");
  CHECK(remedy("#macro Put_Word(a)\nnop\n#endm\nput_word(1)\nhalt\n", "asm-no-macro") == "did you mean 'Put_Word'?");
  CHECK(remedy("#define limit 3\n#if LIMIT > 2\nnop\n#endif\nhalt\n", "pp-undefined-name") == "did you mean 'limit'?");
  CHECK(remedy(".import_var I$port\n.reg a\nimmed[a, (i$PORT)]\nhalt\n", "asm-undeclared") == "did you mean 'i$port'?");
}

TEST_CASE("with -C the words of the language have no case, and texts have it") {
  CHECK(words(".REG x\nImmed[x, 1, <<8]\nALU[--, x, xor, 1]\nBEQ[E#], Defer[1]\nNOP\nE#:\nHalt\n", with_case()) ==
        words(".reg x\nimmed[x, 1, <<8]\nalu[--, x, XOR, 1]\nbeq[e#], defer[1]\nnop\ne#:\nhalt\n"));
  const std::string text = "#if StrEq('a', 'A')\nsame\n#endif\nat STRSTR('xAy', 'a')\n#ifdef __IXP2400\nchip\n#endif\n";
  CHECK(preprocessed(text) == "same\nat 2\nchip\n");
  CHECK(preprocessed(text, with_case()) == "at 0\nchip\n");
}

TEST_CASE("an index knows names that differ by case alone") {
  const std::string text =
      ".reg Value value\n#define Set 1\n#define set 2\nimmed[Value, Set]\nimmed[value, set]\nhalt\n";
  const auto index = Index::build(make_source("t.uc", text), with_case());
  REQUIRE(index);
  INFO(render_text(index->diagnostics()));
  CHECK_FALSE(index->diagnostics().has_errors());
  for (const char* name : {"Value", "value", "Set", "set"}) {
    INFO(name);
    size_t known = 0, references = 0;
    for (const IndexName& n : index->names()) {
      if (n.written != name) continue;
      ++known;
      references = n.references.size();
    }
    CHECK(known == 1);
    CHECK(references == 2);
  }
}

// --- lines ---

TEST_CASE("a call goes on until its brackets are closed") {
  const std::string macros = "#macro m(x, v)\nimmed[x, v]\n#endm\n.reg a b\n";
  const std::string use = "alu[--, a, +, b]\nhalt\n";
  const auto plain = words(macros + "m(a, (1 | 2))\nm(b, 7)\n" + use);
  CHECK(words(macros + "m(a, (1 |\n2))\nm(b, 7)\n" + use) == plain);
}

TEST_CASE("instructions and conditions go on over line ends too") {
  const std::string head = ".reg a b\nimmed[b, 2]\n";
  const std::string end = "alu[--, a, +, b]\nhalt\n";
  const auto plain = words(head + "immed[a, (1 + 2)]\n.if (a == 3 && b == 2)\nimmed[b, 1]\n.endif\n" + end);
  CHECK(words(head + "immed[a, (1\n// why\n  + ; two\n\n 2)\n]\n.if (a == 3\n  && b == 2)\nimmed[b, 1]\n.endif\n" +
              end) == plain);
  CHECK(words(head + "immed\\\n[a\n, 3]\n.if (\na == 3 &&\nb\n== 2\n)\nimmed[b, 1]\n.endif\n" + end) == plain);
  // In a macro's body, in a loop, after a label.
  CHECK(words("#macro set(x)\nimmed[x, (1\n+ 2)]\n#endm\n" + head +
              "l#: set(\na\n)\n.if (a == 3 && b\n== 2)\nimmed[b, 1]\n.endif\n" + end) == plain);
}

TEST_CASE("a bracket that is never closed does not swallow the program") {
  for (const char* next : {"immed[b, 2]\n", "l#: nop\n", ".reg c\n", "#define X 1\n"}) {
    const Assembly a = run(".reg a b\nimmed[a, (1 + 2]\n" + std::string(next) + "immed[zzz, 1]\nhalt\n");
    INFO(next << render_text(a.diagnostics));
    REQUIRE_FALSE(a.diagnostics.empty());
    CHECK(a.diagnostics.begin()->range.begin.line == 2);
  }
  // The error is at the call, the next statement is looked at by itself.
  const Assembly a = run("#macro m(x)\n#endm\n.reg a\nm(a\nimmed[zzz, 1]\nhalt\n");
  INFO(render_text(a.diagnostics));
  CHECK(said(a, "pp-missing-parenthesis").range.begin.line == 4);
}

// --- name spaces ---

TEST_CASE("a register and a signal may have one name") {
  const auto with_signal = [](const std::string& signal) {
    const Assembly a =
        run(fmt::format(".reg done $x\n.sig {0}\n"
                        "immed[done, 0x40]\n"
                        "sram[read, $x, done, 0, 1], sig_done[{0}]\n"
                        "ctx_arb[{0}]\n"
                        "alu[--, done, +, $x]\n"
                        "immed[done, (&{0} << 1)]\n"
                        "local_csr_wr[same_me_signal, done]\n"
                        "nop\n"
                        ".set_sig {0}\n"
                        "br_signal[{0}, e#]\n"
                        "nop\n"
                        "e#: halt\n",
                        signal));
    INFO(render_text(a.diagnostics));
    REQUIRE(a.image);
    return a.image->words;
  };
  CHECK(with_signal("done") == with_signal("sign"));
}

TEST_CASE("directives tell registers and signals of one name apart") {
  const Assembly a =
      run(".reg s\n.sig s\n.addr s 5 a\n.addr s 9\n.set_sig s\nimmed[s, 3]\nctx_arb[s]\nalu[--, --, B, s]\nhalt\n");
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  CHECK_FALSE(a.diagnostics.has_errors());
  CHECK(a.image->words[0] == 0xf0000c0c05);  // immed[a5, 3]
  CHECK(a.image->words[1] == 0xe000000200);  // ctx_arb[s9]
}

TEST_CASE("two of one kind are still declared twice") {
  CHECK(said(run(".reg s s\nhalt\n"), "asm-redeclared").text == "'s' is declared twice in one scope");
  CHECK(said(run(".sig s s\nhalt\n"), "asm-redeclared").text == "'s' is declared twice in one scope");
  CHECK(said(run(".sig s\nimmed[s, 1]\nhalt\n"), "asm-not-a-register").text.find("signal") != std::string::npos);
  CHECK(said(run(".reg s\nctx_arb[s]\nhalt\n"), "asm-not-a-signal").text.find("register") != std::string::npos);
}

// --- functions ---

TEST_CASE("functions of texts are constants in instructions") {
  const std::string head =
      ".reg a\n#define KIND scheme\n#macro m(k)\nimmed[a, (streq(k, 'hash') + 2 * streq('k', 'scheme'))]\n#endm\n";
  const std::string end = "alu[--, --, B, a]\nhalt\n";
  const auto value = [&](const std::string& v) { return words(".reg a\nimmed[a, " + v + "]\n" + end); };
  CHECK(words(head + "m(KIND)\n" + end) == value("2"));
  CHECK(words(head + "m(hash)\n" + end) == value("1"));
  CHECK(words(head + "m(other)\n" + end) == value("0"));
  CHECK(words(head + "immed[a, (strlen('four') + isnum(7) + isnum('x') + defined(KIND))]\n" + end) == value("6"));
  CHECK(words(head + "immed[a, (strstr('abc', 'c') << 1)]\n" + end) == value("6"));
  CHECK(words(head + "immed[a, (strstr('abc', '') + 4)]\n" + end) == value("3"));
  CHECK(words(head + "immed[a, strright('x12', 2)]\n" + end) == value("12"));
  CHECK(words(head + ".if (streq('a', 'b'))\nimmed[a, 1]\n.else\nimmed[a, 5]\n.endif\n" + end) ==
        words(head + ".if (0)\nimmed[a, 1]\n.else\nimmed[a, 5]\n.endif\n" + end));
  const Assembly wrong = run(head + "immed[a, (streq('a'))]\n" + end);
  CHECK(said(wrong, "pp-function-arguments").range.begin.line == 6);
}

// --- instructions ---

TEST_CASE("nop_volatile is a nop that -O leaves") {
  const auto optimised = [](const std::string& nop) {
    Options options;
    options.optimize = true;
    return words(".reg a\nimmed[a, 1]\n" + nop + "\n" + nop + "\nalu[--, a, +, 1]\nhalt\n", options);
  };
  CHECK(words("nop_volatile\nhalt\n") == words("nop\nhalt\n"));
  CHECK(optimised("nop").size() == 3);
  CHECK(optimised("nop_volatile").size() == 5);
  CHECK(said(run("nop_volatile[a]\nhalt\n"), "asm-form").text == "nop_volatile takes no operands");
}

TEST_CASE("branches on bits and bytes defer three instructions") {
  for (const char* branch :
       {"br_bset[a, 3, e#]", "br_bclr[a, 3, e#]", "br=byte[a, 1, 7, e#]", "br!=byte[a, 1, 7, e#]"}) {
    const std::string text = ".reg a\nimmed[a, 1]\n" + std::string(branch) + ", defer[3]\nnop\nnop\nnop\ne#: halt\n";
    INFO(text);
    CHECK((words(text)[1] >> 20 & 3) == 3);
    Options options;
    options.lost = LostCycles{2, 3, 3, 2};
    CHECK(words(text, options).size() == 6);
    // A chip whose file says fewer.
    options.chip = "mine";
    options.lost->branch_test = 2;
    const Assembly a = run(text, options);
    REQUIRE(a.image);
    const Diagnostic d = said(a, "asm-defer-chip");
    CHECK(d.severity == Severity::warning);
    CHECK(d.range.begin.line == 3);
    CHECK(d.text.find("of mine loses 2 slots when taken, and 3 are deferred") != std::string::npos);
    CHECK(d.remedy.find("abort_branch_test") != std::string::npos);
  }
  CHECK(said(run(".reg a\nimmed[a, 1]\nbr_bset[a, 3, e#], defer[4]\nnop\nnop\nnop\nnop\ne#: halt\n"), "asm-defer")
            .text.find("at most 3") != std::string::npos);
  Options me1;
  me1.chip = "ixp1200";
  me1.profile = isa::Profile::me1;
  CHECK(said(run(".reg a\nimmed[a, 1]\nbr_bset[a, 3, e#], defer[3]\nnop\nnop\nnop\ne#: halt\n", me1), "asm-defer")
            .text.find("at most 2") != std::string::npos);
}

TEST_CASE("the CAM has sixteen entries") {
  for (const char* wrong :
       {"cam_write[19, x, 1]", "cam_write[16, x, 1]", "cam_write_state[16, 1]", "cam_write[-1, x, 1]",
        "cam_write[256, x, 1]", "cam_write_state[-100, 1]", "cam_read_tag[y, -1]", "cam_read_tag[y, 255]",
        "cam_read_state[y, 16]", "cam_write[(&s + 15), x, 1]"}) {
    const Assembly a = run(".reg x y\n.sig s\n.addr s 1\n.set_sig s\nimmed[x, 1]\n" + std::string(wrong) +
                           "\n.use y\nctx_arb[s]\nhalt\n");
    INFO(wrong << render_text(a.diagnostics));
    CHECK_FALSE(a.image);
    CHECK(said(a, "asm-range").range.begin.line == 6);
    CHECK(said(a, "asm-range").text.find("entries 0 to 15") != std::string::npos);
  }
  CHECK(words(".reg x\nimmed[x, 1]\ncam_write[15, x, 1]\nhalt\n").size() == 3);
  // Whoever names physical registers gets the word.
  CHECK(words(".registers physical\ncam_write[19, a1, 1]\nhalt\n").size() == 2);
}

// --- signals ---

TEST_CASE("one signal given by two outstanding commands is an error") {
  const std::string head = ".reg p q r read $x $y\n.sig s t\nimmed[p, 0]\nimmed[q, 0]\n";
  const std::string end = "alu[r, $x, +, p]\nalu[--, $y, +, r]\nctx_arb[kill]\n";
  const auto severity = [&](const std::string& middle) {
    const Assembly a = run(head + middle + end);
    INFO(middle << render_text(a.diagnostics));
    const Diagnostic d = said(a, "asm-signal-pending");
    if (d.code.empty()) return std::string("none");
    CHECK(a.image.has_value() == (d.severity != Severity::error));
    return std::string(d.severity == Severity::error ? "error" : "warning");
  };
  CHECK(severity("sram[read, $x, p, 0, 1], sig_done[s]\nscratch[read, $y, q, 0, 1], sig_done[s]\nctx_arb[s]\n") ==
        "error");
  CHECK(severity("sram[read, $x, p, 0, 1], sig_done[s]\nscratch[read, $y, q, 0, 1], ctx_swap[s]\n") == "error");
  CHECK(severity("sram[read, $x, p, 0, 1], sig_done[s]\nbeq[o#]\nctx_arb[s]\no#:\nscratch[read, $y, q, 0, 1], "
                 "sig_done[s]\nctx_arb[s]\n") == "error");
  CHECK(severity("again#:\nsram[read, $x, p, 0, 1], sig_done[s]\nbne[again#]\nscratch[read, $y, q, 0, 1], "
                 "sig_done[t]\nctx_arb[s, t]\n") == "error");
  // One after the other, or two signals.
  CHECK(severity("sram[read, $x, p, 0, 1], sig_done[s]\nscratch[read, $y, q, 0, 1], sig_done[t]\nctx_arb[s, t]\n") ==
        "none");
  CHECK(severity("sram[read, $x, p, 0, 1], sig_done[s]\nctx_arb[s]\nnop\nnop\nnop\nscratch[read, $y, q, 0, 1], "
                 "sig_done[s]\nctx_arb[s]\n") == "none");
  CHECK(severity(
            "sram[read, $x, p, 0, 1], sig_done[s]\nw#:\nbr_signal[s, f#]\nbr[w#]\nf#:\nnop\nnop\nscratch[read, $y, q, "
            "0, 1], sig_done[s]\nctx_arb[s]\n") == "none");
  // Found, but still set.
  CHECK(severity("sram[read, $x, p, 0, 1], sig_done[s]\nw#:\nbr_!signal[s, w#]\nnop\nnop\nscratch[read, $y, q, 0, 1], "
                 "sig_done[s]\nctx_arb[s]\n") == "error");
  CHECK(severity("beq[o#]\nsram[read, $x, p, 0, 1], sig_done[s]\nbr[j#]\no#:\nsram[read, $x, q, 0, 1], "
                 "sig_done[s]\nj#:\nctx_arb[s]\n"
                 "scratch[read, $y, q, 0, 1], sig_done[t]\nctx_arb[t]\n") == "none");
  // Asked with any, which of the two has come may be known otherwise.
  CHECK(severity("sram[read, $x, p, 0, 1], sig_done[s]\nscratch[read, $y, q, 0, 1], sig_done[t]\nctx_arb[s, t], "
                 "any\nnop\nnop\nnop\n"
                 "sram[read, $x, p, 0, 1], sig_done[s]\nctx_arb[s, t]\n") == "warning");
  // Who takes the number may look at the bits.
  CHECK(
      severity("immed[r, (1 << &s)]\nlocal_csr_wr[active_ctx_wakeup_events, r]\nsram[read, $x, p, 0, 1], sig_done[s]\n"
               "scratch[read, $y, q, 0, 1], sig_done[s]\nctx_arb[s]\n") == "warning");
  const Assembly a =
      run(head + "sram[read, $x, p, 0, 1], sig_done[s]\nscratch[read, $y, q, 0, 1], sig_done[s]\nctx_arb[s]\n" + end);
  const Diagnostic d = said(a, "asm-signal-pending");
  CHECK(d.range.begin.line == 6);
  REQUIRE(d.notes.size() == 1);
  CHECK(d.notes[0].range.begin.line == 5);
  CHECK(said(run(".registers physical\nsram[read, $0, a0, 0, 1], sig_done[s1]\nscratch[read, $1, a0, 0, 1], "
                 "sig_done[s1]\nctx_arb[s1]\nhalt\n"),
             "asm-signal-pending")
            .severity == Severity::warning);
}
