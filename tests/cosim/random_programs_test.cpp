// Random programs on several engines and contexts, run by the reference and by the fast engine: the same events in the
// same order, and the same state at random cuts. One fast machine is observed; another one is not, stops at other cuts,
// and changes between both engines; in a third one observers come and go, and breakpoints are set at random places.
//
// WEFT_SEED and WEFT_PROGRAMS choose other programs and how many; WEFT_FULL=1 makes 10,000.
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <deque>
#include <map>
#include <span>

#include "compare.h"
#include "environment.h"
#include "guest.h"
#include "observation.h"
#include "random_program.h"
#include "reports.h"
#include "user_change.h"
#include "varied_board.h"

using namespace weft;
using namespace weft::test;

namespace {

uint64_t program_count() { return number_of("WEFT_PROGRAMS", std::getenv("WEFT_FULL") != nullptr ? 10000 : 200); }

/// What one seed decides, the same for every machine.
struct Scenario {
  uint64_t seed;
  std::vector<std::vector<uint64_t>> programs;  ///< by engine
  std::vector<unsigned> contexts;
  std::vector<emulator::Frame> frames;
  uint64_t cycles = 0;
};

Scenario scenario(uint64_t seed, const emulator::ChipOnBoard& chip) {
  Random random(seed);
  Scenario out{seed, {}, {}, {}, 1500 + random.below(2500)};
  ProgramStyle style;
  style.length = static_cast<unsigned>(20 + random.below(140));
  style.commands = static_cast<unsigned>(random.below(random.chance(1, 4) ? 80 : 30));
  style.swaps = static_cast<unsigned>(random.below(100));
  style.branches = static_cast<unsigned>(random.below(30));
  style.csrs = random.chance(1, 2);
  style.cross = random.chance(1, 2);
  style.queues = seed % 2 == 1;
  const uint64_t engines = 1 + random.below(chip.chip.engines);
  for (uint64_t e = 0; e < engines; ++e) {
    if (e > 0 && random.chance(1, 3)) {
      out.programs.push_back(out.programs.back());
    } else {
      std::vector<uint64_t> words;
      for (const isa::Instruction& i : random_program(random, chip.chip.profile, style)) {
        const auto word = isa::encode(chip.chip.profile, i);
        REQUIRE(word);
        words.push_back(*word);
      }
      out.programs.push_back(std::move(words));
    }
    out.contexts.push_back(static_cast<unsigned>(random.chance(1, 4) ? 1 : 1 + random.below(255)));
  }
  for (uint64_t i = random.below(6); i > 0; --i) {
    emulator::Frame frame;
    frame.bytes.resize(60 + random.below(200));
    for (uint8_t& byte : frame.bytes) byte = static_cast<uint8_t>(random.below(256));
    out.frames.push_back(std::move(frame));
  }
  return out;
}

/// A control processor of the IXP1200 that signals every thread and gives up locks now and then: what waits for an
/// event that is lost, or for a lock that nobody gives up, goes on.
class Prodder : public emulator::Actor {
 public:
  Prodder(uint64_t seed, const emulator::ChipOnBoard& chip, emulator::Units& units)
      : random_(seed),
        threads_(chip.chip.engines * chip.chip.contexts),
        period_(chip.chip.engine.period),
        units_(units) {
    next_ = (200 + random_.below(2000)) * period_;
  }
  emulator::Tick next_event() const override { return next_; }
  void run(emulator::Tick now) override {
    constexpr uint32_t kInterThreadSignal = 0x1c0, kEnqueueSeq1 = 0x028;
    for (uint32_t thread = 0; thread < threads_; ++thread) units_.host().write_cap(kInterThreadSignal, thread);
    if (random_.chance(1, 4)) units_.host().write_cap(kEnqueueSeq1, random_.next32());
    for (uint32_t address = 0; address < 160; address += 4) units_.host().unlock(address, now);
    next_ = now + 1 + random_.below(1500) * period_;
  }

