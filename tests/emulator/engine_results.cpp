// C1-C8 of docs/timing.md: results, condition codes and special functions, against values worked out by hand or
// published.
#include <catch2/catch.hpp>

#include "engine_support.h"

using namespace weft::test;

namespace {

struct AluResult {
  uint32_t value;
  unsigned codes;  ///< N Z V C
};
AluResult run_alu(AluOp op, uint32_t left, uint32_t right, bool carry = false) {
  Bench m;
  m.state(0).a[1] = left, m.state(0).b[1] = right, m.state(0).codes.c = carry;
  m.program(0, {alu(a(2), a(1), op, b(1)), halt()});
  m.go();
  const auto& c = m.state(0).codes;
  return {m.state(0).a[2], unsigned{c.n} << 3 | unsigned{c.z} << 2 | unsigned{c.v} << 1 | unsigned{c.c}};
}
void check_alu(AluOp op, uint32_t left, uint32_t right, bool carry, uint32_t value, unsigned codes) {
  const AluResult r = run_alu(op, left, right, carry);
  CHECK(r.value == value);
  CHECK(r.codes == codes);
}

Instruction crc(InsnId id, weft::isa::CrcType type, Operand right, uint32_t bytes = 0) {
  Instruction i = make(id);
  i.right = right;
  i[Role::crc_type] = static_cast<uint32_t>(type);
  i[Role::crc_bytes] = bytes;
  return i;
}

/// The remainder after "123456789", most significant byte first for crc_be and last for crc_le, from `start`.
uint32_t crc_of_digits(InsnId id, weft::isa::CrcType type, uint32_t start) {
  const bool le = id == InsnId::crc_le;
  Bench m;
  auto& s = m.state(0);
  s.a[0] = le ? 0x34333231 : 0x31323334;
  s.a[1] = le ? 0x38373635 : 0x35363738;
  s.a[2] = le ? 0x39 : 0x39000000;
  s.crc_remainder = start;
  m.program(0, {crc(id, type, a(0)), nop(), crc(id, type, a(1)), nop(),
                crc(id, type, a(2), static_cast<uint32_t>(weft::isa::CrcBytes::bytes_0)), halt()});
  m.go();
  return s.crc_remainder;
}

Instruction mul(uint32_t size, uint32_t step) {
  Instruction i = make(InsnId::mul_step);
  if (step < 5)
    i.left = a(1), i.right = b(1);
  else
    i.dest = a(1 + step);
  i[Role::mul_size] = step == 0 ? 0 : size, i[Role::mul_step] = step;
  return i;
}

}  // namespace

TEST_CASE("C1 arithmetic codes") {
  check_alu(AluOp::add, 0xffffffff, 1, false, 0, 0b0101);
  check_alu(AluOp::add, 0x7fffffff, 1, false, 0x80000000, 0b1010);
  check_alu(AluOp::add, 0x80000000, 0x80000000, true, 0, 0b0111);
  check_alu(AluOp::add_carry, 1, 2, true, 4, 0b0000);
  check_alu(AluOp::add_carry, 0xffffffff, 0, true, 0, 0b0101);
  check_alu(AluOp::add16, 1, 0xffff0002, false, 3, 0);
  check_alu(AluOp::add8, 1, 0xffffff02, false, 3, 0);
  check_alu(AluOp::sub, 5, 3, false, 2, 0b0001);
  check_alu(AluOp::sub, 3, 5, false, 0xfffffffe, 0b1000);
  check_alu(AluOp::sub, 0x80000000, 1, false, 0x7fffffff, 0b0011);
  check_alu(AluOp::sub_carry, 5, 3, false, 1, 0b0001);
  check_alu(AluOp::sub_carry, 3, 3, false, 0xffffffff, 0b1000);
  check_alu(AluOp::b_sub_a, 3, 5, false, 2, 0b0001);
}

TEST_CASE("C1 logical codes clear V and C") {
  check_alu(AluOp::b, 1, 0x80000000, true, 0x80000000, 0b1000);
  check_alu(AluOp::not_b, 1, 0xffffffff, true, 0, 0b0100);
  check_alu(AluOp::and_, 0xf0, 0x3c, true, 0x30, 0);
  check_alu(AluOp::not_and, 0xf0, 0x3c, true, 0x0c, 0);
  check_alu(AluOp::and_not, 0xf0, 0x3c, true, 0xc0, 0);
  check_alu(AluOp::or_, 0xf0, 0x3c, true, 0xfc, 0);
  check_alu(AluOp::xor_, 0xf0, 0x3c, true, 0xcc, 0);
}

