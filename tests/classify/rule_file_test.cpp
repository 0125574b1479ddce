// Rule files: text and ClassBench; and what each mistake says.
#include "weft/control/classify/rule_file.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <filesystem>
#include <fstream>

#include "mistake.h"
#include "reference.h"

using namespace weft;
using namespace weft::control::classify;

namespace {

Result<RuleFile> read(const std::string& text) { return read_rules(make_source("rules.txt", text)); }

}  // namespace

TEST_CASE("a rule file: rules in order, actions as words with their places") {
  const auto file = read(
      "# services\n"
      "\n"
      "match source 10.0.0.0/8 protocol udp destination-port 5004-5005 : class EF dscp 46   # voice\n"
      "match any : class BE\n"
      "  match any : drop\n");
  REQUIRE(file);
  CHECK(file->format == RuleFormat::text);
  REQUIRE(file->rules.size() == 3);
  const Rule& voice = file->rules[0];
  CHECK(voice.match[Field::source] == Range{0x0a000000, 0x0affffff});
  CHECK(voice.match[Field::protocol] == Range{17, 17});
  CHECK(voice.match[Field::destination_port] == Range{5004, 5005});
  CHECK(voice.match[Field::source_port] == full_range(Field::source_port));
  REQUIRE(voice.action.size() == 4);
  CHECK(voice.action[1].text == "EF");
  CHECK(voice.action[1].range.begin.line == 3);
  CHECK(voice.action[1].range.begin.column == 73);
  CHECK(voice.range.begin.column == 1);
  CHECK(voice.range.end.column == 83);
  CHECK(file->rules[1].match == Match{});
  CHECK(file->rules[2].match == Match{});
  CHECK(file->rules[2].action[0].text == "drop");
  CHECK(file->matches().size() == 3);
  CHECK(file->matches()[0] == voice.match);
}

TEST_CASE("a file without rules is one") {
  const auto file = read("# nothing\n\n");
  REQUIRE(file);
  CHECK(file->rules.empty());
}

TEST_CASE("a ClassBench filter set: prefixes, ranges, protocol and mask, flags do not count") {
  const auto file = read(
      "@10.0.0.0/8\t192.0.2.1/32\t0 : 65535\t1024 : 2000\t0x06/0xFF\t0x1000/0x1000\t\n"
      "@0.0.0.0/0\t0.0.0.0/0\t80 : 80\t0 : 65535\t0x00/0x00\n"
      "@0.0.0.0/0 10.0.0.0/7 0 : 0 0 : 0 0x1f/0xf0\n");
  REQUIRE(file);
  CHECK(file->format == RuleFormat::classbench);
  REQUIRE(file->rules.size() == 3);
  CHECK(file->rules[0].match[Field::source] == Range{0x0a000000, 0x0affffff});
  CHECK(file->rules[0].match[Field::destination] == Range{0xc0000201, 0xc0000201});
  CHECK(file->rules[0].match[Field::source_port] == Range{0, 65535});
  CHECK(file->rules[0].match[Field::destination_port] == Range{1024, 2000});
  CHECK(file->rules[0].match[Field::protocol] == Range{6, 6});
  CHECK(file->rules[0].match[Field::dscp] == Range{0, 63});
  CHECK(file->rules[0].action.empty());
  CHECK(file->rules[1].match[Field::source_port] == Range{80, 80});
  CHECK(file->rules[1].match[Field::protocol] == Range{0, 255});
  CHECK(file->rules[2].match[Field::destination] == Range{0x0a000000, 0x0bffffff});
  CHECK(file->rules[2].match[Field::protocol] == Range{16, 31});
}