 private:
  Random random_;
  uint32_t threads_;
  emulator::Tick period_, next_ = 0;
  emulator::Units& units_;
};

struct Subject {
  Subject(const Scenario& s, const emulator::ChipOnBoard& chip)
      : machine(emulator::MachineDescription(chip.chip)), units(chip, machine) {
    machine.attach(units);
    for (unsigned ring = 0; ring < 4; ++ring) units.host().set_ring(ring, ring * 512, 128);
    Random random(s.seed + 1);
    for (unsigned e = 0; e < s.programs.size(); ++e) {
      machine.load(e, s.programs[e]);
      for (uint32_t& longword : machine.state(e).s_in) longword = random.next32();
      const bool four = random.chance(1, 5);
      uint32_t enables = four ? 1u << 31 : 0;
      if (random.chance(1, 4)) enables |= 1u << 20;  // next-neighbor registers of its own
      if (random.chance(1, 5)) enables |= 1u << 16;
      machine.write_csr(e, isa::Csr::ctx_enables, enables);
      machine.start(e, four ? (s.contexts[e] & 0x55) | 1 : s.contexts[e]);
    }
    if (chip.chip.profile == isa::Profile::me1) {
      prodder = std::make_unique<Prodder>(s.seed + 3, chip, units);
      if (random.chance(3, 4)) machine.attach(*prodder, emulator::Rank::control);
    }
    if (Random(s.seed + 5).chance(1, 2)) {
      guest = std::make_unique<Guest>(s.seed + 6, chip, units);
      machine.attach(*guest, emulator::Rank::control);
    }
    if (s.frames.empty()) return;
    for (unsigned port = 0; port < std::min<size_t>(units.port_count(), chip.chip.profile == isa::Profile::me1 ? 3 : 1);
         ++port)
      units.set_source(port, std::make_shared<emulator::ListSource>(s.frames, 20));
  }
  emulator::Machine machine;
  emulator::Units units;
  std::unique_ptr<Prodder> prodder;
  std::unique_ptr<Guest> guest;
  uint64_t heard() const { return guest != nullptr ? guest->heard() : 0; }
};

/// `changed`: between runs a user changes something now and then.
void compare(uint64_t seed, const emulator::ChipOnBoard& chip, bool changed = false) {
  const Scenario s = scenario(seed, chip);
  const auto change = [&](Random& user, const std::vector<Subject*>& subjects) {
    if (!changed || !user.chance(1, 3)) return;
    const auto engines = static_cast<unsigned>(s.programs.size());
    const UserChange what(user, chip, engines, static_cast<uint32_t>(s.programs[0].size()));
    for (Subject* subject : subjects) what.apply(subject->machine, subject->units);
  };
  Random random(seed + 2);
  constexpr uint32_t horizons[] = {1, 7, 40, 512};
  Subject reference(s, chip), observed(s, chip), bare(s, chip), changing(s, chip);
  RandomObservation observation(seed + 4, changing.machine, changing.units, chip);
  Recorder expected, seen;
  reference.machine.attach(expected);
  observed.machine.attach(seen);
  observed.machine.set_execution({true, horizons[random.below(4)]});
  const emulator::Tick period = chip.chip.engine.period, end = s.cycles * period;
  while (reference.machine.now() < end) {
    const emulator::Tick cut =
        std::min(end, reference.machine.now() + 1 + random.below(random.chance(1, 2) ? 300 : 15000));
    const emulator::StopReason a = reference.machine.run_until(cut), b = observed.machine.run_until(cut);
    const std::string events = difference(expected.events, seen.events);
    INFO("seed " << seed << ", chip " << chip.chip.name << ", cut at tick " << cut << "\n"
                 << to_text(a) << "; " << to_text(b));
    const bool goes_on = a.kind == emulator::StopKind::limit || a.kind == emulator::StopKind::idle;
    if (changed && !goes_on) {  // where other engines stand then is not said
      CHECK(a == b);
      return;
    }
    if (!events.empty()) FAIL("events differ: " << events);
    const emulator::BoardState expected_state = board_of(reference.machine, reference.units);
    const std::string state = difference(expected_state, board_of(observed.machine, observed.units));
    if (!state.empty()) FAIL("state differs: " << state);
    REQUIRE(reference.units.state_hash() == observed.units.state_hash());
    REQUIRE(a == b);
    REQUIRE(reference.heard() == observed.heard());
    const emulator::StopReason c = observation.run_until(cut);
    INFO("random observation: " << to_text(c));
    const std::string third = difference(expected_state, board_of(changing.machine, changing.units));
    if (!third.empty()) FAIL("state of the third machine differs: " << third);
    REQUIRE(reference.units.state_hash() == changing.units.state_hash());
    REQUIRE(a.kind == c.kind);
    REQUIRE(!observation.wrong_stop());
    REQUIRE(reference.heard() == changing.heard());
    expected.events.clear();
    seen.events.clear();
    if (!goes_on) break;
    change(random, {&reference, &observed, &changing});
  }
  const emulator::Tick stopped = reference.machine.now();
  Subject plain(s, chip);
  while (bare.machine.now() < stopped) {
    constexpr uint32_t translate_after[] = {0, 1, 1, 3};
    bare.machine.set_execution({random.chance(4, 5), horizons[random.below(4)], translate_after[random.below(4)]});
    const emulator::Tick cut =
        std::min(stopped, bare.machine.now() + 1 + random.below(random.chance(1, 2) ? 300 : 30000));
    const emulator::StopReason a = plain.machine.run_until(cut), b = bare.machine.run_until(cut);
    INFO("seed " << seed << ", chip " << chip.chip.name << ", the machine that nobody observes, cut at tick " << cut);
    const bool goes_on = a.kind == emulator::StopKind::limit || a.kind == emulator::StopKind::idle;
    if (changed && !goes_on) {
      CHECK(a == b);
      return;
    }
    const std::string state = difference(plain.machine, plain.units, bare.machine, bare.units);
    if (!state.empty()) FAIL("state differs: " << state);
    REQUIRE(a == b);
    REQUIRE(hash_of(plain.machine, plain.units) == hash_of(bare.machine, bare.units));
    REQUIRE(plain.heard() == bare.heard());
    if (!goes_on) break;
    change(random, {&plain, &bare});
  }
  if (changed) return;
  if (plain.machine.now() != stopped) return;  // nothing was left to do at an earlier cut
  const std::string state = difference(reference.machine, reference.units, plain.machine, plain.units);
  if (!state.empty()) FAIL("observers change the state: " << state);
}

/// The same on a chip with other figures.
void compare_on_another(uint64_t seed) {
  compare(seed, varied_chip(seed, seed % 8 == 0 ? "generic-2800" : seed % 2 == 0 ? "generic-2400" : "nctu-1200"));
}

}  // namespace

