// What the preprocessor says about wrong input: code, place and text, and no more than that.
#include <catch2/catch.hpp>

#include "preprocess_corpus.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

namespace {

std::string place(const SourceRange& range) {
  if (!range.file) return "-";
  return range.file->name() + ":" + std::to_string(range.begin.line) + ":" + std::to_string(range.begin.column);
}

/// The diagnostics in the form of the corpus: one line each, and one for every note.
std::vector<std::string> summary(const Diagnostics& diagnostics) {
  std::vector<std::string> lines;
  for (const Diagnostic& d : diagnostics) {
    const char* severity = d.severity == Severity::error     ? "error"
                           : d.severity == Severity::warning ? "warning"
                                                             : "info";
    lines.push_back(std::string(severity) + " " + d.code + " " + place(d.range) + " " + d.text +
                    (d.remedy.empty() ? "" : " | " + d.remedy));
    for (const Note& n : d.notes) lines.push_back("note " + place(n.range) + " " + n.text);
  }
  return lines;
}

/// `expected` up to its place must begin the line, the rest of it must occur in the line.
bool fits(const std::string& line, const std::string& expected) {
  size_t end = 0;
  const int words = expected.rfind("note ", 0) == 0 ? 2 : 3;
  for (int i = 0; i < words; ++i) end = expected.find(' ', end) + 1;
  const std::string head = expected.substr(0, end), rest = expected.substr(end);
  return line.rfind(head, 0) == 0 && line.find(rest, end - 1) != std::string::npos;
}

}  // namespace

TEST_CASE("every wrong input is reported as worked out by hand, and nothing more") {
  const auto cases = corpus::read("preprocess_errors.txt");
  REQUIRE(cases.size() >= 40);
  for (const corpus::Case& c : cases) {
    Sources sources;
    const Preprocessed p = corpus::run(sources, c);
    const std::vector<std::string> lines = summary(p.diagnostics);
    INFO(c.name);
    INFO(render_text(p.diagnostics));
    CHECK(lines.size() == c.expected.size());
    for (size_t i = 0; i < std::min(lines.size(), c.expected.size()); ++i) {
      INFO(lines[i] + "\n" + c.expected[i]);
      CHECK(fits(lines[i], c.expected[i]));
    }
  }
}

TEST_CASE("the ranges cover the token that is wrong") {
  Sources sources;
  const Preprocessed p = corpus::run(sources, std::string("#if  MISSING == 1\n#endif\n"));
  REQUIRE(p.diagnostics.size() == 1);
  CHECK(p.diagnostics.list()[0].range.begin == Position{1, 6});
  CHECK(p.diagnostics.list()[0].range.end == Position{1, 13});
}

namespace {

/// The code of the last diagnostic; it must be the only error of its kind.
std::string last_error(const std::string& text, PreprocessSettings settings = {}) {
  Sources sources;
  const Preprocessed p = corpus::run(sources, text, settings);
  INFO(render_text(p.diagnostics).substr(0, 2000));
  REQUIRE(p.diagnostics.error_count() == 1);
  return p.diagnostics.list().back().code;
}

}  // namespace

TEST_CASE("macros, includes, loops and texts that never end are stopped with one error") {
  CHECK(last_error("#macro f\nf\n#endm\nf\n") == "pp-macro-too-deep");
  CHECK(last_error("#macro f(a)\ng(a)\n#endm\n#macro g(a)\nf(a)\nf(a)\n#endm\nf(1)\n") == "pp-macro-too-deep");
  CHECK(last_error("#include \"main\"\n") == "pp-include-too-deep");
  CHECK(last_error("#while 1\n#endloop\n") == "pp-endless-loop");
  CHECK(last_error("#while 1\nnop\n#endloop\n") == "pp-endless-loop");
  CHECK(last_error("#repeat 2000000000\n#endloop\n") == "pp-endless-loop");
  CHECK(last_error("#repeat 60000\n#repeat 60000\n#endloop\n#endloop\n") == "pp-too-much-work");
  CHECK(last_error("#repeat 60000\n#repeat 60000\nnop\n#endloop\n#endloop\n") == "pp-too-many-lines");
  CHECK(last_error("#define_eval T 'ab'\n#while 1\n#define_eval T 'T T'\n#endloop\n") == "pp-text-too-long");
  CHECK(last_error("#define a b/**/c\n#define bc a\nq a\n") == "pp-endless-join");
}

