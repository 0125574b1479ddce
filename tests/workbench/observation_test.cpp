// Observers through the session: the same path that the command line takes.
#include <nlohmann/json.hpp>

#include "folder.h"

using namespace weft;
using namespace weft::workbench;
using weft::emulator::Check;
using weft::emulator::CheckMode;
using weft::workbench::test::Folder;

namespace {

// Each context adds 3 + 2 + 1 and writes the sum.
const char* const kProgram = R"(.reg n sum base
.reg write $result
.sig written
immed[n, 3]
immed[sum, 0]
again#:
alu[sum, sum, +, n]
alu[n, n, -, 1]
bne[again#]
immed[base, 0x100]
alu[$result, --, B, sum]
scratch[write, $result, base, 0, 1], ctx_swap[written]
ctx_arb[kill]
)";

std::unique_ptr<Session> session_of(const Folder& folder, const Observation& observation, const std::string& program = kProgram) {
  folder.write("p.uc", program);
  folder.write("weft.json", R"({"version": 1, "board": "generic-2400", "programs": [{"source": "p.uc", "engines": [0]}]})");
  auto project = folder.load();
  if (!project) FAIL(project.error().list()[0].text);
  auto session = Session::create(std::move(*project), observation);
  if (!session) FAIL(session.error().list()[0].text);
  return std::move(*session);
}

// A wait for what nobody raises.
const char* const kWaits = R"(.reg a
.sig never
immed[a, 1]
ctx_arb[never]
ctx_arb[kill]
)";

}  // namespace

TEST_CASE("a session records coverage and writes it as lcov") {
  const Folder folder;
  Observation observation;
  observation.coverage = true;
  const auto session = session_of(folder, observation);
  session->run({});
  const std::string path = (folder.path() / "c.info").string();
  REQUIRE(session->write_coverage(path));
  const std::string text = *read_file(path);
  // Eight contexts, three turns each.
  for (const char* line : {"DA:4,8\n", "DA:7,24\n", "DA:9,24\n", "BRDA:9,4,0,16\n", "BRDA:9,4,1,8\n", "DA:13,8\n", "FNDA:24,again#\n"}) {
    INFO(text);
    CHECK(text.find(line) != std::string::npos);
  }
  CHECK(session->write_history((folder.path() / "h.json").string()).error().list()[0].code == "history-off");
}

TEST_CASE("a session records the history and writes both forms") {
  const Folder folder;
  Observation observation;
  observation.history = true;
  const auto session = session_of(folder, observation);
  session->run({});
  const std::string json_path = (folder.path() / "h.json").string(), trace = (folder.path() / "h.perfetto-trace").string();
  REQUIRE(session->write_history(json_path));
  REQUIRE(session->write_history(trace));
  const auto json = nlohmann::json::parse(*read_file(json_path));
  REQUIRE(json["references"].size() == 8);
  CHECK(json["references"][0]["command"] == "scratch_write");
  CHECK(json["references"][0]["source"].get<std::string>().ends_with("p.uc:12"));
  CHECK(read_file(trace)->size() > 1000);
}

TEST_CASE("observers change nothing") {
  const Folder folder;
  Observation all;
  all.coverage = all.history = true;
  all.checks = emulator::all_checks(CheckMode::warn);
  const auto plain = session_of(folder, {});
  plain->run({});
  const auto watched = session_of(folder, all);
  watched->run({});
  CHECK(plain->state_hash() == watched->state_hash());
  REQUIRE(watched->finish());
  for (const Diagnostic& d : watched->findings()) UNSCOPED_INFO(d.code << ": " << d.text);
  CHECK(watched->findings().empty());
}

TEST_CASE("a check warns with context, line and cycle") {
  const Folder folder;
  Observation observation;
  observation.checks = emulator::all_checks(CheckMode::warn);
  const auto session = session_of(folder, observation, kWaits);
  session->run({});
  REQUIRE(session->finish());
  const Diagnostics found = session->findings();
  REQUIRE(found.size() == 8);  // one for each context
  CHECK(found.list()[0].code == "check-endless-wait");
  CHECK(found.list()[0].text.find("me0 ctx 0 at ") == 0);
  CHECK(found.list()[0].text.find("p.uc:4, word 0x1") != std::string::npos);
  CHECK(found.list()[0].text.find("for never (s") != std::string::npos);
}

TEST_CASE("modes of checks are parsed") {
  using emulator::CheckModes;
  const auto mode = [](const CheckModes& modes, Check check) { return modes[static_cast<size_t>(check)]; };
  CHECK(*parse_check_modes("warn") == emulator::all_checks(CheckMode::warn));
  const auto mixed = parse_check_modes("warn,ring=stop,codes=off");
  REQUIRE(mixed);
  CHECK(mode(*mixed, Check::ring) == CheckMode::stop);
  CHECK(mode(*mixed, Check::codes) == CheckMode::off);
  CHECK(mode(*mixed, Check::access) == CheckMode::warn);
  const auto one = parse_check_modes("signal-twice=stop");
  REQUIRE(one);
  CHECK(mode(*one, Check::signal_twice) == CheckMode::stop);
  CHECK(mode(*one, Check::ring) == CheckMode::off);
  CHECK(parse_check_modes("wran").error().list()[0].code == "check-mode");
  CHECK(parse_check_modes("rings=warn").error().list()[0].remedy == "did you mean 'ring'?");
  CHECK_FALSE(parse_check_modes("ring="));
}

TEST_CASE("the IPv4 forwarder runs without a finding") {
  Overrides overrides;
  overrides.set = {{"limits.packets", "600"}};
  auto project = load_project(WEFT_SOURCE_DIR "/examples/ipv4-forwarder", overrides);
  REQUIRE(project);
  Observation observation;
  observation.checks = emulator::all_checks(CheckMode::warn);
  auto session = Session::create(std::move(*project), observation);
  REQUIRE(session);
  const Stop stop = (*session)->run({});
  CHECK(stop.kind == Stop::Kind::packets);
  REQUIRE((*session)->finish());
  for (const Diagnostic& d : (*session)->findings()) UNSCOPED_INFO(d.code << ": " << d.text);
  CHECK((*session)->findings().empty());
}
