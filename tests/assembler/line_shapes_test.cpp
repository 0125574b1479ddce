// Lines of one shape share one tree: each must still be read with its own words and places.
#include <catch2/catch.hpp>
#include <memory>

#include "parser/parser.h"
#include "preprocessor/preprocessor.h"

using namespace weft;
using namespace weft::assembler;

namespace {

ast::Program read(const std::string& text, Diagnostics& diagnostics) {
  // The tree points into the sources, so they stay.
  static std::vector<std::unique_ptr<Sources>> kept;
  kept.push_back(std::make_unique<Sources>());
  Preprocessed tokens = preprocess(*kept.back(), make_source("test.uc", text), Options());
  return parse(tokens.program, *kept.back(), diagnostics);
}

}  // namespace

TEST_CASE("lines of equal shape keep their own words, numbers and places") {
  Diagnostics diagnostics;
  const ast::Program tree = read(
      "first#: alu[a, b, AND, 1]\n  second#: alu_shf[cc, d, OR, 0x20]\nnop\n"
      "third#: alu[e, f, XOR, 3]\n",
      diagnostics);
  CHECK(diagnostics.empty());
  REQUIRE(tree.lines.size() == 4);
  const auto& first = tree.lines[0];
  const auto& second = tree.lines[1];
  CHECK(first.labels[0].name == "first#");
  CHECK(second.labels[0].name == "second#");
  CHECK(tree.lines[3].labels[0].name == "third#");
  CHECK(first.instruction->mnemonic == "alu");
  CHECK(second.instruction->mnemonic == "alu_shf");
  CHECK(second.instruction->operands[0].expr.text == "cc");
  CHECK(second.instruction->operands[2].expr.text == "OR");
  CHECK(second.instruction->operands[3].expr.value == 0x20);
  CHECK(second.instruction->operands[3].expr.origin.line == 2);
  CHECK(second.instruction->operands[3].expr.origin.column == 31);
  CHECK(first.instruction->operands[3].expr.value == 1);
  CHECK(first.instruction->operands[3].expr.origin.line == 1);
  CHECK(tree.lines[3].instruction->operands[3].expr.value == 3);
  CHECK(tree.lines[3].index == 3);
}

TEST_CASE("each line of a wrong shape is reported at its own place") {
  Diagnostics diagnostics;
  const ast::Program tree = read("alu[a b]\nnop\n    alu[c d]\n", diagnostics);
  REQUIRE(tree.lines.size() == 3);
  CHECK((tree.lines[0].wrong && !tree.lines[1].wrong && tree.lines[2].wrong));
  REQUIRE(diagnostics.size() == 2);
  CHECK(diagnostics.list()[0].range.begin == Position{1, 7});
  CHECK(diagnostics.list()[1].range.begin == Position{3, 11});
  CHECK(diagnostics.list()[1].text.find("'d'") != std::string::npos);
}

TEST_CASE("more shapes than are kept change nothing") {
  // Line n has n additions; together far more tokens than the parser keeps, and every shape comes twice.
  std::string text;
  for (int round = 0; round < 2; ++round) {
    for (int n = 1; n <= 500; ++n) {
      text += "immed[r" + std::to_string(n) + ", (" + std::to_string(n);
      for (int i = 0; i < n; ++i) text += "+r" + std::to_string(i);
      text += ")]\n";
    }
  }
  Diagnostics diagnostics;
  const ast::Program tree = read(text, diagnostics);
  CHECK(diagnostics.empty());
  REQUIRE(tree.lines.size() == 1000);
  bool right = true;
  for (int line = 0; line < 1000; ++line) {
    const int n = line % 500 + 1;
    const auto& operands = tree.lines[static_cast<size_t>(line)].instruction->operands;
    right = right && operands[0].expr.text == "r" + std::to_string(n);
    const ast::Expr* e = &operands[1].expr;
    for (int i = n; i-- > 0; e = &e->args[0]) {
      right = right && e->kind == ast::Expr::Kind::binary && e->args[1].text == "r" + std::to_string(i);
    }
    right = right && e->value == n;
  }
  CHECK(right);
}
