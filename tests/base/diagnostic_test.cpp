// Lists of diagnostics that do not end.
#include "weft/base/diagnostic.h"

#include <catch2/catch.hpp>

#include "weft/base/limits.h"

namespace weft {
namespace {

Diagnostics many(size_t count) {
  Diagnostics out;
  for (size_t i = 0; i < count; ++i) out.error("x", whole_file("f"), std::to_string(i)).notes.push_back({{}, "n"});
  return out;
}

}  // namespace

TEST_CASE("only so many messages are kept, and all are counted") {
  Diagnostics out = many(Diagnostics::kKept + 7);
  CHECK(out.size() == Diagnostics::kKept);
  CHECK(out.left_out() == 7);
  CHECK(out.error_count() == Diagnostics::kKept + 7);
  CHECK(out.list().back().text == std::to_string(Diagnostics::kKept - 1));
  CHECK(out.list().back().notes.size() == 1);
  out.warning("w", {}, "w");
  CHECK(out.left_out() == 8);
  CHECK(out.error_count() == Diagnostics::kKept + 7);
}

TEST_CASE("lists that are put together count what each has left out") {
  Diagnostics out = many(4);
  out.append(many(Diagnostics::kKept + 2));
  CHECK(out.size() == Diagnostics::kKept);
  CHECK(out.left_out() == 6);
  CHECK(out.error_count() == Diagnostics::kKept + 6);
  CHECK(out.has_errors());
}

TEST_CASE("after the most errors of one input a reader stops, with a word about it") {
  Diagnostics out = many(limits::kErrors - 1);
  CHECK_FALSE(is_enough(out, whole_file("f")));
  out.error("x", {}, "last");
  CHECK(is_enough(out, whole_file("f")));
  CHECK(out.list().back().code == "input-limit");
  CHECK(is_enough(out, whole_file("f")));
  CHECK(out.error_count() == limits::kErrors + 1);
}

}  // namespace weft
