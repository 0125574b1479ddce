// Who may send next when a unit has refused: round robin over engines (docs/timing.md, E8).
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "weft/base/fields.h"

namespace weft::emulator {

/// Of one unit. Part of the machine's state.
struct Admission {
  static constexpr unsigned kEngines = 16;
  /// Cycle + 1 of each engine's last try that failed; 0 = since then it was admitted.
  std::array<uint64_t, kEngines> refused{};
  uint8_t last = kEngines - 1;  ///< admitted last, while others waited or not
  uint8_t waiting = 0;          ///< engines with refused != 0

  /// How many of these engines, bit by bit, stand before this one in turn, which begins after the one admitted last.
  unsigned before(unsigned engine, uint32_t others) const {
    return static_cast<unsigned>(std::popcount(those_before(engine, others)));
  }
  /// False while another engine, refused in the cycle before, stands before this one in turn.
  bool turn_of(unsigned engine, uint64_t cycle) const { return waiting == 0 || is_next(engine, cycle); }
  void admit(unsigned engine) {
    last = static_cast<uint8_t>(engine);
    if (waiting == 0) return;
    if (refused[engine % kEngines] != 0) --waiting;
    refused[engine % kEngines] = 0;
  }
  void refuse(unsigned engine, uint64_t cycle) {
    if (refused[engine % kEngines] == 0) ++waiting;
    refused[engine % kEngines] = cycle + 1;
  }
  /// A refused engine will not try before `cycle`, and could not have been admitted until then.
  void skip_to(unsigned engine, uint64_t cycle) { refused[engine % kEngines] = cycle; }
  bool operator==(const Admission&) const = default;
  WEFT_FIELDS(Admission, refused, last, waiting)

 private:
  /// A function of its own, so that tries at full units need no frame.
  [[gnu::noinline]] bool is_next(unsigned engine, uint64_t cycle) const {
    for (unsigned other = (last + 1u) % kEngines; other != engine; other = (other + 1) % kEngines)
      if (refused[other] == cycle) return false;
    return true;
  }
  /// Those of them that stand before the engine: bit i for the one whose turn comes after i others.
  uint32_t those_before(unsigned engine, uint32_t others) const {
    const unsigned first = (last + 1u) % kEngines;
    const uint32_t in_turn = (others | others << kEngines) >> first;
    const unsigned ahead = (engine + kEngines - first) % kEngines;
    return in_turn & ((1u << ahead) - 1);
  }
};

}  // namespace weft::emulator
