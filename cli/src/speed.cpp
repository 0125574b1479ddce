#include "speed.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::cli {

Speed::Speed(const SimulatedWork& start, double clock_hz) : start_(start), clock_hz_(clock_hz) {}

double Speed::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
}

std::string Speed::text(const SimulatedWork& now, double seconds) const {
  const auto per_second = [seconds](uint64_t count) { return static_cast<double>(count) / std::max(seconds, 1e-6); };
  const double simulated = static_cast<double>(now.cycles - start_.cycles) / clock_hz_;
  const double ratio = simulated > 0 ? seconds / simulated : 0;
  return fmt::format(
      "{:.3f} ms simulated in {:.2f} s, {}; {:.2f} million instructions/s, {:.0f} packets/s", 1e3 * simulated, seconds,
      ratio == 0  ? "nothing has run"
      : ratio < 1 ? fmt::format("{:.1f} times faster than the chip", 1 / ratio)
                  : fmt::format("{:.1f} times slower than the chip", ratio),
      1e-6 * per_second(now.instructions - start_.instructions), per_second(now.packets - start_.packets));
}

}  // namespace weft::cli
