// The examples as no file has them: chips with other figures, other traffic, and programs in which words were changed.
// Both engines do the same, whatever comes of it.
//
// WEFT_SEED and WEFT_PROJECTS choose others and how many; WEFT_FULL=1 makes 200.
#include <catch2/catch.hpp>
#include <cstdlib>
#include <optional>

#include "compare.h"
#include "environment.h"
#include "must.h"
#include "observation.h"
#include "user_change.h"
#include "varied_board.h"
#include "weft/base/temporary_folder.h"
#include "weft/workbench/session.h"

using namespace weft;
using namespace weft::test;

namespace {

struct Example {
  const char* folder;
  const char* board;
  std::vector<unsigned> ports;  ///< with traffic into them
};
const Example kExamples[] = {
    {"ipv4-forwarder", "generic-2400", {0, 1}},
    {"ipv4-forwarder-1200", "nctu-1200", {0, 1, 2, 3, 4, 5, 6, 7, 8}},
    {"diffserv-edge-1200", "nctu-1200", {0, 1, 2, 3, 4, 5, 6, 7}},
    {"dual-stack-router", "generic-2400", {0, 1, 2, 3}},
    {"firewall-filter", "enp2611", {0, 1}},
    {"firewall-napt", "enp2611", {0}},
    {"mpls-router", "generic-2400", {0, 1, 2, 3}},
    {"two-chips", "itj-dual-2400", {0, 1}},
    {"ixp1200", "nctu-1200", {0}},
};

/// What a seed decides, for all sessions.
struct Variant {
  std::string folder, board;
  workbench::Overrides overrides;
  uint64_t words_seed = 0;
  unsigned changed_words = 0;  ///< in each program
};

/// `whole`: as write_varied_board().
Variant variant(Random& random, const std::filesystem::path& folder, bool whole) {
  const Example& example = kExamples[random.below(std::size(kExamples))];
  Variant out;
  out.folder = std::string(WEFT_SOURCE_DIR "/examples/") + example.folder;
  out.overrides.seed = random.below(1'000'000);
  out.board = example.board;
  if (random.chance(3, 4)) {
    out.board = write_varied_board(random, example.board, folder, whole);
    out.overrides.set.emplace_back("board", out.board);
  }
  const auto set = [&](unsigned port, const char* what, const std::string& value) {
    out.overrides.set.emplace_back("ports." + std::to_string(port) + ".in.generate." + what, value);
  };
  for (unsigned i = 0; i < example.ports.size(); ++i) {
    if (random.chance(1, 2)) set(i, "rate", "0." + std::to_string(random.between(1, 9)));
    if (random.chance(1, 2)) set(i, "size", std::to_string(random.between(90, random.chance(1, 2) ? 100 : 1518)));
    if (random.chance(1, 4)) set(i, "count", std::to_string(random.between(1, 40)));
  }
  if (random.chance(1, 2)) {
    out.changed_words = static_cast<unsigned>(random.between(1, 6));
    out.words_seed = random.next64();
  }
  return out;
}

/// Some words become others: those of another place, or with a bit changed.
void change_words(emulator::Board& board, Random& random, unsigned changes) {
  for (unsigned c = 0; c < board.chip_count(); ++c) {
    emulator::Machine& machine = board.machine(c);
    for (unsigned e = 0; e < machine.engine_count(); ++e) {
      std::vector<uint64_t> words(machine.words(e).begin(), machine.words(e).end());
      size_t used = words.size();
      while (used > 0 && words[used - 1] == words.back()) --used;
      if (used < 8 || random.chance(1, 2)) continue;
      for (unsigned i = 0; i < changes; ++i) {
        const size_t at = random.below(used);
        uint64_t word = words[random.below(used)];
        if (random.chance(1, 2)) word = words[at] ^ uint64_t { 1 } << random.below(40);
        if (isa::decode(machine.timing().profile, word)) words[at] = word;
      }
      machine.replace(e, words);
    }
  }
}

std::unique_ptr<workbench::Session> session_of(const Variant& variant) {
  auto session = must(workbench::Session::create(must(workbench::load_project(variant.folder, variant.overrides))));
  Random words(variant.words_seed);
  if (variant.changed_words != 0) change_words(session->board(), words, variant.changed_words);
  return session;
}

void require_same_state(workbench::Session& a, workbench::Session& b, const char* which) {
  const std::string differs = difference(a.board().save(), b.board().save());
  if (!differs.empty()) FAIL(which << ": state differs: " << differs);
  if (a.state_hash() != b.state_hash()) FAIL(which << ": the control processor's state differs");
}

/// As users run them, up to a limit or a fault: then the session brings all engines to the cycle of that.
void compare_sessions(const Variant& variant, uint64_t cycles) {
  auto reference = session_of(variant), fast = session_of(variant);
  reference->board().set_execution({false, 0});
  fast->board().set_execution({true, 512});
  workbench::RunControl control;
  control.limits.cycles = cycles;
  const workbench::Stop a = reference->run(control), b = fast->run(control);
  INFO(a.text << "; " << b.text);
  REQUIRE(a.kind == b.kind);
  REQUIRE(a.text == b.text);
  REQUIRE((a.chip == b.chip && a.engine == b.engine && a.context == b.context && a.address == b.address));
  require_same_state(*reference, *fast, "sessions");
}

/// `changed`: now and then a user changes something.
void compare(uint64_t seed, bool whole, bool changed = false) {
  INFO("seed " << seed);
  Random random(seed), user(seed + 1);
  const TemporaryFolder folder("weft-varied");
  const Variant v = variant(random, folder.path(), whole);
  std::string figures = v.folder;
  for (const auto& [name, value] : v.overrides.set) figures += " --set " + name + "=" + value;
  INFO(figures << ", " << v.changed_words << " words changed");
  auto reference = session_of(v), fast = session_of(v), cut = session_of(v), changing = session_of(v);
  const emulator::BoardDescription board = must(emulator::load_board(v.board, {WEFT_SOURCE_DIR "/emulator"}));
  std::optional<RandomObservation> observation;  // of the first chip; others of the board would not be run by it
  if (board.chips.size() == 1)
    observation.emplace(seed + 4, changing->board().machine(), changing->board().units(), board.chips[0]);
  constexpr uint32_t horizons[] = {1, 7, 40, 512};
  reference->board().set_execution({false, 0});
  fast->board().set_execution({true, 512, 1});
  cut->board().set_execution({true, horizons[random.below(4)], static_cast<uint32_t>(random.below(4))});
  const emulator::Tick period = reference->board().machine().timing().period;
  const emulator::Tick end = random.between(5'000, random.chance(1, 4) ? 120'000 : 30'000) * period;
  compare_sessions(v, end / period);
  const bool often = random.chance(1, 2);
  for (emulator::Tick now = 0; now < end;) {
    now = std::min(end, now + 1 + random.below((often ? 300 : 20'000) * period));
    INFO("cut at tick " << now);
    const emulator::BoardStop a = reference->board().run_to({now, 0}), b = cut->board().run_to({now, 0});
    REQUIRE(a.chip == b.chip);
    REQUIRE(to_text(a.reason) == to_text(b.reason));
    if (observation) {
      REQUIRE(observation->run_until(now).kind == a.reason.kind);
      REQUIRE(!observation->wrong_stop());
    }
    if (a.reason.kind != emulator::StopKind::limit && a.reason.kind != emulator::StopKind::idle) {
      const emulator::BoardStop c = fast->board().run_to({now, 0});
      REQUIRE(to_text(a.reason) == to_text(c.reason));
      return;  // others may stand further
    }
    if (random.chance(1, often ? 20 : 2)) {
      require_same_state(*reference, *cut, "with cuts");
      if (observation) require_same_state(*reference, *changing, "with observers that come and go");
    }
    if (!changed || !user.chance(1, often ? 20 : 3)) continue;
    fast->board().run_to({now, 0});
    const auto chip = static_cast<unsigned>(user.below(board.chips.size()));
    const UserChange change(user, board.chips[chip], board.chips[chip].chip.engines, 300);
    for (workbench::Session* session : {reference.get(), fast.get(), cut.get(), changing.get()})
      if (observation || session != changing.get())
        change.apply(session->board().machine(chip), session->board().units(chip));
  }
  fast->board().run_to({end, 0});
  require_same_state(*reference, *cut, "with cuts");
  require_same_state(*reference, *fast, "without cuts");
}

}  // namespace

// The lock for which a context waits is given up after the choice of the next one; a signal comes again while one of
// the engine's own waits to be applied; a command takes a register that is written before its service, behind a wait
// that another signal has ended.
TEST_CASE("the examples on other chips: found once") {
  for (const uint64_t seed : {10'467, 21'917, 22'081}) compare(seed, false);
}

TEST_CASE("the examples on other chips, with other traffic and words, do the same on both engines") {
  const uint64_t first = number_of("WEFT_SEED", 1);
  const uint64_t count = number_of("WEFT_PROJECTS", std::getenv("WEFT_FULL") != nullptr ? 200 : 12);
  for (uint64_t seed = first; seed < first + count; ++seed) compare(seed, seed % 4 != 0, seed % 3 == 0);
}
