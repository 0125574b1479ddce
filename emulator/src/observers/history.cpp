#include "weft/emulator/observers/history.h"

#include <algorithm>
#include <tuple>

namespace weft::emulator {
namespace {

constexpr uint32_t kLength = (1u << 29) - 1;

Activity activity_of(ContextState state) {
  switch (state) {
    case ContextState::inactive: return Activity::inactive;
    case ContextState::executing: return Activity::executing;
    case ContextState::ready: return Activity::ready;
    case ContextState::sleep: return Activity::sleep;
  }
  return Activity::inactive;
}

}  // namespace

std::string_view to_text(Activity activity) {
  switch (activity) {
    case Activity::inactive: return "inactive";
    case Activity::sleep: return "sleep";
    case Activity::ready: return "ready";
    case Activity::executing: return "executing";
    case Activity::aborted: return "aborted";
    case Activity::stalled: return "stalled";
  }
  return {};
}

History::History(const Machine& machine, HistoryLimits limits)
    : machine_(machine), states_(machine), limits_(limits), tracks_(machine.engine_count() * kContexts) {
  for (unsigned e = 0; e < machine.engine_count(); ++e) {
    const EngineState& state = machine.state(e);
    const uint64_t cycle = machine.cycles(e);
    from_cycle_ = std::max(from_cycle_, cycle);
    for (unsigned c = 0; c < kContexts; ++c) {
      Track& t = tracks_[e * kContexts + c];
      t.activity = activity_of(state.contexts[c].state);
      t.since = t.begin = cycle;
    }
  }
}

// Executing words are not joined: each has a place of its own.
void History::push(Track& t, Activity activity, uint64_t cycles) {
  bool fresh = activity == Activity::executing;
  if (fresh) t.places.push_back(t.place);
  while (cycles > 0) {
    if (!fresh && !t.past.empty() && t.past.back() >> 29 == static_cast<uint32_t>(activity)) {
      const uint64_t more = std::min<uint64_t>(cycles, kLength - (t.past.back() & kLength));
      t.past.back() += static_cast<uint32_t>(more);
      cycles -= more;
      if (cycles == 0) return;
      if (activity == Activity::executing) t.places.push_back(static_cast<uint16_t>(t.place + kLength));
    }
    t.past.push_back(static_cast<uint32_t>(activity) << 29);
    ++total_;
    fresh = false;
  }
}

void History::change(Track& t, Activity activity, uint64_t cycle) {
  if (activity == t.activity) return;
  if (cycle > t.since) {
    push(t, t.activity, cycle - t.since);
    t.since = cycle;
    if (total_ > limits_.segments) trim();
  }
  t.activity = activity;
}

// Cuts an eighth of the time off at the front, for all contexts at the same cycle, until an eighth of the room is free.
void History::trim() {
  uint64_t now = from_cycle_;
  for (const Track& t : tracks_) now = std::max(now, t.since);
  while (total_ > limits_.segments - limits_.segments / 8 && now > from_cycle_) {
    const uint64_t cut = from_cycle_ + std::max<uint64_t>(1, (now - from_cycle_) / 8);
    for (Track& t : tracks_) {
      while (!t.past.empty() && t.begin + (t.past.front() & kLength) <= cut) {
        t.begin += t.past.front() & kLength;
        if (t.past.front() >> 29 == static_cast<uint32_t>(Activity::executing)) {
          t.places.pop_front();
          ++t.dropped_places;
        }
        t.past.pop_front();
        ++t.dropped_words;
        --total_;
        ++dropped_segments_;
      }
    }
    from_cycle_ = cut;
  }
}

inline void History::execute(Track& t, uint16_t pc, uint64_t cycle) {
  // A word of executing cycles holds words of the program that follow each other: a branch that loses no slots begins a
  // new one.
  if (t.activity == Activity::executing && cycle > t.since && pc != t.place + (cycle - t.since)) {
    push(t, Activity::executing, cycle - t.since);
    t.since = cycle;
    if (total_ > limits_.segments) trim();
  }
  change(t, Activity::executing, cycle);
  if (t.since == cycle) t.place = pc;
}

// Lost cycles follow the last word before a taken branch or a swap takes place (E3, E4).
inline void History::lose(Track& t, uint64_t from, unsigned cycles) {
  change(t, Activity::aborted, from);
  change(t, Activity::executing, from + cycles);
}

void History::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  Track& t = track(who);
  execute(t, pc, cycle);
  const Shadow& shadow = states_[who.engine].shadow;
  if (shadow.kind == Shadow::Kind::none || shadow.slots != 0 || shadow.aborts == 0) return;
  lose(t, cycle + 1, shadow.aborts);
}

void History::on_stretch(const WordStretch& stretch) {
  Track& t = track(stretch.who);
  if (stretch.words != 0) execute(t, stretch.pc, stretch.cycle);
  if (stretch.aborts != 0) lose(t, stretch.cycle + stretch.words, stretch.aborts);
}

void History::on_stalls(ContextRef who, uint16_t pc, uint64_t cycle, uint64_t) { on_stall(who, pc, cycle); }

