// Mutants that are proved equivalent, run: tests that see all other changes must not see these.
#include <algorithm>
#include <catch2/catch.hpp>
#include <filesystem>

#include "testing/mutation_plan.h"
#include "testing/run_case.h"

using namespace weft;
using namespace weft::workbench;
using namespace weft::workbench::testing;

TEST_CASE("mutants of the forwarder that are proved equivalent pass its tests") {
  const std::filesystem::path root = WEFT_SOURCE_DIR;
  const std::string example = (root / "examples/ipv4-forwarder").lexically_normal().string();
  const auto plan =
      plan_tests({example}, {"forwarded \\[1\\]|dropped \\[[13]\\]|control processor \\[1\\]", std::nullopt});
  REQUIRE(plan);
  REQUIRE(plan->cases.size() >= 3);
  std::vector<std::string> blocks = sources_below({example, (root / "lib/microblocks").string()});
  MutantCatalogue catalogue(blocks);
  ProgramStore store;
  size_t proven = 0, ran = 0;
  for (size_t i = 0; i < plan->cases.size(); ++i) {
    const TestPlan::Item& item = plan->cases[i];
    const auto& entries = item.suite->entries();
    const auto entry =
        std::find_if(entries.begin(), entries.end(), [&](const Suite::Entry& e) { return e.name == item.name; });
    REQUIRE(entry != entries.end());
    auto test = item.suite->read(*entry);
    REQUIRE(test);
    test->project.limits.cycles = 500'000;  // ten times what they take
    const auto prepared = store.prepare(test->project, test->project_file);
    REQUIRE(prepared);
    if (i == 0) catalogue.add(**prepared);
    size_t number = 0;
    for (const std::string& block : blocks) {
      for (const auto& entry_of : catalogue.candidates(block)) {
        const MutantCatalogue::Key& key = entry_of.first;
        const Candidate& candidate = entry_of.second;
        if (!candidate.proven) continue;
        proven += i == 0;
        if (number++ % plan->cases.size() != i) continue;  // each of them with one of the cases
        CAPTURE(key.id(), candidate.before, candidate.after, *candidate.proven, item.name);
        RunHow how;
        how.explain = false;
        how.make = [&](const Project& project, const Observation& observation) -> Result<std::unique_ptr<Session>> {
          auto built = build(project);
          if (!built) return tl::unexpected(std::move(built.error()));
          CHECK(apply(*built, key.site, key.mutation));
          return Session::create(project, observation, std::move(*built));
        };
        CaseOutcome outcome;
        execute_case(*test, how, outcome);
        INFO(outcome.text);
        CHECK(outcome.verdict == Verdict::passed);
        ++ran;
      }
    }
  }
  CHECK(ran == proven);
  CHECK(ran >= 20);
}
