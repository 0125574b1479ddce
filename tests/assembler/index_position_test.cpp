// The index at a position: scope, what may stand there, hover, signatures, outline, folding.
#include <algorithm>

#include "index_support.h"

using namespace weft;
using namespace weft::assembler;
using namespace weft::assembler::index_test;

namespace {

const std::string kStart =
    ".reg alpha beta @shared $in $out $$wide n$next\n"  // 1
    ".reg read $only_read\n"                            // 2
    ".sig done ready\n"                                 // 3
    "#define LIMIT (0x20)\n"                            // 4
    "#macro copy(to, from)\n"                           // 5
    "  alu[to, --, B, from]\n"                          // 6
    "#endm\n"                                           // 7
    ".begin\n"                                          // 8
    ".reg inner\n"                                      // 9
    "immed[inner, LIMIT]\n"                             // 10
    ".end\n"                                            // 11
    "loop#: nop\n";                                     // 12

/// The index of the start with one more line, number 13, and the position after that line.
struct Typed {
  Index index;
  Position end;
};
Typed typed(const std::string& line) {
  return {index_of(kStart + line + "\nnop\n"), {13, static_cast<uint32_t>(line.size() + 1)}};
}
Strings offered(const Typed& t, std::string_view kind) {
  Strings out;
  for (const IndexCompletion& c : t.index.completions_at(0, t.end))
    if (c.kind == kind) out.push_back(c.text);
  return out;
}
Strings offered(const std::string& line, std::string_view kind) { return offered(typed(line), kind); }
bool holds(const Strings& list, std::string_view text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}
IndexContext context(const std::string& line) {
  const Typed t = typed(line);
  return t.index.context_at(0, t.end);
}

}  // namespace

TEST_CASE("index: what an argument of an instruction takes", "[index]") {
  CHECK(context("alu[").classes == Strings{"destination", "--"});
  CHECK(context("alu[alpha, ").classes == Strings{"source", "--"});
  CHECK(context("alu[alpha, beta, ").classes == Strings{"operator", "operator beside a shift"});
  CHECK(context("sram[").classes == Strings{"command"});
  CHECK(context("sram[read, ").classes == Strings{"read transfer register"});
  CHECK(context("sram[write, $out, alpha, 0, 1], ctx_swap[").classes == Strings{"signal"});
  CHECK(context("br[").classes == Strings{"label"});
  CHECK(context("br=byte[alpha, 0, 3, ").classes == Strings{"label"});
  CHECK(context("local_csr_wr[").classes == Strings{"local CSR"});
  CHECK(context("alu[alpha, be").prefix == "be");
  CHECK(context("alu[alpha, be").argument == 1);
  CHECK(context("loop2#: alu[alpha, ").argument == 1);
  CHECK(context("copy(alpha, ").kind == IndexContext::Kind::macro_argument);
  CHECK(context("copy(alpha, ").argument == 1);
  CHECK(context("").kind == IndexContext::Kind::statement);
  CHECK(context("al").prefix == "al");
  CHECK(context("#de").kind == IndexContext::Kind::directive);
  CHECK(context("; alu[").kind == IndexContext::Kind::statement);
}

TEST_CASE("index: which names fit a place", "[index]") {
  // A destination takes GPRs, transfer registers and the neighbour's, not constants.
  CHECK(offered("alu[", "register") == Strings{"$$wide", "$in", "$out", "@shared", "alpha", "beta", "n$next"});
  CHECK(offered("alu[", "define").empty());
  CHECK(holds(offered("alu[alpha, ", "define"), "LIMIT"));
  // What a memory command fills: no GPR, $ for SRAM, $$ for DRAM.
  CHECK(offered("sram[read, ", "register") == Strings{"$in", "$only_read", "$out"});
  CHECK(offered("sram[write, ", "register") == Strings{"$in", "$out"});
  CHECK(offered("dram[read, ", "register") == Strings{"$$wide"});
  CHECK(offered("sram[re", "command") == Strings{"read"});
  CHECK(offered("br[", "label") == Strings{"loop#"});
  CHECK(offered("br[", "register").empty());
  CHECK(offered("ctx_arb[", "signal") == Strings{"done", "ready"});
  CHECK(offered("ctx_arb[", "register").empty());
  CHECK(offered("sram[read, $in, alpha, 0, 1], ctx", "option") == Strings{"ctx_swap"});
  CHECK(offered("sram[read, $in, alpha, 0, 1], sig_done[r", "signal") == Strings{"ready"});
  CHECK(holds(offered("alu[alpha, beta, A", "operation"), "AND"));
  CHECK(offered("local_csr_wr[same_me", "constant") == Strings{"same_me_signal"});
  CHECK(offered("copy(al", "register") == Strings{"alpha"});
  CHECK(holds(offered("co", "macro"), "copy"));
  CHECK(holds(offered("co", "instruction"), "copy") == false);
  CHECK(holds(offered("al", "instruction"), "alu_shf"));
  CHECK(offered("#def", "directive") == Strings{"define", "define_eval"});
  CHECK(offered(".xfer_", "directive") == Strings{".xfer_order", ".xfer_order_rd", ".xfer_order_wr"});
  CHECK(offered(".reg vol", "attribute") == Strings{"volatile"});
  CHECK(offered("alu[alpha, --, B, in", "register").empty());  // `inner` ended with its scope
}

