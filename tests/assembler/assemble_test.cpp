// From text to Image: the driver with all stages after it.
#include <catch2/catch.hpp>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

namespace {

Assembly run(const std::string& text, Options options = {}) { return assemble(make_source("t.uc", text), options); }

image::Image good(const std::string& text) {
  const Assembly a = run(text);
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  CHECK_FALSE(a.diagnostics.has_errors());
  return *a.image;
}

const Diagnostic* find(const Assembly& a, const std::string& code) {
  for (const Diagnostic& d : a.diagnostics) {
    if (d.code == code) return &d;
  }
  return nullptr;
}

/// Assembles and expects this code at this line.
void expect(const std::string& text, const std::string& code, uint32_t line) {
  const Assembly a = run(text);
  CAPTURE(text, code, render_text(a.diagnostics));
  const Diagnostic* d = find(a, code);
  REQUIRE(d);
  CHECK(d->range.begin.line == line);
  CHECK_FALSE(d->text.empty());
}

}  // namespace

TEST_CASE("a program becomes words, lines, labels and live ranges") {
  const image::Image i = good(
      ".sig done\n"
      ".reg addr x $in\n"
      ".block rx\n"
      "immed[addr, 0x30]\n"
      "again#:\n"
      "sram[read, $in, addr, 0, 1], ctx_swap[done]\n"
      "alu[x, --, B, $in]\n"
      ".drop bad\n"
      "alu[--, x, -, 1]\n"
      "bne[again#]\n"
      "halt\n");
  REQUIRE(i.words.size() == 6);
  CHECK(i.words[5] == 0xe000020000);
  REQUIRE(i.lines.size() == 6);
  CHECK(i.lines[0].place.line == 4);
  CHECK(i.lines[5].place.line == 11);
  REQUIRE(i.labels.size() == 1);
  CHECK(i.labels[0].name == "again#");
  CHECK(i.labels[0].address == 1);
  REQUIRE(i.marks.size() == 2);
  CHECK(i.marks[1].address == 3);
  bool found = false;
  for (const image::Register& r : i.registers) {
    if (r.name != "$in") continue;
    found = true;
    CHECK(r.kind == image::RegisterKind::xfer_s_read);
    CHECK(r.begin == 2);
    CHECK(r.end == 3);
  }
  CHECK(found);
  REQUIRE(i.signals.size() >= 1);
  CHECK(i.signals[0].number == 1);
  // bne to word 1 (isa.md 3.7)
  CHECK((i.words[4] >> 22 & 0x1fff) == 1);
}

TEST_CASE("late constants: register and signal numbers, label addresses, imports") {
  const image::Image i = good(
      ".import_var i$base\n"
      ".reg a r $x\n"
      ".sig s\n"
      ".set_rd $x\n"
      "immed[a, (&$x | (&s << 12))]\n"
      "local_csr_wr[SAME_ME_SIGNAL, (0x80 | (&s << 3))]\n"
      "ctx_arb[s]\n"
      "alu[a, a, +, $x]\n"
      "immed[r, (i$base & 0xffff)]\n"
      "immed_w1[r, (i$base >> 16)]\n"
      "alu[--, a, +, r]\n"
      "load_addr[r, end#]\n"
      "alu[--, --, B, r]\n"
      "end#:\n"
      "halt\n");
  const auto value = [&](size_t k) { return (*isa::decode(isa::Profile::me2, i.words[k]))[isa::Role::value]; };
  CHECK(value(0) == 0x1000);  // $0, signal 1 (both are alone)
  CHECK(i.words[1] == 0xfc10ae2388);
  CHECK(i.words[2] == 0xe000000002);
  REQUIRE(i.uses.size() == 2);
  CHECK(i.uses[0].address == 4);
  CHECK(i.uses[0].part == image::ImportUse::Part::low16);
  CHECK(i.uses[1].address == 5);
  CHECK(i.uses[1].part == image::ImportUse::Part::high16);
  CHECK(value(7) == 9);
}

