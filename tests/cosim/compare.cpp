#include "compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <stdexcept>

#include "user_change.h"
#include "weft/assembler/assembler.h"
#include "weft/base/render.h"

namespace weft::test {

using emulator::Command;
using emulator::ContextRef;
using emulator::Tick;

const emulator::ChipOnBoard& board(const char* name) {
  static std::map<std::string, emulator::BoardDescription> boards;
  const auto found = boards.find(name);
  if (found != boards.end()) return found->second.chips[0];
  auto loaded = emulator::load_board(name, {WEFT_SOURCE_DIR "/emulator"});
  if (!loaded) throw std::runtime_error(render_text(loaded.error()));
  return boards.emplace(name, std::move(*loaded)).first->second.chips[0];
}

std::vector<uint64_t> assembled(const std::string& text, isa::Profile profile) {
  assembler::Options options;
  options.profile = profile;
  const assembler::Assembly a = assembler::assemble(make_source("program.uc", text), options);
  if (!a.image) throw std::runtime_error(text + render_text(a.diagnostics));
  return a.image->words;
}

std::string to_text(const Event& e) {
  constexpr const char* names[] = {"execute", "stall", "issue", "queued", "serve", "answer", "pull", "push", "signal"};
  return fmt::format("{} at {}: engine {} context {}, {:#x} {:#x}", names[static_cast<size_t>(e.kind)], e.at, e.engine,
                     e.context, e.a, e.b);
}

void Recorder::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  events.push_back({Event::Kind::execute, cycle, who.engine, who.context, pc, 0});
}
void Recorder::on_stall(ContextRef who, uint16_t pc, uint64_t cycle) {
  events.push_back({Event::Kind::stall, cycle, who.engine, who.context, pc, 0});
}
void Recorder::on_issue(const Command& c) {
  events.push_back({Event::Kind::issue, c.issued, c.from.engine, c.from.context,
                    static_cast<uint64_t>(c.op) << 32 | c.address, c.sequence});
}
void Recorder::on_queued(const Command& c, Tick arrival) {
  events.push_back({Event::Kind::queued, arrival, c.from.engine, c.from.context,
                    uint64_t{c.xfer} << 32 | uint64_t{c.xfer_d} << 24 | uint64_t{c.count} << 8 | c.signal,
                    c.indirect_word});
}
void Recorder::on_serve(const Command& c, Tick at) {
  events.push_back({Event::Kind::serve, at, c.from.engine, c.from.context, c.sequence, c.data});
}
void Recorder::on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) {
  events.push_back({Event::Kind::answer, at, count, signals, sequence, 0});
}
void Recorder::on_pull(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) {
  events.push_back({Event::Kind::pull, at, to.engine, to.context, number | uint64_t{d} << 8, value});
}
void Recorder::on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) {
  events.push_back({Event::Kind::push, at, to.engine, to.context, number | uint64_t{d} << 8, value});
}
void Recorder::on_signal(ContextRef to, unsigned number, Tick at) {
  events.push_back({Event::Kind::signal, at, to.engine, to.context, number, 0});
}

uint64_t hash_of(const emulator::Machine& machine, const emulator::Units& units) {
  return Hash().add(machine.state_hash()).add(units.state_hash()).value();
}

emulator::BoardState board_of(const emulator::Machine& machine, const emulator::Units& units) {
  return {{machine.save()}, {units.save()}};
}

std::string difference(const emulator::BoardState& a, const emulator::BoardState& b) {
  std::string out;
  for (const Difference& d : emulator::differences(a, b))
    out += fmt::format("{} = {} and {}\n", d.path, d.left, d.right);
  return out;
}

std::string difference(const emulator::Machine& a, const emulator::Units& units_a, const emulator::Machine& b,
                       const emulator::Units& units_b) {
  return difference(board_of(a, units_a), board_of(b, units_b));
}

