// Places in source text, and lists of diagnostics.
#include "weft/base/source.h"

#include <catch2/catch.hpp>

#include "weft/base/diagnostic.h"

using namespace weft;

TEST_CASE("lines and columns count from 1, columns in bytes") {
  const SourceFile file("f", "ab\ncd\xc3\xa4\n\nx");
  CHECK(file.line_count() == 4);
  CHECK(file.position(0) == Position{1, 1});
  CHECK(file.position(1) == Position{1, 2});
  CHECK(file.position(2) == Position{1, 3});  // the line end belongs to its line
  CHECK(file.position(3) == Position{2, 1});
  CHECK(file.position(6) == Position{2, 4});  // second byte of the umlaut
  CHECK(file.position(8) == Position{3, 1});
  CHECK(file.position(9) == Position{4, 1});
  CHECK(file.position(10) == Position{4, 2});  // the end of the text
}

TEST_CASE("lines come without their line ends") {
  const SourceFile file("f", "one\r\ntwo\n\nfour\r");
  CHECK(file.line(1) == "one");
  CHECK(file.line(2) == "two");
  CHECK(file.line(3) == "");
  CHECK(file.line(4) == "four");
  CHECK(file.line(0) == "");
  CHECK(file.line(5) == "");
}

TEST_CASE("a last line end begins no further line") {
  CHECK(SourceFile("f", "a\n").line_count() == 1);
  CHECK(SourceFile("f", "a\n\n").line_count() == 2);
  CHECK(SourceFile("f", "").line_count() == 1);
  CHECK(SourceFile("f", "").position(0) == Position{1, 1});
}

TEST_CASE("a range without a file says nothing, one of a whole file names it") {
  CHECK_FALSE(SourceRange{});
  const SourceRange whole = whole_file("missing.uc");
  CHECK(whole);
  CHECK(whole.file->name() == "missing.uc");
  CHECK(whole.begin.line == 0);
}

TEST_CASE("diagnostics count errors only") {
  Diagnostics list;
  CHECK(list.empty());
  list.warning("w", {}, "careful");
  CHECK_FALSE(list.has_errors());
  list.error("e", {}, "wrong", "do it right");
  CHECK(list.has_errors());
  CHECK(list.error_count() == 1);
  CHECK(list.size() == 2);

  Diagnostics more;
  more.error("f", {}, "worse");
  list.append(std::move(more));
  CHECK(list.error_count() == 2);
  CHECK(list.list()[1].remedy == "do it right");
  CHECK(list.list()[2].code == "f");
}

TEST_CASE("fail gives a result without a value") {
  const auto give = []() -> Result<int> { return fail("code", {}, "text", "remedy"); };
  const Result<int> result = give();
  REQUIRE_FALSE(result);
  REQUIRE(result.error().size() == 1);
  CHECK(result.error().list()[0].code == "code");
  CHECK(result.error().list()[0].severity == Severity::error);
}
