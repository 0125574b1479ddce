// JSON in which every value knows its place.
#include "weft/base/json.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "weft/base/limits.h"

using namespace weft;

namespace {

JsonDocument parse(std::string text) {
  auto document = JsonDocument::parse(make_source("t.json", std::move(text)));
  REQUIRE(document);
  return std::move(*document);
}

/// What is said of a text, which is one thing.
Diagnostic refused(const char* text) {
  const auto document = JsonDocument::parse(make_source("t.json", text));
  REQUIRE_FALSE(document);
  REQUIRE(document.error().size() == 1);
  return document.error().list()[0];
}

}  // namespace

TEST_CASE("every value has its line and column") {
  const JsonDocument document = parse(
      "{ // comment\n"
      "  \"name\": \"x\", /* more */\n"
      "  \"list\": [1,\n"
      "     {\"a/b\": true}],\n"
      "  \"t~\": false\n"
      "}\n");
  const JsonNode root = document.root();
  CHECK(root.range().begin == Position{1, 1});
  CHECK(root.range().end == Position{6, 2});
  CHECK(root.get("name").range().begin == Position{2, 11});
  CHECK(root.get("name").range().end == Position{2, 14});
  const auto items = root.get("list").items();
  REQUIRE(items.size() == 2);
  CHECK(items[0].range().begin == Position{3, 12});
  CHECK(items[1].get("a/b").range().begin == Position{4, 14});
  CHECK(items[1].get("a/b").path() == "/list/1/a~1b");
  CHECK(root.get("t~").range().begin == Position{5, 9});
  CHECK(root.has("t~"));
}

TEST_CASE("kinds and absent values") {
  const JsonDocument document = parse("{\"o\": {}, \"a\": [], \"s\": \"\", \"n\": 1.5, \"b\": false}");
  const JsonNode root = document.root();
  CHECK(root.is_object());
  CHECK(root.get("o").is_object());
  CHECK(root.get("a").is_array());
  CHECK(root.get("s").is_string());
  CHECK(root.get("n").is_number());
  CHECK_FALSE(root.has("x"));
  CHECK(root.get("x").is_null());
  CHECK(root.get("x").get("y").items().empty());
  CHECK(root.members().size() == 5);
  CHECK(root.members()[0].first == "a");
}

TEST_CASE("whole numbers with units and bounds") {
  const JsonDocument document = parse(
      "{\"a\": 5, \"b\": \"0x1000\", \"c\": \"64K\", \"d\": \"2m\", \"e\": -1, \"f\": 1.5, \"g\": \"12q\", \"h\": 300, "
      "\"i\": \"\", "
      "\"j\": \"18446744073709551615G\", \"k\": \"1G\"}");
  const JsonNode root = document.root();
  Diagnostics out;
  CHECK(root.get("a").u64(out) == 5);
  CHECK(root.get("b").u64(out) == 0x1000);
  CHECK(root.get("c").u64(out) == 65536);
  CHECK(root.get("d").u64(out) == 2 * 1024 * 1024);
  CHECK(root.get("k").u64(out) == 1024 * 1024 * 1024);
  CHECK(root.get("absent").u64(out, 0, 10, 7) == 7);
  CHECK(out.empty());
  for (const char* bad : {"e", "f", "g", "i", "j"}) {
    Diagnostics wrong;
    INFO(bad);
    CHECK(root.get(bad).u64(wrong, 0, UINT64_MAX, 9) == 9);
    REQUIRE(wrong.size() == 1);
    CHECK(wrong.list()[0].code == "json-wrong-value");
    CHECK(wrong.list()[0].range.begin == root.get(bad).range().begin);
  }
  Diagnostics range;
  CHECK(root.get("h").u64(range, 1, 255, 9) == 9);
  REQUIRE(range.size() == 1);
  CHECK(range.list()[0].text == "300 is out of range; allowed is 1 to 255");
}

TEST_CASE("values of the wrong kind are reported and the reading goes on") {
  const JsonDocument document = parse("{\"s\": 1, \"n\": \"x\", \"b\": 0}");
  const JsonNode root = document.root();
  Diagnostics out;
  CHECK(root.get("s").string(out, "d") == "d");
  CHECK(root.get("n").number(out, 2.5) == 2.5);
  CHECK(root.get("b").boolean(out, true));
  CHECK(out.error_count() == 3);
  CHECK(root.get("none").string(out, "d") == "d");
  CHECK(out.error_count() == 3);
}

TEST_CASE("a comment ends where the parser ends it") {
  for (const char end : {'\n', '\r', '\0'}) {
    const std::string text = std::string("{\"a\"://") + end + " 5}";
    const auto document = JsonDocument::parse(make_source("a.json", text));
    REQUIRE(document);
    Diagnostics out;
    CHECK(document->root().get("a").u64(out, 0, 9) == 5);
  }
}

