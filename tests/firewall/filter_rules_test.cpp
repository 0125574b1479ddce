// The rule file of the firewall: what it means, what each mistake says; tables and generated microcode.
#include <catch2/catch.hpp>
#include <fstream>
#include <map>
#include <sstream>

#include "weft/control/firewall/compiled_rules.h"
#include "weft/control/firewall/rule_table.h"

using namespace weft;
using namespace weft::control::firewall;
using control::classify::Field;
using control::classify::Range;

namespace {

const std::vector<PortName> kPorts{{"lan", 0}, {"wan", 1}};

RuleSet rules_of(const std::string& text) {
  auto rules = read_rules(make_source("test.rules", text), kPorts);
  if (!rules) FAIL(rules.error().list().front().text);
  return std::move(*rules);
}

}  // namespace

TEST_CASE("rules: verdicts, match words in any order, ports by name and number, states, the default") {
  const RuleSet file = rules_of(
      "# comment\n"
      "accept state established\n"
      "\n"
      "drop in wan source 10.0.0.0/8   # from outside\n"
      "accept destination-port 80-81 protocol tcp out 2 destination 192.0.2.1 in any state new dscp ef source-port "
      "1024-65535\n"
      "drop state any\n"
      "drop status no-dnat\n"
      "accept status dnat state new\n"
      "default accept\n");
  REQUIRE(file.rules.size() == 6);
  CHECK(file.entries() == 8);  // "no-dnat" in any state takes two
  CHECK(file.accept_others);
  CHECK(file.rules[0].accept);
  CHECK(file.rules[0].state == Range{1, 1});
  CHECK(file.rules[0].match == control::classify::Match{});
  CHECK(file.rules[0].in == Range{0, 3});
  CHECK_FALSE(file.rules[1].accept);
  CHECK(file.rules[1].in == Range{1, 1});
  CHECK(file.rules[1].match[Field::source] == Range{0x0a000000, 0x0affffff});
  const Rule& third = file.rules[2];
  CHECK(third.in == Range{0, 3});
  CHECK(third.out == Range{2, 2});
  CHECK(third.state == Range{0, 0});
  CHECK(third.match[Field::destination] == Range{0xc0000201, 0xc0000201});
  CHECK(third.match[Field::destination_port] == Range{80, 81});
  CHECK(third.match[Field::source_port] == Range{1024, 65535});
  CHECK(third.match[Field::protocol] == Range{6, 6});
  CHECK(third.match[Field::dscp] == Range{46, 46});
  CHECK(third.range.begin.line == 5);
  CHECK(file.rules[3].state == Range{0, 1});
  CHECK(to_text(file.rules[3]) == "drop");
  CHECK(to_text(file.rules[0]) == "accept state established");
  CHECK(file.rules[0].status == Range{0, 1});
  CHECK(file.rules[4].status == Range{0, 0});
  CHECK(file.rules[5].status == Range{1, 1});
  CHECK(to_text(file.rules[4]) == "drop status no-dnat");
  CHECK(to_text(file.rules[5]) == "accept state new status dnat");

  CHECK_FALSE(rules_of("").accept_others);
  CHECK_FALSE(rules_of("default drop\n").accept_others);
}

