// The preprocessor on a corpus with expansions worked out by hand.
#include <catch2/catch.hpp>

#include "preprocess_corpus.h"
#include "weft/base/render.h"

using namespace weft;
using namespace weft::assembler;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (size_t at = 0; at < text.size();) {
    const size_t end = text.find('\n', at);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

TEST_CASE("every case of the corpus expands as worked out by hand") {
  const auto cases = corpus::read("preprocess_cases.txt");
  REQUIRE(cases.size() >= 230);
  for (const corpus::Case& c : cases) {
    Sources sources;
    const Preprocessed p = corpus::run(sources, c);
    INFO(c.name);
    INFO(render_text(p.diagnostics));
    CHECK_FALSE(p.diagnostics.has_errors());
    CHECK(lines_of(print_program(p.program)) == c.expected);
  }
}

TEST_CASE("the printed program, preprocessed again, is the same program") {
  for (const corpus::Case& c : corpus::read("preprocess_cases.txt")) {
    Sources first, second;
    const Preprocessed p = corpus::run(first, c);
    INFO(c.name);
    const std::string text = print_program(p.program);
    const Preprocessed again = corpus::run(second, text);
    CHECK(print_program(again.program) == text);
    REQUIRE(again.program.lines.size() == p.program.lines.size());
    for (size_t i = 0; i < p.program.lines.size(); ++i) {
      const auto& a = p.program.lines[i].tokens;
      const auto& b = again.program.lines[i].tokens;
      REQUIRE(a.size() == b.size());
      for (size_t k = 0; k < a.size(); ++k) {
        CHECK(a[k].kind == b[k].kind);
        CHECK(a[k].text == b[k].text);
      }
    }
  }
}

TEST_CASE("the command line defines names") {
  Sources sources;
  Options options;
  options.defines = {{"SPEED", "3 + 1"}, {"FLAG", ""}};
  const Preprocessed p = preprocess(sources, make_source("main", "#if FLAG\nq SPEED\n#endif\n"), options);
  CHECK(print_program(p.program) == "q 3 + 1\n");
}

TEST_CASE("the chip decides the type") {
  for (const auto& [chip, type] :
       std::map<std::string, std::string>{{"ixp1200", "1"}, {"ixp2400", "2"}, {"ixp2800", "4"}}) {
    Sources sources;
    Options options;
    options.chip = chip;
    const Preprocessed p = preprocess(sources, make_source("main", "#define_eval T __IXPTYPE\nq T\n"), options);
    CHECK(print_program(p.program) == "q " + type + "\n");
  }
}

TEST_CASE("a chip of one's own is of the type of the one on which it is based, or of its profile") {
  const auto type = [](const char* chip, const char* family, isa::Profile profile) {
    Sources sources;
    Options options;
    options.chip = chip;
    options.family = family;
    options.profile = profile;
    return print_program(preprocess(sources, make_source("main", "#define_eval T __IXPTYPE\nq T\n"), options).program);
  };
  CHECK(type("study", "ixp2800", isa::Profile::me2) == "q 4\n");
  CHECK(type("study", "ixp1200", isa::Profile::me1) == "q 1\n");
  CHECK(type("study", "study", isa::Profile::me1) == "q 1\n");
  CHECK(type("study", "study", isa::Profile::me2) == "q 2\n");
}

TEST_CASE("date and time come from the settings") {
  Sources sources;
  PreprocessSettings settings;
  settings.date = 951'827'696;  // 2000-02-29 12:34:56 UTC, a leap day
  const Preprocessed p = corpus::run(sources, std::string("__DATE__ __TIME__\n"), settings);
  CHECK(print_program(p.program) == "\"Feb 29 2000\" \"12:34:56\"\n");
}

TEST_CASE("64-bit arithmetic on request") {
  Sources sources;
  PreprocessSettings settings;
  settings.wide = true;
  const Preprocessed p = corpus::run(sources, std::string("#define_eval A (0xffffffff + 1)\nq A\n"), settings);
  CHECK(print_program(p.program) == "q 4294967296\n");
  // Sources can ask for it.
  const std::string asks = "#ifdef __PREPROC64\nwide\n#else\nnarrow\n#endif\n";
  CHECK(print_program(corpus::run(sources, asks, settings).program) == "wide\n");
  settings.wide = false;
  CHECK(print_program(corpus::run(sources, asks, settings).program) == "narrow\n");
}

TEST_CASE("undefined names count as 0 on request") {
  Sources sources;
  PreprocessSettings settings;
  settings.undefined_is_zero = true;
  const Preprocessed p = corpus::run(sources, std::string("#if NOTHING == 0\nq\n#endif\n"), settings);
  CHECK_FALSE(p.diagnostics.has_errors());
  CHECK(print_program(p.program) == "q\n");
}

TEST_CASE("every file is listed once, in order") {
  corpus::Case c{"", {{"main", "#include \"b\"\n#include \"a\"\n#include \"b\"\n"}, {"a", "x\n"}, {"b", "y\n"}}, {}};
  Sources sources;
  const Preprocessed p = corpus::run(sources, c);
  CHECK(p.files == std::vector<std::string>{"main", "b", "a"});
  CHECK(print_program(p.program) == "y\nx\ny\n");
}

TEST_CASE("a line of a macro is listed at the outermost call, its tokens know the whole way") {
  const std::string text =
      "#define K 5\n"         // 1
      "#macro inner(v)\n"     // 2
      "  alu[v, --, B, K]\n"  // 3
      "#endm\n"               // 4
      "#macro outer(w)\n"     // 5
      "  inner(w)\n"          // 6
      "#endm\n"               // 7
      "nop\n"                 // 8
      "  outer(r1)\n";        // 9
  Sources sources;
  const Preprocessed p = corpus::run(sources, text);
  REQUIRE(p.program.lines.size() == 2);
  CHECK(p.program.lines[0].origin.line == 8);
  const TokenLine& line = p.program.lines[1];
  CHECK(line.origin.line == 9);
  CHECK(line.origin.column == 3);

  // alu: in the body of inner, called in outer, called in the file.
  const Token& alu = line.tokens[0];
  CHECK(alu.origin.line == 3);
  CHECK(alu.origin.column == 3);
  const Diagnostic d = sources.diagnostic(Severity::error, "x", alu.origin, "x");
  REQUIRE(d.notes.size() == 2);
  CHECK(d.notes[0].text == "in expansion of macro 'inner' with arguments r1");
  CHECK(d.notes[0].range.begin == Position{6, 3});
  CHECK(d.notes[1].text == "in expansion of macro 'outer' with arguments r1");
  CHECK(d.notes[1].range.begin == Position{9, 3});

  // r1: written at the outer call, used as v.
  const Token& r1 = line.tokens[2];
  CHECK(r1.text == "r1");
  CHECK(r1.origin.line == 9);
  CHECK(r1.origin.column == 9);
  const Diagnostic e = sources.diagnostic(Severity::error, "x", r1.origin, "x");
  REQUIRE(e.notes.size() == 3);
  CHECK(e.notes[0].text == "used here as 'v'");
  CHECK(e.notes[0].range.begin == Position{3, 7});

  // 5: stands where K is used; the note shows the define.
  const Token& five = line.tokens[9];
  CHECK(five.text == "5");
  CHECK(five.value == 5);
  CHECK(five.origin.line == 3);
  CHECK(five.origin.column == 17);
  const Diagnostic f = sources.diagnostic(Severity::error, "x", five.origin, "x");
  REQUIRE(f.notes.size() == 3);
  CHECK(f.notes[0].text == "in expansion of 'K', defined here");
  CHECK(f.notes[0].range.begin == Position{1, 9});
}

TEST_CASE("a pass of a loop tells its number") {
  Sources sources;
  const Preprocessed p = corpus::run(sources, std::string("#repeat 2\nnop\n#endloop\n#for i [a, b]\nbr\n#endloop\n"));
  REQUIRE(p.program.lines.size() == 4);
  const auto note = [&](size_t line) {
    return sources.diagnostic(Severity::error, "x", p.program.lines[line].tokens[0].origin, "x").notes.at(0).text;
  };
  CHECK(note(0) == "in the loop '#repeat', pass 1");
  CHECK(note(1) == "in the loop '#repeat', pass 2");
  CHECK(note(3) == "in the loop '#for', i = b");
  CHECK(p.program.lines[1].origin.line == 2);
}

TEST_CASE("pragmas and names of macros are handed on") {
  Sources sources;
  const Preprocessed p =
      corpus::run(sources, std::string("#pragma warning(push)\n#pragma warning(pop)\n#macro Abc\n#endm\n"));
  REQUIRE(p.pragmas.size() == 2);
  CHECK(p.pragmas[0].text == "warning(push)");
  CHECK(p.pragmas[1].origin.line == 2);
  CHECK(p.macro_names == std::vector<std::string>{"Abc"});
  CHECK(p.diagnostics.empty());
}
