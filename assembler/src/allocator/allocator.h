// From names to numbers: gives every web a register, every signal a number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "allocator/banks.h"
#include "allocator/pins.h"
#include "flow/liveness.h"

namespace weft::assembler {

struct Allocation {
  Liveness liveness;
  std::vector<Place> places;  ///< by web
};

/// The advice to try --spill, in the remedy of asm-no-register.
inline constexpr const char* kSpillRemedy = "--spill keeps in local memory what finds no register";

/// Who could make room, when a general-purpose range found no register.
struct Shortage {
  Liveness liveness;
  std::optional<uint32_t> web;   ///< the range without a register; none: something else failed
  std::vector<uint32_t> rivals;  ///< of the same bank, live where it is most crowded; with `web`
};

/// Nothing when something did not fit; the diagnostics say what and where.
std::optional<Allocation> allocate(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out,
                                   const Pins& pins = {}, Shortage* shortage = nullptr);

/// The program with physical operands and signal numbers in place of symbols. Late constants are not yet evaluated.
Program with_places(const Program& program, const Allocation& allocation);

/// Marks the signals of two-signal commands as doubled, and reports those that cannot be.
void mark_doubled_signals(Program& program);

/// The "allocation" dump: one line per web, how full each file gets, and what lives in local memory.
std::string dump_allocation(const Program& program, const Allocation& allocation);

}  // namespace weft::assembler
