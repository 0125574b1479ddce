// Codecs of instructions that keep a register and something else in the two restricted slots.
#include "codecs.h"
#include "operand_codes.h"

namespace weft::isa::codec {
namespace {

// --- ld_field: destination and source; swap = 1 when the destination is in slot B ------------------------------------

Encoded field_slots_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const Operand& dest = insn.dest;
  Operand source = insn.right;
  if (!source.present()) return refuse(Role::right, "the source is missing", "name a register or a constant");
  if (auto ok = check_sources(profile, dest, source); !ok)
    return refuse(Role::right,
                  "destination and source are of one sort: " + print_operand(dest) + " and " + print_operand(source),
                  "the destination is read too, so one must be in bank A and the other in bank B or elsewhere");
  const bool swap = swapped(dest, source);
  const bool i8 = source.kind == OperandKind::constant && source.value > 127 && source.value <= 255;
  if (i8) source.value -= 128;
  const auto d = operand_code(profile, Width::re, Side::dest, dest);
  const auto s = operand_code(profile, Width::re, Side::source, source);
  if (!d || (dest.is_gpr() && dest.bank == Bank::none))
    return tl::unexpected(not_expressible(profile, Role::dest, Width::re, Side::dest, dest));
  if (!s || (source.is_gpr() && source.bank == Bank::none))
    return tl::unexpected(not_expressible(profile, Role::right, Width::re, Side::source, insn.right));
  u.field[0].put(word, swap ? *s : *d);
  u.field[1].put(word, swap ? *d : *s);
  u.field[2].put(word, swap);
  u.field[3].put(word, i8);
  return {};
}
bool field_slots_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const bool swap = u.field[2].get(word);
  const uint32_t a = u.field[0].get(word), b = u.field[1].get(word);
  const auto dest = operand_of(profile, Width::re, Side::dest, swap ? b : a, swap ? Bank::b : Bank::a);
  const auto source = operand_of(profile, Width::re, Side::source, swap ? a : b, swap ? Bank::a : Bank::b);
  if (!dest || !source) return false;
  insn.dest = *dest;
  insn.right = *source;
  if (source->kind == OperandKind::constant && u.field[3].get(word)) insn.right.value += 128;
  return check_sources(profile, insn.dest, insn.right).has_value();
}

// --- a register and a number: the register is in slot A unless it is in bank B ---------------------------------------

Encoded put_register(const CodecUse& u, Profile profile, const Operand& reg, uint32_t number, uint64_t& word) {
  const auto r = operand_code(profile, Width::re, Side::source, reg);
  if (reg.kind == OperandKind::constant || !reg.present())
    return refuse(Role::left, "the value under test must be a register", "load the constant with immed first");
  if (!r || (reg.is_gpr() && reg.bank == Bank::none))
    return tl::unexpected(not_expressible(profile, Role::left, Width::re, Side::source, reg));
  const auto c =
      operand_code(profile, Width::re, Side::source, {OperandKind::constant, Bank::none, Post::none, number});
  const bool slot_b = in_bank(reg, Bank::b);
  u.field[0].put(word, slot_b ? *c : *r);
  u.field[1].put(word, slot_b ? *r : *c);
  return {};
}
/// The number, after the register went to insn.left.
std::optional<uint32_t> get_register(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const auto a = operand_of(profile, Width::re, Side::source, u.field[0].get(word), Bank::a);
  const auto b = operand_of(profile, Width::re, Side::source, u.field[1].get(word), Bank::b);
  if (!a || !b) return std::nullopt;
  const bool in_a = a->kind == OperandKind::constant, in_b = b->kind == OperandKind::constant;
  if (in_a == in_b) return std::nullopt;
  insn.left = in_b ? *a : *b;
  return in_b ? b->value : a->value;
}

Encoded byte_test_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const uint32_t value = insn[Role::value];
  if (value > 255)
    return refuse(Role::value, "the compare value is " + std::to_string(value) + "; it may be 0 to 255",
                  "compare byte by byte, or subtract and test for zero");
  u.field[2].put(word, value >> 7);
  return put_register(u, profile, insn.left, value & 0x7f, word);
}
bool byte_test_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const auto number = get_register(u, profile, word, insn);
  if (number) insn[Role::value] = *number | u.field[2].get(word) << 7;
  return number.has_value();
}

// The number is how far a right rotation must go to bring the bit to bit 31: bit + 1.
Encoded bit_test_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const uint32_t bit = insn[Role::bit];
  if (bit > 31) return refuse(Role::bit, "there is no bit " + std::to_string(bit), "bits are 0 to 31");
  return put_register(u, profile, insn.left, bit + 1, word);
}
bool bit_test_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const auto number = get_register(u, profile, word, insn);
  if (!number || *number > 32) return false;
  insn[Role::bit] = *number == 0 ? 31 : *number - 1;  // a rotation by 0 is one by 32
  return true;
}

}  // namespace

const Codec field_slots{field_slots_encode, field_slots_decode};
const Codec byte_test{byte_test_encode, byte_test_decode};
const Codec bit_test{bit_test_encode, bit_test_decode};

}  // namespace weft::isa::codec
