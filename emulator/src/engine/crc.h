// The CRC unit: one step over up to four bytes of a longword (isa.md 10.8; alignment and order are ours,
// docs/timing.md).
#pragma once

#include <cstdint>

#include "weft/isa/isa.h"

namespace weft::emulator {

struct CrcStep {
  isa::CrcType type{};
  bool little_endian = false;
  unsigned first_byte = 0, last_byte = 3;  ///< in memory order: byte 0 leads in the longword's endianness
  bool bit_swap = false;
};

/// The remainder after the selected bytes of `data`; right-aligned before and after.
uint32_t crc_step(const CrcStep& step, uint32_t remainder, uint32_t data);

}  // namespace weft::emulator