TEST_CASE("a doubled signal is even and awaited as two bits") {
  const image::Image i = good(
      ".reg a $$x[2]\n.sig s\nimmed[a, 0]\ndram[read, $$x[0], a, 0, 1], sig_done[s]\nctx_arb[s]\n"
      "alu[--, --, B, $$x[0]]\nhalt\n");
  CHECK(i.words[2] == 0xe00000000c);  // signals 2 and 3
}

TEST_CASE("macro lines carry their calls into the line table") {
  const image::Image i = good("#macro two(r)\nimmed[r, 1]\nalu[r, r, +, 1]\n#endm\n.reg x\ntwo(x)\nhalt\n");
  REQUIRE(i.lines.size() == 3);
  CHECK(i.lines[0].place.line == 2);
  REQUIRE(i.lines[0].macros.size() == 1);
  CHECK(i.lines[0].macros[0].first == "two");
  CHECK(i.lines[0].macros[0].second.line == 6);
  CHECK(i.lines[2].macros.empty());
}

TEST_CASE("the listing shows address, word and source") {
  Options options;
  options.listing = true;
  const Assembly a =
      assemble(make_source("t.uc", ".reg x\nimmed[x, 0x30] ; comment\nalu[--, --, B, x]\nhalt\n"), options);
  REQUIRE(a.image);
  CHECK(a.listing.find("t.uc:2: immed[x, 0x30]") != std::string::npos);
  CHECK(a.listing.find("e000020000") != std::string::npos);
  CHECK(a.listing.find("    2  ") != std::string::npos);
}

TEST_CASE("dumps stop at their stage") {
  const std::string text = ".reg x\nimmed[x, 1]\nalu[--, --, B, x]\nhalt\n";
  for (const std::string stage : {"tokens", "preprocessed", "ast", "ir", "allocation", "final"}) {
    Options options;
    options.dump = stage;
    const Assembly a = run(text, options);
    CAPTURE(stage);
    CHECK_FALSE(a.image);
    CHECK(a.dump.find(stage == "allocation" ? "gpr" : "immed") != std::string::npos);
  }
}

TEST_CASE("too long a program names both numbers") {
  std::string text;
  for (int k = 0; k < 4320; ++k) text += "nop\n";
  const Assembly a = run(text + "halt\n");
  CHECK_FALSE(a.image);
  const Diagnostic* d = find(a, "asm-control-store");
  REQUIRE(d);
  CHECK(d->text == "program has 4,321 words, the control store of ixp2400 holds 4,096");
  CHECK(d->range.begin.line == 4097);
}

TEST_CASE("rules between instructions are checked") {
  expect(".reg x\nimmed[x, 1]\nalu[--, --, B, x]\n", "asm-runs-off", 3);
  expect("br[e#], defer[3]\nnop\nnop\nnop\ne#:\nhalt\n", "asm-defer", 1);
  expect("e#:\nbr[e#], defer[2]\nnop\n", "asm-defer-end", 2);
  expect("e#:\nbr[e#], defer[1]\nbr[e#]\nnop\n", "asm-defer-content", 3);
  expect(".sig s\n.reg a $x\nimmed[a, 0]\ne#:\nbr[e#], defer[1]\nsram[read, $x, a, 0, 1], ctx_swap[s]\nhalt\n",
         "asm-defer-content", 6);
  expect("local_csr_rd[ACTIVE_CTX_STS]\nhalt\n", "asm-csr-read-lost", 1);
  expect("e#:\nbeq[e#]\nhalt\n", "asm-undefined-codes", 2);
  expect(".reg x\nimmed[x, 1]\nalu[--, x, -, 1]\nctx_arb[voluntary]\nbeq[e#]\ne#:\nhalt\n", "asm-undefined-codes", 5);
  expect(".reg x y\nimmed[x, 1]\nimmed[y, 1]\nalu_shf[--, x, OR, y, <<indirect]\nhalt\n", "asm-indirect-shift", 4);
  expect(".reg x y\nimmed[x, 1]\nasr[y, x, >>3]\nalu[--, --, B, y]\nhalt\n", "asm-asr-without-alu", 3);
  expect(".sig s\n.reg a $$x[2]\nimmed[a, 0]\ndram[read, $$x[0], a, 0, 1], ctx_swap[s]\nhalt\n", "asm-two-signals", 4);
  expect(".reg x\nimmed[x, 1]\nlocal_csr_wr[ACTIVE_LM_ADDR_0, x]\nnop\nalu[x, --, B, *l$index0]\nhalt\n",
         "asm-local-memory-too-soon", 5);
  expect(".reg x\nimmed[x, 1]\nlocal_csr_wr[NN_PUT, x]\nlocal_csr_wr[NN_PUT, x]\nhalt\n", "asm-csr-write-twice", 4);
  expect(".reg x y\nalu[y, --, B, x]\nhalt\n", "asm-never-set", 2);
}