TEST_CASE("what ends a loop with too many passes depends on its kind") {
  const auto remedy = [](const std::string& text) {
    Sources sources;
    return corpus::run(sources, text).diagnostics.list().back().remedy;
  };
  CHECK(remedy("#repeat (70000)\n#endloop\n") == "put a loop into a loop: each may have so many passes");
  CHECK(remedy("#while 1\n#endloop\n") == "change in the loop what its condition looks at, with #define_eval");
}

TEST_CASE("a folder is no file to include") {
  Sources sources;
  const Preprocessed p =
      preprocess(sources, make_source("main", "#include \"" WEFT_SOURCE_DIR "/docs\"\nnop\n"), Options{});
  REQUIRE(p.diagnostics.size() == 1);
  CHECK(p.diagnostics.list()[0].code == "pp-include-missing");
  CHECK(p.diagnostics.list()[0].text == "'" WEFT_SOURCE_DIR "/docs' is a folder, not a file");
  CHECK(p.diagnostics.list()[0].remedy == "name a file");
}

TEST_CASE("a macro that doubles its calls is stopped") {
  std::string text = "#macro m0\nnop\n#endm\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string inner = "m" + std::to_string(i - 1) + "\n";
    text += "#macro m" + std::to_string(i) + "\n" + inner + inner + "#endm\n";
  }
  CHECK(last_error(text + "m40\n") == "pp-too-many-lines");
}

TEST_CASE("defines that double each other are stopped") {
  std::string text = "#define d0 x\n", arguments = "#define F(x) x x\nq ";
  for (int i = 1; i <= 60; ++i) {
    const std::string inner = "d" + std::to_string(i - 1);
    text += "#define d" + std::to_string(i) + " " + inner + " " + inner + "\n";
  }
  CHECK(last_error(text + "q d60\n") == "pp-line-too-long");
  CHECK(last_error("#macro m(x)\nm(x x)\n#endm\nm(a)\n") == "pp-line-too-long");
  for (int i = 0; i < 60; ++i) arguments += "F(";
  CHECK(last_error(arguments + "1" + std::string(60, ')') + "\n") == "pp-line-too-long");
}

TEST_CASE("deeply nested expressions are refused, not a crash") {
  CHECK(last_error("#if " + std::string(100'000, '(') + "1" + std::string(100'000, ')') + "\n#endif\n") ==
        "pp-expression-too-deep");
  CHECK(last_error("#if " + std::string(100'000, '!') + "1\n#endif\n") == "pp-expression-too-deep");
  std::string calls = "#if ";
  for (int i = 0; i < 20'000; ++i) calls += "log2(";
  CHECK(last_error(calls + "1" + std::string(20'000, ')') + "\n#endif\n") == "pp-expression-too-deep");
  std::string choices = "#if ";
  for (int i = 0; i < 20'000; ++i) choices += "1?";
  CHECK(last_error(choices + "1\n#endif\n") == "pp-expression-too-deep");
  std::string defines = "#define F(x) x\nq ";
  for (int i = 0; i < 20'000; ++i) defines += "F(";
  CHECK(last_error(defines + "1" + std::string(20'000, ')') + "\n") == "pp-expansion-too-deep");
}

TEST_CASE("after many errors it stops") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "#oops\n";
  Sources sources;
  const Preprocessed p = corpus::run(sources, text);
  CHECK(p.diagnostics.error_count() == 101);
  CHECK(p.diagnostics.list().back().code == "pp-too-many-errors");
}

TEST_CASE("long lines, repeated, do not fill the memory") {
  PreprocessSettings settings;
  settings.tokens = 1000;
  Sources sources;
  const Preprocessed fits = corpus::run(sources, "#repeat 100\nq 2 3 4 5 6 7 8 9 10\n#endloop\n", settings);
  CHECK(fits.diagnostics.empty());
  CHECK(fits.program.lines.size() == 100);
  const Preprocessed out = corpus::run(sources, "#repeat 200\nq 2 3 4 5 6 7 8 9 10\n#endloop\nq\n", settings);
  REQUIRE(out.diagnostics.size() == 1);
  CHECK(out.diagnostics.list()[0].code == "pp-too-many-lines");
  CHECK(out.diagnostics.list()[0].text == "the expanded program has more than 1000 tokens");
  CHECK(out.program.lines.size() == 100);
}
