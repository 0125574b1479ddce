// Which names are offered for a misspelt one, and which fix.
#include "source/suggest.h"

#include <catch2/catch.hpp>

using namespace weft;
using namespace weft::assembler;

namespace {
using Words = std::vector<std::string>;
}

TEST_CASE("Suggestions are near and ranked") {
  CHECK(suggestions("cuont", {"amount", "count", "a"}).names == Words{"count"});
  CHECK(suggestions("counter", {"counters", "counter1", "center"}).names == Words{"counter1", "counters", "center"});
  CHECK(suggestions("raed", {"read", "reads", "swap"}).names == Words{"read"});
  CHECK(suggestions("bar", {"a", "b", "ba"}).names == Words{"ba"});
  CHECK(suggestions("q", {"a", "b"}).names.empty());
  CHECK(suggestions("length", {"lenght", "lengths", "lengt", "lent"}).names.size() == 3);
  CHECK_FALSE(suggestions("", {"a", ""}));
}

TEST_CASE("Names that differ by case alone are near, and the word itself is not offered") {
  CHECK(suggestions("COUNTER", {"counter", "counts"}).names == Words{"counter"});
  CHECK(suggestions("COUNTER", {"counter", "counts"}).certain);
  CHECK_FALSE(suggestions("Counter", {"counter", "COUNTER"}).certain);
  CHECK(suggestions("Cuonter", {"counter", "Counter"}).names == Words{"Counter", "counter"});
  CHECK_FALSE(suggestions("counter", {"counter"}));
}

TEST_CASE("Only a name nearer than all others is certain") {
  CHECK(suggestions("cuont", {"count", "counts"}).certain);
  CHECK_FALSE(suggestions("cont", {"count", "cond"}).certain);
  CHECK(did_you_mean({{"a"}, true}) == "did you mean 'a'?");
  CHECK(did_you_mean({{"a", "b"}, false}) == "did you mean 'a' or 'b'?");
  CHECK(did_you_mean({{"a", "b", "c"}, false}) == "did you mean 'a', 'b' or 'c'?");
}

TEST_CASE("A fix stands where the word is written, and nowhere else") {
  Sources sources;
  const uint32_t file = sources.add_file(make_source("x.uc", "alu[Cuont, 1]\n"));
  const Suggestions near = suggestions("cuont", {"count"});
  Diagnostic d;
  fix_name(d, sources, {file, 1, 5, 9, 0}, "cuont", near);
  REQUIRE(d.fixits.size() == 1);
  CHECK(d.fixits[0].range.begin == Position{1, 5});
  CHECK(d.fixits[0].range.end == Position{1, 10});
  CHECK(d.fixits[0].replacement == "count");
  Diagnostic elsewhere;
  fix_name(elsewhere, sources, {file, 1, 1, 3, 0}, "cuont", near);  // a define brought the name there
  fix_name(elsewhere, sources, {file, 1, 5, 5, 0}, "cuont", {{"count", "mount"}, false});
  CHECK(elsewhere.fixits.empty());
  Diagnostic inserted;
  fix_insert(inserted, sources, {file, 1, 11, 1, 0}, "--");
  REQUIRE(inserted.fixits.size() == 1);
  CHECK(inserted.fixits[0].range.begin == inserted.fixits[0].range.end);
}
