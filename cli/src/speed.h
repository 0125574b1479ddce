// How fast a run is: what was simulated in the host's time, for standard error.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace weft::cli {

/// What had happened at a moment of a run.
struct SimulatedWork {
  uint64_t cycles = 0;        ///< of the engines of the first chip
  uint64_t instructions = 0;  ///< executed, over all engines
  uint64_t packets = 0;       ///< that have left
};

class Speed {
 public:
  /// Counts from now on. `clock_hz` is that of the engines.
  Speed(const SimulatedWork& start, double clock_hz);

  /// Host seconds since the start.
  double seconds() const;
  /// "2.500 ms simulated in 1.2 s, 480 times as long; 1.51 million instructions/s, 12 100 packets/s", without line end.
  std::string text(const SimulatedWork& now) const { return text(now, seconds()); }
  std::string text(const SimulatedWork& now, double seconds) const;

 private:
  SimulatedWork start_;
  double clock_hz_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

}  // namespace weft::cli