TEST_CASE("index: scopes at positions, and names in them", "[index]") {
  const Index index = index_of(kStart);
  REQUIRE(index.scopes().size() == 2);
  CHECK(index.scopes()[1].begin == IndexPlace{0, 8, 1, 6});
  CHECK(index.scopes()[1].end == IndexPlace{0, 11, 1, 4});
  CHECK(index.scope_at(0, {3, 1}) == 0);
  CHECK(index.scope_at(0, {10, 3}) == 1);
  CHECK(index.scope_at(0, {12, 1}) == 0);
  CHECK(find(index, NameKind::reg, "inner")->scope == 1);
  Strings names;
  for (const IndexCompletion& c : index.completions_at(0, {10, 7})) names.push_back(c.text);
  CHECK(holds(names, "inner"));
  CHECK(holds(names, "alpha"));
  // In the body of a macro its parameters may stand anywhere.
  names.clear();
  for (const IndexCompletion& c : index.completions_at(0, {6, 7})) names.push_back(c.kind + " " + c.text);
  CHECK(holds(names, "parameter to"));
}

TEST_CASE("index: hover", "[index]") {
  const Index index = index_of(kStart + "copy(alpha, beta)\nalu[--, alpha, -, 255]\nlocal_csr_wr[t_index, alpha]\n");
  const auto says = [&](uint32_t line, uint32_t column, std::string_view text) {
    const std::string hover = index.hover_at(0, {line, column});
    INFO(hover);
    return hover.find(text) != std::string::npos;
  };
  CHECK(says(1, 6, ".reg alpha"));
  CHECK(says(1, 6, "general-purpose register"));
  CHECK(says(13, 7, "Defined at main.uc:1:6."));
  CHECK(says(1, 17, "absolute register"));
  CHECK(says(2, 11, ".reg read $only_read"));
  CHECK(says(10, 14, "#define LIMIT (0x20)"));
  CHECK(says(10, 14, "32 = 0x20 = 0b100000"));
  CHECK(says(13, 1, "#macro copy(to, from)"));
  CHECK(says(13, 1, "alu[alpha, --, B, beta]"));  // as this call expands it
  CHECK(says(5, 8, "alu[to, --, B, from]"));      // as it was defined
  CHECK(says(6, 7, "Called with: `alpha`"));
  CHECK(says(14, 2, "alu[dest, a, OP, b]"));
  CHECK(says(14, 20, "255 = 0xff = 0b11111111"));
  CHECK(says(15, 15, "local CSR"));
  CHECK(index.hover_at(0, {99, 1}).empty());
}

TEST_CASE("index: hover over numbers that may be addresses, and negative ones", "[index]") {
  const Index index = index_of(
      "#define HOST 0x0a000102\n#define ALL 0xfffffffe\n.reg r\nimmed[r, HOST]\nimmed[r, ALL]\nalu[--, r, +, 1]\n");
  CHECK(index.hover_at(0, {4, 10}).find("167772418 = 0xa000102 = 0b1010000000000000000100000010 = 10.0.1.2") !=
        std::string::npos);
  CHECK(index.hover_at(0, {5, 10}).find(" = -2 = 255.255.255.254") != std::string::npos);
  CHECK(index.hover_at(0, {6, 15}) == "1 = 0x1 = 0b1");
}