TEST_CASE("C1 instructions change codes exactly when the ISA says so") {
  for (const auto& info : weft::isa::all_instructions()) {
    if (!weft::isa::enabled(weft::isa::Profile::me2, info.id)) continue;
    if (info.group != weft::isa::Group::compute || info.id == InsnId::pop_count1 || info.id == InsnId::pop_count2)
      continue;
    Instruction i = make(info.id);
    if (info.id == InsnId::ld_field || info.id == InsnId::ld_field_w_clr) i[Role::load_cc] = 1, i[Role::mask] = 15;
    for (const auto& arg : info.forms[0].args) {
      if (arg.role == Role::dest) i.dest = a(2);
      if (arg.role == Role::left) i.left = a(1);
      // In bank A where the instruction reads nothing else, for CRC instructions cannot read bank B.
      if (arg.role == Role::right) i.right = info.forms[0].args[0].cls == weft::isa::ArgClass::crc_type ? a(1) : b(1);
      if (arg.cls == weft::isa::ArgClass::right_shift)
        i[Role::shift] = static_cast<uint32_t>(weft::isa::ShiftKind::right), i[Role::amount] = 1;
    }
    bool changed = false;
    for (const bool n : {false, true}) {
      Bench m;
      auto& state = m.state(0);
      state.a[1] = 4, state.b[1] = 6;
      state.codes = {n, n, n, n};
      m.program(0, {i, halt()});
      INFO(info.name);
      REQUIRE(m.go().kind == StopKind::halted);
      changed = changed || state.codes.v != n || state.codes.c != n || state.codes.n != n || state.codes.z != n;
    }
    INFO(info.name);
    CHECK(changed == info.sets_cc);
  }
}

TEST_CASE("C2 indirect shifts, asr and byte_align look at the instruction before") {
  using weft::isa::ShiftKind;
  Bench m;
  auto& s = m.state(0);
  s.a[1] = 4, s.b[1] = 0x80000010, s.b[2] = 0x8000ff00;
  Instruction left = make(InsnId::alu_shf);
  left.dest = a(2), left.right = b(1);
  left[Role::shift] = static_cast<uint32_t>(ShiftKind::left_indirect);
  Instruction asr = make(InsnId::asr);
  asr.dest = a(3), asr.right = b(2);
  asr[Role::shift] = static_cast<uint32_t>(ShiftKind::right_indirect);
  Instruction dbl = make(InsnId::dbl_shf);
  dbl.dest = a(4), dbl.left = a(1), dbl.right = b(1);
  dbl[Role::shift] = static_cast<uint32_t>(ShiftKind::right), dbl[Role::amount] = 4;
  m.program(0, {alu(none(), a(1), AluOp::b, b(1)), left, alu(none(), a(1), AluOp::b, b(2)), asr, dbl, halt()});
  m.go();
  CHECK(s.a[2] == 0x100);
  CHECK(s.a[3] == 0xf8000ff0);
  CHECK(s.a[4] == 0x48000001);
}

TEST_CASE("C2 byte_align: the example of the reference manual, index 2") {
  Bench m;
  auto& s = m.state(0);
  const auto align = [](InsnId id, Operand dest, Operand source) {
    Instruction i = make(id);
    i.dest = dest;
    (id == InsnId::byte_align_be ? i.right : i.left) = source;
    return i;
  };
  s.byte_index = 2;
  s.a[0] = 0x00010203, s.a[1] = 0x04050607, s.a[2] = 0x08090a0b;
  s.b[0] = 0x03020100, s.b[1] = 0x07060504, s.b[2] = 0x0b0a0908;
  m.program(0, {align(InsnId::byte_align_be, none(), a(0)), align(InsnId::byte_align_be, a(3), a(1)),
                align(InsnId::byte_align_be, a(4), a(2)), align(InsnId::byte_align_le, none(), b(0)),
                align(InsnId::byte_align_le, b(3), b(1)), align(InsnId::byte_align_le, b(4), b(2)), halt()});
  m.go();
  CHECK(s.a[3] == 0x02030405);
  CHECK(s.a[4] == 0x06070809);
  CHECK(s.b[3] == 0x05040302);
  CHECK(s.b[4] == 0x09080706);
}

TEST_CASE("C3 ffs and its Z") {
  Bench m;
  Instruction ffs = make(InsnId::ffs);
  ffs.dest = a(2), ffs.right = b(1);
  m.state(0).a[2] = 77;
  m.program(0, {ffs, halt()});
  m.go();
  CHECK(m.state(0).a[2] == 0);
  CHECK(m.state(0).codes.z);

  Bench one;
  one.state(0).b[1] = 0x80000001;
  one.program(0, {ffs, halt()});
  one.go();
  CHECK(one.state(0).a[2] == 0);
  CHECK_FALSE(one.state(0).codes.z);
}

