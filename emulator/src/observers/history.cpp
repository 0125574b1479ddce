#include "weft/emulator/observers/history.h"

#include <algorithm>

#include "observers/engine_signals.h"

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
  const DecodedPrograms programs(machine);
  may_send_.resize(machine.engine_count());
  for (unsigned e = 0; e < machine.engine_count(); ++e)
    for (const auto& word : programs.words(e)) may_send_[e].push_back(word && may_send_signal(machine, *word));
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
  const std::vector<uint8_t>& may_send = may_send_[who.engine];
  if (pc < may_send.size() && may_send[pc] != 0) note_sent(who, pc);
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
  const Shadow& shadow = states_[who.engine].shadow;
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
  const Tick first_try = track(command.from).first_try;
  if (first_try < command.issued) p.stalled = static_cast<uint32_t>(command.issued - first_try);
  if (queued_sequence_ == command.sequence) p.queued = static_cast<uint32_t>(queued_at_ - command.issued);
  p.address = command.address;
  p.pc = static_cast<uint16_t>(states_[command.from.engine].contexts[command.from.context].pc - 1);
  p.op = command.op;
  p.from = command.from;
  p.count = command.count;
  p.signal = command.signal;
  references_.push_back(p);
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
  party_ = command.sequence;
  answering_ = false;
  Packed* p = find(command.sequence);
  if (p == nullptr) return;
  p->served = static_cast<uint32_t>(at - p->accepted);
  const isa::XferUse use = isa::info(p->op).xfer;
  const bool answers = p->signal != 0 || use == isa::XferUse::read || use == isa::XferUse::both;
  if (!answers) p->done = p->served;
}

void History::on_answer(uint64_t sequence, unsigned, uint16_t signals, Tick at) {
  party_ = sequence;
  answering_ = true;
  Packed* p = find(sequence);
  if (p == nullptr) return;
  p->done = static_cast<uint32_t>(at - p->accepted);
  if (signals != 0) p->signalled = p->done;
}

void History::raise(RaisedSignal signal) {
  if (raised_.size() >= limits_.signals)
    raised_.erase(raised_.begin(), raised_.begin() + static_cast<std::ptrdiff_t>(raised_.size() / 8 + 1));
  raised_.push_back(signal);
}

// What a context gets for its own command stands in the reference.
void History::on_signal(ContextRef to, unsigned number, Tick at) {
  const Packed* p = find(party_);
  if (p != nullptr && answering_ && p->from == to) return;
  RaisedSignal signal{at, party_, to, {}, 0, static_cast<uint8_t>(number & 15), RaisedSignal::By::unknown};
  if (p != nullptr) {
    signal.by = RaisedSignal::By::command;
    signal.from = p->from;
    signal.pc = p->pc;
  } else if (answering_ && party_ == kUnasked) {
    signal.by = RaisedSignal::By::unit;
  }
  raise(signal);
}

/// A write of a CSR that raises a signal: it arrives some cycles later.
void History::note_sent(ContextRef who, uint16_t pc) {
  const auto insn = isa::decode(machine_.timing().profile, machine_.words(who.engine)[pc]);
  const auto signal = insn ? engine_signal(machine_, who, *insn) : std::nullopt;
  if (!signal || signal->number == 0 || signal->engine < 0 || signal->engine >= static_cast<int>(engines())) return;
  if (sent_.size() >= kMaxSent) sent_.erase(sent_.begin());
  sent_.push_back({{static_cast<uint8_t>(signal->engine), signal->context}, who, pc, signal->number});
}

void History::on_local_signal(ContextRef to, unsigned number, uint64_t cycle) {
  RaisedSignal signal{cycle * machine_.timing().period, kUnasked, to, {}, 0, static_cast<uint8_t>(number & 15),
                      RaisedSignal::By::unknown};
  const auto match =
      std::ranges::find_if(sent_, [&](const Sent& s) { return s.to == to && s.number == signal.number; });
  if (match != sent_.end()) {
    signal.by = RaisedSignal::By::engine;
    signal.from = match->from;
    signal.pc = match->pc;
    sent_.erase(match);
  }
  raise(signal);
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
