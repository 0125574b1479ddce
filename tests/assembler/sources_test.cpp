// Where a token came from, told as notes.
#include <catch2/catch.hpp>
#include <functional>

#include "source/token.h"

using namespace weft;
using namespace weft::assembler;

namespace {

/// A hundred calls of m, each inside of the one before, from these lines.
uint32_t calls_in_calls(Sources& sources, uint32_t file, const std::function<uint32_t(uint32_t)>& line) {
  uint32_t id = 0;
  for (uint32_t i = 0; i < 100; ++i) {
    Expansion e;
    e.name = "m";
    e.call = {file, line(i), 1, 1, id};
    id = sources.add_expansion(e);
  }
  return id;
}

}  // namespace

TEST_CASE("a diagnostic of a token in a macro tells the calls, innermost first, then the includes") {
  Sources sources;
  const uint32_t main = sources.add_file(make_source("main.uc", "#include \"lib.uc\"\n"));
  const uint32_t lib = sources.add_file(make_source("lib.uc", "inner(q)\nouter(x, 3)\n"), {main, 1, 1, 8, 0});

  Expansion outer;
  outer.name = "outer";
  outer.call = {lib, 2, 1, 5, 0};
  outer.arguments = {"x", "3"};
  const uint32_t outer_id = sources.add_expansion(outer);
  Expansion inner;
  inner.name = "inner";
  inner.call = {lib, 1, 1, 5, outer_id};
  const uint32_t inner_id = sources.add_expansion(inner);

  const Diagnostic d =
      sources.diagnostic(Severity::error, "asm-test", {lib, 1, 7, 1, inner_id}, "this is wrong", "do it otherwise");
  CHECK(d.code == "asm-test");
  CHECK(d.range.file->name() == "lib.uc");
  CHECK(d.range.begin == Position{1, 7});
  CHECK(d.range.end == Position{1, 8});
  CHECK(d.remedy == "do it otherwise");
  REQUIRE(d.notes.size() == 3);
  CHECK(d.notes[0].text == "in expansion of macro 'inner'");
  CHECK(d.notes[0].range.begin == Position{1, 1});
  CHECK(d.notes[1].text == "in expansion of macro 'outer' with arguments x, 3");
  CHECK(d.notes[1].range.begin == Position{2, 1});
  CHECK(d.notes[2].text == "included from here");
  CHECK(d.notes[2].range.file->name() == "main.uc");
}

TEST_CASE("a long expansion chain is cut and says so") {
  Sources sources;
  const uint32_t file = sources.add_file(make_source("deep.uc", "m\n"));
  const uint32_t id = calls_in_calls(sources, file, [](uint32_t i) { return i + 1; });
  const Diagnostic d = sources.diagnostic(Severity::error, "asm-test", {file, 1, 1, 1, id}, "deep");
  REQUIRE(d.notes.size() == 9);
  CHECK(d.notes[6].range.begin.line == 94);
  CHECK(d.notes[7].text == "and 92 more between");
  CHECK(d.notes[8].range.begin.line == 1);
}

TEST_CASE("a macro that calls itself is shown once, with the call from outside") {
  Sources sources;
  const uint32_t file = sources.add_file(make_source("self.uc", "m\n"));
  const uint32_t id = calls_in_calls(sources, file, [](uint32_t i) { return i == 0 ? 7 : 2; });
  const Diagnostic d = sources.diagnostic(Severity::error, "asm-test", {file, 1, 1, 1, id}, "self");
  REQUIRE(d.notes.size() == 3);
  CHECK(d.notes[0].range.begin.line == 2);
  CHECK(d.notes[1].text == "and 98 more of the same: it calls itself");
  CHECK(d.notes[2].range.begin.line == 7);
}

TEST_CASE("kept text stays where it is while more is kept") {
  Sources sources;
  const std::string_view first = sources.keep("short");
  const char* place = first.data();
  for (int i = 0; i < 10000; ++i) sources.keep(std::to_string(i));
  CHECK(first.data() == place);
  CHECK(first == "short");
}
