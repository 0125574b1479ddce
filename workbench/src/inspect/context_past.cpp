#include "inspect/context_past.h"

#include <algorithm>

namespace weft::workbench {

using emulator::Activity;
using emulator::ContextState;
using emulator::History;

namespace {

constexpr uint32_t kLength = (1u << 29) - 1;  // of a word of the history: activity << 29 | cycles
constexpr uint64_t kLostSlots = 8;            // no branch or swap loses more
constexpr uint64_t kStride = 4096;            // words between two notes: 16 bytes for each 16 KB

ContextState state_during(Activity activity) {
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

std::optional<StateClock::Note> StateClock::note_behind(const History::Past& past, std::deque<Note>& notes,
                                                        uint64_t cycle) const {
  if (!notes.empty() &&
      (notes.back().word < past.dropped_words || notes.back().word > past.dropped_words + past.words.size()))
    notes.clear();
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

std::optional<uint64_t> StateClock::cycles(const History& history, emulator::ContextRef who, ContextState state,
                                           uint64_t cycle) {
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
  // A change at `cycle` itself has been when the context is in the state that it leads to. A context that gives its
  // engine up is in its new state at once; for the history that begins after the slots that are lost.
  std::optional<uint64_t> since;
  bool ahead = false;
  while (true) {
    if (begin < cycle || (begin == cycle && state_during(activity) == state)) {
      if (state_during(activity) != state)
        return since ? std::optional(cycle - *since) : ahead ? std::optional(uint64_t{0}) : std::nullopt;
      since = begin;
    } else {
      ahead = ahead || (begin <= cycle + kLostSlots && state_during(activity) == state);
    }
    if (left == 0) break;
    const uint32_t word = past.words[--left];
    activity = static_cast<Activity>(word >> 29);
    begin -= word & kLength;
  }
  if (!since) return ahead ? std::optional(uint64_t{0}) : std::nullopt;
  return past.dropped_words == 0 ? std::optional(cycle - *since) : std::nullopt;
}

}  // namespace weft::workbench
