// Meters as configured, and as they stand in memory: records of the blocks police, meter_srtcm and meter_trtcm
// (lib/microblocks/bucket/README.md). Tokens are kept as time in units of 1/4096 of an engine cycle.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace weft::control::diffserv {

inline constexpr uint32_t kUnitsPerCycle = 4096;
/// A cost is rounded to a whole number of units, so from this one on the rate is within 0.1 % of what was asked for.
inline constexpr uint32_t kMinCost = 500;

struct Meter {
  enum class Kind : uint8_t { none, police, srtcm, trtcm } kind = Kind::none;
  uint64_t committed_rate = 0;   ///< bits of IP packets a second
  uint64_t peak_rate = 0;        ///< trtcm
  uint32_t committed_burst = 0;  ///< bytes
  uint32_t excess_burst = 0;     ///< srtcm; trtcm: the peak burst
  bool aware = false;            ///< of the colour that a packet has
  bool operator==(const Meter&) const = default;
};

/// Units that a byte costs: the rate as the microcode has it, 8 * 4096 * engine_hz / cost bits a second. 0 when the
/// rate is too low for 32 bits, or so high that the cost would be below kMinCost.
uint32_t cost_of_byte(uint64_t bits_per_second, uint64_t engine_hz);

/// Why there can be no such meter, for a diagnostic; empty when there can.
std::string meter_problem(const Meter& meter, uint64_t engine_hz);

/// What bursts depend on besides the rate.
struct BurstNeeds {
  uint64_t step = 0;        ///< nanoseconds for which the clock that the meter reads may stand still
  uint32_t largest = 1500;  ///< bytes of the largest IP packet that the meter sees
};
/// Bytes of an IPv4 header: no packet is shorter.
inline constexpr uint32_t kShortestPacket = 20;
/// A bucket that is asked all the time has less in it than the next packet takes. What one step of the clock then
/// brings must still fit, else it is lost and the rate falls: the largest packet, and the rate's bytes of a step.
uint64_t least_burst(uint64_t bits_per_second, const BurstNeeds& needs);
/// The burst that is too small to keep the meter's rate, for a diagnostic; empty when there is none. A burst of 0 is a
/// bucket that is not used (srtcm).
std::string small_burst(const Meter& meter, const BurstNeeds& needs);

/// The part of a record that is the meter's begins at this longword; those before it belong to others.
inline constexpr size_t kMeterAt = 4, kMeterLongwords = 16;
/// A record whose buckets are full at the time `now`, in units. The meter must be one without a problem.
std::array<uint32_t, kMeterLongwords> meter_record(const Meter& meter, uint64_t engine_hz, uint64_t now = 0);

}  // namespace weft::control::diffserv