TEST_CASE("C4 pop_count counts in its third instruction") {
  Bench m;
  m.state(0).b[1] = 0xf0f00001;
  Instruction first = make(InsnId::pop_count1), second = make(InsnId::pop_count2), third = make(InsnId::pop_count3);
  first.right = second.right = third.right = b(1);
  third.dest = a(2);
  m.program(0, {first, second, third, halt()});
  CHECK(m.cycle_of(m.go()) == 3);
  CHECK(m.state(0).a[2] == 9);
}

TEST_CASE("C5 mul_step gives both halves of the product") {
  Bench m;
  m.state(0).a[1] = 0xdeadbeef, m.state(0).b[1] = 0xfeedface;
  m.program(0, {mul(3, 0), mul(3, 1), mul(3, 2), mul(3, 3), mul(3, 4), mul(3, 5), mul(3, 6), halt()});
  m.go();
  CHECK(m.state(0).a[6] == 0xc1880a52);
  CHECK(m.state(0).a[7] == 0xddbf6473);

  Bench small;
  small.state(0).a[1] = 0xff123456, small.state(0).b[1] = 0xffffff10;
  small.program(0, {mul(1, 0), mul(1, 1), mul(1, 5), halt()});
  small.go();
  CHECK(small.state(0).a[6] == 0x1234560);
}

TEST_CASE("C6 the CAM keeps least-recently-used order") {
  Bench m;
  auto& s = m.state(0);
  const auto lookup = [](uint32_t dest, Operand tag) {
    Instruction i = make(InsnId::cam_lookup);
    i.dest = a(dest), i.left = tag;
    return i;
  };
  const auto write = [](uint32_t entry, Operand tag, uint32_t state) {
    Instruction i = make(InsnId::cam_write);
    i.right = k(entry), i.left = tag;
    i[Role::cam_state] = state;
    return i;
  };
  s.b[0] = 0x1111, s.b[1] = 0x2222;
  m.program(0, {lookup(0, k(0)), lookup(1, b(0)), write(1, b(0), 5), lookup(2, b(0)), lookup(3, b(1)),
                write(2, b(1), 9), lookup(4, b(0)), lookup(5, b(1)), halt()});
  m.go();
  CHECK(s.a[0] == 1u << 7);  // tag 0 hits entry 0 of a cleared CAM, which is used now
  CHECK(s.a[1] == 1u << 3);  // miss: entry 1 is the oldest
  CHECK(s.a[2] == (5u << 8 | 1u << 7 | 1u << 3));
  CHECK(s.a[3] == 2u << 3);  // miss: entry 2
  CHECK(s.a[4] == (5u << 8 | 1u << 7 | 1u << 3));
  CHECK(s.a[5] == (9u << 8 | 1u << 7 | 2u << 3));
  CHECK(s.cam.order[0] == 3);
  CHECK(s.cam.order[15] == 2);
}

TEST_CASE("C7 published CRC check values of \"123456789\"") {
  using weft::isa::CrcType;
  CHECK(~crc_of_digits(InsnId::crc_le, CrcType::crc_32, 0xffffffff) == 0xcbf43926);  // CRC-32
  CHECK(~crc_of_digits(InsnId::crc_be, CrcType::crc_32, 0xffffffff) == 0xfc891918);  // CRC-32/BZIP2
  CHECK(~crc_of_digits(InsnId::crc_le, CrcType::iscsi, 0xffffffff) == 0xe3069283);   // CRC-32C
  CHECK(crc_of_digits(InsnId::crc_be, CrcType::ccitt, 0) == 0x31c3);                 // CRC-16/XMODEM
  CHECK(crc_of_digits(InsnId::crc_be, CrcType::ccitt, 0xffff) == 0x29b1);            // CRC-16/IBM-3740
  CHECK(crc_of_digits(InsnId::crc_le, CrcType::ccitt, 0) == 0x2189);                 // CRC-16/KERMIT
  CHECK(crc_of_digits(InsnId::crc_be, CrcType::crc_10, 0) == 0x199);                 // CRC-10/ATM
  CHECK((~crc_of_digits(InsnId::crc_le, CrcType::crc_5, 0x1f) & 0x1f) == 0x19);      // CRC-5/USB
}

TEST_CASE("C8 the pseudo-random number is the same in equal runs and moves") {
  const auto numbers = [](bool every_cycle) {
    Bench m;
    if (every_cycle) m.write_csr(0, Csr::ctx_enables, 1u << 30);
    m.program(0, {csr_rd(Csr::pseudo_random_number), immed(a(1), 0), csr_rd(Csr::pseudo_random_number), immed(a(2), 0),
                  halt()});
    m.go();
    return std::pair{m.state(0).a[1], m.state(0).a[2]};
  };
  CHECK(numbers(true) == numbers(true));
  CHECK(numbers(false) == numbers(false));
  CHECK(numbers(true).first != numbers(true).second);
  CHECK(numbers(false).first != numbers(false).second);
}
