// Recordings that somebody has changed on purpose, with the checksums right: they are refused, or run, and never end
// the program.
//
//   WEFT_DAMAGE_SEEDS=5000 build/dev/bin/weft_test_damage
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdlib>
#include <vector>

#include "environment.h"
#include "recorded_run.h"
#include "weft/base/random.h"

using namespace weft;
using namespace weft::workbench;
using weft::workbench::test::Change;
using weft::workbench::test::RecordedRun;

namespace {

std::vector<Change> changes_of(uint64_t seed) {
  Random random(seed);
  std::vector<Change> out;
  for (uint64_t left = 1 + random.below(2); left > 0; --left) {
    Change change;
    const uint64_t part = random.below(10);
    change.part = part < 6 ? Change::Part::states : part < 9 ? Change::Part::observers : Change::Part::events;
    change.at = random.next64();
    change.bytes = 1;
    // Bytes that are often the length or the index of something, or as large as can be.
    switch (random.below(4)) {
      case 0: change.value = 0xff; break;
      case 1: change.value = 1u << random.below(8); break;
      case 2: change.value = 0; break;
      default: change.value = random.below(256); break;
    }
    out.push_back(change);
  }
  return out;
}

/// In a process of its own, which has `seconds` of processor time: 'r' refused, 'u' used, else how it ended.
std::string ends(const RecordedRun& run, Session& fresh, uint64_t seed, unsigned seconds) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(seconds);
    int status = 2;
    try {
      status = RecordedRun::use(fresh, run.changed(changes_of(seed)), 300) ? 0 : 1;
    } catch (const std::exception& fault) {
      std::fprintf(stderr, "seed %llu: %s\n", static_cast<unsigned long long>(seed), fault.what());
    }
    std::_Exit(status);
  }
  REQUIRE(child > 0);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (WIFSIGNALED(status)) return "signal " + std::to_string(WTERMSIG(status));
  return WEXITSTATUS(status) == 0 ? "u" : WEXITSTATUS(status) == 1 ? "r" : "exception";
}

}  // namespace

TEST_CASE("a recording that was changed after its checksums is refused or runs", "[damage]") {
  struct Example {
    const char* name;
    uint64_t cycles;
  };
  const auto example = GENERATE(Example{"ipv4-forwarder", 6'000}, Example{"two-chips", 6'000},
                                Example{"ipv4-forwarder-1200", 8'000}, Example{"firewall-filter", 6'000});
  INFO(example.name);
  const RecordedRun run(std::string(WEFT_SOURCE_DIR) + "/examples/" + example.name, example.cycles);
  const auto fresh = run.fresh();
  // What was not changed is used.
  REQUIRE(RecordedRun::use(*run.fresh(), run.parts(), 300));
  const uint64_t max = number_of("WEFT_DAMAGE_SEEDS", std::getenv("WEFT_FULL") != nullptr ? 1500 : 60);
  const uint64_t first = number_of("WEFT_SEED", 1) * 1'000'000;
  std::vector<uint64_t> seeds{901'000'039};  // a histogram whose smallest value was above its largest one
  for (uint64_t seed = first; seed < first + max; ++seed) seeds.push_back(seed);
  uint64_t used = 0, refused = 0;
  for (const uint64_t seed : seeds) {
    const std::string end = ends(run, *fresh, seed, 60);
    (end == "u" ? used : refused) += 1;
    if (end != "u" && end != "r") FAIL_CHECK("seed " << seed << ": " << end);
  }
  // Most bytes are contents of memories and registers, where everything may stand.
  CHECK(used > 0);
  WARN(example.name << ": " << used << " used, " << refused << " refused");
}
