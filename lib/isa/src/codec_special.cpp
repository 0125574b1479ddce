// Codecs of the CAM and CRC operations, which put small numbers where other operations have operands.
#include "codecs.h"
#include "operand_codes.h"

namespace weft::isa::codec {
namespace {

// The value looked up takes the slot of a left operand; the other slot holds options as a constant: bit 0 load
// LM_ADDR_0, bit 1 load LM_ADDR_1, bits 3:2 the constant.
Encoded lookup_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const uint32_t select = insn[Role::lm_select], constant = insn[Role::lm_constant];
  if (!insn.left.present())
    return refuse(Role::left, "the value to look up is missing", "name a register or a constant");
  const auto code = operand_code(profile, Width::ur, Side::source, insn.left);
  if (!code || (insn.left.is_gpr() && insn.left.bank == Bank::none))
    return tl::unexpected(not_expressible(profile, Role::left, Width::ur, Side::source, insn.left));
  if (select > 2) return refuse(Role::lm_select, "no such local memory pointer", "use lm_addr0[n] or lm_addr1[n]");
  if (constant > 3 || (select == 0 && constant != 0))
    return refuse(Role::lm_constant, "the constant of lm_addr is " + std::to_string(constant) + "; it may be 0 to 3",
                  "choose 0 to 3");
  const bool swap = in_bank(insn.left, Bank::b);
  const uint32_t options = 0x300 | constant << 2 | select;
  u.field[0].put(word, swap ? options : *code);
  u.field[1].put(word, swap ? *code : options);
  u.field[2].put(word, swap);
  return {};
}
bool lookup_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const bool swap = u.field[2].get(word);
  const uint32_t options = u.field[swap ? 0 : 1].get(word);
  const auto value =
      operand_of(profile, Width::ur, Side::source, u.field[swap ? 1 : 0].get(word), swap ? Bank::b : Bank::a);
  if (!value || (options & 3) == 3) return false;
  insn.left = *value;
  insn[Role::lm_select] = options & 3;
  insn[Role::lm_constant] = (options & 3) ? options >> 2 & 3 : 0;
  return true;
}

// A small number written as an unrestricted constant; params: its maximum.
Encoded constant_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  const uint32_t value = insn[u.role[0]];
  if (value > static_cast<uint32_t>(u.params[0]))
    return refuse(u.role[0],
                  std::string(role_name(u.role[0])) + " is " + std::to_string(value) + "; it may be 0 to " +
                      std::to_string(u.params[0]),
                  "choose a value in that range");
  u.field[0].put(word, 0x300 | value);
  return {};
}
bool constant_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const uint32_t code = u.field[0].get(word);
  if (code < 0x300 || code - 0x300 > static_cast<uint32_t>(u.params[0])) return false;
  insn[u.role[0]] = code - 0x300;
  return true;
}

// Slot B is full of options, so the data must be fetched through slot A.
Encoded crc_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  if (!insn.right.present()) return refuse(Role::right, "the source is missing", "name a register or a constant");
  if (in_bank(insn.right, Bank::b))
    return refuse(Role::right, "CRC instructions cannot read bank B: " + print_operand(insn.right),
                  "put the data in bank A, or in a transfer register");
  const auto code = operand_code(profile, Width::ur, Side::source, insn.right);
  if (!code || (insn.right.is_gpr() && insn.right.bank == Bank::none))
    return tl::unexpected(not_expressible(profile, Role::right, Width::ur, Side::source, insn.right));
  u.field[0].put(word, *code);
  return {};
}
bool crc_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const auto o = operand_of(profile, Width::ur, Side::source, u.field[0].get(word), Bank::a);
  if (o) insn.right = *o;
  return o.has_value();
}

}  // namespace

const Codec cam_lookup{lookup_encode, lookup_decode};
const Codec ur_constant{constant_encode, constant_decode};
const Codec crc_data{crc_encode, crc_decode};

}  // namespace weft::isa::codec