std::string difference(const std::vector<Event>& a, const std::vector<Event>& b) {
  const auto [left, right] = std::mismatch(a.begin(), a.end(), b.begin(), b.end());
  if (left == a.end() && right == b.end()) return {};
  std::string out = fmt::format("event {} of {} and {}:\n", left - a.begin(), a.size(), b.size());
  for (auto before = left - std::min<std::ptrdiff_t>(4, left - a.begin()); before != left; ++before)
    out += "  both       " + to_text(*before) + "\n";
  out += "  reference  " + (left == a.end() ? "nothing" : to_text(*left)) + "\n";
  out += "  fast       " + (right == b.end() ? "nothing" : to_text(*right)) + "\n";
  return out;
}

EqualEngines::EqualEngines(const emulator::ChipOnBoard& chip, const std::vector<uint64_t>& words, unsigned contexts,
                           unsigned engines)
    : machine(emulator::MachineDescription(chip.chip)), units(chip, machine) {
  machine.attach(units);
  for (unsigned engine = 0; engine < engines; ++engine) {
    machine.load(engine, words);
    machine.start(engine, contexts);
  }
}

void compare_engines(const emulator::ChipOnBoard& chip, const std::vector<uint64_t>& words, unsigned contexts,
                     uint64_t end, unsigned engines, unsigned apart, Random* user) {
  EqualEngines reference(chip, words, contexts, engines), fast(chip, words, contexts, engines),
      cut_often(chip, words, contexts, engines);
  for (EqualEngines* subject : {&fast, &cut_often}) subject->machine.set_execution({true, 512, 2});
  const emulator::Tick period = chip.chip.engine.period;
  for (uint64_t cycle = 1; cycle < end; cycle += 1 + cycle % apart) {
    const emulator::StopReason stop = reference.machine.run_until(cycle * period);
    const emulator::StopReason same = cut_often.machine.run_until(cycle * period);
    INFO("cut at cycle " << cycle << ": " << emulator::to_text(stop));
    if (!(stop == same)) FAIL("it stopped otherwise: " << emulator::to_text(same));
    if (user != nullptr && stop.kind != emulator::StopKind::limit && stop.kind != emulator::StopKind::idle) return;
    const std::string state = difference(reference.machine, reference.units, cut_often.machine, cut_often.units);
    if (!state.empty()) FAIL("state differs: " << state);
    if (user == nullptr || !user->chance(1, 20)) continue;
    const UserChange change(*user, chip, engines, static_cast<uint32_t>(words.size()));
    fast.machine.run_until(reference.machine.now());
    for (EqualEngines* subject : {&reference, &fast, &cut_often}) change.apply(subject->machine, subject->units);
  }
  fast.machine.run_until(reference.machine.now());
  const std::string state = difference(reference.machine, reference.units, fast.machine, fast.units);
  if (!state.empty()) FAIL("state differs without cuts: " << state);
}

void compare_at_cuts(Random& random, const std::string& what, const Side& reference, const std::vector<Side>& others,
                     Tick end, const std::function<void()>& between) {
  while (reference.machine.now() < end) {
    const Tick cut = std::min(end, reference.machine.now() + 1 + random.below(random.chance(1, 2) ? 300 : 30000));
    const emulator::StopReason stop = reference.machine.run_until(cut);
    INFO(what << ", cut at tick " << cut << ": " << emulator::to_text(stop));
    for (const Side& side : others) {
      INFO(side.name);
      const emulator::StopReason stopped = side.machine.run_until(cut);
      if (!(stopped == stop)) FAIL("it stopped otherwise: " << emulator::to_text(stopped));
      if (cut != end && !random.chance(1, 3)) continue;
      const std::string state = difference(reference.machine, reference.units, side.machine, side.units);
      if (!state.empty()) FAIL("state differs: " << state);
    }
    if (stop.kind != emulator::StopKind::limit && stop.kind != emulator::StopKind::idle) break;
    if (between) between();
  }
}

}  // namespace weft::test
