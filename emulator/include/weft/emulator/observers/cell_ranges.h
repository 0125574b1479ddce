// Stretches of the memories of a chip, of which one asks whether a longword lies in them.
#pragma once

#include <cstdint>
#include <map>

#include "weft/emulator/units.h"

namespace weft::emulator {

class CellRanges {
 public:
  /// Stretches may overlap.
  void add(MemorySpace space, unsigned channel, uint64_t base, uint64_t bytes);
  /// `cell`: a longword with its memory, as cell_of() gives it (src/observers/access.h).
  bool holds(uint64_t cell) const;

 private:
  std::map<uint64_t, uint64_t> ends_;  ///< of stretches that lie apart: by the first cell, the one after the last
};

}  // namespace weft::emulator
