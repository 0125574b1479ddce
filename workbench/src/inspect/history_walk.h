// Going through an execution history as it is stored.
#pragma once

#include <algorithm>
#include <optional>

#include "weft/emulator/observers/history.h"

namespace weft::workbench {

inline constexpr uint32_t kHistoryLength = (1u << 29) - 1;
inline emulator::Activity activity_of(uint32_t word) { return static_cast<emulator::Activity>(word >> 29); }
inline uint64_t length_of(uint32_t word) { return word & kHistoryLength; }

/// Index of the first command that was accepted at a tick or later. They are kept in this order.
inline size_t first_accepted(const emulator::History& history, emulator::Tick at) {
  size_t low = 0, high = history.reference_count();
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (history.accepted(middle) < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/// What a context did around a cycle. `end` is kNever while it lasts.
struct Stretch {
  emulator::Activity activity{};
  uint64_t begin = 0, end = 0;
  std::optional<uint16_t> left_at{};  ///< the last word that was executed before it
};
std::optional<Stretch> stretch_at(const emulator::History& history, emulator::ContextRef who, uint64_t cycle);

}  // namespace weft::workbench
