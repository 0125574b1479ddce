// Who may send next when a unit has refused: round robin over engines (docs/timing.md, E8).
#pragma once

#include <array>
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

  /// False while another engine, refused in the cycle before, stands before this one in turn.
  bool turn_of(unsigned engine, uint64_t cycle) const {
    if (waiting == 0) return true;
    for (unsigned step = 1; step <= kEngines; ++step) {
      const unsigned other = (last + step) % kEngines;
      if (other == engine) return true;
      if (refused[other] == cycle) return false;
    }
    return true;
  }
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
};

}  // namespace weft::emulator
