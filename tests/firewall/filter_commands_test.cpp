// The command that replaces rules: what is written where, in which order, and what waits.
#include <unistd.h>

#include <catch2/catch.hpp>
#include <filesystem>

#include "firewall/filter_program.h"
#include "firewall/rule_commands.h"
#include "weft/base/files.h"
#include "weft/base/temporary_folder.h"

using namespace weft;
using namespace weft::control;
using namespace weft::control::firewall;

namespace {

class Folder {
 public:
  std::string path() const { return folder_.path().string(); }
  std::string write(const std::string& name, const std::string& text) const {
    REQUIRE(write_file(folder_ / name, text));
    return folder_ / name;
  }

 private:
  TemporaryFolder folder_;
};

std::string many(size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out += "drop destination-port " + std::to_string(1000 + i) + "\n";
  return out;
}

RulePlaces places() {
  RulePlaces out;
  out.control = 0x3f00;
  out.tables = {0x10000, 0x20000};
  out.table_bytes = 0x1000;  // 128 entries
  return out;
}

Result<RuleCommands> commands(const Folder& folder, FilterStore store, const std::string& text, unsigned engines = 3) {
  auto rules = read_rules(folder.write("first.rules", text), {});
  REQUIRE(rules);
  return RuleCommands::make(std::move(*rules), store, places(), {}, folder.path(), engines);
}

/// That many rules, and a file with three others.
RuleCommands with_second(const Folder& folder, size_t rules) {
  folder.write("second.rules", many(3));
  auto made = commands(folder, FilterStore::sram, many(rules));
  REQUIRE(made);
  return std::move(*made);
}

/// The configuration of a router, and rules beside it in good.rules.
std::string with_one_rule(const Folder& folder) {
  folder.write("good.rules", "accept in a\n");
  return folder.write("router.conf", "interface a port 0 mac 02:00:00:00:01:0a mtu 1500\naddress a 10.0.0.1/24\n");
}

Event told(const std::string& line, uint64_t nanoseconds) {
  Event out;
  out.kind = Event::Kind::command;
  out.command = line;
  out.nanoseconds = nanoseconds;
  return out;
}
Event results(std::vector<uint32_t> values = {}, uint64_t nanoseconds = 0) {
  Event out;
  out.kind = Event::Kind::results;
  out.results = std::move(values);
  out.nanoseconds = nanoseconds;
  return out;
}

}  // namespace

TEST_CASE("rule commands: what stands in memory before cycle 0") {
  const Folder folder;
  auto rules = commands(folder, FilterStore::sram, "accept protocol tcp\n");
  REQUIRE(rules);
  const auto memory = rules->image();
  REQUIRE(memory.size() == 2);
  CHECK(memory[0].region == image::Region::scratch);
  CHECK(memory[0].address == 0x3f00);
  REQUIRE(memory[0].values.size() == 12);
  CHECK(memory[0].values[0] == 0x10000);
  CHECK(memory[0].values[1] == 0);
  CHECK(memory[1].region == image::Region::sram0);
  CHECK(memory[1].address == 0x10000);
  CHECK(memory[1].values.size() == 16);
}

TEST_CASE("rule commands: a table is written where nobody reads, then published by one longword") {
  const Folder folder;
  RuleCommands rules = with_second(folder, 10);
  CHECK(RuleCommands::is_command("rules second.rules"));
  CHECK_FALSE(RuleCommands::is_command("route 10.0.0.0/8 via 192.0.2.1"));
  REQUIRE(rules.check("rules second.rules"));

  uint32_t word = 0x10000;
  uint64_t now = 1'000'000;
  for (const uint32_t area : {0x20000u, 0x10000u, 0x20000u}) {
    CHECK_FALSE(rules.busy());
    const Reaction table = rules.command(told("rules second.rules", now));
    CHECK(table.cycles == 0);
    REQUIRE(rules.busy());
    REQUIRE(table.accesses.size() == 1);
    CHECK(table.accesses[0].kind == Access::Kind::write);
    CHECK(table.accesses[0].region == image::Region::sram0);
    CHECK(table.accesses[0].address == area);
    CHECK(table.accesses[0].values.size() == 4 * 8);
    const Reaction publish = rules.results(results());
    REQUIRE(publish.accesses.size() == 1);
    CHECK(publish.accesses[0].region == image::Region::scratch);
    CHECK(publish.accesses[0].address == 0x3f00);
    REQUIRE(publish.accesses[0].values.size() == 1);
    CHECK((publish.accesses[0].values[0] & ~0x1fu) == area);
    CHECK(publish.accesses[0].values[0] != word);
    word = publish.accesses[0].values[0];
    CHECK(rules.results(results({}, now)).accesses.empty());
    CHECK_FALSE(rules.busy());
    now += 1'000'000'000;
  }
}

