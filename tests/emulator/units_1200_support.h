// The units of an IXP1200 board: 200 MHz, memories at 100, a tick is a nanosecond.
#pragma once

#include "units_support.h"

namespace weft::emulator {

inline BoardDescription board1200() { return board("generic-1200"); }

/// Issues all commands in the same cycle and gives the cycle of each answer, counted from then; 0 = none within
/// `cycles`. Commands raise different signals, so at most 15.
inline std::vector<Tick> together(Bench& t, std::vector<Command> commands, Tick cycles = 10'000) {
  const Tick begin = t.bus.now;
  t.bus.signals.clear();
  for (size_t i = 0; i < commands.size(); ++i) {
    commands[i].signal = static_cast<uint8_t>(1 + i);
    REQUIRE(t.issue(commands[i]));
  }
  t.run_until(begin + cycles * t.period());
  std::vector<Tick> out(commands.size(), 0);
  for (const FakeBus::Signal& s : t.bus.signals)
    if (s.number >= 1 && s.number <= out.size()) out[s.number - 1] = (s.at - begin) / t.period();
  return out;
}

inline Command in_queue(Command command, isa::MemoryQueue queue) {
  command.queue = queue;
  return command;
}

/// Keeps one unit saturated with commands for `cycles` engine cycles; gives MB/s at 200 MHz.
inline double saturate(Bench& t, const std::vector<Command>& mix, uint64_t cycles, const char* unit) {
  size_t next = 0;
  for (uint64_t c = 0; c < cycles; ++c) {
    t.run_until(c * t.period());
    if (t.issue(mix[next])) next = (next + 1) % mix.size();
  }
  const UnitCounters counters = t.view(unit).counters;
  return static_cast<double>(counters.longwords_read + counters.longwords_written) * 4 * 200 /
         static_cast<double>(cycles);
}

}  // namespace weft::emulator
