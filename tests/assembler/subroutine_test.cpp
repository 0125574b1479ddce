// Liveness through subroutines: what a caller holds is held through the call and nowhere else; programs that do not
// look like calls stay on the safe side. Judged by the simulation of allocator_support.h and by running the words.
#include <fmt/format.h>

#include <catch2/catch.hpp>

#include "allocator_support.h"
#include "flow/calls.h"
#include "parser/parser.h"
#include "preprocessor/preprocessor.h"
#include "program_support.h"
#include "resolver/resolver.h"

using namespace weft;
using namespace weft::assembler;
using test::result;

namespace {

struct Resolved {
  Sources sources;
  Program program;
  Diagnostics out;
};

std::unique_ptr<Resolved> resolved(const std::string& text) {
  auto r = std::make_unique<Resolved>();
  const Options options;
  const Preprocessed lines = preprocess(r->sources, make_source("sub.uc", text), options);
  const ast::Program tree = parse(lines.program, r->sources, r->out);
  r->program = resolve(tree, lines.program, r->sources, options, r->out);
  mark_doubled_signals(r->program);
  INFO(text << render_text(r->out));
  REQUIRE_FALSE(r->out.has_errors());
  return r;
}

/// Instructions before which a name is live, "2-5 8-8".
std::string live(const Resolved& r, const std::string& name) {
  const Liveness l = analyse_liveness(r.program, Flow(r.program));
  std::string out;
  for (uint32_t i = 0; i < r.program.insns.size(); ++i) {
    for (const Web& w : l.webs) {
      if (w.file == RegisterFile::gpr && r.program.vregs[static_cast<size_t>(w.symbol)].name == name &&
          w.live_at(2 * i))
        out += fmt::format("{} ", i);
    }
  }
  return out;
}

size_t calls_in(const Resolved& r) { return Calls(r.program, Flow(r.program)).all().size(); }

Assembly assembled(const std::string& text) { return assemble(make_source("sub.uc", text), Options{}); }

constexpr const char* kTwoCallers =
    ".reg r p\n.reg write $o\nimmed[p, 3]\n"                                            // 0
    ".begin\n.reg a\nimmed[a, 5]\nload_addr[r, back1#]\nbr[sub#]\nback1#:\n"            // 1 2 3
    "alu[p, p, +, a]\n.end\n"                                                           // 4
    ".begin\n.reg b\nimmed[b, 7]\nbr[sub#], defer[1]\nload_addr[r, back2#]\nback2#:\n"  // 5 6 7
    "alu[p, b, +, p]\n.end\nalu[$o, --, B, p]\nctx_arb[kill]\n"                         // 8 9 10
    "sub#:\nalu[p, p, +, 1]\nrtn[r]\n";                                                 // 11 12

}  // namespace

TEST_CASE("calls: a caller's value is live in its own call only") {
  const auto r = resolved(kTwoCallers);
  CHECK(calls_in(*r) == 2);
  CHECK(live(*r, "a") == "2 3 4 11 12 ");
  CHECK(live(*r, "b") == "6 7 8 11 12 ");
  CHECK(live(*r, "p") == "1 2 3 4 5 6 7 8 9 11 12 ");
  const Assembly a = assembled(kTwoCallers);
  CHECK(a.diagnostics.empty());  // no word of 'b' being unset on the way of the first call
  CHECK(result(a) == 3 + 1 + 5 + 1 + 7);
}

TEST_CASE("calls: what only one call leaves unset is still found") {
  std::string text = kTwoCallers;
  text.replace(text.find("immed[b, 7]"), 11, "immed[p, 7]");
  CHECK(render_text(assembled(text).diagnostics).find("'b' is used, but nothing on any path here sets it") !=
        std::string::npos);
  // Set after the first call, so the first use has nothing.
  const std::string late =
      ".reg r v\nload_addr[r, one#]\nbr[sub#]\none#:\nalu[--, --, B, v]\nimmed[v, 1]\nload_addr[r, "
      "two#]\nbr[sub#]\ntwo#:\n"
      "alu[--, --, B, v]\nctx_arb[kill]\nsub#:\nrtn[r]\n";
  const Assembly a = assembled(late);
  REQUIRE(a.diagnostics.size() == 1);
  CHECK(a.diagnostics.list()[0].code == "asm-maybe-unset");
  CHECK(a.diagnostics.list()[0].range.begin.line == 5);
  // The subroutine sets it on one way only.
  const Assembly half = assembled(
      ".reg r v c\nimmed[c, 1]\nload_addr[r, one#]\nbr[sub#]\none#:\nalu[--, --, B, v]\nctx_arb[kill]\n"
      "sub#:\nbr_bset[c, 0, out#]\nimmed[v, 1]\nout#:\nrtn[r]\n");
  REQUIRE(half.diagnostics.size() == 1);
  CHECK(half.diagnostics.list()[0].code == "asm-maybe-unset");
}

