// The formatter: rules by example; and over every program of the repository, tokens and words stay what they were.
#include "weft/assembler/format.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "annotated.h"
#include "golden.h"
#include "source/lexer.h"
#include "weft/assembler/assembler.h"

using namespace weft;
using namespace weft::assembler;
namespace fs = std::filesystem;

namespace {

std::string formatted(const std::string& text) {
  const auto out = format_source(make_source("x.uc", text));
  REQUIRE(out);
  return *out;
}

/// Tokens by logical line: kinds and texts, and the blanks that mean something.
std::vector<std::string> tokens(const std::string& text) {
  Sources sources;
  LexedFile lexed;
  Diagnostics diagnostics;
  lex_file(sources, sources.add_file(make_source("x.uc", text)), lexed, diagnostics);
  std::vector<std::string> out;
  for (const LineRef& line : lexed.lines) {
    std::string row;
    for (const Token* t = line.begin; t != line.end(); ++t) {
      // Blanks at commas and inside of brackets are the formatter's; all others decide what belongs together.
      const bool free = t == line.begin || is_punct(*t, ',') || is_punct(*t, ']') || is_punct(*t, ')') ||
                        is_punct(t[-1], ',') || is_punct(t[-1], '[') || is_punct(t[-1], '(') || is_punct(t[-1], ':');
      if (t != line.begin) row += t->space_before && !free ? " _ " : " ";
      row += std::to_string(static_cast<int>(t->kind)) + std::string(t->text);
    }
    out.push_back(row);
  }
  return out;
}

/// Every comment, without its place.
size_t comments(const std::string& text) {
  return static_cast<size_t>(std::count_if(text.begin(), text.end(), [](char c) { return c == ';' || c == '/'; }));
}

std::string content(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

struct Program {
  fs::path path;
  std::string text;
};

std::vector<Program> programs() {
  std::vector<Program> out;
  for (const char* folder : {"examples", "tests", "lib", "bench", "docs"}) {
    for (const auto& file : fs::recursive_directory_iterator(fs::path(WEFT_SOURCE_DIR) / folder))
      if (file.path().extension() == ".uc" && file.path().parent_path() != golden::folder())
        out.push_back({file.path(), content(file.path())});
  }
  for (const annotated::File& file : annotated::all())  // each case is a program of its own
    for (const annotated::Case& one : file.cases) out.push_back({golden::folder() / (one.name + ".uc"), one.program});
  std::sort(out.begin(), out.end(), [](const Program& a, const Program& b) { return a.path < b.path; });
  return out;
}

void check_text(const std::string& text) {
  const auto once = format_source(make_source("x.uc", text));
  if (!once) return;  // a comment without end
  CHECK(tokens(*once) == tokens(text));
  CHECK(comments(*once) == comments(text));
  const auto twice = format_source(make_source("x.uc", *once));
  REQUIRE(twice);
  CHECK(*twice == *once);
}

}  // namespace

TEST_CASE("Labels, instructions and directives have their columns") {
  CHECK(formatted("  again#:\nalu[a,--,B , b ]\n\t#ifdef X\n.reg   a  b\n#endif\nend#: nop\n") ==
        "again#:\n    alu[a, --, B, b]\n#ifdef X\n    .reg a b\n#endif\nend#: nop\n");
  CHECK(formatted("l#:nop\nm#:\tn#: nop\n") == "l#: nop\nm#: n#: nop\n");
}

TEST_CASE("Blocks are indented, and each branch of a condition anew") {
  CHECK(
      formatted(".if (a)\nnop\n.else\n.while (b)\nnop\n.endw\n.endif\nnop\n") ==
      "    .if (a)\n        nop\n    .else\n        .while (b)\n            nop\n        .endw\n    .endif\n    nop\n");
  CHECK(formatted("#ifdef X\n.if (a)\n#else\n.if (b)\n#endif\nnop\n.endif\n") ==
        "#ifdef X\n    .if (a)\n#else\n    .if (b)\n#endif\n        nop\n    .endif\n");
  CHECK(formatted(".endif\nnop\n") == "    .endif\n    nop\n");
  CHECK(formatted(".begin\n#macro m\nnop\n#endm\nnop\n.end\n") ==
        "    .begin\n#macro m\n    nop\n#endm\n        nop\n    .end\n");
}

TEST_CASE("Comments line up after code and stay where they stand alone") {
  CHECK(formatted("nop ; one\nctx_arb[kill]; two\n\n; left\n  // right\nnop\n") ==
        "    nop            ; one\n    ctx_arb[kill]  ; two\n\n; left\n    // right\n    nop\n");
  CHECK(formatted("/* a\n   b ,c\n*/ nop\nnop /* d */ ; e\n") == "/* a\n   b ,c\n*/ nop\n    nop  /* d */ ; e\n");
}

TEST_CASE("Blank lines and line ends") {
  CHECK(formatted("\n\n\nnop  \r\n\n \n\nnop\n\n\n") == "    nop\n\n    nop\n");
  CHECK(formatted("nop") == "    nop\n");
  CHECK(formatted("").empty());
  CHECK(formatted("; only\n\n\n") == "; only\n");
}

TEST_CASE("Lines that go on move with their beginning") {
  CHECK(formatted("alu[a,\n    --,\n    B, b]\n") == "    alu[a,\n        --,\n        B, b]\n");
  CHECK(formatted("#define X \\\n  1\nnop\n") == "#define X \\\n  1\n    nop\n");
}

TEST_CASE("What may mean something is not touched") {
  CHECK(formatted("#define  F(x)   (x +  1)\n") == "#define  F(x)   (x +  1)\n");
  CHECK(formatted(".block one,two  three\n") == "    .block one,two  three\n");
  CHECK(formatted("br=byte[a, 0, 1, l#]\nbr = byte [a]\n") == "    br=byte[a, 0, 1, l#]\n    br = byte [a]\n");
  CHECK(formatted("f(a/**/b ,c)\n") == "    f(a/**/b ,c)\n");
  CHECK(formatted("f(' a , b ' , \"x ,y\")\n") == "    f(' a , b ', \"x ,y\")\n");
}

TEST_CASE("Blocks deep inside each other make no text that grows with the square of their depth") {
  const auto blocks = [](size_t depth) {
    std::string text;
    for (size_t i = 0; i < depth; ++i) text += ".if (1)\n";
    text += "nop\n.else\nnop\n";
    for (size_t i = 0; i < depth; ++i) text += ".endif\n";
    return text;
  };
  const auto deep = format_source(make_source("x.uc", blocks(20000)));
  REQUIRE(deep);
  CHECK(deep->size() < 200 * 40003);
  const auto near = format_source(make_source("x.uc", blocks(40)));
  REQUIRE(near);
  CHECK(near->find("\n" + std::string(164, ' ') + "nop\n" + std::string(160, ' ') + ".else\n") != std::string::npos);
}

TEST_CASE("A comment without end is refused") { CHECK_FALSE(format_source(make_source("x.uc", "nop /* never\n"))); }

TEST_CASE("Every program keeps its tokens and comments, and is formatted once for all") {
  const auto all = programs();
  CHECK(all.size() > 100);
  for (const Program& program : all) {
    INFO(program.path.string());
    check_text(program.text);
  }
}

TEST_CASE("Every program keeps its words") {
  size_t compared = 0;
  for (const auto& [program, text] : programs()) {
    if (program.string().find("tests/assembler/diagnostics/too_") != std::string::npos) continue;  // seconds each
    INFO(program.string());
    const auto pretty = format_source(make_source("x.uc", text));
    if (!pretty) continue;
    Options options;
    options.include_dirs = {(fs::path(WEFT_SOURCE_DIR) / "lib/microblocks").string(), program.parent_path().string()};
    const Assembly before = assemble(make_source(program.string(), text), options);
    const Assembly after = assemble(make_source(program.string(), *pretty), options);
    CHECK(before.image.has_value() == after.image.has_value());
    CHECK(before.diagnostics.size() == after.diagnostics.size());
    if (!before.image || !after.image) continue;
    CHECK(before.image->words == after.image->words);
    ++compared;
  }
  CHECK(compared >= 20);
}

TEST_CASE("Random cuttings of programs keep their tokens") {
  std::string pieces;
  for (const auto& [program, text] : programs())
    if (program.string().find("microblocks") != std::string::npos) pieces += text;
  uint64_t state = 7;
  for (int round = 0; round < 300; ++round) {
    std::string text;
    for (int k = 0; k < 4; ++k) {
      state = state * 6364136223846793005u + 1442695040888963407u;
      const size_t at = (state >> 20) % pieces.size();
      text += pieces.substr(at, (state >> 50) % 120);
      if (state & 4096) text += '\n';
    }
    INFO(text);
    check_text(text);
  }
}