TEST_CASE("rules: each mistake names its place and the way out") {
  struct Mistake {
    const char* text;
    uint32_t line, column;
    const char* what;
    const char* remedy;
  };
  const Mistake mistakes[] = {
      {"permit protocol tcp", 1, 1, "'permit' is not a verdict", "accept, drop or default"},
      {"\naccept proto tcp", 2, 8, "'proto' is not a match word", "protocol"},
      {"accept in dmz", 1, 11, "there is no port 'dmz'", "lan, wan"},
      {"accept out 4", 1, 12, "there is no port '4'", "lan, wan"},
      {"accept in", 1, 8, "'in' has no value", "name a port"},
      {"accept in lan in wan", 1, 15, "'in' is there twice", "two rules"},
      {"drop state invalid", 1, 12, "there is no state 'invalid'", "new, established"},
      {"drop state", 1, 6, "'state' has no value", "state new"},
      {"accept in wan status snat", 1, 22, "there is no status 'snat'", "dnat, no-dnat"},
      {"drop status", 1, 6, "'status' has no value", "status dnat"},
      {"drop status dnat status any", 1, 18, "'status' is there twice", "two rules"},
      {"drop source 10.0.0.1/8", 1, 13, "bits set beyond its mask", "10.0.0.0/8"},
      {"default", 1, 1, "'default' takes one word", "default drop"},
      {"default maybe", 1, 9, "'maybe' is not a verdict", "accept, drop"},
      {"default drop\ndefault accept", 2, 1, "said twice, first in line 1", "leave one"},
      {"default drop\naccept protocol tcp", 2, 1, "after the line 'default', which is line 1", "end of the file"},
  };
  for (const Mistake& m : mistakes) {
    INFO(m.text);
    const auto rules = read_rules(make_source("bad.rules", m.text), kPorts);
    REQUIRE_FALSE(rules);
    REQUIRE(rules.error().size() == 1);
    const Diagnostic& d = *rules.error().begin();
    CHECK(d.range.file->name() == "bad.rules");
    CHECK(d.range.begin.line == m.line);
    CHECK(d.range.begin.column == m.column);
    CHECK_THAT(d.text, Catch::Contains(m.what));
    CHECK_THAT(d.remedy, Catch::Contains(m.remedy));
  }
  const auto unnamed = read_rules(make_source("bad.rules", "drop in lan"), {});
  REQUIRE_FALSE(unnamed);
  CHECK_THAT(unnamed.error().list().front().remedy, Catch::Contains("0 to 3"));
  const auto absent = read_rules(std::string("/nowhere/at.all"), kPorts);
  REQUIRE_FALSE(absent);
}

TEST_CASE("rules: every wrong line is reported") {
  const auto rules = read_rules(make_source("bad.rules", "permit\naccept in dmz\naccept\ndrop tcp\n"), kPorts);
  REQUIRE_FALSE(rules);
  CHECK(rules.error().size() == 3);
}

TEST_CASE("rule tables: the layout of the filter block, worked by hand") {
  const RuleSet file = rules_of(
      "accept source 10.0.0.0/8 destination 192.0.2.1-192.0.2.9 source-port 1-65535 destination-port 80 protocol tcp "
      "dscp 46 in wan out lan state established\n");
  const std::vector<uint32_t> words = table_words(file);
  REQUIRE(words.size() == 16);
  CHECK(words[0] == 0x0a000000);
  CHECK(words[1] == 0x00ffffff);
  CHECK(words[2] == 0xc0000201);
  CHECK(words[3] == 8);
  // source port 1 at 30:15, protocol 6 at 13:6, at 4:3 established (2 with and 3 without dnat), accept
  CHECK(words[4] == ((1u << 15) | (6u << 6) | (2u << 3) | 1u));
  CHECK(words[5] == (0x80004024u | (0xffffu << 15) | (6u << 6) | (3u << 3)));
  CHECK(words[6] == ((80u << 15) | (46u << 6) | (1u << 3) | 0u));
  CHECK(words[7] == (0x80004024u | (80u << 15) | (46u << 6) | (1u << 3) | 0u));
  // The default: everything, drop, the last one.
  CHECK(words[8] == 0);
  CHECK(words[9] == 0xffffffff);
  CHECK(words[12] == 2);
  CHECK(words[13] == (0x80004024u | (0xffffu << 15) | (0xffu << 6) | (3u << 3)));
  CHECK(words[15] == (0x80004024u | (0xffffu << 15) | (0x3fu << 6) | (3u << 3) | 3u));
}

