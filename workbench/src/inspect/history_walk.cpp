#include "inspect/history_walk.h"

namespace weft::workbench {

using emulator::Activity;

std::optional<Stretch> stretch_at(const emulator::History& history, emulator::ContextRef who, uint64_t cycle) {
  const auto past = history.past(who);
  if (cycle < past.begin) return std::nullopt;
  Stretch out{past.now, past.since, emulator::kNever, {}};
  // From the present backwards: people look at what was just now.
  size_t word = past.words.size(), place = past.places.size();
  while (out.begin > cycle && word > 0) {
    const uint32_t w = past.words[--word];
    out.end = out.begin;
    out.begin -= length_of(w);
    out.activity = activity_of(w);
    if (out.activity == Activity::executing) --place;
  }
  if (out.begin > cycle) return std::nullopt;
  while (word > 0 && !out.left_at) {
    const uint32_t w = past.words[--word];
    if (activity_of(w) == Activity::executing)
      out.left_at = static_cast<uint16_t>(past.places[--place] + length_of(w) - 1);
  }
  return out;
}

}  // namespace weft::workbench