TEST_CASE("calls: a register set in the subroutine and used by the callers") {
  const std::string text =
      ".reg r out in sum\n.reg write $o\nimmed[in, 4]\nload_addr[r, one#]\nbr[sub#]\none#:\nalu[sum, --, B, out]\n"
      "immed[in, 6]\nload_addr[r, two#]\nbr[sub#]\ntwo#:\nalu[sum, sum, +, out]\nalu[$o, --, B, sum]\nctx_arb[kill]\n"
      "sub#:\nalu_shf[out, --, B, in, <<4]\nrtn[r]\n";
  const auto r = resolved(text);
  CHECK(calls_in(*r) == 2);
  CHECK(live(*r, "out") == "3 7 11 ");
  CHECK(live(*r, "in") == "1 2 5 6 10 ");
  CHECK(live(*r, "sum") == "4 5 6 7 8 10 11 ");
  CHECK(result(assembled(text)) == 0xa0);
}

TEST_CASE("calls: what does not look like a call is not taken for one") {
  const std::string head = ".reg r q v\nimmed[v, 1]\n";
  const std::string tail = "ctx_arb[kill]\nsub#:\nalu[v, v, +, 1]\nrtn[r]\n";
  const auto calls = [&](const std::string& body) { return calls_in(*resolved(head + body)); };
  CHECK(calls("load_addr[r, a#]\nbr[sub#]\na#:\n" + tail) == 1);
  CHECK(calls("load_addr[r, a#]\nalu[v, v, +, 2]\nbr[sub#]\na#:\n" + tail) == 1);
  // A way around the call; a label between; another value; an address that is copied; a fall into the subroutine.
  CHECK(calls("load_addr[r, a#]\nbr_bset[v, 0, a#]\nbr[sub#]\na#:\n" + tail) == 0);
  CHECK(calls("load_addr[r, a#]\nx#:\nbr_bset[v, 0, x#]\nbr[sub#]\na#:\n" + tail) == 0);
  CHECK(calls("load_addr[r, a#]\nalu[r, r, +, v]\nbr[sub#]\na#:\n" + tail) == 0);
  CHECK(calls("load_addr[q, a#]\nalu[r, --, B, q]\nbr[sub#]\na#:\n" + tail) == 0);
  CHECK(
      calls(
          "load_addr[r, a#]\nbr[sub#]\na#:\nload_addr[r, b#]\nsub#:\nalu[v, v, +, 1]\nrtn[r]\nb#:\nctx_arb[kill]\n") ==
      0);
  // Recursion; a subroutine that calls with its own return register; one that returns past its caller.
  CHECK(calls("load_addr[r, a#]\nbr[sub#]\na#:\nctx_arb[kill]\nsub#:\nbr_bset[v, 0, out#]\nload_addr[r, "
              "b#]\nbr[sub#]\nb#:\nout#:\nrtn[r]\n") == 0);
  CHECK(calls("load_addr[r, a#]\nbr[sub#]\na#:\nctx_arb[kill]\nsub#:\nload_addr[r, "
              "b#]\nbr[other#]\nb#:\nrtn[r]\nother#:\nrtn[r]\n") == 0);
  CHECK(calls("load_addr[r, a#]\nbr[sub#]\na#:\nctx_arb[kill]\nsub#:\nload_addr[q, "
              "b#]\nbr[other#]\nb#:\nrtn[r]\nother#:\nbr_bset[v, 0, out#]\nrtn[q]\nout#:\nrtn[r]\n") == 0);
  // Nested, with a register each.
  CHECK(calls("load_addr[r, a#]\nbr[sub#]\na#:\nctx_arb[kill]\nsub#:\nload_addr[q, "
              "b#]\nbr[other#]\nb#:\nrtn[r]\nother#:\nrtn[q]\n") == 2);
}

