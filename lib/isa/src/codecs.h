// The codecs that lib/isa/*.td names. Declared here, implemented in codec_*.cpp: a codec that the description names and
// nobody wrote does not compile.
#pragma once

#include "tables.h"

namespace weft::isa::codec {

extern const Codec number, table, rest;                                            // codec_numbers.cpp
extern const Codec ur_dest, re_dest, ur_pair, re_pair, ur_one, re_one;             // codec_operands.cpp
extern const Codec field_slots, byte_test, bit_test;                               // codec_fields.cpp
extern const Codec jump_slots, return_slots, immed_slots, byte_slots, csr_source;  // codec_slots.cpp
extern const Codec shift, right_shift, mul_start, mul_step;                        // codec_shift.cpp
extern const Codec cam_lookup, ur_constant, crc_data;                              // codec_special.cpp
extern const Codec arbitration, addresses, transfer, signal_control;               // codec_command.cpp

// codec_me1.cpp
extern const Codec ur_place, re_place, field_pair, ur_registers, re_registers, ur_constant_pair, re_constant_pair;
extern const Codec shift_set, field_start, guess_or_defer;
extern const Codec unit_arbitration, unit_addresses, unit_transfer, unit_signal, implied;

inline tl::unexpected<EncodeError> refuse(Role role, std::string text, std::string remedy) {
  return tl::unexpected(EncodeError{role, std::move(text), std::move(remedy)});
}

}  // namespace weft::isa::codec
