// The profile against programs whose cycles are worked out by hand, and against the machine's counters.
#include <catch2/catch.hpp>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "observers_support.h"
#include "weft/emulator/observers/profile.h"

using namespace weft::test;
using namespace weft::emulator;

namespace {

/// Words sum to contexts, contexts to the machine's counters and to the run.
void sums_hold(const Profile& profile, const Machine& machine) {
  const ProfileFigures f = profile.figures();
  for (unsigned e = 0; e < f.engines.size(); ++e) {
    ProfileCycles words, contexts;
    for (const ProfileCycles& w : f.engines[e].words) words += w;
    for (unsigned c = 0; c < kContexts; ++c) {
      const ProfileFigures::Context& x = f.engines[e].contexts[c];
      contexts += x.cycles;
      const CycleCounters counted = machine.counters(e, c);
      INFO("me" << e << " ctx " << c);
      CHECK(x.cycles.executing == counted.executing);
      CHECK(x.cycles.aborted == counted.aborted);
      CHECK(x.cycles.stalled == counted.stalled);
      CHECK(x.cycles.sleep + x.cycles.ready + x.inactive == counted.idle);
    }
    CHECK(words == contexts);
  }
}

}  // namespace

TEST_CASE("profile: cycles are charged to the words that caused them") {
  // Three turns with a deferred slot: two slots lost each time the branch is taken.
  Board b({immed(a(1), 3),                     // 0
           alu(a(1), a(1), AluOp::sub, k(1)),  // 1
           branch(InsnId::bne, 1, 1),          // 2: aborts 3 less one slot
           nop(),                              // 3: the slot
           scratch_read(0, 16, 3, true),       // 4: 60 cycles from issue to ready, 2 of them aborted
           halt()});                           // 5
  Profile profile(b.machine);
  b.machine.attach(profile);
  REQUIRE(b.machine.run_until(100'000).kind == StopKind::halted);
  const ProfileFigures f = profile.figures();
  const auto& words = f.engines[0].words;
  CHECK(words[0] == ProfileCycles{1, 0, 0, 0, 0});
  CHECK(words[1] == ProfileCycles{3, 0, 0, 0, 0});
  CHECK(words[2] == ProfileCycles{3, 4, 0, 0, 0});
  CHECK(words[3] == ProfileCycles{3, 0, 0, 0, 0});
  const uint64_t unloaded = b.chip().chip.scratch.timing.unloaded;
  CHECK(words[4] == ProfileCycles{1, 2, 0, unloaded - 3, 0});
  CHECK(words[5].executing == 1);
  sums_hold(profile, b.machine);
}

TEST_CASE("profile: ready while another context holds the engine") {
  // Both start ready; the second waits while the first executes five words and gives up the engine.
  Board b({nop(), nop(), nop(), nop(), kill()}, 3);
  Profile profile(b.machine);
  b.machine.attach(profile);
  b.machine.run_until(10'000);
  const ProfileFigures f = profile.figures();
  CHECK(f.engines[0].contexts[0].cycles.ready == 0);
  CHECK(f.engines[0].contexts[1].cycles.ready == 5 + 2);
  CHECK(f.engines[0].words[0].ready == 7);  // it waits at its first word
  CHECK(f.engines[0].words[4] == ProfileCycles{2, 4, 0, 0, 0});
  sums_hold(profile, b.machine);
}

TEST_CASE("profile: sums hold at any cut, with stalls and slots") {
  for (const Tick end : {Tick{1000}, Tick{1007}, Tick{1010}, Tick{1020}, Tick{23456}}) {
    StallingBench m;
    Profile profile(m);
    m.attach(profile);
    m.run_until(end);
    sums_hold(profile, m);
    CHECK(profile.figures().engines[0].words[0].stalled > 0);
    CHECK(profile.figures().engines[0].words[1].stalled == 0);
  }
}

TEST_CASE("profile: lines, macros, blocks and stages") {
  Board b({nop(), nop(), nop(), branch(InsnId::br, 5), nop(), halt()});
  weft::image::Image image;
  image.name = "p.uc";
  image.files = {"p.uc", "m.uc"};
  const weft::image::Line call_outer{0, 9, 1}, call_inner{1, 4, 1};
  image.lines = {{{0, 1, 1}, {}},
                 {{1, 3, 1}, {{"outer", call_outer}}},
                 {{1, 20, 1}, {{"inner", call_inner}, {"outer", call_outer}}},
                 {{1, 21, 1}, {{"inner", call_inner}, {"outer", call_outer}}},
                 {{0, 5, 1}, {}},
                 {{0, 6, 1}, {}}};
  image.marks = {{weft::image::Mark::Kind::block, "first", 0},
                 {weft::image::Mark::Kind::block, "second", 2},
                 {weft::image::Mark::Kind::stage, "work", 1}};
  Profile profile(b.machine);
  b.machine.attach(profile);
  b.machine.run_until(10'000);
  b.machine.run_until(10'000);  // past the slots that the halt aborts
  const Images images{&image};
  const auto json = nlohmann::json::parse(to_json(profile.figures(), images));
  std::map<std::string, uint64_t> own, inclusive, blocks, stages;
  const auto busy = [](const nlohmann::json& c) {
    return c["executing"].get<uint64_t>() + c["aborted"].get<uint64_t>() + c["stalled"].get<uint64_t>();
  };
  for (const auto& m : json["macros"]) own[m["macro"]] = busy(m["own"]), inclusive[m["macro"]] = busy(m["inclusive"]);
  for (const auto& m : json["blocks"]) blocks[m["block"]] = busy(m["own"]);
  for (const auto& m : json["stages"]) stages[m["stage"]] = busy(m["own"]);
  // The branch costs 1 + 2 cycles, the halt 1 + 2.
  CHECK(own == std::map<std::string, uint64_t>{{"outer", 1}, {"inner", 4}, {"(outside macros)", 4}});
  CHECK(inclusive == std::map<std::string, uint64_t>{{"outer", 5}, {"inner", 4}, {"(outside macros)", 4}});
  CHECK(blocks == std::map<std::string, uint64_t>{{"first", 2}, {"second", 7}});
  CHECK(stages == std::map<std::string, uint64_t>{{"(no stage)", 1}, {"work", 8}});

  const std::string folded = to_folded(profile.figures(), images);
  CHECK(folded.find("me0;p.uc;second;outer;inner;m.uc:21;aborted 2\n") != std::string::npos);
  CHECK(folded.find("me0;p.uc;first;outer;m.uc:3;executing 1\n") != std::string::npos);
  uint64_t sum = 0;
  std::istringstream lines(folded);
  for (std::string line; std::getline(lines, line);) sum += std::stoull(line.substr(line.rfind(' ')));
  CHECK(sum == 9);
  const std::string text = to_text(profile.figures(), images);
  CHECK(text.find("9 cycles in which a context held an engine") != std::string::npos);
}
