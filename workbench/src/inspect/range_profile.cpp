#include <algorithm>
#include <utility>

#include "inspect/history_walk.h"
#include "weft/isa/flow.h"
#include "weft/workbench/range_figures.h"

namespace weft::workbench {

using emulator::Activity;
using emulator::ContextRef;
using emulator::History;
using emulator::kContexts;
using emulator::ProfileCycles;
using emulator::ProfileFigures;

CycleRange known_part(const History& history, CycleRange range, uint64_t now) {
  const uint64_t from = std::max(range.first, history.from_cycle());
  return {from, std::max(from, std::min(range.second, now))};
}

namespace {

/// For each word of a control store: the branch or swap that takes effect after it, itself where there is none.
std::vector<uint16_t> causes_in(const std::vector<uint64_t>& words, isa::Profile profile) {
  std::vector<std::optional<isa::Instruction>> decoded;
  for (const uint64_t word : words) decoded.push_back(isa::decode(profile, word));
  std::vector<uint16_t> out(words.size());
  if (words.empty()) return out;
  const isa::Flow flow(decoded, isa::default_lost(profile));
  for (uint32_t pc = 0; pc < out.size(); ++pc) {
    const int32_t by = flow.decides_behind(pc);
    out[pc] = static_cast<uint16_t>(by >= 0 ? static_cast<uint32_t>(by) : pc);
  }
  return out;
}

ProfileCycles& word_of(ProfileFigures::Engine& engine, uint16_t pc) {
  if (pc >= engine.words.size()) engine.words.resize(pc + 1u);
  return engine.words[pc];
}

}  // namespace

void RangeProfile::prepare(const Inspector& machine) {
  chips_.resize(machine.machine().chips.size());
  for (unsigned c = 0; c < chips_.size(); ++c) {
    const History* history = machine.history(c);
    if (history == nullptr) continue;
    State& state = chips_[c];
    state.out.range = known_part(*history, range_, machine.observed_cycle());
    ProfileFigures& f = state.out.figures;
    f.from_cycle = state.out.range.first;
    f.to_cycle = state.out.range.second;
    f.chip_contexts = machine.timing(c).contexts;
    f.engines.resize(history->engines());
    state.out.taken.resize(history->engines());
    state.executing.resize(history->engines());
    for (unsigned e = 0; e < history->engines(); ++e) {
      f.engines[e].cycles = f.to_cycle - f.from_cycle;
      state.causes.push_back(causes_in(machine.words(c, e), machine.timing(c).profile));
    }
  }
}

uint64_t RangeProfile::look_at(const History& history, State& state, ContextRef who) {
  const auto past = history.past(who);
  ProfileFigures::Engine& engine = state.out.figures.engines[who.engine];
  ProfileFigures::Context& context = engine.contexts[who.context];
  std::vector<int64_t>& executing = state.executing[who.engine];
  const std::vector<uint16_t>& causes = state.causes[who.engine];
  const uint64_t first = state.out.range.first, last = state.out.range.second;
  std::optional<uint16_t> left_at;  // the word after which it does not execute any more
  ProfileCycles before, stalled;    // of words that nobody knows yet
  uint64_t at = past.begin, looked = 0;
  size_t place = 0;
  const auto charge = [&](uint16_t pc, const ProfileCycles& some) {
    if (some == ProfileCycles()) return;
    word_of(engine, pc) += some;
    context.cycles += some;
  };
  const auto take = [&](Activity activity, uint64_t length, uint16_t pc) {
    const uint64_t from = std::max(at, first), to = std::min(at + length, last);
    const uint64_t cycles = to > from ? to - from : 0;
    ProfileCycles some;
    switch (activity) {
      case Activity::executing: {
        charge(pc, std::exchange(stalled, {}));
        charge(pc, std::exchange(before, {}));
        if (left_at && pc != *left_at + 1 && at >= first && at < last) {
          const uint16_t branch = *left_at < causes.size() ? causes[*left_at] : *left_at;
          std::vector<uint64_t>& taken = state.out.taken[who.engine];
          if (taken.size() <= branch) taken.resize(branch + 1u);
          ++taken[branch];
        }
        left_at = static_cast<uint16_t>(pc + length - 1);
        if (cycles == 0) break;
        const size_t begin = pc + (from - at);
        if (executing.size() <= begin + cycles) executing.resize(begin + cycles + 1);
        ++executing[begin];
        --executing[begin + cycles];
        context.cycles.executing += cycles;
        break;
      }
      case Activity::stalled: stalled.stalled += cycles; break;
      case Activity::inactive: context.inactive += cycles; break;
      case Activity::aborted: some.aborted = cycles; break;
      case Activity::sleep: some.sleep = cycles; break;
      case Activity::ready: some.ready = cycles; break;
    }
    if (left_at)
      charge(*left_at < causes.size() ? causes[*left_at] : *left_at, some);
    else
      before += some;
    at += length;
  };
  for (const uint32_t word : past.words) {
    if (at >= last && stalled == ProfileCycles() && before == ProfileCycles()) break;
    ++looked;
    const Activity activity = activity_of(word);
    take(activity, length_of(word), activity == Activity::executing ? past.places[place++] : uint16_t{0});
  }
  if (at < last || past.now == Activity::executing) take(past.now, last > at ? last - at : 1, past.place);
  // A command that stalls still: the word after the last one that was executed.
  if (left_at) charge(static_cast<uint16_t>(*left_at + 1), stalled);
  return looked + 1;
}

bool RangeProfile::look(const Inspector& machine, uint64_t budget) {
  if (!prepared_) prepare(machine);
  prepared_ = true;
  size_t all = 0, done = 0;
  for (unsigned c = 0; c < chips_.size(); ++c) {
    const History* history = machine.history(c);
    if (history == nullptr) continue;
    State& state = chips_[c];
    const size_t tracks = size_t{history->engines()} * kContexts;
    for (; state.track < tracks && budget > 0; ++state.track) {
      const ContextRef who{static_cast<uint8_t>(state.track / kContexts),
                           static_cast<uint8_t>(state.track % kContexts)};
      budget -= std::min(budget, look_at(*history, state, who));
    }
    all += tracks;
    done += state.track;
  }
  share_ = all == 0 ? 1 : static_cast<double>(done) / static_cast<double>(all);
  return done == all;
}

std::vector<RangeProfile::Chip> RangeProfile::figures() const {
  std::vector<Chip> out;
  for (const State& state : chips_) {
    out.push_back(state.out);
    for (size_t e = 0; e < state.executing.size(); ++e) {
      int64_t now = 0;
      for (size_t pc = 0; pc < state.executing[e].size(); ++pc) {
        now += state.executing[e][pc];
        if (now > 0)
          word_of(out.back().figures.engines[e], static_cast<uint16_t>(pc)).executing += static_cast<uint64_t>(now);
      }
    }
  }
  return out;
}

std::vector<RangeProfile::Chip> profile_of(const Inspector& machine, CycleRange range) {
  RangeProfile profile(range);
  while (!profile.look(machine, ~uint64_t{0})) {
  }
  return profile.figures();
}

}  // namespace weft::workbench