void History::on_stall(ContextRef who, uint16_t, uint64_t cycle) {
  Track& t = track(who);
  change(t, Activity::stalled, cycle);
  if (t.first_try == kNever) t.first_try = cycle * machine_.timing().period;
}

void History::on_state(ContextRef who, ContextState state, uint64_t cycle) {
  change(track(who), activity_of(state), cycle);
}

inline History::Packed& History::add_reference(const Command& command) {
  // A machine that was set back issues its sequence numbers again; its references begin anew.
  if (command.sequence != first_sequence_ + references_.size()) {
    dropped_references_ += references_.size();
    references_.clear();
    raised_.clear();
    first_sequence_ = command.sequence;
  }
  if (references_.size() >= limits_.references) {
    const size_t gone = std::min(references_.size(), limits_.references / 8 + 1);
    references_.erase(references_.begin(), references_.begin() + static_cast<std::ptrdiff_t>(gone));
    first_sequence_ += gone;
    dropped_references_ += gone;
  }
  Packed p;
  p.accepted = command.issued;
  const Tick first_try = std::exchange(track(command.from).first_try, kNever);
  if (first_try < command.issued) p.stalled = static_cast<uint32_t>(command.issued - first_try);
  p.address = command.address;
  p.pc = command.pc;
  p.op = command.op;
  p.from = command.from;
  p.count = command.count;
  p.signal = command.signal;
  return references_.emplace_back(p);
}

void History::on_issue(const Command& command) {
  Packed& p = add_reference(command);
  if (queued_sequence_ == command.sequence) p.queued = static_cast<uint32_t>(queued_at_ - command.issued);
}

void History::on_taken(const Command& command, Tick arrival, Tick at) {
  Packed& p = add_reference(command);
  p.queued = static_cast<uint32_t>(arrival - p.accepted);
  p.served = static_cast<uint32_t>(at - p.accepted);
  if (!has_answer(p)) p.done = p.served;
}

bool History::has_answer(const Packed& reference) {
  const isa::XferUse use = isa::info(reference.op).xfer;
  return reference.signal != 0 || use == isa::XferUse::read || use == isa::XferUse::both;
}

std::optional<size_t> History::index_of(uint64_t sequence) const {
  if (sequence < first_sequence_ || sequence - first_sequence_ >= references_.size()) return std::nullopt;
  return sequence - first_sequence_;
}
History::Packed* History::find(uint64_t sequence) {
  const auto index = index_of(sequence);
  return index ? &references_[*index] : nullptr;
}

void History::on_queued(const Command& command, Tick arrival) {
  queued_sequence_ = command.sequence;
  queued_at_ = arrival;
}

void History::on_serve(const Command& command, Tick at) {
  serving_ = {command.sequence, at, 0};
  Packed* p = find(command.sequence);
  if (p == nullptr) return;
  p->served = static_cast<uint32_t>(at - p->accepted);
  if (!has_answer(*p)) p->done = p->served;
}

void History::on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) {
  std::shift_right(answers_.begin(), answers_.end(), 1);
  answers_.front() = {sequence, at, signals};
  on_known_answer(sequence, count, signals, at);
}

void History::on_known_answer(uint64_t sequence, unsigned, uint16_t signals, Tick at) {
  Packed* p = find(sequence);
  if (p == nullptr) return;
  // Answers to one command may be told in another order than they come.
  const auto later = [after = static_cast<uint32_t>(at - p->accepted)](uint32_t before) {
    return before == kNone ? after : std::max(before, after);
  };
  p->done = later(p->done);
  if (signals != 0) p->signalled = later(p->signalled);
}

// Engines that run ahead of each other do not get theirs in the order of time, but nearly.
void History::raise(RaisedSignal signal) {
  if (raised_.size() >= limits_.signals)
    raised_.erase(raised_.begin(), raised_.begin() + static_cast<std::ptrdiff_t>(raised_.size() / 8 + 1));
  const auto place = [](const RaisedSignal& s) { return std::tuple(s.at, s.to.engine, s.to.context, s.number); };
  auto at = raised_.end();
  while (at != raised_.begin() && place(signal) < place(*(at - 1))) --at;
  raised_.insert(at, signal);
}

// A signal of an answer follows it, perhaps behind other answers that are due as well; another one that comes in this
// moment is of the command that a unit performs, or comes from outside. What a context gets for its own command stands
// in the reference.
void History::on_signal(ContextRef to, unsigned number, Tick at) {
  const uint16_t bit = static_cast<uint16_t>(1u << (number & 15));
  bool answers = false;
  uint64_t sequence = serving_.at == at ? serving_.sequence : kUnasked;
  for (Deed& answer : answers_) {
    if (answer.at != at || (answer.signals & bit) == 0) continue;
    const Packed* const of = find(answer.sequence);
    if (of != nullptr && of->from == to) {
      if (of->signal != 0) answer.signals = static_cast<uint16_t>(answer.signals & ~bit);
      return;
    }
    if (of != nullptr && of->signal == (number & 15)) continue;  // it is for its own context
    if (!answers) sequence = answer.sequence;
    answers = true;
  }
  const Packed* const p = find(sequence);
  RaisedSignal signal{at, sequence, to, {}, 0, static_cast<uint8_t>(number & 15), RaisedSignal::By::unknown};
  if (p != nullptr) {
    signal.by = RaisedSignal::By::command;
    signal.from = p->from;
    signal.pc = p->pc;
  } else if (answers && sequence == kUnasked) {
    signal.by = RaisedSignal::By::unit;
  }
  raise(signal);
}