TEST_CASE("rule tables: what a rule says of state and status is one range of the tracking number, or two") {
  struct Row {
    const char* words;
    std::vector<Range> ranges;  // 0 new, 1 new and dnat, 2 established and dnat, 3 established
  };
  const std::vector<Row> rows{{"", {{0, 3}}},
                              {"state new", {{0, 1}}},
                              {"state established", {{2, 3}}},
                              {"status dnat", {{1, 2}}},
                              {"status no-dnat", {{0, 0}, {3, 3}}},
                              {"state new status dnat", {{1, 1}}},
                              {"state new status no-dnat", {{0, 0}}},
                              {"state established status dnat", {{2, 2}}},
                              {"state established status no-dnat", {{3, 3}}}};
  for (const Row& row : rows) {
    INFO(row.words);
    const RuleSet file = rules_of(std::string("accept ") + row.words + "\n");
    const std::vector<uint32_t> words = table_words(file);
    REQUIRE(words.size() == 8 * (row.ranges.size() + 1));
    CHECK(file.entries() == row.ranges.size() + 1);
    for (size_t i = 0; i < row.ranges.size(); ++i) {
      CHECK((words[8 * i + 4] & 0x3f) == (row.ranges[i].low << 3 | 1));
      CHECK((words[8 * i + 5] & 0x3f) == (0x24 | row.ranges[i].high << 3));
    }
  }
}

TEST_CASE("rule tables: microcode and control program have the same numbers") {
  std::ifstream in(std::string(WEFT_SOURCE_DIR) + "/lib/microblocks/filter/filter.uc");
  REQUIRE(in);
  std::map<std::string, unsigned long> defines;
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string hash, name, value;
    if (words >> hash >> name >> value && hash == "#define" &&
        value.find_first_not_of("0123456789abcdefx") == std::string::npos)
      defines[name] = std::stoul(value, nullptr, 0);
  }
  CHECK(defines.at("FILTER_GUARDS") == kGuards);
  CHECK(1ul << defines.at("FILTER_ACCEPT") == kAccept);
  CHECK(1ul << defines.at("FILTER_LAST") == kLastRule);
  CHECK(defines.at("FILTER_RULE_BYTES") == kRuleLongwords * 4);
  CHECK(defines.at("FILTER_LOCAL_RULES") == kLocalRules);
  CHECK(defines.at("FILTER_STOPPED") == 16);
}

TEST_CASE("compiled rules: wildcards cost nothing, what rules have in common is tested once") {
  const auto size = [](const std::string& text) { return compile_rules(rules_of(text)).value().instructions; };
  CHECK(size("default accept") == 1);
  CHECK(size("accept\n") == 1);                    // and the default can never be reached
  CHECK(size("accept protocol tcp") == 2);         // one branch in the main line, the default
  CHECK(size("accept destination-port 80") == 4);  // one in the main line, the other byte and the verdict aside
  CHECK(size("accept source 10.0.0.0/8") == 2);
  CHECK(size("accept source 10.1.0.0/16") == 4);
  CHECK(size("accept source 10.1.16.0/20") == 6);
  CHECK(size("accept source 10.1.2.3") == 6);
  CHECK(size("accept state new") == 3);
  CHECK(size("accept in lan") == 4);
  // Thirty rules of one network and protocol, each with its port: two tests once, then three words a rule.
  std::string many;
  for (int port = 300; port < 330; ++port)
    many += "accept source 10.0.0.0/8 protocol tcp destination-port " + std::to_string(port) + "\n";
  CHECK(size(many) == 2 + 30 * 3 + 1);
}

TEST_CASE("compiled rules: more than a control store holds is an error that says so") {
  std::string many;
  for (unsigned i = 0; i < 1500; ++i)
    many += "accept destination 10.0." + std::to_string(i / 250) + "." + std::to_string(i % 250) + "\n";
  const auto compiled = compile_rules(rules_of(many));
  REQUIRE_FALSE(compiled);
  const Diagnostic& d = compiled.error().list().front();
  CHECK(d.code == "firewall-rules-size");
  CHECK(d.range.file->name() == "test.rules");
  CHECK_THAT(d.text, Catch::Contains("1500 rules") && Catch::Contains("4096"));
  CHECK_THAT(d.remedy, Catch::Contains("sram"));
}