TEST_CASE("calls: what both callers hold stands side by side inside the subroutine, and nowhere else") {
  std::string text = ".reg r sum\n.reg write $o\nimmed[sum, 0]\n";
  uint32_t expected = 0;
  for (const char* name : {"x", "y"}) {
    text += ".begin\n";
    for (unsigned k = 0; k < 14; ++k) {
      text += fmt::format(".reg {0}{1}\nimmed[{0}{1}, {2}]\n", name, k, 100 * k + static_cast<unsigned>(name[0]));
      expected += 100 * k + static_cast<unsigned>(name[0]);
    }
    text += fmt::format("load_addr[r, {0}#]\nbr[sub#]\n{0}#:\n", name);
    for (unsigned k = 0; k < 14; ++k)
      text += fmt::format("alu[sum, --, B, sum]\n.begin\n.reg t\nalu[t, --, B, {}{}]\nalu[sum, sum, +, t]\n.end\n",
                          name, k);
    text += ".end\n";
  }
  text += "alu[$o, --, B, sum]\nctx_arb[kill]\nsub#:\nalu[sum, sum, +, 1]\nrtn[r]\n";
  const Assembly a = assembled(text);
  INFO(render_text(a.diagnostics));
  CHECK(a.diagnostics.empty());
  CHECK(result(a) == expected + 2);
}

TEST_CASE("calls: both halves of a transfer register are held through a subroutine") {
  // The write half waits for the command after the call; the read half was filled before it.
  const std::string text =
      ".reg r z\n.reg $x\n.sig s t\nimmed[z, 0]\nscratch[read, $x, z, 0, 1], ctx_swap[s]\nalu[$x, z, +, "
      "5]\nload_addr[r, a#]\nbr[sub#]\na#:\n"
      "scratch[write, $x, z, 8, 1], ctx_swap[t]\nalu[--, --, B, $x]\n"
      "load_addr[r, b#]\nbr[sub#]\nb#:\nctx_arb[kill]\n"
      "sub#:\n.begin\n.reg $y $w\n.sig u\nalu[$y, z, +, 9]\nscratch[write, $y, z, 16, 1], ctx_swap[u]\nscratch[read, "
      "$w, z, 16, 1], ctx_swap[u]\n"
      "alu[--, --, B, $w]\n.end\nrtn[r]\n";
  const auto r = resolved(text);
  CHECK(calls_in(*r) == 2);
  const Program placed = test::placed_program(r->program, r->sources, r->out).program;
  Random random(3);
  for (int k = 0; k < 50; ++k) REQUIRE(test::simulate(r->program, placed, random, 300) == "");
}

TEST_CASE("calls: a command under way over one call holds nothing in the other caller") {
  // Sixteen registers are taken after the second call; the first caller's command was awaited long before.
  std::string text =
      ".reg r z\n.sig s\nimmed[z, 0]\n.begin\n.reg read $x\nscratch[read, $x, z, 0, 1], sig_done[s]\nload_addr[r, "
      "a#]\nbr[sub#]\na#:\n"
      "ctx_arb[s]\nalu[--, --, B, $x]\n.end\n.begin\n.reg read $y[16]\n.sig t u\nscratch[read, $y[0], z, 0, 8], "
      "ctx_swap[t]\n"
      "scratch[read, $y[8], z, 0, 8], ctx_swap[u]\nload_addr[r, b#]\nbr[sub#]\nb#:\n";
  for (unsigned k = 0; k < 16; ++k) text += fmt::format("alu[--, --, B, $y[{}]]\n", k);
  text += ".end\nctx_arb[kill]\nsub#:\nalu[z, z, +, 0]\nrtn[r]\n";
  const auto r = resolved(text);
  const Flow flow(r->program);
  const Liveness l = analyse_liveness(r->program, flow);
  std::string where;
  for (const Web& w : l.webs) {
    if (w.file != RegisterFile::s_read || r->program.vregs[static_cast<size_t>(w.symbol)].name != "$x") continue;
    for (uint32_t i = 0; i < r->program.insns.size(); ++i) where += w.live_at(2 * i) ? fmt::format("{} ", i) : "";
  }
  const auto last = static_cast<unsigned>(r->program.insns.size()) - 1;
  CHECK(where == fmt::format("2 3 4 5 {} {} ", last - 1, last));
  // Both callers hold theirs inside the subroutine, as if at once: seventeen are too many. One less fits.
  CHECK_FALSE(allocate(r->program, flow, r->sources, r->out));
  for (size_t at = 0; (at = text.find("$y[16]")) != std::string::npos;) text.replace(at, 6, "$y[15]");
  text.replace(text.find("$y[8], z, 0, 8"), 14, "$y[8], z, 0, 7");
  text.erase(text.find("alu[--, --, B, $y[15]]"), 23);
  const auto fits = resolved(text);
  const Program placed = test::placed_program(fits->program, fits->sources, fits->out).program;
  Random random(5);
  for (int k = 0; k < 50; ++k) REQUIRE(test::simulate(fits->program, placed, random, 200) == "");
}

