// How the firewall's engines count time: in ticks, each a whole number of units of the TIMESTAMP.
#pragma once

#include "firewall/config.h"

namespace weft::control::firewall {

class TickClock {
 public:
  /// The tick is rounded up to whole units: none is shorter than asked for.
  TickClock(Nanoseconds tick, uint64_t engine_kilohertz);

  uint64_t units() const { return units_; }   ///< in a tick
  uint64_t units_of(Nanoseconds time) const;  ///< whole ones
  uint64_t ticks(Nanoseconds time) const;     ///< rounded up
  /// Rounded up, so that as many units are not more than it.
  Nanoseconds time_of(uint64_t units) const;

 private:
  uint64_t units_rounded_up(Nanoseconds time) const;

  uint64_t kilohertz_;
  uint64_t units_;
};

/// The engines compare times, and the TIMESTAMP with the end of a tick, by the sign of a difference of 32 bits.
inline constexpr uint64_t kMaxTicks = 0x7fffffff, kMaxTickUnits = 0x7fffffff;
/// The engine that counts ticks needs about one unit for each, and has other work too.
inline constexpr uint64_t kMinTickUnits = 2;

/// Whether the engines can count the tick, and each time-out in it. Diagnostics: control-duration, at the line of the
/// tick or of the time-out.
Result<bool> check_times(const FirewallConfig& config, uint64_t engine_kilohertz, const std::string& file);

}  // namespace weft::control::firewall
