// Pins: what a pin file can say, and what it cannot. The published allocation itself is in oracle_test.cpp.
#include <catch2/catch.hpp>

#include "weft/assembler/assembler.h"
#include "weft/base/render.h"
#include "weft/isa/isa.h"

using namespace weft;
using namespace weft::assembler;

namespace {

constexpr const char* kProgram =
    ".reg temp other @count $x\n.sig done\n"
    "immed[temp, 1]\n"                                   // 0
    "alu[other, temp, +, 1]\n"                           // 1
    "immed[temp, 2]\n"                                   // 2: another live range of temp
    "alu[$x, temp, +, other]\n"                          // 3
    "scratch[write, $x, other, 0, 1], ctx_swap[done]\n"  // 4
    "alu[@count, --, B, other]\n"                        // 5
    "ctx_arb[kill]\n";

Assembly pinned(const std::string& pins, const std::string& text = kProgram) {
  Options options;
  options.pins = make_source("p.pins", pins);
  return assemble(make_source("p.uc", text), options);
}

std::vector<std::string> words(const std::string& pins) {
  const Assembly a = pinned(pins);
  INFO(pins << render_text(a.diagnostics));
  REQUIRE(a.image);
  std::vector<std::string> out;
  for (uint64_t w : a.image->words)
    out.push_back(isa::print(isa::Profile::me2, *isa::decode(isa::Profile::me2, w), isa::PrintNames()));
  return out;
}
std::string code(const std::string& pins) {
  const Assembly a = pinned(pins);
  CHECK(!a.image);
  for (const Diagnostic& d : a.diagnostics) {
    if (d.severity == Severity::error) return d.code;
  }
  return "";
}

}  // namespace

TEST_CASE("pins: each live range of a name has its own register") {
  const auto out = words(
      "# two lives of one name\ntemp d0 b7   # the first\ntemp d2 a13\nother * b3\n$x s4 $9\ndone * s11\n@count * "
      "@a40\n");
  CHECK(out[0] == "immed[b7, 1]");
  CHECK(out[1] == "alu[b3, b7, +, 1]");
  CHECK(out[2] == "immed[a13, 2]");
  CHECK(out[3] == "alu[$9, a13, +, b3]");
  CHECK(out[4].find("$9") != std::string::npos);
  CHECK(out[4].find("s11") != std::string::npos);
  CHECK(out[5].find("@a40") != std::string::npos);
}

TEST_CASE("pins: a live range is found by its source line, as a source or as a destination") {
  const auto out = words("TEMP s:4 a5\ntemp :5 b6\n");
  CHECK(out[0] == "immed[a5, 1]");
  CHECK(out[2] == "immed[b6, 2]");
}

TEST_CASE("pins: what cannot be is refused where it stands") {
  CHECK(code("temp d0\n") == "asm-pin-form");
  CHECK(code("temp here a5\n") == "asm-pin-form");
  CHECK(code("temp d0 c5\n") == "asm-pin-form");
  CHECK(code("temp d0 @a200\n") == "asm-pin-form");
  CHECK(code("temp d1 a5\n") == "asm-pin-unmatched");
  CHECK(code("nobody * a5\n") == "asm-pin-unmatched");
  CHECK(code("temp * $5\n") == "asm-pin-unmatched");
  CHECK(code("temp d0 a5\ntemp s1 a6\n") == "asm-pin-conflict");
  CHECK(code("temp d2 a5\nother * a6\n") == "asm-bank-conflict");  // both sources of word 3 in one bank
  CHECK(code("temp d2 a5\nother * b5\ntemp d0 a16\n") == "asm-pin-conflict");
  const Assembly a = pinned("other * b2\n\n  temp d1 a5\n");
  REQUIRE(a.diagnostics.size() == 1);
  CHECK(a.diagnostics.list()[0].range.begin == Position{3, 3});
}

TEST_CASE("pins: with -C names that differ by case are different names") {
  Options options;
  options.case_sensitive = true;
  options.pins = make_source("p.pins", "x * b5\nX * a3\n");
  const Assembly a =
      assemble(make_source("p.uc", ".reg x X\nimmed[x, 1]\nimmed[X, 2]\nalu[--, x, +, X]\nctx_arb[kill]\n"), options);
  INFO(render_text(a.diagnostics));
  REQUIRE(a.image);
  CHECK(isa::print(isa::Profile::me2, *isa::decode(isa::Profile::me2, a.image->words[2]), isa::PrintNames()) ==
        "alu[--, b5, +, a3]");
}