void History::on_signal_sent(ContextRef from, uint16_t pc, int engine, unsigned context, unsigned number,
                             uint64_t due) {
  if (number == 0 || engine < 0 || engine >= static_cast<int>(engines())) return;
  if (sent_.size() >= kMaxSent) sent_.erase(sent_.begin());
  sent_.push_back(
      {{static_cast<uint8_t>(engine), static_cast<uint8_t>(context)}, from, pc, static_cast<uint8_t>(number), due});
}

void History::on_local_signal(ContextRef to, unsigned number, uint64_t cycle) {
  RaisedSignal signal{cycle * machine_.timing().period, kUnasked, to, {}, 0, static_cast<uint8_t>(number & 15),
                      RaisedSignal::By::unknown};
  // Of several in one cycle those of neighbors come first, in the order of engines (E11).
  auto match = sent_.end();
  const auto order = [&](const Sent& s) { return std::pair(s.from.engine == to.engine, s.from.engine); };
  for (auto at = sent_.begin(); at != sent_.end(); ++at) {
    if (at->to != to || at->number != signal.number || at->due != cycle) continue;
    if (match == sent_.end() || order(*at) < order(*match)) match = at;
  }
  if (match != sent_.end()) {
    signal.by = RaisedSignal::By::engine;
    signal.from = match->from;
    signal.pc = match->pc;
    sent_.erase(match);
  }
  raise(signal);
}

// What came since is at the ends of tracks, references and signals. Later times of references that were there already
// stay: they are told once more, and are the same.
History::Mark History::mark() const {
  machine_.tell_counts();
  Mark out{machine_.now(), first_sequence_ + references_.size(), {}, sent_};
  for (const Track& t : tracks_)
    out.tracks.push_back({t.activity, t.since, t.place, t.first_try, t.dropped_words + t.past.size(),
                          t.dropped_places + t.places.size(), t.past.empty() ? 0 : t.past.back()});
  return out;
}

void History::go_back(const Mark& mark) {
  for (size_t i = 0; i < tracks_.size() && i < mark.tracks.size(); ++i) {
    Track& t = tracks_[i];
    const Mark::Place& before = mark.tracks[i];
    for (; !t.past.empty() && t.dropped_words + t.past.size() > before.words; --total_) t.past.pop_back();
    while (!t.places.empty() && t.dropped_places + t.places.size() > before.places) t.places.pop_back();
    if (t.past.empty())
      t.begin = before.since;
    else
      t.past.back() = before.last;
    t.activity = before.activity;
    t.since = before.since;
    t.place = before.place;
    t.first_try = before.first_try;
  }
  while (!references_.empty() && first_sequence_ + references_.size() > mark.next_sequence) references_.pop_back();
  while (!raised_.empty() && raised_.back().at >= mark.now) raised_.pop_back();
  sent_ = mark.sent;
  serving_ = {};
  answers_ = {};
}

void History::segments(ContextRef who, const std::function<void(const Segment&)>& fn) const {
  const Track& t = tracks_[who.engine * kContexts + who.context];
  const uint64_t end = machine_.cycles(who.engine);
  Segment joined;  // words of one activity are one segment
  const auto give = [&](Activity activity, uint64_t from, uint64_t to) {
    from = std::max(from, from_cycle_);
    to = std::min(to, end);  // aborted slots are entered ahead of time
    if (from >= to) return;
    if (joined.activity == activity && joined.begin < joined.end) {
      joined.end = to;
      return;
    }
    if (joined.begin < joined.end) fn(joined);
    joined = {activity, from, to};
  };
  uint64_t at = t.begin;
  for (const uint32_t word : t.past) {
    give(static_cast<Activity>(word >> 29), at, at + (word & kLength));
    at += word & kLength;
  }
  give(t.activity, t.since, end);
  if (joined.begin < joined.end) fn(joined);
}

History::Past History::past(ContextRef who) const {
  machine_.tell_counts();
  const Track& t = tracks_[who.engine * kContexts + who.context];
  return {t.past, t.places, t.dropped_words, t.dropped_places, t.begin, t.activity, t.since, t.place};
}

Reference History::reference(size_t index) const {
  const Packed& p = references_.at(index);
  const auto later = [&](uint32_t delta) { return delta == kNone ? kNever : p.accepted + delta; };
  return {first_sequence_ + index,
          p.op,
          p.from,
          p.pc,
          p.address,
          p.count,
          p.signal,
          p.accepted - p.stalled,
          p.accepted,
          later(p.queued),
          later(p.served),
          later(p.done),
          later(p.signalled)};
}

}  // namespace weft::emulator
