#include "weft/control/diffserv/meter.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace weft::control::diffserv {

namespace {

// Of a record, from kMeterAt on: 0 lock, then state, what the buckets hold, costs.
class Writer {
 public:
  explicit Writer(size_t at) : at_(at) {}
  void put(uint32_t longword) { record_[at_++] = longword; }
  void put(uint64_t units) {
    put(static_cast<uint32_t>(units >> 32));
    put(static_cast<uint32_t>(units));
  }
  const std::array<uint32_t, kMeterLongwords>& record() const { return record_; }

 private:
  std::array<uint32_t, kMeterLongwords> record_{};
  size_t at_;
};

std::string rate_problem(const char* name, uint64_t rate, uint64_t engine_hz) {
  if (rate == 0) return fmt::format("the {} rate is 0", name);
  if (cost_of_byte(rate, engine_hz) != 0) return {};
  // A byte takes 8 * 4096 * engine_hz / rate units, which are 32 bits and at least kMinCost.
  const double units = 8.0 * kUnitsPerCycle * static_cast<double>(engine_hz);
  return fmt::format("a {} rate of {} bit/s is outside of what a meter can do at {} MHz, {:.0f} to {:.0f} bit/s", name,
                     rate, engine_hz / 1'000'000, units / std::numeric_limits<uint32_t>::max() + 1, units / kMinCost);
}

std::string burst_problem(const char* name, uint64_t rate, uint32_t burst, uint64_t engine_hz) {
  // What a bucket holds must be a positive number of 64 bits with sign, and far from its end.
  if (uint64_t{burst} <= (uint64_t{1} << 62) / cost_of_byte(rate, engine_hz)) return {};
  return fmt::format("a {} burst of {} bytes takes more than 2^62 units at this rate; the largest one is {}", name,
                     burst, (uint64_t{1} << 62) / cost_of_byte(rate, engine_hz));
}

}  // namespace

uint32_t cost_of_byte(uint64_t bits_per_second, uint64_t engine_hz) {
  if (bits_per_second == 0) return 0;
  const uint64_t units = engine_hz * kUnitsPerCycle * 8;
  const uint64_t cost =
      units / bits_per_second + (units % bits_per_second >= bits_per_second - units % bits_per_second ? 1 : 0);
  if (cost < kMinCost || cost > std::numeric_limits<uint32_t>::max()) return 0;
  return static_cast<uint32_t>(cost);
}

std::string meter_problem(const Meter& meter, uint64_t engine_hz) {
  if (meter.kind == Meter::Kind::none) return {};
  if (auto problem = rate_problem("committed", meter.committed_rate, engine_hz); !problem.empty()) return problem;
  if (auto problem = burst_problem("committed", meter.committed_rate, meter.committed_burst, engine_hz);
      !problem.empty())
    return problem;
  if (meter.kind == Meter::Kind::police)
    return meter.committed_burst == 0 ? "the burst is 0 bytes: nothing would pass" : "";
  if (meter.kind == Meter::Kind::srtcm) {
    if (auto problem = burst_problem("excess", meter.committed_rate, meter.excess_burst, engine_hz); !problem.empty())
      return problem;
    // RFC 2697, section 2: at least one of them is larger than 0.
    return meter.committed_burst == 0 && meter.excess_burst == 0 ? "both bursts are 0 bytes: every packet would be red"
                                                                 : "";
  }
  if (auto problem = rate_problem("peak", meter.peak_rate, engine_hz); !problem.empty()) return problem;
  if (auto problem = burst_problem("peak", meter.peak_rate, meter.excess_burst, engine_hz); !problem.empty())
    return problem;
  // RFC 2698, section 2.
  if (meter.peak_rate < meter.committed_rate) return "the peak rate is below the committed rate";
  if (meter.committed_burst == 0 || meter.excess_burst == 0) return "both bursts must be larger than 0 bytes";
  return {};
}

uint64_t least_burst(uint64_t bits_per_second, const BurstNeeds& needs) {
  constexpr uint64_t kBitNanoseconds = 8'000'000'000;  // of a byte each second
  const uint64_t steps = bits_per_second * needs.step;
  return std::max(needs.largest, kShortestPacket) + steps / kBitNanoseconds + (steps % kBitNanoseconds != 0 ? 1 : 0);
}

std::string small_burst(const Meter& meter, const BurstNeeds& needs) {
  const auto check = [&](const char* name, uint64_t rate, uint32_t burst) -> std::string {
    const uint64_t min = least_burst(rate, needs);
    if (burst == 0 || burst >= min) return {};
    return fmt::format(
        "its {} of {} bytes is too small to keep a rate of {} bit/s: packets of {} bytes and a clock that "
        "may stand still for {} us take {} bytes at least",
        name, burst, rate, needs.largest, static_cast<double>(needs.step) / 1000, min);
  };
  const bool police = meter.kind == Meter::Kind::police, two_rates = meter.kind == Meter::Kind::trtcm;
  std::string out = check(police ? "burst" : "committed burst", meter.committed_rate, meter.committed_burst);
  if (out.empty() && !police)
    out = check(two_rates ? "peak burst" : "excess burst", two_rates ? meter.peak_rate : meter.committed_rate,
                meter.excess_burst);
  return out;
}

std::array<uint32_t, kMeterLongwords> meter_record(const Meter& meter, uint64_t engine_hz, uint64_t now) {
  Writer out(kMeterAt);
  if (meter.kind == Meter::Kind::none) return out.record();
  const uint32_t committed_cost = cost_of_byte(meter.committed_rate, engine_hz);
  const uint64_t committed = uint64_t{committed_cost} * meter.committed_burst;
  out.put(uint32_t{0});
  switch (meter.kind) {
    case Meter::Kind::none: break;
    case Meter::Kind::police:
      out.put(now - committed);
      out.put(committed);
      out.put(committed_cost);
      break;
    case Meter::Kind::srtcm: {
      // The first bucket is kept as the time at which it was empty, the second one, which has no clock of its own, as
      // its level.
      const uint64_t excess = uint64_t{committed_cost} * meter.excess_burst;
      out.put(now - committed);
      out.put(excess);
      out.put(committed);
      out.put(excess);
      out.put(committed_cost);
      break;
    }
    case Meter::Kind::trtcm: {
      const uint32_t peak_cost = cost_of_byte(meter.peak_rate, engine_hz);
      const uint64_t peak = uint64_t{peak_cost} * meter.excess_burst;
      out.put(now - peak);
      out.put(now - committed);
      out.put(peak);
      out.put(committed);
      out.put(peak_cost);
      out.put(committed_cost);
      break;
    }
  }
  return out.record();
}

}  // namespace weft::control::diffserv
