// The allocator on the programs of examples/, judged by the same simulation as random programs.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "allocator_support.h"
#include "output/late.h"
#include "parser/parser.h"
#include "preprocessor/preprocessor.h"
#include "resolver/resolver.h"
#include "weft/base/files.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

TEST_CASE("the programs of examples/ keep every value in its place") {
  unsigned programs = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(WEFT_SOURCE_DIR "/examples")) {
    if (entry.path().extension() != ".uc") continue;
    CAPTURE(entry.path().string());
    const auto source = read_source(entry.path().string());
    REQUIRE(source);
    Options options;
    options.include_dirs = {WEFT_SOURCE_DIR "/lib/microblocks"};
    Sources sources;
    Preprocessed text = preprocess(sources, *source, options);
    if (text.diagnostics.has_errors()) continue;  // a part that others include
    Diagnostics out;
    const ast::Program tree = parse(text.program, sources, out);
    Program program = resolve(tree, text.program, sources, options, out);
    if (out.has_errors() || program.insns.empty() || program.physical) continue;
    mark_doubled_signals(program);
    const auto [allocation, placed] = test::placed_program(program, sources, out);
    CHECK(test::check_static(program, placed) == "");
    Random random(programs + 1);
    const Numbers numbers(program, allocation);
    for (int k = 0; k < 200; ++k) REQUIRE(test::simulate(program, placed, random, 2000, numbers.vreg) == "");
    ++programs;
  }
  CHECK(programs >= 1);
}

TEST_CASE("random programs with subroutines, return registers and volatile registers keep every value in its place") {
  unsigned returns = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    Random random(seed);
    const auto name = [&](const char* letter, uint64_t n) { return letter + std::to_string(random.below(n)); };
    // Each sum takes one of two disjoint sets, so banks exist.
    const auto work = [&](unsigned lines) {
      std::string out;
      for (unsigned k = 0; k < lines; ++k) {
        switch (random.below(4)) {
          case 0: out += "alu[" + name("e", 5) + ", --, B, " + name("o", 5) + "]\n"; break;
          case 1: out += "alu[" + name("o", 5) + ", --, B, " + name("e", 5) + "]\n"; break;
          default:
            out += "alu[" + name(random.chance(1, 2) ? "e" : "o", 5) + ", " + name("e", 5) + ", +, " + name("o", 5) +
                   "]\n";
            break;
        }
      }
      return out;
    };
    std::string text = ".reg e0 e1 e2 e3 e4 o0 o1 o2 o3 o4 r0 r1\n.reg volatile held\nimmed[held, 5]\n";
    for (unsigned k = 0; k < 5; ++k)
      text += "immed[e" + std::to_string(k) + ", 1]\nimmed[o" + std::to_string(k) + ", 2]\n";
    const unsigned calls = 2 + static_cast<unsigned>(random.below(5));
    for (unsigned c = 0; c < calls; ++c) {
      const std::string at = std::to_string(c), sub = std::to_string(random.below(2));
      text += work(static_cast<unsigned>(random.below(5)));
      if (random.chance(1, 2))
        text += "alu[--, e0, -, o0]\nbeq[skip" + at + "#]\n";
      else
        text += "skip" + at + "#:\n";
      const bool placed = text.ends_with("#:\n");
      const bool defer = random.chance(1, 2);
      text += "load_addr[r" + sub + ", back" + at + "#]\nbr[sub" + sub + "#]" +
              (defer ? ", defer[1]\nalu[e1, e1, +, o1]\n" : "\n");
      text += "back" + at + "#:\n" + work(2);
      if (!placed) text += "skip" + at + "#:\n";
      text += ".begin\n.reg t" + at + "\nalu[t" + at + ", e2, +, o2]\nalu[e3, t" + at + ", +, o3]\n.end\n";
    }
    text += "alu[--, held, +, e0]\nctx_arb[kill]\n";
    for (unsigned s = 0; s < 2; ++s) {
      text += "sub" + std::to_string(s) + "#:\n.begin\n.reg own\n" + work(3) +
              "alu[own, e4, +, o4]\nalu[e0, --, B, own]\n.end\n";
      // The first may call the second.
      if (s == 0 && random.chance(1, 2)) text += "load_addr[r1, inner#]\nbr[sub1#]\ninner#:\n";
      text += "rtn[r" + std::to_string(s) + "]\n";
    }
    INFO(text);
    Options options;
    Sources sources;
    Preprocessed lines = preprocess(sources, make_source("sub.uc", text), options);
    Diagnostics out;
    const ast::Program tree = parse(lines.program, sources, out);
    Program program = resolve(tree, lines.program, sources, options, out);
    mark_doubled_signals(program);
    const Program placed = test::placed_program(program, sources, out).program;
    REQUIRE(test::check_static(program, placed) == "");
    for (int k = 0; k < 40; ++k) REQUIRE(test::simulate(program, placed, random, 600) == "");
    for (const IrInsn& insn : program.insns) returns += insn.insn.id == isa::InsnId::rtn;
  }
  CHECK(returns == 120);
}

TEST_CASE("four contexts have 32 registers of each bank, eight have 16") {
  std::string text;
  for (int k = 0; k < 31; ++k) text += fmt::format(".reg e{0} o{0}\nimmed[e{0}, {0}]\nimmed[o{0}, {0}]\n", k);
  for (int k = 0; k < 31; ++k) text += fmt::format("alu[e{0}, e{0}, +, o{0}]\n", k);
  for (int k = 0; k < 31; ++k) text += fmt::format("alu[--, --, B, e{}]\n", k);
  text += "ctx_arb[kill]\n";
  const Assembly four = assemble(make_source("four.uc", ".num_contexts 4\n" + text), Options{});
  INFO(render_text(four.diagnostics));
  REQUIRE(four.image);
  uint32_t highest = 0;
  for (uint64_t word : four.image->words) highest = std::max(highest, isa::decode(isa::Profile::me2, word)->dest.value);
  CHECK(highest >= 16);
  CHECK(highest < 32);
  CHECK(!assemble(make_source("eight.uc", text), Options{}).image);
}