TEST_CASE("sound programs give no diagnostics at all") {
  for (const std::string text :
       {"e#:\nbr[e#], defer[2]\nnop\nnop\n",
        ".reg x y\nimmed[x, 1]\nimmed[y, 3]\nalu[--, y, OR, 0]\nalu_shf[x, --, B, x, <<indirect]\nalu[--, --, B, "
        "x]\nhalt\n",
        ".reg x\nlocal_csr_rd[ACTIVE_CTX_STS]\nimmed[x, 0]\nalu[--, --, B, x]\nhalt\n",
        ".reg x\nimmed[x, 1]\nlocal_csr_wr[ACTIVE_LM_ADDR_0, x]\nnop\nnop\nnop\nalu[x, --, B, *l$index0]\nhalt\n",
        ".reg x\nimmed_w0[x, 1]\nimmed_w1[x, 1]\nalu[--, --, B, x]\nhalt\n"}) {
    const Assembly a = run(text);
    CAPTURE(text, render_text(a.diagnostics));
    CHECK(a.image);
    CHECK(a.diagnostics.empty());
  }
}

TEST_CASE("a subroutine returns to the places that loaded its register") {
  const image::Image i = good(
      ".reg ret x y\n"
      "immed[x, 1]\n"
      "load_addr[ret, back1#]\n"
      "br[sub#]\n"
      "back1#:\n"
      "load_addr[ret, back2#]\n"
      "br[sub#]\n"
      "back2#:\n"
      "alu[--, --, B, x]\n"
      "halt\n"
      "sub#:\n"
      "immed[y, 5]\n"
      "alu[x, x, +, y]\n"
      "rtn[ret]\n");
  // x, y and ret are live together within the subroutine: three different places.
  const auto dest = [&](size_t k) { return isa::decode(isa::Profile::me2, i.words[k])->dest; };
  CHECK_FALSE(dest(0) == dest(1));
  CHECK_FALSE(dest(7) == dest(1));
  CHECK_FALSE(dest(7) == dest(0));
}

TEST_CASE("an empty program is an error, not a crash") {
  CHECK(find(run(""), "asm-empty-program"));
  CHECK(find(run(".reg x\n"), "asm-empty-program"));
}