TEST_CASE("random programs: both engines do the same on ixp2400") {
  const uint64_t first = number_of("WEFT_SEED", 1);
  for (uint64_t seed = first; seed < first + program_count(); ++seed) compare(seed, board("generic-2400"));
}

TEST_CASE("random programs: both engines do the same on chips with other figures") {
  const uint64_t first = number_of("WEFT_SEED", 1);
  for (uint64_t seed = first; seed < first + program_count() / 2; ++seed) compare_on_another(seed);
}

// A refresh of SDRAM that falls between the moment at which a row can be prepared and the service; the first of two
// signals, of a memory whose longword takes longer than its access; a request of the control processor that is nearer
// when a command before it has opened its row.
TEST_CASE("random programs: found once on chips with other figures") {
  for (const uint64_t seed : {163, 11'114, 47'498}) compare_on_another(seed);
}

TEST_CASE("random programs: both engines do the same while a user changes what programs have put somewhere") {
  const uint64_t first = number_of("WEFT_SEED", 1);
  for (uint64_t seed = first; seed < first + program_count() / 2; ++seed)
    compare(seed, chip_of(seed, seed % 4 < 2 ? "generic-2400" : "nctu-1200"), true);
}

TEST_CASE("random programs: both engines do the same on ixp2800") {
  const uint64_t first = number_of("WEFT_SEED", 1);
  for (uint64_t seed = first; seed < first + program_count() / 10; ++seed) compare(seed, board("generic-2800"));
}

// A branch in the deferred slots of another one, before a word that writes what a command takes.
TEST_CASE("random programs: found once on ixp2400") { compare(1'101'668, board("generic-2400")); }

