// What observers know of a context at the moment at which the machine stands, also when they have seen what comes after it: since when
// the context is in its state, and which packet it has in hand.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <utility>

#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/packets.h"

namespace weft::workbench {

/// Reads a history from its end, where a machine mostly stands. For what lies far back it notes where every so many words begin.
class StateClock {
 public:
  /// Engine cycles that a context has been in this state when `cycle` begins. None: the history does not reach back to its begin.
  std::optional<uint64_t> cycles(const emulator::History& history, emulator::ContextRef who, emulator::ContextState state, uint64_t cycle);

 private:
  struct Note {
    uint64_t word = 0;   ///< counted from the first one that there ever was
    uint64_t begin = 0;  ///< its first cycle
  };
  /// The first note behind a cycle; none: its word is near the end.
  std::optional<Note> note_behind(const emulator::History::Past& past, std::deque<Note>& notes, uint64_t cycle) const;
  std::map<std::pair<unsigned, unsigned>, std::deque<Note>> notes_;  ///< by engine and context
};

/// Numbers of packets by engine and context, of the moment before all that was seen: a context has the packet that it has worked on and
/// works on again, or whose last word it has just executed. Those without one have no entry.
std::map<std::pair<unsigned, unsigned>, uint32_t> packets_in_hand(const emulator::PacketTracker& tracker, uint64_t cycle);

}  // namespace weft::workbench
