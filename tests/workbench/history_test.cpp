// What is asked of an execution history: why contexts slept, searches, and figures of a range. Compared with observers
// that have counted the whole run, and with a watcher of signals of its own.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <functional>
#include <map>
#include <numeric>
#include <set>

#include "folder.h"
#include "must.h"
#include "weft/workbench/causes.h"
#include "weft/workbench/flame.h"
#include "weft/workbench/history_search.h"
#include "weft/workbench/range_figures.h"

using namespace weft;
using namespace weft::workbench;
using emulator::Activity;
using emulator::ContextRef;
using emulator::History;
using emulator::Tick;

namespace {

struct Run {
  std::unique_ptr<Session> session;
  std::unique_ptr<Inspector> machine;
};

Run run_of(const std::string& example, uint64_t cycles) {
  Observation what;
  what.coverage = what.statistics = what.history = what.packets = what.profile = true;
  Run out;
  out.session = must(Session::create(must(load_project(std::string(WEFT_SOURCE_DIR) + "/examples/" + example)), what));
  must(out.session->run_until(fmt::format("{} cycles", cycles), {}));
  out.machine = inspect(*out.session);
  return out;
}

HistoryHits found(const Inspector& machine, const std::string& text, uint64_t budget = ~uint64_t{0}) {
  const auto query = parse_history_query(text);
  if (!query) FAIL(text << ": " << query.error());
  HistorySearch search(*query);
  int looks = 0;
  while (!search.look(machine, budget)) REQUIRE(++looks < 1'000'000);
  if (budget < 10'000) CHECK(looks > 0);
  return search.hits(machine);
}

/// Every signal, and who has raised it where that can be said.
class Signals final : public emulator::Observer {
 public:
  std::map<std::pair<uint8_t, uint8_t>, std::vector<std::pair<Tick, unsigned>>> raised;
  explicit Signals(Tick period) : period_(period) {}
  void on_signal(ContextRef to, unsigned number, Tick at) override {
    raised[{to.engine, to.context}].emplace_back(at, number);
  }
  void on_local_signal(ContextRef to, unsigned number, uint64_t cycle) override {
    raised[{to.engine, to.context}].emplace_back(cycle * period_, number);
  }

 private:
  Tick period_;
};

}  // namespace

TEST_CASE("what woke a context is a signal that it got then, from a command or a writer that there was") {
  const std::string example = GENERATE("ipv4-forwarder", "dual-stack-router", "ipv4-forwarder-1200");
  INFO(example);
  Observation what;
  what.history = true;
  auto session = must(Session::create(must(load_project(std::string(WEFT_SOURCE_DIR) + "/examples/" + example)), what));
  const Tick period = session->machine().timing().period;
  Signals signals(period);
  session->machine().attach(signals);
  must(session->run_until("12000 cycles", {}));
  session->machine().detach(signals);
  const auto machine = inspect(*session);
  const History& history = *machine->history(0);
  std::map<SleepCause::By, unsigned> by;
  unsigned sleeps = 0, behind = 0;
  for (uint8_t e = 0, engines = static_cast<uint8_t>(history.engines()); e < engines; ++e)
    for (uint8_t c = 0; c < emulator::kContexts; ++c)
      history.segments({e, c}, [&](const emulator::Segment& s) {
        if (s.activity != Activity::sleep) return;
        const auto cause = cause_of(*machine, {0, e, c}, s.begin + (s.end - s.begin) / 2);
        REQUIRE(cause);
        ++sleeps;
        ++by[cause->by];
        CHECK(cause->begin == s.begin);
        CHECK(cause->end == s.end);
        behind += cause->before_count > 0;
        REQUIRE_FALSE(cause->steps.empty());
        for (size_t i = 1; i < cause->steps.size(); ++i) CHECK(cause->steps[i - 1].cycle <= cause->steps[i].cycle);
        if (cause->by == SleepCause::By::lasts || cause->by == SleepCause::By::unknown) return;
        // The last signal that came up to the end of the sleep is the one that is named.
        const auto& all = signals.raised[{e, c}];
        const auto after = std::ranges::lower_bound(all, std::pair<Tick, unsigned>((s.end + 1) * period, 0));
        REQUIRE(after != all.begin());
        INFO("me" << int(e) << "." << int(c) << " cycle " << s.begin << " to " << s.end << ": " << to_text(*cause));
        CHECK(std::prev(after)->first / period + 1 >= s.end);
        // Two may come in one cycle, and a command may raise two.
        const bool doubled = cause->by == SleepCause::By::reference;
        bool named = false;
        for (auto at = after; at != all.begin() && std::prev(at)->first / period + 1 >= s.end && !named; --at)
          named = std::prev(at)->second == cause->signal || (doubled && std::prev(at)->second == cause->signal + 1);
        CHECK(named);
        if (cause->by == SleepCause::By::reference) {
          REQUIRE(cause->command);
          CHECK(cause->command->from == ContextRef{e, c});
          CHECK(cause->command->signalled / period + 1 >= s.end);
        }
      });
  CHECK(sleeps > 200);
  CHECK(by[SleepCause::By::reference] > 100);
  CHECK(by[SleepCause::By::unknown] == 0);
  if (example != "ipv4-forwarder") CHECK(behind > 10);
  // Threads of these programs wait for each other, and for the media interface.
  if (example != "ipv4-forwarder-1200") CHECK(by[SleepCause::By::engine] + by[SleepCause::By::command] > 5);
  CHECK(by[SleepCause::By::unit] + by[SleepCause::By::command] > 0);
}

TEST_CASE("a context that executes, or that nobody has recorded, has no cause") {
  const test::Folder folder;
  folder.write("sum.uc", test::kSum);
  folder.write("weft.json",
               R"({"version": 1, "board": "generic-2400", "programs": [{"source": "sum.uc", "engines": [0]}]})");
  Observation what;
  what.history = true;
  const auto session = folder.session(what);
  must(session->run_until("2000 cycles", {}));
  const auto machine = inspect(*session);
  CHECK_FALSE(cause_of(*machine, {0, 0, 0}, 1));
  CHECK_FALSE(cause_of(*machine, {0, 0, 0}, 3'000));
  CHECK_FALSE(cause_of(*machine, {0, 99, 0}, 10));
  const HistoryHits sleeps = found(*machine, "me0.ctx0 sleep");
  REQUIRE(sleeps.count == 1);
  const auto cause = cause_of(*machine, {0, 0, 0}, sleeps.hits[0].begin);
  REQUIRE(cause);
  CHECK(cause->by == SleepCause::By::reference);
  CHECK(cause->begin == sleeps.hits[0].begin);
  REQUIRE(cause->command);
  CHECK(cause->command->pc == 7);
  CHECK(cause->command->address == 0x100);
  CHECK(to_text(*cause).find("scratch[write]") == std::string::npos);  // the name as in the ISA
  CHECK(to_text(*cause).find("its scratch_write at 0x100") != std::string::npos);
  CHECK(cause->steps.front().pc == std::optional<uint16_t>(7));
}

TEST_CASE("searches find what the history holds, in any number of looks, and go on when it grows") {
  Run run = run_of("dual-stack-router", 15'000);
  const Inspector& machine = *run.machine;
  const History& history = *machine.history(0);
  for (const auto& [text, activity, min] :
       {std::tuple("stall > 4", Activity::stalled, 5u), std::tuple("sleep >= 100", Activity::sleep, 100u),
        std::tuple("ready", Activity::ready, 1u), std::tuple("executing > 9", Activity::executing, 10u)}) {
    INFO(text);
    std::vector<HistoryHit> wanted;
    for (uint8_t e = 0, engines = static_cast<uint8_t>(history.engines()); e < engines; ++e)
      for (uint8_t c = 0; c < emulator::kContexts; ++c)
        history.segments({e, c}, [&, activity = activity, min = min](const emulator::Segment& s) {
          if (s.activity == activity && s.end - s.begin >= min)
            wanted.push_back({s.begin, static_cast<uint32_t>(s.end - s.begin), 0, e, c});
        });
    std::ranges::sort(wanted, {}, [](const HistoryHit& h) { return std::pair(h.begin, h.id()); });
    const HistoryHits hits = found(machine, text);
    CHECK(hits.hits == wanted);
    CHECK(hits.count == wanted.size());
    CHECK(std::accumulate(hits.density.begin(), hits.density.end(), uint64_t{0}) == hits.count);
    CHECK(found(machine, text, 97).hits == wanted);
  }
  CHECK(found(machine, "me0.ctx2 sleep").count < found(machine, "me0 sleep").count);
  CHECK(found(machine, "me0 sleep").count < found(machine, "sleep").count);
  // Lines and labels, by coverage: each execution of a label's word is a hit, and lines have so many cycles.
  const emulator::Coverage& coverage = *machine.coverage(0);
  unsigned looked = 0;
  for (unsigned e = 0; e < history.engines(); ++e) {
    const image::Image* image = machine.program(0, e);
    if (image == nullptr) continue;
    std::map<std::string, uint64_t> labels;
    for (const image::Label& label : image->labels)
      if (label.address < coverage.words(e).size())
        labels[label.name] += coverage.words(e)[label.address].all_executed();
    for (const auto& [name, executed] : labels) {
      if (executed == 0 || ++looked > 12) continue;
      INFO(name);
      CHECK(found(machine, fmt::format("me{} label {}", e, name)).count == executed);
    }
    uint64_t executed = 0;
    std::set<uint32_t> lines;
    const image::Line at = image->lines.at(image->words.size() / 2).place;
    for (size_t pc = 0; pc < image->lines.size(); ++pc) {
      const auto here = [&](const image::Line& l) { return l.file == at.file && l.line == at.line; };
      bool is = here(image->lines[pc].place);
      for (const auto& [macro, call] : image->lines[pc].macros) is = is || here(call);
      if (is) executed += coverage.words(e)[pc].all_executed();
    }
    uint64_t cycles = 0;
    for (const HistoryHit& hit : found(machine, fmt::format("me{} line {}:{}", e, image->files[at.file], at.line)).hits)
      cycles += hit.length;
    CHECK(cycles == executed);
  }
  CHECK(looked > 5);
  // Commands by their time, and by the part of it in the queue.
  uint64_t slow = 0, queued = 0;
  const Tick period = history.machine().timing().period;
  for (size_t i = 0; i < history.reference_count(); ++i) {
    const emulator::Reference r = history.reference(i);
    if (isa::info(r.op).unit != isa::Unit::sram || r.done == emulator::kNever) continue;
    const Tick end = r.signalled == emulator::kNever ? r.done : std::max(r.done, r.signalled);
    slow += (end + period - 1) / period - r.issued / period > 60;
    queued += r.served != emulator::kNever && r.served / period - std::min(r.queued, r.served) / period > 2;
  }
  CHECK(slow > 0);
  CHECK(found(machine, "sram > 60").count >= slow);
  CHECK(found(machine, "sram > 60").count <= slow + 64);  // those that are under way
  CHECK(found(machine, "sram queue > 2").count >= queued);
  CHECK(found(machine, "reference", 50).count == history.reference_count());
  // A packet's way.
  const emulator::PacketRecord& packet = machine.packets(0)->records().at(3);
  CHECK(found(machine, fmt::format("#{}", packet.number)).count == packet.steps.size());
  CHECK(found(machine, "packet 99999").problem == "packet 99999 is not recorded");
  CHECK(found(machine, "nowhere_here#").problem == "no program has the label 'nowhere_here#'");

  HistorySearch growing(*parse_history_query("sleep > 4"));
  while (!growing.look(machine, 1'000)) {
  }
  const uint64_t before = growing.hits(machine).count;
  must(run.session->run_until("22000 cycles", {}));
  while (!growing.look(machine, 1'000)) {
  }
  CHECK(growing.hits(machine).hits == found(machine, "sleep > 4").hits);
  CHECK(growing.hits(machine).count > before);
}

TEST_CASE("a query that is not understood says what could stand there") {
  for (const std::string& text : history_query_examples()) {
    INFO(text);
    CHECK(parse_history_query(text));
  }
  const auto wrong = [](const char* text) {
    const auto query = parse_history_query(text);
    REQUIRE_FALSE(query);
    return query.error();
  };
  CHECK(wrong("stal > 20") == "'stal' is not understood: did you mean 'stall'?");
  CHECK(wrong("stall >") == "a number of cycles is missing after '>'");
  CHECK(wrong("> 20") == "'>' stands after what is to be compared: stall > 20");
  CHECK(wrong("stall sram") == "two things at once: one state, unit, label, line or packet at a time");
  CHECK(wrong("next# > 3") == "only states and commands have a length to compare");
  CHECK(wrong("packet x") == "a packet has a number: packet 12");
  CHECK(wrong("me0.ctx2").find("what of it?") == 0);
  CHECK(wrong("").find("write what is to be found") == 0);
  CHECK(parse_history_query("stall>20") == parse_history_query("stall > 20"));
  CHECK(parse_history_query("sram2 queue >= 7")->channel == std::optional<unsigned>(2));
}

TEST_CASE("the profile of all cycles is that of the profile observer, and ranges sum to it") {
  const std::string example = GENERATE("ipv4-forwarder", "ipv4-forwarder-1200");
  INFO(example);
  const Run run = run_of(example, 12'000);
  const Inspector& machine = *run.machine;
  const emulator::ProfileFigures observed = machine.profile(0)->figures();
  const auto all = profile_of(machine, {0, ~uint64_t{0}});
  REQUIRE(all.size() == 1);
  CHECK(all[0].range == CycleRange{0, machine.observed_cycle()});
  const auto sum = [](const emulator::ProfileFigures::Engine& e) {
    emulator::ProfileCycles out;
    for (const auto& word : e.words) out += word;
    return out;
  };
  const auto pieces = {profile_of(machine, {0, 3'001}), profile_of(machine, {3'001, 7'777}),
                       profile_of(machine, {7'777, 12'000})};
  for (size_t e = 0; e < observed.engines.size(); ++e) {
    INFO("me" << e);
    const auto& want = observed.engines[e];
    const auto& got = all[0].figures.engines[e];
    for (size_t pc = 0; pc < want.words.size(); ++pc) {
      INFO("word " << pc);
      const emulator::ProfileCycles has = pc < got.words.size() ? got.words[pc] : emulator::ProfileCycles();
      CHECK(has.executing == want.words[pc].executing);
      CHECK(has.stalled == want.words[pc].stalled);
      CHECK(has.aborted == want.words[pc].aborted);
      CHECK(has.sleep == want.words[pc].sleep);
      CHECK(has.ready == want.words[pc].ready);
      emulator::ProfileCycles parts;
      for (const auto& piece : pieces)
        if (pc < piece[0].figures.engines[e].words.size()) parts += piece[0].figures.engines[e].words[pc];
      CHECK(parts == has);
    }
    for (size_t c = 0; c < observed.chip_contexts; ++c) {
      CHECK(got.contexts[c].cycles == want.contexts[c].cycles);
      CHECK(got.contexts[c].inactive == want.contexts[c].inactive);
    }
    CHECK(sum(got) == sum(want));
  }
  // The flame graph has all of it, level by level.
  std::vector<emulator::ProfileFigures> figures;
  for (const auto& chip : all) figures.push_back(chip.figures);
  for (const bool waiting : {false, true}) {
    FlameOptions options;
    options.waiting = waiting;
    const FlameNode root = flame_of(machine, figures, options);
    uint64_t total = 0;
    for (const auto& engine : observed.engines) {
      const auto cycles = sum(engine);
      total += cycles.busy() + (waiting ? cycles.sleep + cycles.ready : 0);
    }
    CHECK(flame_width(root, options) == total);
    const std::function<void(const FlameNode&)> look = [&](const FlameNode& node) {
      uint64_t inside = 0, last = ~uint64_t{0};
      for (const FlameNode& child : node.children) {
        inside += flame_width(child, options);
        CHECK(flame_width(child, options) <= last);
        last = flame_width(child, options);
        look(child);
      }
      CHECK(inside <= flame_width(node, options));
      if (node.kind == FlameNode::Kind::all || node.kind == FlameNode::Kind::engine)
        CHECK(inside == flame_width(node, options));
    };
    look(root);
  }
}

TEST_CASE("statistics of all cycles are those of the observers") {
  const Run run = run_of("ipv4-forwarder", 20'000);
  const Inspector& machine = *run.machine;
  const emulator::StatisticsFigures want = machine.statistics(0)->figures();
  const auto got = statistics_of(machine, 0, {0, ~uint64_t{0}});
  REQUIRE(got);
  CHECK_FALSE(got->references_missing);
  for (size_t e = 0; e < want.engines.size(); ++e)
    for (size_t c = 0; c < want.context[e].size(); ++c) {
      INFO("me" << e << "." << c);
      const emulator::CycleFigures &a = want.context[e][c], &b = got->contexts[e][c];
      CHECK(a.executing == b.executing);
      CHECK(a.aborted == b.aborted);
      CHECK(a.stalled == b.stalled);
      CHECK(a.idle == b.idle);
      CHECK(a.instructions == b.instructions);
      CHECK(a.commands == b.commands);
      CHECK(a.swaps == b.swaps);
    }
  unsigned units = 0;
  for (const emulator::UnitStatistics& u : want.units) {
    if (u.commands == 0) continue;
    INFO(u.name);
    ++units;
    const auto at = std::ranges::find(got->units, u.name, &emulator::UnitStatistics::name);
    REQUIRE(at != got->units.end());
    CHECK(at->commands == u.commands);
    CHECK(at->served == u.served);
    CHECK(at->longwords_moved == u.longwords_moved);
    CHECK(at->stall_cycles == u.stall_cycles);
    CHECK(at->elapsed == u.elapsed);
    CHECK(at->depth == u.depth);
    for (const emulator::KindFigures& kind : u.kinds) {
      const auto of = std::ranges::find(at->kinds, kind.op, &emulator::KindFigures::op);
      REQUIRE(of != at->kinds.end());
      CHECK(of->commands == kind.commands);
      CHECK(of->latency.count() == kind.latency.count());
      CHECK(of->latency.sum() == kind.latency.sum());
      CHECK(of->latency.max() == kind.latency.max());
    }
  }
  CHECK(units >= 4);
  CHECK(got->words.size() == want.words.size());
  // Packets: what came and what left, as the report has it.
  const auto packets = packets_of(machine, 0, {0, ~uint64_t{0}});
  REQUIRE(packets);
  uint64_t out = 0;
  for (const RangePort& port : packets->ports) out += port.frames_out;
  CHECK(out == machine.packets(0)->totals().by_verdict[static_cast<size_t>(emulator::Verdict::forwarded)]);
  const auto half = packets_of(machine, 0, {0, 10'000}), rest = packets_of(machine, 0, {10'000, ~uint64_t{0}});
  uint64_t parts = 0;
  for (const auto& part : {half, rest})
    for (const RangePort& port : part->ports) parts += port.frames_out;
  CHECK(parts == out);
}
