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
  for (size_t i = 0; i < Diagnostics::kKept + 1; ++i) out.warning("w", {}, "w");
  CHECK(out.size() == 2 * Diagnostics::kKept);
  CHECK(out.left_out() == 8);
  CHECK(out.error_count() == Diagnostics::kKept + 7);
}

TEST_CASE("an error has a place, however many warnings come before it") {
  Diagnostics out;
  for (size_t i = 0; i < Diagnostics::kKept + 5; ++i) out.warning("w", whole_file("f"), std::to_string(i));
  out.error("x", whole_file("f"), "one").notes.push_back({{}, "n"});
  out.error("x", whole_file("f"), "two");
  out.warning("w", whole_file("f"), "last");
  CHECK(out.size() == Diagnostics::kKept + 2);
  CHECK(out.left_out() == 6);
  CHECK(out.error_count() == 2);
  CHECK(out.list()[Diagnostics::kKept - 1].text == std::to_string(Diagnostics::kKept - 1));
  CHECK(out.list()[Diagnostics::kKept].text == "one");
  CHECK(out.list()[Diagnostics::kKept].notes.size() == 1);
  CHECK(out.list().back().text == "two");
}

TEST_CASE("a list that is changed counts what was left out before") {
  Diagnostics out = many(Diagnostics::kKept + 7);
  out = out.changed([](Diagnostic& d) { d.code = "y"; });
  CHECK(out.list().back().code == "y");
  CHECK(out.left_out() == 7);
  CHECK(out.error_count() == Diagnostics::kKept + 7);

  Diagnostics few;
  for (const char* text : {"a", "b", "c"}) few.warning("w", {}, text);
  few = few.changed([](Diagnostic& d) {
    if (d.text == "b") d.severity = Severity::error;
    return d.text != "a";
  });
  CHECK(few.size() == 2);
  CHECK(few.left_out() == 0);
  CHECK(few.error_count() == 1);
}

TEST_CASE("the first messages of a list are its errors, in their place") {
  Diagnostics out;
  for (const char* text : {"a", "b", "c"}) out.warning("w", {}, text);
  out.error("x", {}, "d");
  out.warning("w", {}, "e");
  const auto texts = [](const Diagnostics& list) {
    std::string all;
    for (const Diagnostic& d : list) all += d.text;
    return all;
  };
  CHECK(texts(out.first(3)) == "abd");
  CHECK(out.first(3).left_out() == 2);
  CHECK(out.first(3).has_errors());
  CHECK(texts(out.first(9)) == "abcde");
  CHECK(out.first(9).left_out() == 0);
  CHECK(texts(many(5).first(2)) == "01");
  CHECK(many(5).first(2).error_count() == 5);
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