TEST_CASE("mistakes in rule files") {
  const Mistake mistakes[] = {
      {"allow source any : x", 1, "cannot begin with 'allow'", "match source 10.0.0.0/8"},
      {"match source any", 14, "no action", "colon"},
      {"match source any :", 18, "no action", "after the colon"},
      {"match", 1, "no action", "colon"},
      {"match any", 7, "no action", "colon"},
      {"match any source 10.0.0.0/8 : x", 11, "'source' is not a field", "a colon with a blank"},
      {"match : x", 7, "does not say which packets", "match any"},
      {"match port 80 : x", 7, "'port' is not a field of a rule", "source-port"},
      {"match protocol tcp: x", 16, "'tcp:' is neither", "did you mean 'tcp'?"},
      {"match source 10.0.0.1/8 : x", 14, "beyond its mask", "10.0.0.0/8"},
      {"@10.0.0.0/8 10.0.0.0/8 0 : 1 0 : 1 0x06/0xFF", 1, "cannot begin with '@10", "match"},
  };
  for (const Mistake& m : mistakes) {
    INFO(m.line);
    const auto file = read(fmt::format("match any : first\n{}\n", m.line));
    REQUIRE_FALSE(file);
    check_mistake(m, file.error());
  }
}

TEST_CASE("mistakes in ClassBench filter sets") {
  const Mistake mistakes[] = {
      {"10.0.0.0/8 10.0.0.0/8 0 : 1 0 : 1 0x06/0xFF", 1, "not a line of a ClassBench filter set"},
      {"@10.0.0.0/8 10.0.0.0/8 0 : 1 0 : 1", 1, "not a line of a ClassBench filter set"},
      {"@10.0.0.0/8 10.0.0.0/8 0 - 1 0 : 1 0x06/0xFF", 1, "not a line of a ClassBench filter set"},
      {"@10.0.0.0/8 10.0.0.0/8 0 : 1 0 : 1 0x06/0xFF 0/0 more", 1, "not a line of a ClassBench filter set"},
      {"@10.0.0.0/40 10.0.0.0/8 0 : 1 0 : 1 0x06/0xFF", 1, "length from 0 to 32"},
      {"@10.0.0.0/8 10.0.0.1/8 0 : 1 0 : 1 0x06/0xFF", 13, "beyond its mask"},
      {"@10.0.0.0/8 10.0.0.0/8 2 : 1 0 : 1 0x06/0xFF", 24, "ends before it begins"},
      {"@10.0.0.0/8 10.0.0.0/8 0 : 1 0 : 65536 0x06/0xFF", 30, "not a number from 0 to 65535"},
      {"@10.0.0.0/8 10.0.0.0/8 0 : 1 0 : 1 06/FF", 36, "not a protocol with a mask"},
      {"@10.0.0.0/8 10.0.0.0/8 0 : 1 0 : 1 0x06", 36, "not a protocol with a mask"},
      {"@10.0.0.0/8 10.0.0.0/8 0 : 1 0 : 1 0x106/0xFF", 36, "not a protocol with a mask"},
      {"@10.0.0.0/8 10.0.0.0/8 0 : 1 0 : 1 0x06/0x0F", 36, "a one after a zero"},
  };
  for (const Mistake& m : mistakes) {
    INFO(m.line);
    const auto file = read(fmt::format("@0.0.0.0/0 0.0.0.0/0 0 : 1 0 : 1 0x06/0xFF\n{}\n", m.line));
    REQUIRE_FALSE(file);
    check_mistake(m, file.error());
    CHECK_FALSE(file.error().begin()->remedy.empty());
  }
}

TEST_CASE("a file of another kind is told by its first lines") {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "10.0.0.0/8 192.0.2.1\n";
  const auto file = read(text);
  REQUIRE_FALSE(file);
  CHECK(file.error().size() == 20);
  const auto missing = read_rule_file("/nowhere/rules.txt");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().begin()->code == "file-missing");
}

TEST_CASE("random rules written down and read again are the same") {
  Random random(7);
  const auto rules = test::random_rules(random, 300);
  const auto file = read(test::as_text(rules));
  REQUIRE(file);
  REQUIRE(file->rules.size() == rules.size());
  for (size_t r = 0; r < rules.size(); ++r) {
    for (size_t f = 0; f < kFields; ++f)
      CHECK(file->rules[r].match.ranges[f] == Range{rules[r].low[f], rules[r].high[f]});
    // The text of a match is a rule again.
    const auto again = read(fmt::format("match {} : x", to_text(file->rules[r].match)));
    REQUIRE(again);
    CHECK(again->rules[0].match == file->rules[r].match);
  }
}