TEST_CASE("#pragma warning switches classes of warnings in the source") {
  const std::string runs_off = "nop\n";  // one warning: asm-runs-off
  CHECK(find(run(runs_off), "asm-runs-off"));
  CHECK(run("#pragma warning(disable: asm-runs-off)\n" + runs_off).diagnostics.empty());
  CHECK(run("#pragma warning(disable: asm-spill, asm-runs-off)\n" + runs_off).diagnostics.empty());
  CHECK(find(run("#pragma warning(disable: asm-runs-off)\n#pragma warning(default: asm-runs-off)\n" + runs_off),
             "asm-runs-off"));
  CHECK(
      find(run("#pragma warning(push)\n#pragma warning(disable: asm-runs-off)\nnop\n#pragma warning(pop)\n" + runs_off),
           "asm-runs-off"));
  CHECK(run("#pragma warning(push)\n#pragma warning(disable: asm-runs-off)\nnop\n").diagnostics.empty());
  const Assembly strict = run("#pragma warning(error: asm-runs-off)\n" + runs_off);
  CHECK(strict.diagnostics.has_errors());
  CHECK_FALSE(strict.image);
  // Warnings of the preprocessor itself, and only from the pragma on.
  const Assembly two = run("#warning \"a\"\n#pragma warning(disable: pp-warning)\n#warning \"b\"\nhalt\n");
  REQUIRE(two.diagnostics.size() == 1);
  CHECK(two.diagnostics.list()[0].text == "a");
  const Assembly once = run("#pragma warning(once: pp-warning)\n#warning \"a\"\n#warning \"b\"\nhalt\n");
  CHECK(once.diagnostics.size() == 1);
  expect("#pragma warning(pop)\nhalt\n", "pp-pragma", 1);
  expect("#pragma warning(disable: 3143)\nhalt\n", "pp-pragma", 1);
  CHECK(run("#pragma warning(disable: runs-off)\n" + runs_off).diagnostics.empty());
  const Assembly misspelt = run("#pragma warning(disable: asm-maybe-unsett)\nhalt\n");
  REQUIRE(misspelt.diagnostics.size() == 1);
  CHECK(misspelt.diagnostics.list()[0].code == "pp-pragma");
  CHECK(misspelt.diagnostics.list()[0].text == "there is no warning 'asm-maybe-unsett'");
  CHECK(misspelt.diagnostics.list()[0].remedy == "did you mean 'asm-maybe-unset'?");
  expect("#pragma warning(error: unknown-thing)\nhalt\n", "pp-pragma", 1);
  expect("#pragma warning(hide: asm-runs-off)\nhalt\n", "pp-pragma", 1);
  expect("#pragma warning(disable:)\nhalt\n", "pp-pragma", 1);
  expect("#pragma warning\nhalt\n", "pp-pragma", 1);
}

TEST_CASE("the text of -E keeps the pragmas, so that its text gives the same words") {
  const std::string text =
      ".reg x\n#pragma optimize(\"\", off)\n#macro held\n#pragma warning(disable: asm-runs-off)\nimmed[x, "
      "1]\nnop\nnop\n"
      "br[l#]\nl#:\n#endm\nheld\n#pragma optimize(\"\", on)\nalu[--, --, B, x]\nnop\n";
  Options options;
  options.optimize = true;
  const Assembly direct = assemble(make_source("p.uc", text), options);
  REQUIRE(direct.image);
  CHECK(direct.diagnostics.empty());
  options.dump = "preprocessed";
  const std::string plain = assemble(make_source("p.uc", text), options).dump;
  CHECK(
      plain.starts_with(".reg x\n#pragma optimize(\"\", off)\n#pragma warning(disable: asm-runs-off)\nimmed[x, 1]\n"));
  options.dump.clear();
  const Assembly again = assemble(make_source("p.uc", plain), options);
  REQUIRE(again.image);
  CHECK(again.diagnostics.empty());
  CHECK(again.image->words == direct.image->words);
}

TEST_CASE("the width of preprocessor arithmetic and the meaning of undefined names are options") {
  const std::string wide = "#if (1 << 32) == 0\nhalt\n#else\nnop\nhalt\n#endif\n";
  CHECK(good(wide).words.size() == 1);
  Options options;
  options.wide = true;
  CHECK(run(wide, options).image->words.size() == 2);
  const std::string undefined = "#if NOTHING == 0\nhalt\n#endif\n";
  CHECK(find(run(undefined), "pp-undefined-name"));
  options.undefined_is_zero = true;
  CHECK(run(undefined, options).image);
}

TEST_CASE("names of -D are checked") {
  const auto code = [](const std::string& name, const std::string& value) {
    Options options;
    options.defines = {{name, value}};
    const Assembly a = run("halt\n", options);
    return a.diagnostics.empty() ? std::string() : a.diagnostics.list()[0].code;
  };
  CHECK(code("N", "5") == "");
  CHECK(code("N", "") == "");
  CHECK(code("5N", "5") == "pp-command-line");
  CHECK(code("", "5") == "pp-command-line");
  CHECK(code("a b", "5") == "pp-command-line");
  CHECK(code("N", "1\nhalt") == "pp-command-line");
}