TEST_CASE("rule commands: an area that may still be read is not written to before its time") {
  const Folder folder;
  RuleCommands rules = with_second(folder, 99);
  const auto finish = [&](uint64_t now) {
    rules.results(results());
    rules.results(results({}, now));
    REQUIRE_FALSE(rules.busy());
  };
  rules.command(told("rules second.rules", 1'000'000));
  finish(1'000'000);
  // The first table had 100 entries and lies where the next one goes: 200,000 cycles from its last use on, of which 100
  // us = 60,000 have passed.
  const Reaction wait = rules.command(told("rules second.rules", 1'100'000));
  CHECK(wait.cycles == 140'000);
  REQUIRE(wait.accesses.size() == 1);
  CHECK(wait.accesses[0].kind == Access::Kind::read);
  const Reaction table = rules.results(results({0}));
  REQUIRE(table.accesses.size() == 1);
  CHECK(table.accesses[0].address == 0x10000);
  finish(1'400'000);
  // Then one of four entries.
  CHECK(rules.command(told("rules second.rules", 1'401'000)).cycles == 8'000 - 600);
}

TEST_CASE("rule commands: compiled rules are loaded when every context has stopped") {
  const Folder folder;
  folder.write("second.rules", many(3));
  auto made = commands(folder, FilterStore::compiled, "accept\n", 2);
  REQUIRE(made);
  RuleCommands rules = *made;
  const auto text = rules.compiled("rules second.rules");
  REQUIRE(text);
  CHECK_THAT(*text, Catch::Contains("#macro compiled_rules"));
  Reaction pause = rules.command(told("rules second.rules", 0));
  for (const uint32_t engine : {0u, 1u}) {  // one after the other
    CHECK(pause.load_stores == 0);
    REQUIRE(pause.accesses.size() == 1);
    CHECK(pause.accesses[0].address == 0x3f04);
    CHECK(pause.accesses[0].values == std::vector<uint32_t>{1u << engine});
    for (const auto& stopped : {std::vector<uint32_t>{}, {0}, {7}}) {
      const Reaction ask = rules.results(results(stopped));
      CHECK(ask.load_stores == 0);
      REQUIRE(ask.accesses.size() == 1);
      CHECK(ask.accesses[0].kind == Access::Kind::read);
      CHECK(ask.accesses[0].address == 0x3f10 + 4 * engine);
      CHECK(ask.accesses[0].count == 1);
    }
    const Reaction load = rules.results(results({8}));
    CHECK(load.load_stores == 1u << engine);
    REQUIRE(load.accesses.size() == 2);  // first the pause is over and nobody has stopped, then the store
    CHECK(load.accesses[0].address == 0x3f04);
    CHECK(load.accesses[0].values == std::vector<uint32_t>{0});
    CHECK(load.accesses[1].address == 0x3f10 + 4 * engine);
    CHECK(load.accesses[1].values == std::vector<uint32_t>{0});
    CHECK(rules.busy());
    pause = rules.results(results());
  }
  CHECK(pause.accesses.empty());
  CHECK(pause.load_stores == 0);
  CHECK_FALSE(rules.busy());
}

TEST_CASE("rule commands: what does not fit, and what is not a file, is refused before the run") {
  const Folder folder;
  folder.write("many.rules", many(128));
  folder.write("eighty.rules", many(80));
  folder.write("most.rules", many(79));
  folder.write("wrong.rules", "accept port 80\n");
  auto sram = commands(folder, FilterStore::sram, "");
  REQUIRE(sram);
  CHECK(sram->check("rules eighty.rules"));
  const auto too_many = sram->check("rules many.rules");
  REQUIRE_FALSE(too_many);
  CHECK(too_many.error().list().front().code == "firewall-rules-size");
  CHECK_THAT(too_many.error().list().front().text, Catch::Contains("128 rules") && Catch::Contains("128 entries"));
  CHECK(sram->compiled("rules eighty.rules").value().empty());

  auto local = commands(folder, FilterStore::local, "");
  REQUIRE(local);
  CHECK(local->check("rules most.rules"));
  const auto eighty = local->check("rules eighty.rules");
  REQUIRE_FALSE(eighty);
  CHECK_THAT(eighty.error().list().front().text, Catch::Contains("80 entries of local memory"));
  CHECK_FALSE(commands(folder, FilterStore::local, many(80)));

  for (const char* line : {"rules", "rules one two", "rules nowhere.rules", "rules wrong.rules"}) {
    INFO(line);
    CHECK_FALSE(sram->check(line));
  }
  const auto nowhere = sram->check("rules nowhere.rules");
  CHECK(nowhere.error().list().front().code == "control-command");
  CHECK_FALSE(nowhere.error().list().front().range);  // so it is the command's
  CHECK_THAT(nowhere.error().list().front().text, Catch::Contains("nowhere.rules cannot be read"));
  // Compiled rules, and nobody who would get new ones.
  auto nobody = commands(folder, FilterStore::compiled, "", 0);
  REQUIRE(nobody);
  const auto refused = nobody->check("rules most.rules");
  REQUIRE_FALSE(refused);
  CHECK_THAT(refused.error().list().front().text, Catch::Contains("no microengine would get the new rules"));
  // A file that has become wrong since the command was read: the rules stay.
  RuleCommands rules = *sram;
  const Reaction said = rules.command(told("rules wrong.rules", 0));
  CHECK(said.accesses.empty());
  CHECK_THAT(said.text, Catch::Contains("port"));
  CHECK_FALSE(rules.busy());
}

TEST_CASE("control program filter: options that are wrong say what is right") {
  const Folder folder;
  const std::string config = with_one_rule(folder);
  ControlOptions options;
  const auto problem = [&] {
    const auto setup = load_filter_control(config, options);
    REQUIRE_FALSE(setup);
    return setup.error().list().front().text + "; " + setup.error().list().front().remedy;
  };
  CHECK_THAT(problem(), Catch::Contains("no rules") && Catch::Contains("\"rules\": \"FILE\""));
  options.switches = {{"rules", "good.rules"}, {"store", "dram"}};
  CHECK_THAT(problem(), Catch::Contains("'dram'") && Catch::Contains("sram, local or compiled"));
  options.switches = {{"rules", "bad.rules"}};
  CHECK_THAT(problem(), Catch::Contains("bad.rules"));
  options.switches = {{"rules", "good.rules"}};
  const auto setup = load_filter_control(config, options);
  REQUIRE(setup);
  CHECK(setup->constants.at("filter_control") == kFilterControl);
  CHECK_THAT(setup->summary, Catch::Contains("1 rules"));
  CHECK(setup->program->check_command("rules good.rules"));
  CHECK_FALSE(setup->program->check_command("rules other.rules"));
  CHECK(setup->program->check_command("route 198.51.100.0/24 via 10.0.0.2"));
  const auto unknown = setup->program->check_command("frobnicate");
  REQUIRE_FALSE(unknown);
  CHECK_THAT(unknown.error().list().front().remedy, Catch::Contains("rules, show"));
  options.sram_bytes[0] = 64 * 1024;
  CHECK_THAT(problem(), Catch::Contains("too little SRAM"));
}

TEST_CASE("control program filter: what the rules dropped is called filtered") {
  const Folder folder;
  const std::string config = with_one_rule(folder);
  ControlOptions options;
  options.switches = {{"rules", "good.rules"}};
  auto setup = load_filter_control(config, options);
  REQUIRE(setup);
  const Reaction asked = setup->program->on(told("counters", 0));
  REQUIRE(asked.accesses.size() == 1);
  std::vector<uint32_t> counters(asked.accesses[0].count, 0);
  counters[24] = 1021;
  counters[9] = 3;
  const Reaction said = setup->program->on(results(counters));
  CHECK(said.text == "dropped port 0 ethertype: 3\ndropped port 0 filtered: 1021");
}

TEST_CASE("control program filter: labels and IPv6 are refused in its name") {
  const Folder folder;
  folder.write("good.rules", "accept in a\n");
  for (const std::string line : {"mpls interface a", "label 100 pop", "address a 2001:db8::1/64"}) {
    INFO(line);
    const std::string config = folder.write(
        "router.conf", "interface a port 0 mac 02:00:00:00:01:0a mtu 1500\naddress a 10.0.0.1/24\n" + line + "\n");
    ControlOptions options;
    options.switches = {{"rules", "good.rules"}};
    const auto setup = load_filter_control(config, options);
    REQUIRE_FALSE(setup);
    CHECK(setup.error().list().front().range.begin.line == 3);
    CHECK_THAT(setup.error().list().front().text, Catch::Contains("the program 'filter'"));
  }
}
