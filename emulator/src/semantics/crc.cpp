// Bit by bit: plain enough to be compared with the published definitions by eye, and still far from being the slowest
// part of a program. crc_be runs the polynomial as written, most significant bit first; crc_le runs it reflected.
#include "semantics/crc.h"

namespace weft::emulator::semantics {
namespace {

struct Polynomial {
  unsigned width;
  uint32_t terms;  ///< without the leading one
};

constexpr Polynomial polynomial(isa::CrcType type) {
  switch (type) {
    case isa::CrcType::none: return {0, 0};
    case isa::CrcType::ccitt: return {16, 0x1021};
    case isa::CrcType::crc_32: return {32, 0x04c11db7};
    case isa::CrcType::iscsi: return {32, 0x1edc6f41};
    case isa::CrcType::crc_10: return {10, 0x233};
    case isa::CrcType::crc_5: return {5, 0x05};
  }
  return {0, 0};
}

constexpr uint32_t reflect(uint32_t value, unsigned bits) {
  uint32_t out = 0;
  for (unsigned i = 0; i < bits; ++i) out |= (value >> i & 1) << (bits - 1 - i);
  return out;
}

uint32_t byte_forward(Polynomial p, uint32_t remainder, uint32_t byte) {
  const uint32_t mask = p.width == 32 ? ~uint32_t{0} : (uint32_t{1} << p.width) - 1;
  for (int bit = 7; bit >= 0; --bit) {
    const uint32_t feedback = (remainder >> (p.width - 1) ^ byte >> bit) & 1;
    remainder = (remainder << 1 & mask) ^ (feedback ? p.terms : 0);
  }
  return remainder;
}

uint32_t byte_reflected(Polynomial p, uint32_t remainder, uint32_t byte) {
  const uint32_t terms = reflect(p.terms, p.width);
  for (int bit = 0; bit < 8; ++bit) {
    const uint32_t feedback = (remainder ^ byte >> bit) & 1;
    remainder = remainder >> 1 ^ (feedback ? terms : 0);
  }
  return remainder;
}

}  // namespace

uint32_t crc_step(const CrcStep& step, uint32_t remainder, uint32_t data) {
  const Polynomial p = polynomial(step.type);
  if (p.width == 0) return remainder;
  if (p.width < 32) remainder &= (uint32_t{1} << p.width) - 1;
  for (unsigned i = step.first_byte; i <= step.last_byte; ++i) {
    const unsigned position = step.little_endian ? i : 3 - i;
    uint32_t byte = data >> (8 * position) & 0xff;
    if (step.bit_swap) byte = reflect(byte, 8);
    remainder = step.little_endian ? byte_reflected(p, remainder, byte) : byte_forward(p, remainder, byte);
  }
  return remainder;
}

}  // namespace weft::emulator::semantics