TEST_CASE("calls: random programs of nested subroutines keep every value in its place") {
  size_t matched = 0;
  for (unsigned seed = 1; seed <= 120; ++seed) {
    Random random(7000 + seed);
    const auto name = [&](const char* letter) { return fmt::format("{}{}", letter, random.below(3)); };
    unsigned labels = 0;
    const auto sum = [&](const std::string& to) {
      return fmt::format("alu[{}, {}, +, {}]\n", to, name("e"), name("o"));
    };
    // A call of subroutine s, with values held over it, perhaps in a branch or a loop.
    const std::function<std::string(unsigned, unsigned)> call = [&](unsigned s, unsigned depth) {
      const unsigned n = labels++;
      std::string out =
          fmt::format(".begin\n.reg h{0} k{0}\n{1}{2}", n, sum(fmt::format("h{}", n)), sum(fmt::format("k{}", n)));
      const bool skip = random.chance(1, 3), loop = random.chance(1, 4);
      if (skip) out += fmt::format("br_bset[{}, 1, skip{}#]\n", name("e"), n);
      if (loop) out += fmt::format("loop{}#:\n", n);
      if (random.chance(1, 3))
        out += fmt::format("br[sub{0}#], defer[2]\n{2}load_addr[r{0}, back{1}#]\nback{1}#:\n", s, n, sum(name("o")));
      else
        out += fmt::format("load_addr[r{0}, back{1}#]\n{2}br[sub{0}#]\nback{1}#:\n", s, n, sum(name("e")));
      if (depth > 0 && random.chance(1, 3)) out += call(s, depth - 1);
      if (loop) out += fmt::format("br_bset[{}, 2, loop{}#]\n", name("o"), n);
      if (skip) out += fmt::format("skip{}#:\n", n);
      return out + fmt::format("alu[{0}, --, B, h{2}]\nalu[{1}, --, B, k{2}]\n.end\n", name("e"), name("o"), n);
    };
    std::string text = ".reg r0 r1 r2 e0 e1 e2 o0 o1 o2\n";
    for (const char* letter : {"e", "o"})
      for (unsigned k = 0; k < 3; ++k) text += fmt::format("immed[{}{}, {}]\n", letter, k, k);
    for (unsigned k = 0; k < 4; ++k) text += call(static_cast<unsigned>(random.below(3)), 1);
    text += "ctx_arb[kill]\n";
    for (unsigned s = 0; s < 3; ++s) {
      text += fmt::format("sub{}#:\n.begin\n.reg own\nalu[own, --, B, {}]\n", s, name("e"));
      if (random.chance(1, 2))
        text += fmt::format("br_bset[{}, 0, tail{}#]\n", name("o"), s);
      else
        text += fmt::format("br_bset[e0, 0, tail{}#]\n",
                            random.chance(1, 8) ? (s + 1) % 3 : s);  // sometimes into another one
      if (s > 0 && random.chance(2, 3)) text += call(s - 1, 0);
      if (random.chance(1, 10)) text += call(s, 0);  // and sometimes recursion, which never comes back right
      text += fmt::format("alu[{}, --, B, own]\n.end\ntail{}#:\n{}rtn[r{}]", name("o"), s, sum(name("e")), s);
      text += random.chance(1, 3) ? ", defer[1]\n" + sum(name("o")) : "\n";
    }
    INFO(text);
    const auto r = resolved(text);
    matched += calls_in(*r);
    const Program placed = test::placed_program(r->program, r->sources, r->out).program;
    REQUIRE(test::check_static(r->program, placed) == "");
    for (int k = 0; k < 60; ++k) REQUIRE(test::simulate(r->program, placed, random, 800) == "");
  }
  CHECK(matched > 300);
}