TEST_CASE("index: hover says what an instruction costs on the chip", "[index]") {
  Options options;
  options.lost = LostCycles{2, 3, 4, 5};  // no chip's: each class has its own
  const std::string text =
      "#macro none()\n#endm\n.reg r $x\n.sig s\nagain#:\nalu[r, r, +, 1]\nbne[again#]\nbr_bset[r, 1, "
      "again#]\nctx_arb[s]\nsram[write, $x, r, 0, 1], sig_done[s]\nbr[again#]\n";
  const auto index = Index::build(make_source("main.uc", text), options);
  REQUIRE(index);
  const auto says = [&](uint32_t line, std::string_view what) {
    const std::string hover = index->hover_at(0, {line, 2});
    INFO(hover);
    return hover.find(what) != std::string::npos;
  };
  CHECK(says(6, "\n\n1 cycle.\n"));
  CHECK(says(7, "1 cycle, and 3 more when it is taken; each filled deferred slot takes one off."));
  CHECK(says(8, "1 cycle, and 4 more when it is taken"));
  CHECK(says(9, "6 cycles until another context executes"));
  CHECK(says(10, "1 cycle to issue; with ctx_swap 6 cycles"));
  CHECK(says(11, "3 cycles; each filled deferred slot takes one off."));
}

TEST_CASE("index: hover names the numbers of an allocation", "[index]") {
  Index::Settings settings;
  settings.allocate = true;
  const Index index = index_of(
      ".reg a $x\n.sig s\n.addr a 5 b\n.addr s 3\nimmed[a, 1]\nalu[$x, --, B, a]\n"
      "sram[write, $x, a, 0, 1], ctx_swap[s]\nctx_arb[kill]\n",
      settings);
  CHECK(find(index, NameKind::reg, "a")->allocated == Strings{"b5"});
  CHECK(find(index, NameKind::signal, "s")->allocated == Strings{"s3"});
  CHECK(find(index, NameKind::reg, "$x")->allocated.size() == 1);
  CHECK(index.hover_at(0, {5, 7}).find("Allocated: b5") != std::string::npos);
}

TEST_CASE("index: signatures", "[index]") {
  const Typed macro = typed("copy(alpha, ");
  const auto m = macro.index.signatures_at(0, macro.end);
  REQUIRE(m.size() == 1);
  CHECK(m[0].text == "copy(to, from)");
  CHECK(m[0].active == 1);
  const Typed insn = typed("sram[read, $in, ");
  const auto i = insn.index.signatures_at(0, insn.end);
  REQUIRE(i.size() == 1);
  CHECK(i[0].text == "sram[read, $xfer, address1, address2, count]");
  CHECK(i[0].active == 2);
  CHECK(i[0].parameters == Strings{"read", "$xfer", "address1", "address2", "count"});
}

TEST_CASE("index: outline and folding", "[index]") {
  const Index index = index_of(
      kStart + "; one\n; two\n.block parse\n.while (alpha > 1)\nnop\n.endw\n#if 1\nnop\n#else\nnop\n#endif\nnop\n");
  const auto outline = index.outline(0);
  Strings lines;
  for (const IndexOutline& o : outline)
    lines.push_back(fmt::format("{} {} {}-{}", o.kind, o.name, o.place.line, o.last_line));
  CHECK(lines == Strings{"register alpha 1-1", "register beta 1-1", "register @shared 1-1", "register $in 1-1",
                         "register $out 1-1", "register $$wide 1-1", "register n$next 1-1", "register $only_read 2-2",
                         "signal done 3-3", "signal ready 3-3", "define LIMIT 4-4", "macro copy(to, from) 5-7",
                         "scope  8-11", "label loop# 12-12", "block parse 15-15"});
  REQUIRE(outline.size() > 12);
  REQUIRE(outline[12].inside.size() == 1);
  CHECK(outline[12].inside[0].name == "inner");
  Strings folds;
  for (const IndexFold& f : index.folds(0)) folds.push_back(fmt::format("{}-{} {}", f.first, f.last, f.kind));
  CHECK(folds ==
        Strings{"5-7 macro", "8-11 scope", "13-14 comment", "16-18 block", "19-20 condition", "21-23 condition"});
}

TEST_CASE("index: JSON of a program and of a place", "[index]") {
  const Index index = index_of(kStart);
  const std::string all = to_json(index);
  CHECK(all.find("\"format\": \"weft-index\"") != std::string::npos);
  CHECK(all.find("\"name\": \"inner\"") != std::string::npos);
  const std::string place = to_json(index, 0, {10, 7});
  CHECK(place.find("\"format\": \"weft-index-position\"") != std::string::npos);
  CHECK(place.find("\"destination\"") != std::string::npos);
}
