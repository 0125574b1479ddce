// Figures go back with the machine: at any earlier cycle coverage, statistics and profile are those of a straight run
// to that cycle.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <map>

#include "must.h"
#include "weft/base/files.h"
#include "weft/base/random.h"
#include "weft/base/temporary_folder.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"

using namespace weft;
using namespace weft::workbench;

namespace {

struct Figures {
  std::map<std::string, std::string> files;  ///< as the command line writes them
  bool operator==(const Figures&) const = default;
};

Figures figures_of(Session& session, bool profile) {
  const TemporaryFolder folder;
  const std::string base = folder.path().string();
  must(session.write_statistics(base + "/statistics.json"));
  must(session.write_coverage(base + "/coverage.csv"));
  if (profile) must(session.write_profile(base + "/profile.json"));
  Figures out;
  for (const auto& entry : std::filesystem::directory_iterator(base))
    out.files[entry.path().filename().string()] = must(read_file(entry.path().string()));
  return out;
}

}  // namespace

TEST_CASE("figures go back with the machine, and forth") {
  const char* given = std::getenv("WEFT_SEED");
  const uint64_t seed = given != nullptr ? std::strtoull(given, nullptr, 0) : 41;
  INFO("WEFT_SEED=" << seed);
  const auto [name, profile] = GENERATE(std::pair("ipv4-forwarder", true), std::pair("ipv4-forwarder", false),
                                        std::pair("two-chips", false), std::pair("ipv4-forwarder-1200", false));
  INFO(name);
  const auto session_of = [&, name = name, profile = profile] {
    Observation what;
    what.coverage = what.statistics = true;
    what.profile = profile;
    return must(Session::create(must(load_project(std::string(WEFT_SOURCE_DIR) + "/examples/" + name)), what));
  };
  constexpr uint64_t kEnd = 30'000;
  const auto session = session_of();
  session->record(1'700, 6);
  must(session->run_until(fmt::format("{} cycles", kEnd), {}));
  const emulator::Tick period = session->machine().timing().period;
  Random random(seed);
  for (int i = 0; i < 6; ++i) {
    const uint64_t cycle = i == 0 ? kEnd - 1 : 1 + random.below(kEnd - 1);
    INFO("cycle " << cycle);
    must(session->go_to({cycle * period, 0}));
    CHECK(session->counted().now == cycle * period);
    CHECK(session->observed().now == kEnd * period);
    const auto straight = session_of();
    must(straight->run_until(fmt::format("{} cycles", cycle), {}));
    CHECK(figures_of(*session, profile) == figures_of(*straight, profile));
  }
  // One instruction back: what the words were executed is what the engines have executed.
  const auto executed = [&] {
    uint64_t words = 0;
    for (const auto& word : session->coverage()->words(0)) words += word.all_executed();
    return words;
  };
  const uint64_t before = executed();
  const bool stepped = must(session->step_back(0)).kind == Stop::Kind::stepped;
  CHECK(executed() == before - (stepped ? 1 : 0));
  CHECK(executed() == std::as_const(session->machine()).state(0).instructions);
  // Beyond the furthest moment it goes on as if it had never gone back.
  must(session->run_until(fmt::format("{} cycles", kEnd + 5'000), {}));
  CHECK(session->counted() == session->observed());
  const auto straight = session_of();
  must(straight->run_until(fmt::format("{} cycles", kEnd + 5'000), {}));
  CHECK(figures_of(*session, profile) == figures_of(*straight, profile));
}
