// CRC, CAM and multiplier (isa.md 10.7, 10.8, 5.1).
#include "engine/cam.h"
#include "engine/crc.h"
#include "engine/execute.h"
#include "engine/microengine.h"

namespace weft::emulator::execute {
namespace {

/// The source goes to the destination unchanged; byte selection and bit_swap concern the remainder only.
Outcome crc(Engine& e, const Operation& o, bool little_endian) {
  const uint32_t data = e.read(o.right);
  const CrcStep step{o.crc_type, little_endian, o.crc_first, o.crc_last, o.bit_swap};
  e.s.crc_remainder = crc_step(step, e.s.crc_remainder, data);
  e.write(o.dest, data);
  return Outcome::done;
}

}  // namespace

Outcome crc_be(Engine& e, const Operation& o) { return crc(e, o, false); }
Outcome crc_le(Engine& e, const Operation& o) { return crc(e, o, true); }

Outcome cam_clear(Engine& e, const Operation&) {
  emulator::cam_clear(e.s.cam);
  return Outcome::done;
}

// E10: the loaded local-memory pointer is entry << 6 with the two-bit constant above it, seen as late as a CSR write.
Outcome cam_lookup(Engine& e, const Operation& o) {
  const uint32_t tag = e.read(o.left);
  const CamAnswer answer = emulator::cam_lookup(e.s.cam, tag);
  e.write(o.dest, answer.word());
  e.write_codes(answer.word());
  e.latch(tag, 0, answer.word());
  if (o.lm_select != 0) e.write_lm_later(o.lm_select - 1u, uint32_t{o.lm_constant} << 10 | uint32_t{answer.entry} << 6);
  return Outcome::done;
}

Outcome cam_write(Engine& e, const Operation& o) {
  const uint32_t entry = e.read(o.right), tag = e.read(o.left);
  emulator::cam_write(e.s.cam, entry & 15, tag, o.cam_state);
  return Outcome::done;
}

Outcome cam_write_state(Engine& e, const Operation& o) {
  emulator::cam_write_state(e.s.cam, e.read(o.right) & 15, o.cam_state);
  return Outcome::done;
}

Outcome cam_read_tag(Engine& e, const Operation& o) {
  const uint32_t entry = e.read(o.right);
  const uint32_t result = e.s.cam.tag[entry & 15];
  e.write(o.dest, result);
  e.write_codes(result);
  e.latch(0, entry, result);
  return Outcome::done;
}

Outcome cam_read_state(Engine& e, const Operation& o) {
  const uint32_t entry = e.read(o.right);
  const uint32_t result = uint32_t{e.s.cam.state[entry & 15]} << 8;
  e.write(o.dest, result);
  e.write_codes(result);
  e.latch(0, entry, result);
  return Outcome::done;
}

// C5: start takes the operands, step n adds the product with byte n - 1 of the right one, last and last2 give the
// halves of the sum. The size cuts the operands: 24 x 8, 16 x 16 or 32 x 32 bits, unsigned.
Outcome mul_step(Engine& e, const Operation& o) {
  MultiplierState& m = e.s.multiplier;
  if (o.mul_step == isa::MulStep::last || o.mul_step == isa::MulStep::last2) {
    e.write(o.dest, static_cast<uint32_t>(o.mul_step == isa::MulStep::last ? m.sum : m.sum >> 32));
    return Outcome::done;
  }
  if (o.mul_step == isa::MulStep::start) {
    m = {e.read(o.left), e.read(o.right), 0};
    return Outcome::done;
  }
  uint32_t left = m.left, right = m.right;
  if (o.mul_size == isa::MulSize::m24x8) left &= 0xffffff, right &= 0xff;
  if (o.mul_size == isa::MulSize::m16x16) left &= 0xffff, right &= 0xffff;
  const unsigned byte = static_cast<unsigned>(o.mul_step) - static_cast<unsigned>(isa::MulStep::step1);
  m.sum += (uint64_t{left} * (right >> (8 * byte) & 0xff)) << (8 * byte);
  return Outcome::done;
}

}  // namespace weft::emulator::execute
