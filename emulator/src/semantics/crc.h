// The CRC unit: one step over up to four bytes of a longword (isa.md 10.8; alignment and order are ours,
// docs/timing.md).
#pragma once

#include <cstdint>

#include "weft/isa/isa.h"

namespace weft::emulator::semantics {

struct CrcStep {
  isa::CrcType type{};
  bool little_endian = false;
  unsigned first_byte = 0, last_byte = 3;  ///< in memory order: byte 0 leads in the longword's endianness
  bool bit_swap = false;
};

/// The remainder after the selected bytes of `data`; right-aligned before and after.
uint32_t crc_step(const CrcStep& step, uint32_t remainder, uint32_t data);

/// The source goes to the destination unchanged; byte selection and bit_swap concern the remainder only.
template <class View>
void crc(View v, bool little_endian) {
  const uint32_t data = v.right();
  const auto& word = v.word();
  const CrcStep step{word.crc_type, little_endian, word.crc_first, word.crc_last, word.bit_swap};
  v.state().crc_remainder = crc_step(step, v.state().crc_remainder, data);
  v.put(data);
}

template <class View>
void crc_be(View v) {
  crc(v, false);
}

template <class View>
void crc_le(View v) {
  crc(v, true);
}

}  // namespace weft::emulator::semantics
