// From names to numbers: gives every web a register, every signal a number.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "banks.h"
#include "liveness.h"
#include "pins.h"

namespace weft::assembler {

struct Allocation {
  Liveness liveness;
  std::vector<Place> places;  ///< by web
};

/// Nothing when something did not fit; the diagnostics say what and where.
std::optional<Allocation> allocate(const Program& program, const Flow& flow, const Sources& sources, Diagnostics& out,
                                   const Pins& pins = {});

/// The program with physical operands and signal numbers in place of symbols. Late constants are not yet evaluated.
Program with_places(const Program& program, const Allocation& allocation);

/// Marks the signals of two-signal commands as doubled, and reports those that cannot be.
void mark_doubled_signals(Program& program);

/// The "allocation" dump: one line per web.
std::string dump_allocation(const Program& program, const Allocation& allocation);

}  // namespace weft::assembler
