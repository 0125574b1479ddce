// The order of everything that happens in a machine: by tick, then units in their order, then engines.
#pragma once

#include "weft/emulator/command.h"

namespace weft::emulator {

/// tick << 5 | place; units and other actors have the places 0-15 in their order, engines those from 16 on.
using Key = uint64_t;
inline constexpr unsigned kPlaceBits = 5;
inline constexpr unsigned kEnginePlace = 16;
inline constexpr unsigned kPlaces = 32;
inline constexpr Key key_of(Tick tick, unsigned place) { return tick == kNever ? kNever : tick << kPlaceBits | place; }
/// The same for a moment that is not kNever.
inline constexpr Key key_at(Tick tick, unsigned place) { return tick << kPlaceBits | place; }
inline constexpr Tick tick_of(Key key) { return key == kNever ? kNever : key >> kPlaceBits; }

/// Engine cycles of ticks. A division takes the time of twenty other instructions; this one is a product, and one
/// correction.
class Cycles {
 public:
  explicit Cycles(Tick period) : period_(period), inverse_(~Tick{0} / period) {}
  /// The first cycle that starts at `tick` or later.
  uint64_t at(Tick tick) const {
    __extension__ using Wide = unsigned __int128;
    const Tick last = tick + period_ - 1;
    const auto below = static_cast<uint64_t>(Wide{last} * inverse_ >> 64);  // the quotient or one less
    const Tick rest = last - below * period_;
    return below + (rest >= period_ ? 1 : 0);
  }

 private:
  Tick period_, inverse_;
};

}  // namespace weft::emulator
