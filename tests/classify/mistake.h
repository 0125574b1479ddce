// A line with a mistake, and what is said of it.
#pragma once

#include <catch2/catch.hpp>

#include "weft/base/diagnostic.h"

namespace weft::control::classify {

struct Mistake {
  const char* line;
  uint32_t column;
  const char* text;
  const char* remedy = "";
};

/// The only diagnostic, of the second line of rules.txt.
inline void check_mistake(const Mistake& m, const Diagnostics& said) {
  REQUIRE(said.size() == 1);
  const Diagnostic& d = *said.begin();
  CHECK(d.range.file->name() == "rules.txt");
  CHECK(d.range.begin.line == 2);
  CHECK(d.range.begin.column == m.column);
  CHECK_THAT(d.text, Catch::Contains(m.text));
  CHECK_THAT(d.remedy, Catch::Contains(m.remedy));
}

}  // namespace weft::control::classify