TEST_CASE("a number that is too large is reported at its place") {
  const auto document = JsonDocument::parse(make_source("a.json", "{\n  \"rate\": 1e999\n}\n"));
  REQUIRE_FALSE(document);
  const Diagnostic& d = *document.error().begin();
  CHECK(d.code == "json-syntax");
  CHECK(d.text == "not valid JSON: the number '1e999' is too large");
  CHECK(d.range.begin.line == 2);
  CHECK(d.range.begin.column == 11);
}

TEST_CASE("a document over another one: members are joined, and each value stands where it was written") {
  const JsonDocument base = *JsonDocument::parse(make_source("base.json", R"({"a": 1,
 "b": {"x": {"value": 1, "source": "s"}, "y": 2},
 "c": [1, 2, 3], "d/e": {"f": 4}})"));
  const JsonDocument own = *JsonDocument::parse(make_source("own.json", R"(


{"b": {"x": {"value": 5}, "z": 6}, "c": [7], "d/e": {"g": 8}})"));
  const auto out = own.over(base, [](const JsonNode& node) { return node.has("value"); });
  CHECK(out.root().raw() ==
        nlohmann::json::parse(
            R"({"a": 1, "b": {"x": {"value": 5}, "y": 2, "z": 6}, "c": [7], "d/e": {"f": 4, "g": 8}})"));
  const auto stands = [](const JsonNode& node, const char* file, uint32_t line) {
    INFO(node.path());
    REQUIRE(node.range().file);
    CHECK(node.range().file->name() == file);
    CHECK(node.range().begin.line == line);
  };
  const JsonNode root = out.root(), b = root.get("b");
  stands(root, "own.json", 4);
  stands(root.get("a"), "base.json", 1);
  stands(b, "own.json", 4);
  stands(b.get("x"), "own.json", 4);
  stands(b.get("x").get("value"), "own.json", 4);
  stands(b.get("y"), "base.json", 2);
  stands(b.get("z"), "own.json", 4);
  stands(root.get("c").items().at(0), "own.json", 4);
  stands(root.get("d/e").get("f"), "base.json", 3);
  stands(root.get("d/e").get("g"), "own.json", 4);
  // Three deep: what the middle one says keeps its place, too.
  const JsonDocument last = *JsonDocument::parse(make_source("last.json", R"({"b": {"y": 9}})"));
  const auto three = last.over(out, [](const JsonNode&) { return false; });
  stands(three.root().get("b").get("y"), "last.json", 1);
  stands(three.root().get("b").get("z"), "own.json", 4);
  stands(three.root().get("a"), "base.json", 1);
}

TEST_CASE("a missing member is reported at its object") {
  const JsonDocument document = parse("{\"a\":\n {\"b\": 1}}");
  Diagnostics out;
  document.root().get("a").require("c", out);
  REQUIRE(out.size() == 1);
  CHECK(out.list()[0].code == "json-missing");
  CHECK(out.list()[0].range.begin == Position{2, 2});
  document.root().get("a").require("b", out);
  CHECK(out.size() == 1);
}

TEST_CASE("a misspelt member is reported with the nearest name") {
  const JsonDocument document = parse("{\"chanels\": 1, \"name\": 2, \"zzzzzz\": 3}");
  Diagnostics out;
  document.root().only({"channels", "name"}, out);
  REQUIRE(out.size() == 2);
  CHECK(out.list()[0].code == "json-unknown-name");
  CHECK(out.list()[0].remedy == "did you mean 'channels'?");
  CHECK(out.list()[0].range.begin == Position{1, 13});
  CHECK(out.list()[1].remedy == "allowed are: channels, name");
}

TEST_CASE("wrong syntax is reported where it is") {
  struct Row {
    const char* text;
    Position at;
  };
  for (const Row& row : {Row{"{\"a\": 1,\n  b: 2}", {2, 3}}, Row{"[1 2]", {1, 4}}, Row{"{\"a\": tru}", {1, 10}}}) {
    INFO(row.text);
    const Diagnostic said = refused(row.text);
    CHECK(said.code == "json-syntax");
    CHECK(said.range.begin == row.at);
  }
  for (const char* text : {"", "{", "[1,", "\"abc", "{\"a\"}", "/* open", "[1]]", "\xff"}) {
    INFO(text);
    CHECK_FALSE(JsonDocument::parse(make_source("t.json", text)));
  }
}

TEST_CASE("a file that is missing is reported by name") {
  const auto document = JsonDocument::read("/no/such/file.json");
  REQUIRE_FALSE(document);
  CHECK(document.error().list()[0].code == "file-missing");
  CHECK(document.error().list()[0].range.file->name() == "/no/such/file.json");
}

TEST_CASE("the nearest name is near enough or none") {
  CHECK(nearest("brnch", {"branch", "alu"}) == "branch");
  CHECK(nearest("alu", {"alu_shf", "alu"}) == "alu");
  CHECK(nearest("xyzzy", {"branch", "alu"}) == std::nullopt);
  CHECK(nearest("a", {}) == std::nullopt);
  CHECK(nearest("BOARD", {"bond", "board", "boards"}) == "board");
  CHECK(nearest("Cuont", {"count", "Count", "COUNT"}) == "Count");
}

TEST_CASE("a name that stands twice in an object is an error at the second") {
  const auto document =
      JsonDocument::parse(make_source("t.json", "{\"a\": {\"b\": 1},\n \"c\": [{\"x\": 1}, {\"x\": 1}],\n \"a\": 2}"));
  REQUIRE_FALSE(document);
  const Diagnostic& d = document.error().list()[0];
  CHECK(d.code == "json-name-twice");
  CHECK(d.range.begin == Position{3, 2});
  REQUIRE(d.notes.size() == 1);
  CHECK(d.notes[0].range.begin == Position{1, 7});
  CHECK(JsonDocument::parse(make_source("t.json", "{\"a\": {\"b\": 1}, \"b\": {\"b\": 1}}")));
}

TEST_CASE("a list grows by one element at most, and new values have no place in the text") {
  const JsonDocument document = parse("{\"list\": [{\"n\": 1}, 2]}");
  const auto grown = document.with("/list/2/n", 5);
  REQUIRE(grown);
  Diagnostics out;
  CHECK(grown->root().get("list").items()[2].get("n").u64(out) == 5);
  CHECK_FALSE(document.with("/list/3/n", 5));
  CHECK_FALSE(document.with("/list/99999999999/n", 5));
  CHECK_FALSE(document.with("/list/x", 5));
  const auto changed = document.with("/list/0", "text");
  REQUIRE(changed);
  CHECK(changed->root().get("list").items()[0].range().begin.line == 0);
  CHECK(changed->root().get("list").items()[1].range().begin.line == 1);
}

TEST_CASE("a new value and all in it stand where somebody says") {
  const JsonDocument document = parse("{\"a\": {\"b\": 1}}");
  const SourceRange place{make_source("other.json", ""), {7, 3}, {7, 9}};
  const auto changed = document.with("/a", nlohmann::json{{"c~/", {1, 2}}}, place);
  REQUIRE(changed);
  for (const JsonNode& node : {changed->root().get("a"), changed->root().get("a").get("c~/").items()[1]}) {
    CHECK(node.range().file->name() == "other.json");
    CHECK(node.range().begin == Position{7, 3});
  }
  const auto again = changed->with("/a", 3);
  REQUIRE(again);
  CHECK(again->root().get("a").range().file->name() == document.source()->name());
  const auto refused = document.with("/a/b/c", 1, place);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().list()[0].range.begin == Position{7, 3});
  CHECK(refused.error().list()[0].text.find(document.source()->name()) != std::string::npos);
}

