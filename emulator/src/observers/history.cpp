#include "weft/emulator/observers/history.h"

#include <algorithm>

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
    : machine_(machine), limits_(limits), tracks_(machine.engine_count() * kContexts) {
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

void History::on_execute(ContextRef who, uint16_t pc, uint64_t cycle) {
  Track& t = track(who);
  // A word of executing cycles holds words of the program that follow each other: a branch that loses no slots begins a
  // new one.
  if (t.activity == Activity::executing && cycle > t.since && pc != t.place + (cycle - t.since)) {
    push(t, Activity::executing, cycle - t.since);
    t.since = cycle;
    if (total_ > limits_.segments) trim();
  }
  change(t, Activity::executing, cycle);
  if (t.since == cycle) t.place = pc;
  t.first_try = kNever;
  // The last word before a taken branch or a swap takes place: what is lost follows it (E3, E4).
  const Shadow& shadow = machine_.state(who.engine).shadow;
  if (shadow.kind == Shadow::Kind::none || shadow.slots != 0 || shadow.aborts == 0) return;
  change(t, Activity::aborted, cycle + 1);
  change(t, Activity::executing, cycle + 1 + shadow.aborts);
}

void History::on_stall(ContextRef who, uint16_t, uint64_t cycle) {
  Track& t = track(who);
  change(t, Activity::stalled, cycle);
  if (t.first_try == kNever) t.first_try = cycle * machine_.timing().period;
}

void History::on_state(ContextRef who, ContextState state, uint64_t cycle) {
  change(track(who), activity_of(state), cycle);
}

void History::on_issue(const Command& command) {
  // A machine that was set back issues its sequence numbers again; its references begin anew.
  if (command.sequence != first_sequence_ + references_.size()) {
    dropped_references_ += references_.size();
    references_.clear();
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
  const Tick first_try = track(command.from).first_try;
  if (first_try < command.issued) p.stalled = static_cast<uint32_t>(command.issued - first_try);
  if (queued_sequence_ == command.sequence) p.queued = static_cast<uint32_t>(queued_at_ - command.issued);
  p.address = command.address;
  p.pc = static_cast<uint16_t>(machine_.state(command.from.engine).contexts[command.from.context].pc - 1);
  p.op = command.op;
  p.from = command.from;
  p.count = command.count;
  p.signal = command.signal;
  references_.push_back(p);
}

History::Packed* History::find(uint64_t sequence) {
  if (sequence < first_sequence_ || sequence - first_sequence_ >= references_.size()) return nullptr;
  return &references_[sequence - first_sequence_];
}

void History::on_queued(const Command& command, Tick arrival) {
  queued_sequence_ = command.sequence;
  queued_at_ = arrival;
}

void History::on_serve(const Command& command, Tick at) {
  Packed* p = find(command.sequence);
  if (p == nullptr) return;
  p->served = static_cast<uint32_t>(at - p->accepted);
  const isa::XferUse use = isa::info(p->op).xfer;
  const bool answers = p->signal != 0 || use == isa::XferUse::read || use == isa::XferUse::both;
  if (!answers) p->done = p->served;
}

void History::on_answer(uint64_t sequence, unsigned, uint16_t signals, Tick at) {
  Packed* p = find(sequence);
  if (p == nullptr) return;
  p->done = static_cast<uint32_t>(at - p->accepted);
  if (signals != 0) p->signalled = p->done;
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
