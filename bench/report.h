// What the emulator's benchmarks print of a run.
#pragma once

#include <fmt/format.h>

#include <cstdint>
#include <string>

#include "measure.h"

namespace weft::bench {

/// Host cycles in a nanosecond, from a chain of dependent additions and exclusive-ors of one cycle each.
inline double host_cycles_per_nanosecond() {
  constexpr uint64_t kRounds = 50'000'000;
  uint64_t x = 1;
  const auto chain = [&x] {
    for (uint64_t i = 0; i < kRounds; ++i) {
      x += i;
      asm volatile("" : "+r"(x));  // or the compiler would find a formula
      x ^= i;
      asm volatile("" : "+r"(x));
    }
  };
  chain();
  const double time = median_seconds(5, chain);
  return x == 0 ? 0 : 2.0 * kRounds / (time * 1e9);
}

/// What one run has done.
struct Work {
  uint64_t instructions = 0, commands = 0, cycles = 0, hash = 0;
};

/// `host`: cycles in a nanosecond. Gives host cycles per executed instruction.
inline double print(const std::string& what, const Work& work, double time, double host) {
  const double ns = time * 1e9, instructions = static_cast<double>(work.instructions), each = ns * host / instructions;
  fmt::print("{}: {:.1f} million instr/s, {:.1f} host cycles per instruction", what, instructions / time / 1e6, each);
  if (work.commands > 0)
    fmt::print(", {:.0f} per command, {:.3f} commands per instruction", ns * host / static_cast<double>(work.commands),
               static_cast<double>(work.commands) / instructions);
  fmt::print(", {:.2f} million chip cycles/s; hash {:016x}\n", static_cast<double>(work.cycles) / time / 1e6,
             work.hash);
  return each;
}

/// The forwarder of the IXP1200, 6 engines x 4 contexts, near line rate (bench/programs/forward1200). Host cycles per
/// instruction.
double forward1200(bool fast, double host);
/// What so many cycles of it execute.
Work forward1200_once(bool fast, uint64_t cycles);
/// The same for runs of one, two and four lengths.
void linear1200(double host);

}  // namespace weft::bench