TEST_CASE("null is a wrong value wherever a value is due, with its place") {
  struct Row {
    const char* text;
    Position begin;
  };
  for (const Row& row : {Row{"null", {1, 1}}, Row{"{\"a\": null}", {1, 7}}, Row{"{\"a\":\n [1, null]}", {2, 6}},
                         Row{"{\"a\": {\"b\": [{\"c\": /* x */ null}], \"d\": null}}", {1, 28}}}) {
    INFO(row.text);
    const Diagnostic said = refused(row.text);
    CHECK(said.code == "json-wrong-value");
    CHECK(said.range.begin == row.begin);
    CHECK(said.range.end.column == row.begin.column + 4);
  }
  CHECK(JsonDocument::parse(make_source("t.json", "{\"null\": \"null\"} // null")));
  const auto with = parse("{\"a\": 1}").with("/a", nullptr);
  REQUIRE_FALSE(with);
  CHECK(with.error().list()[0].code == "json-wrong-value");
}

TEST_CASE("JSON beyond a limit is refused with its place, at once") {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  CHECK(JsonDocument::parse(make_source("t.json", nested(limits::kJsonNesting))));
  // Brackets in texts and comments do not count.
  CHECK(JsonDocument::parse(make_source(
      "t.json", "[\"" + std::string(1000, '[') + "\\\"[\" /* " + std::string(1000, '{') + " */ // [[" + "\n]")));
  std::string flat = "[0";
  for (size_t i = 1; i < limits::kJsonValues - 1; ++i) flat += ",0";
  CHECK(JsonDocument::parse(make_source("t.json", flat + "]")));  // with the list itself as many as are allowed

  const std::string name(1 << 20, 'n');
  std::string long_names = "{\"" + name + "\":[0";
  for (size_t i = 0; i < 2 * (limits::kJsonPathBytes >> 20); ++i) long_names += ",0";
  struct Row {
    std::string text;
    uint32_t column;
  };
  for (const Row& row :
       {Row{nested(limits::kJsonNesting + 1), limits::kJsonNesting + 1}, Row{nested(30'000), limits::kJsonNesting + 1},
        Row{std::string(5'000'000, '['), limits::kJsonNesting + 1}, Row{flat + ",0]", 0}, Row{long_names + "]}", 0}}) {
    INFO(row.text.substr(0, 100));
    const auto document = JsonDocument::parse(make_source("t.json", row.text));
    REQUIRE_FALSE(document);
    CHECK(document.error().list()[0].code == "input-limit");
    CHECK(document.error().list()[0].range.begin.line == 1);
    if (row.column != 0) CHECK(document.error().list()[0].range.begin.column == row.column);
  }
}
