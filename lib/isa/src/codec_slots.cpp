// Codecs of instructions that keep one operand and an 8-bit number in the two unrestricted slots: jump, rtn, immed,
// local_csr_wr. A slot with 300 | n holds a number.
#include "codecs.h"
#include "operand_codes.h"

namespace weft::isa::codec {
namespace {

constexpr uint32_t kNumber = 0x300;
bool is_number(uint32_t code) { return code >> 8 == 3; }

/// The operand in slot A, or in B when it is a register of bank B; the number in the other slot.
Encoded put(const CodecUse& u, Profile profile, Side side, Role role, const Operand& o, uint32_t number,
            uint64_t& word) {
  const auto code = operand_code(profile, Width::ur, side, o);
  if (!code || (o.is_gpr() && o.bank == Bank::none))
    return tl::unexpected(not_expressible(profile, role, Width::ur, side, o));
  const bool slot_b = in_bank(o, Bank::b);
  u.field[0].put(word, slot_b ? kNumber | number : *code);
  u.field[1].put(word, slot_b ? *code : kNumber | number);
  return {};
}
/// The number, after the operand went to `o`.
std::optional<uint32_t> get(const CodecUse& u, Profile profile, Side side, uint64_t word, Operand& o) {
  const uint32_t a = u.field[0].get(word), b = u.field[1].get(word);
  if (!is_number(a) && !is_number(b)) return std::nullopt;
  const auto operand = is_number(b) ? operand_of(profile, Width::ur, side, a, Bank::a)
                                    : operand_of(profile, Width::ur, side, b, Bank::b);
  if (!operand) return std::nullopt;
  o = *operand;
  return (is_number(b) ? b : a) & 0xff;
}

Encoded put_register(const CodecUse& u, Profile profile, const Instruction& insn, uint32_t number, uint64_t& word) {
  if (insn.left.kind == OperandKind::constant || !insn.left.present())
    return refuse(Role::left, "the address must come from a register", "load it with load_addr or immed first");
  return put(u, profile, Side::source, Role::left, insn.left, number, word);
}
std::optional<uint32_t> get_register(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  auto number = get(u, profile, Side::source, word, insn.left);
  return number && insn.left.kind != OperandKind::constant ? number : std::nullopt;
}

Encoded jump_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const uint32_t target = insn[Role::target];
  if (target > 0x1fff)
    return refuse(Role::target, "the address " + std::to_string(target) + " is beyond 8191", "shorten the program");
  u.field[2].put(word, target >> 8);
  return put_register(u, profile, insn, target & 0xff, word);
}
bool jump_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const auto low = get_register(u, profile, word, insn);
  if (low) insn[Role::target] = u.field[2].get(word) << 8 | *low;
  return low.has_value();
}

Encoded return_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  return put_register(u, profile, insn, 0, word);
}
bool return_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  return get_register(u, profile, word, insn) == 0u;
}

Encoded check_value(const Instruction& insn, uint32_t max) {
  if (insn[Role::value] <= max) return {};
  return refuse(
      Role::value,
      "the constant " + std::to_string(insn[Role::value]) + " does not fit; here it may be 0 to " + std::to_string(max),
      max == 255 ? "use immed_w0 or immed_w1, or several immed_bN" : "use immed and then immed_w1");
}

Encoded immed_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const uint32_t value = insn[Role::value];
  if (auto ok = check_value(insn, static_cast<uint32_t>(u.params[0])); !ok) return ok;
  u.field[2].put(word, value >> 8);
  return put(u, profile, Side::dest, Role::dest, insn.dest, value & 0xff, word);
}
bool immed_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const auto low = get(u, profile, Side::dest, word, insn.dest);
  if (low) insn[Role::value] = u.field[2].get(word) << 8 | *low;
  return low.has_value();
}

Encoded byte_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  if (auto ok = check_value(insn, 255); !ok) return ok;
  return put(u, profile, Side::dest, Role::dest, insn.dest, insn[Role::value], word);
}
bool byte_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const auto value = get(u, profile, Side::dest, word, insn.dest);
  if (value) insn[Role::value] = *value;
  return value.has_value();
}

// A constant stands in both slots; a register has 300 beside it.
Encoded csr_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const Operand& o = insn.left;
  if (!o.present()) return refuse(Role::left, "the source is missing", "name a register or a constant 0 to 255");
  return put(u, profile, Side::source, Role::left, o, o.kind == OperandKind::constant ? o.value & 0xff : 0, word);
}
bool csr_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const uint32_t a = u.field[0].get(word), b = u.field[1].get(word);
  const auto o = is_number(a) ? operand_of(profile, Width::ur, Side::source, b, Bank::b)
                              : operand_of(profile, Width::ur, Side::source, a, Bank::a);
  if (o) insn.left = *o;
  return o.has_value();
}

}  // namespace

const Codec jump_slots{jump_encode, jump_decode};
const Codec return_slots{return_encode, return_decode};
const Codec immed_slots{immed_encode, immed_decode};
const Codec byte_slots{byte_encode, byte_decode};
const Codec csr_source{csr_encode, csr_decode};

}  // namespace weft::isa::codec
