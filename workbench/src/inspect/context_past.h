// Since when a context is in its state at the moment at which the machine stands, by the history, which may have seen
// what comes after it.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "weft/emulator/observers/history.h"

namespace weft::workbench {

/// Reads a history from its end, where a machine mostly stands. For what lies far back it notes where every so many
/// words begin.
class StateClock {
 public:
  /// Engine cycles that a context has been in this state when `cycle` begins. None: the history does not reach back to
  /// its start.
  std::optional<uint64_t> cycles(const emulator::History& history, emulator::ContextRef who,
                                 emulator::ContextState state, uint64_t cycle);

 private:
  struct Note {
    uint64_t word = 0;   ///< counted from the first one that there ever was
    uint64_t begin = 0;  ///< its first cycle
  };
  /// The first note after a cycle; none: its word is near the end.
  std::optional<Note> note_behind(const emulator::History::Past& past, std::deque<Note>& notes, uint64_t cycle) const;
  std::map<std::pair<unsigned, unsigned>, std::deque<Note>> notes_;  ///< by engine and context
};

}  // namespace weft::workbench
