#include "firewall/times.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft::control::firewall {

namespace {

/// Cycles of an engine in a unit of its TIMESTAMP, with the factor from kilohertz to nanoseconds: a time takes
/// time * kilohertz / kScale units.
constexpr uint64_t kScale = 16'000'000;

using TimeUnit = std::pair<std::string_view, Nanoseconds>;
constexpr std::array kTimeUnits{TimeUnit{"s", 1'000'000'000}, TimeUnit{"ms", 1'000'000}, TimeUnit{"us", 1'000},
                                TimeUnit{"ns", 1}};

std::string exact(Nanoseconds time) {
  const auto unit = std::ranges::find_if(kTimeUnits, [&](const TimeUnit& u) { return time % u.second == 0; });
  return fmt::format("{}{}", time / unit->second, unit->first);
}

/// For a remedy: the least that is not shorter, or the most that is not longer, in the largest unit that leaves two
/// digits.
std::string rounded(Nanoseconds time, bool up) {
  const auto unit =
      std::ranges::find_if(kTimeUnits, [&](const TimeUnit& u) { return u.second == 1 || time / u.second >= 10; });
  return fmt::format("{}{}", (time + (up ? unit->second - 1 : 0)) / unit->second, unit->first);
}

/// One time-out, and where it stands; without a file nobody has written it.
struct Named {
  std::string_view name;
  Nanoseconds time;
  const SourceRange& range;
};

std::vector<Named> all_times(const FirewallConfig& config) {
  std::vector<Named> out{{"fragment", config.fragment_life, config.fragment_life_range}};
  for (const TimeoutName& t : timeout_names()) {
    const auto i = static_cast<size_t>(t.timeout);
    out.push_back({t.name, config.timeouts[i], config.timeout_ranges[i]});
  }
  return out;
}

}  // namespace

TickClock::TickClock(Nanoseconds tick, uint64_t engine_kilohertz)
    : kilohertz_(engine_kilohertz), units_(units_rounded_up(tick)) {}

// In two parts: the product of a long time and the clock has more than 64 bits.
uint64_t TickClock::units_of(Nanoseconds time) const {
  return time / kScale * kilohertz_ + time % kScale * kilohertz_ / kScale;
}
uint64_t TickClock::units_rounded_up(Nanoseconds time) const {
  return time / kScale * kilohertz_ + (time % kScale * kilohertz_ + kScale - 1) / kScale;
}
uint64_t TickClock::ticks(Nanoseconds time) const { return (units_rounded_up(time) + units_ - 1) / units_; }
Nanoseconds TickClock::time_of(uint64_t units) const {
  return units / kilohertz_ * kScale + (units % kilohertz_ * kScale + kilohertz_ - 1) / kilohertz_;
}

Result<bool> check_times(const FirewallConfig& config, uint64_t engine_kilohertz, const std::string& file) {
  const TickClock clock(config.tick, engine_kilohertz);
  const SourceRange at_tick = config.tick_range ? config.tick_range : whole_file(file);
  if (clock.units() < kMinTickUnits)
    return fail("control-duration", at_tick,
                fmt::format("a tick of {} is too short: the engine that counts ticks needs 16 of its cycles for each",
                            exact(config.tick)),
                fmt::format("write a longer one: tick {}", rounded(clock.time_of(kMinTickUnits), true)));
  if (clock.units() > kMaxTickUnits)
    return fail("control-duration", at_tick,
                fmt::format("a tick of {} is too long: it has more than 2^31 - 1 times 16 cycles of an engine",
                            exact(config.tick)),
                fmt::format("write a shorter one: tick {}", rounded(clock.time_of(kMaxTickUnits) - 1, false)));

  const auto longest = [&] { return rounded(clock.time_of(kMaxTicks * clock.units()) - 1, false); };
  const auto tick_for = [&](Nanoseconds time) {
    return rounded(clock.time_of((clock.units_of(time) + kMaxTicks) / kMaxTicks), true);
  };
  const auto too_long = [&](const Named& t) { return clock.ticks(t.time) > kMaxTicks; };
  Diagnostics out;
  std::vector<Named> usual;  // one error for all that no line gives: the same tick mends them
  for (const Named& t : all_times(config)) {
    if (!too_long(t)) continue;
    if (!t.range) {
      usual.push_back(t);
      continue;
    }
    out.error("control-duration", t.range,
              fmt::format("{} is too long for a tick of {}: a time-out has at most 2^31 - 1 ticks", exact(t.time),
                          exact(config.tick)),
              fmt::format("write at most {}, or a longer tick: tick {}", longest(), tick_for(t.time)));
  }
  if (const auto most = std::ranges::max_element(usual, {}, &Named::time); most != usual.end())
    out.error("control-duration", at_tick,
              fmt::format("a tick of {} is too short for the usual time-out '{}', {}: a time-out has at most 2^31 - 1 "
                          "ticks",
                          exact(config.tick), most->name, exact(most->time)),
              fmt::format("write a longer one: tick {}; or a shorter time-out: timeout {} {}", tick_for(most->time),
                          most->name, longest()));
  if (out.has_errors()) return tl::unexpected(std::move(out));
  return true;
}

}  // namespace weft::control::firewall
