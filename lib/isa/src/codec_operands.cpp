// Codecs of destinations and of the source pair (isa.md 3.3).
#include <algorithm>

#include "codecs.h"
#include "operand_codes.h"

namespace weft::isa::codec {
namespace {

// --- destinations: code field and bank bit --------------------------------------------------------------------------

template <Width W>
Encoded dest_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const auto code = operand_code(profile, W, Side::dest, insn.dest);
  if (!code || (insn.dest.is_gpr() && insn.dest.bank == Bank::none))
    return tl::unexpected(not_expressible(profile, Role::dest, W, Side::dest, insn.dest));
  u.field[0].put(word, *code);
  u.field[1].put(word, in_bank(insn.dest, Bank::b));
  return {};
}
template <Width W>
bool dest_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const Bank bank = u.field[1].get(word) ? Bank::b : Bank::a;
  const auto operand = operand_of(profile, W, Side::dest, u.field[0].get(word), bank);
  if (operand) insn.dest = *operand;
  return operand.has_value();
}

// --- sources --------------------------------------------------------------------------------------------------------

constexpr uint32_t kIdle = 0;         // an idle slot A, and an idle restricted slot B
constexpr uint32_t kIdleUrB = 0x300;  // an idle unrestricted slot B: constant 0

uint32_t idle(Width width, bool slot_b) { return width == Width::ur && slot_b ? kIdleUrB : kIdle; }

/// The code of a source; with `i8`, restricted constants go up to 255 and *i8 gets their bit 7.
std::optional<uint32_t> source_code(Profile profile, Width width, Operand o, bool* i8) {
  if (o.is_gpr() && o.bank == Bank::none) return std::nullopt;
  if (i8 && o.kind == OperandKind::constant && o.value > 127 && o.value <= 255) {
    *i8 = true;
    o.value -= 128;
  }
  return operand_code(profile, width, Side::source, o);
}
EncodeError no_source(Profile profile, Role role, Width width, bool i8, const Operand& o) {
  if (i8 && o.kind == OperandKind::constant)
    return {role, "the constant " + print_operand(o) + " does not fit; here it may be 0 to 255",
            "load it into a register with immed"};
  return not_expressible(profile, role, width, Side::source, o);
}

template <Width W>
Encoded put_pair(const CodecUse& u, Profile profile, const Operand& left, const Operand& right, uint64_t& word) {
  if (auto ok = check_sources(profile, left, right); !ok) return ok;
  const bool swap = swapped(left, right);
  bool i8 = false;
  bool* const with_i8 = W == Width::re ? &i8 : nullptr;
  auto code = [&](const Operand& o, bool slot_b) -> std::optional<uint32_t> {
    if (!o.present()) return idle(W, slot_b);
    return source_code(profile, W, o, with_i8);
  };
  const auto l = code(left, swap), r = code(right, !swap);
  if (!l) return tl::unexpected(no_source(profile, Role::left, W, with_i8, left));
  if (!r) return tl::unexpected(no_source(profile, Role::right, W, with_i8, right));
  u.field[0].put(word, swap ? *r : *l);
  u.field[1].put(word, swap ? *l : *r);
  u.field[2].put(word, swap);
  if (W == Width::re) u.field[3].put(word, i8);
  return {};
}

/// The operand in slot A or B. i8 belongs to the constant, wherever it is.
template <Width W>
std::optional<Operand> get_source(const CodecUse& u, Profile profile, uint64_t word, bool slot_b) {
  auto o = operand_of(profile, W, Side::source, u.field[slot_b ? 1 : 0].get(word), slot_b ? Bank::b : Bank::a);
  if (W == Width::re && o && o->kind == OperandKind::constant && u.field[3].get(word)) o->value += 128;
  return o;
}

bool may_miss_left(const CodecUse& u, const Instruction& insn) {
  return std::any_of(u.params.begin(), u.params.end(),
                     [&](int32_t op) { return static_cast<uint32_t>(op) == insn[Role::op]; });
}

template <Width W>
Encoded pair_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  if (!insn.right.present())
    return refuse(Role::right, "the second source is missing", "name a register or a constant");
  if (!insn.left.present() && !may_miss_left(u, insn))
    return refuse(
        Role::left, "the first source is missing",
        u.params.empty() ? "name a register or a constant" : "only B and ~B take `--` here; write 0 for zero");
  return put_pair<W>(u, profile, insn.left, insn.right, word);
}
template <Width W>
bool pair_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const bool swap = u.field[2].get(word);
  const auto right = get_source<W>(u, profile, word, !swap);
  if (!right) return false;
  insn.right = *right;
  const uint32_t code = u.field[swap ? 1 : 0].get(word);
  // Programs leave both 000 and the written 300 in an idle slot B.
  if (may_miss_left(u, insn) && (code == kIdle || code == idle(W, swap))) {
    insn.left = {};
  } else {
    const auto left = get_source<W>(u, profile, word, swap);
    if (!left) return false;
    insn.left = *left;
  }
  return check_sources(profile, insn.left, insn.right).has_value();
}

/// One source in its place of the pair; the other slot is idle and whatever it holds is ignored.
template <Width W>
Encoded one_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const Operand& o = insn.operand(u.role[0]);
  if (!o.present()) return refuse(u.role[0], "the source is missing", "name a register or a constant");
  return u.role[0] == Role::left ? put_pair<W>(u, profile, o, {}, word) : put_pair<W>(u, profile, {}, o, word);
}
template <Width W>
bool one_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const bool swap = u.field[2].get(word);
  const bool slot_b = (u.role[0] == Role::left) == swap;
  const auto o = get_source<W>(u, profile, word, slot_b);
  if (o) insn.operand(u.role[0]) = *o;
  return o.has_value();
}

}  // namespace

const Codec ur_dest{dest_encode<Width::ur>, dest_decode<Width::ur>};
const Codec re_dest{dest_encode<Width::re>, dest_decode<Width::re>};
const Codec ur_pair{pair_encode<Width::ur>, pair_decode<Width::ur>};
const Codec re_pair{pair_encode<Width::re>, pair_decode<Width::re>};
const Codec ur_one{one_encode<Width::ur>, one_decode<Width::ur>};
const Codec re_one{one_encode<Width::re>, one_decode<Width::re>};

}  // namespace weft::isa::codec