// An engine that holds others up at a full unit goes elsewhere, and nobody takes the room in that cycle.
TEST_CASE("random programs: found once on ixp2800") { compare(500'440, board("generic-2800")); }

// Hash commands of one engine, and another that writes their multipliers: nothing may be hashed before its time. A
// command with an indirect word, which is awaited with others, and then one under the same signal. A request of the
// control processor before a command that is planned, and sent while events of the FBI happen ahead of their time.
TEST_CASE("random programs: found once on ixp1200") {
  for (const uint64_t seed : {100'897, 92'382, 409'703, 5'053'415, 1'001'585}) compare(seed, board("nctu-1200"));
}

TEST_CASE("random programs: both engines do the same on ixp1200") {
  const uint64_t first = number_of("WEFT_SEED", 1);
  for (uint64_t seed = first; seed < first + program_count(); ++seed) compare(seed, board("nctu-1200"));
}

namespace {

/// The reference, the fast engine, the fast engine beside an observer that wants every word, changes between the
/// engines at random cuts, and nobody who asks in which order words are executed: the same reports to the byte, in the
/// middle and at the end, and the counts of the words that were executed.
void compare_reports(uint64_t seed, const emulator::ChipOnBoard& chip) {
  INFO("seed " << seed << ", chip " << chip.chip.name);
  const Scenario s = scenario(seed, chip);
  Random random(seed + 3);
  Subject subjects[5] = {{s, chip}, {s, chip}, {s, chip}, {s, chip}, {s, chip}};
  const emulator::Tick end = s.cycles * chip.chip.engine.period, middle = 1 + random.below(end - 1);
  Recorder words;
  subjects[2].machine.attach(words);
  std::deque<Reports> reports;
  for (Subject& subject : subjects)
    reports.emplace_back(subject.machine, subject.units, chip,
                         &subject == &subjects[4] ? Reports::Kind::counts : Reports::Kind::all);
  for (const emulator::Tick cut : {middle, end}) {
    const auto stopped = subjects[0].machine.run_until(cut);
    if (stopped.kind != emulator::StopKind::limit) return;  // where the other engines stand then is not said
    const std::string expected = reports[0].text(), expected_counts = reports[0].counts();
    for (unsigned i = 1; i < 5; ++i) {
      INFO("machine " << i << ", cut at tick " << cut);
      emulator::Machine& machine = subjects[i].machine;
      constexpr uint32_t translate_after[] = {0, 1, 1, 3};
      machine.set_execution({true, i == 1 ? 512u : 40u, translate_after[random.below(4)]});
      while (machine.now() < cut) {
        if (i == 3) machine.set_execution({random.chance(1, 2), 40, translate_after[random.below(4)]});
        machine.run_until(i == 1 ? cut : std::min(cut, machine.now() + 1 + random.below(9000)));
      }
      if (i == 4)
        require_same(expected_counts, reports[i].counts());
      else
        require_same(expected, reports[i].text());
      // A control processor of the IXP1200 signals threads from outside.
      if (i != 4 && chip.chip.profile == isa::Profile::me2) require_same(reports[0].signals(), reports[i].signals());
    }
    if (!random.chance(1, 3)) continue;  // a user changes something
    const UserChange change(random, chip, static_cast<unsigned>(s.programs.size()),
                            static_cast<uint32_t>(s.programs[0].size()));
    for (Subject& subject : subjects) change.apply(subject.machine, subject.units);
  }
  std::map<std::tuple<uint32_t, uint64_t, uint32_t>, uint64_t> executed;
  for (const Event& event : words.events)
    if (event.kind == Event::Kind::execute) ++executed[{event.engine, event.a, event.context}];
  uint64_t covered = 0;
  for (unsigned e = 0; e < chip.chip.engines; ++e)
    for (uint32_t pc = 0; pc < reports[1].coverage().words(e).size(); ++pc)
      for (uint32_t c = 0; c < emulator::kContexts; ++c) {
        const uint64_t count = reports[1].coverage().words(e)[pc].executed[c];
        covered += count != 0;
        if (count != 0) REQUIRE(count == executed[{e, pc, c}]);
      }
  CHECK(covered == executed.size());
}

}  // namespace

TEST_CASE("random programs: statistics, coverage, profile and history are the same with both engines") {
  const uint64_t first = number_of("WEFT_SEED", 1);
  for (uint64_t seed = first; seed < first + program_count() / 4; ++seed)
    for (const char* name : {"generic-2400", "nctu-1200"}) compare_reports(seed, chip_of(seed, name));
}

TEST_CASE("random programs do something") {
  // A generator that makes nothing but nops would pass every comparison.
  const char* name = GENERATE("generic-2400", "nctu-1200");
  INFO(name);
  const emulator::ChipOnBoard& chip = board(name);
  Recorder events;
  uint64_t instructions = 0;
  std::array<uint64_t, 9> kinds{};
  std::map<std::string, uint64_t> served;
  for (uint64_t seed = 1; seed <= 40; ++seed) {
    const Scenario s = scenario(seed, chip);
    Subject subject(s, chip);
    subject.machine.attach(events);
    CHECK(subject.machine.run_until(s.cycles * chip.chip.engine.period).kind == emulator::StopKind::limit);
    instructions += subject.machine.instructions();
    for (const emulator::UnitView& unit : subject.units.inspect())
      served[std::string(unit.name)] += unit.counters.commands;
  }
  for (const auto& [unit, commands] : served) {
    INFO(unit);
    if (unit.rfind("absent", 0) != 0 && unit != "pci") CHECK(commands > 100);
  }
  for (const Event& event : events.events) ++kinds[static_cast<size_t>(event.kind)];
  CHECK(instructions > 100'000);
  CHECK(kinds[static_cast<size_t>(Event::Kind::issue)] > 5'000);
  CHECK(kinds[static_cast<size_t>(Event::Kind::push)] > 5'000);
  CHECK(kinds[static_cast<size_t>(Event::Kind::pull)] > 2'000);
  CHECK(kinds[static_cast<size_t>(Event::Kind::signal)] > 2'000);
  CHECK(kinds[static_cast<size_t>(Event::Kind::stall)] > 100);
}
