#include "context_past.h"

#include <algorithm>

namespace weft::workbench {

using emulator::Activity;
using emulator::ContextState;
using emulator::History;

namespace {

constexpr uint32_t kLength = (1u << 29) - 1;  // of a word of the history: activity << 29 | cycles
constexpr uint64_t kStride = 4096;            // words between two notes: 16 bytes for each 16 KB

ContextState state_of(Activity activity) {
  switch (activity) {
    case Activity::inactive: return ContextState::inactive;
    case Activity::sleep: return ContextState::sleep;
    case Activity::ready: return ContextState::ready;
    case Activity::executing:
    case Activity::aborted:
    case Activity::stalled: break;
  }
  return ContextState::executing;
}

}  // namespace

std::optional<StateClock::Note> StateClock::note_behind(const History::Past& past, std::deque<Note>& notes, uint64_t cycle) const {
  if (!notes.empty() && (notes.back().word < past.dropped_words || notes.back().word > past.dropped_words + past.words.size())) notes.clear();
  while (!notes.empty() && notes.front().word < past.dropped_words) notes.pop_front();
  Note at = notes.empty() ? Note{past.dropped_words, past.begin} : notes.back();
  // The last word may still grow.
  for (uint64_t read = 0; at.word + 1 < past.dropped_words + past.words.size(); ++read) {
    if (read == kStride) {
      notes.push_back(at);
      read = 0;
    }
    at.begin += past.words[at.word - past.dropped_words] & kLength;
    ++at.word;
  }
  const auto behind = std::ranges::upper_bound(notes, cycle, {}, &Note::begin);
  return behind == notes.end() ? std::nullopt : std::optional(*behind);
}

std::optional<uint64_t> StateClock::cycles(const History& history, emulator::ContextRef who, ContextState state, uint64_t cycle) {
  const History::Past past = history.past(who);
  Activity activity = past.now;
  uint64_t begin = past.since;
  size_t left = past.words.size();
  if (begin > cycle && left > kStride) {
    if (const auto note = note_behind(past, notes_[{who.engine, who.context}], cycle)) {
      left = note->word - past.dropped_words;
      begin = note->begin;
      activity = static_cast<Activity>(past.words[left] >> 29);
    }
  }
  // A change at `cycle` itself has been when the context is in the state that it leads to.
  std::optional<uint64_t> since;
  while (true) {
    if (begin < cycle || (begin == cycle && state_of(activity) == state)) {
      if (state_of(activity) != state) return since ? std::optional(cycle - *since) : std::nullopt;
      since = begin;
    }
    if (left == 0) break;
    const uint32_t word = past.words[--left];
    activity = static_cast<Activity>(word >> 29);
    begin -= word & kLength;
  }
  return since && past.dropped_words == 0 ? std::optional(cycle - *since) : std::nullopt;
}

std::map<std::pair<unsigned, unsigned>, uint32_t> packets_in_hand(const emulator::PacketTracker& tracker, uint64_t cycle) {
  struct Hold {
    uint64_t from = 0;
    uint32_t packet = 0;
  };
  std::map<std::pair<unsigned, unsigned>, Hold> holds;
  const auto look = [&](const emulator::PacketRecord& record) {
    if (record.arrived >= cycle) return;
    std::map<std::pair<unsigned, unsigned>, std::pair<std::optional<uint64_t>, bool>> worked;  // begin of the last step before, and whether it is with it
    for (const emulator::PacketStep& step : record.steps) {
      auto& [from, holding] = worked[{step.engine, step.context}];
      if (step.from < cycle) {
        from = std::max(from.value_or(0), step.from);
        holding = holding || cycle <= step.to;
      } else {
        holding = true;
      }
    }
    for (const auto& [who, work] : worked) {
      if (!work.first || !work.second) continue;
      Hold& hold = holds[who];
      if (hold.packet == 0 || *work.first > hold.from) hold = {*work.first, record.number};
    }
  };
  const auto& records = tracker.records();
  for (auto record = std::ranges::lower_bound(records, cycle, {}, &emulator::PacketRecord::ended); record != records.end(); ++record) look(*record);
  for (const emulator::PacketRecord* record : tracker.under_way()) look(*record);
  std::map<std::pair<unsigned, unsigned>, uint32_t> out;
  for (const auto& [who, hold] : holds) out[who] = hold.packet;
  return out;
}

}  // namespace weft::workbench
