// Codecs of me1, whose operand codes hold their bank: no slots, no swap (lib/isa/me1_formats.td).
#include <algorithm>

#include "codecs.h"
#include "operand_codes.h"

namespace weft::isa::codec {
namespace {

constexpr uint32_t kConstant = 0x100;  // first code of the constants

bool may_miss(const CodecUse& u, const Instruction& insn) {
  return std::any_of(u.params.begin(), u.params.end(),
                     [&](int32_t op) { return static_cast<uint32_t>(op) == insn[Role::op]; });
}

// --- one operand; params: 0 a source register, 1 a destination, 2 a source, register or constant ---------------------

template <Width W>
Encoded place_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const Role role = u.role[0];
  const Operand& o = insn.operand(role);
  const Side side = u.params[0] == 1 ? Side::dest : Side::source;
  if (side == Side::source && !o.present())
    return refuse(role, "the source is missing",
                  u.params[0] == 2 ? "name a register or a constant" : "name a register");
  if (u.params[0] == 0 && o.kind == OperandKind::constant)
    return refuse(role, "a constant cannot stand here", "load it into a register with immed first");
  const auto code = operand_code(profile, W, side, o);
  if (!code) return tl::unexpected(not_expressible(profile, role, W, side, o));
  u.field[0].put(word, *code);
  return {};
}
template <Width W>
bool place_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const Side side = u.params[0] == 1 ? Side::dest : Side::source;
  const auto o = operand_of(profile, W, side, u.field[0].get(word), Bank::none);
  if (!o || (side == Side::source && !o->present())) return false;
  insn.operand(u.role[0]) = *o;
  return true;
}

// ld_field reads its destination: both operands are of different sorts. No bits.
Encoded field_pair_encode(const CodecUse&, Profile profile, const Instruction& insn, uint64_t&) {
  if (check_sources(profile, insn.dest, insn.right)) return {};
  return refuse(
      Role::right,
      "destination and source are of one sort: " + print_operand(insn.dest) + " and " + print_operand(insn.right),
      "the destination is read too, so one must be in bank A and the other in bank B or elsewhere");
}
bool field_pair_decode(const CodecUse&, Profile profile, uint64_t, Instruction& insn) {
  return check_sources(profile, insn.dest, insn.right).has_value();
}

// --- two sources; params: operations whose left operand may be "--" --------------------------------------------------

Encoded check_pair(const CodecUse& u, Profile profile, const Instruction& insn) {
  if (!insn.right.present())
    return refuse(Role::right, "the second source is missing", "name a register or a constant");
  if (!insn.left.present() && !may_miss(u, insn))
    return refuse(
        Role::left, "the first source is missing",
        u.params.empty() ? "name a register or a constant" : "only B and ~B take `--` here; write 0 for zero");
  return check_sources(profile, insn.left, insn.right);
}
bool pair_ok(const CodecUse& u, Profile profile, const Instruction& insn) {
  return check_pair(u, profile, insn).has_value();
}

template <Width W>
Encoded registers_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  if (auto ok = check_pair(u, profile, insn); !ok) return ok;
  for (unsigned i : {0u, 1u}) {
    const Operand& o = insn.operand(u.role[i]);
    const auto code = operand_code(profile, W, Side::source, o);
    if (!code) return tl::unexpected(not_expressible(profile, u.role[i], W, Side::source, o));
    u.field[i].put(word, *code);
  }
  return {};
}
template <Width W>
bool registers_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  for (unsigned i : {0u, 1u}) {
    const auto o = operand_of(profile, W, Side::source, u.field[i].get(word), Bank::none);
    if (!o) return false;
    insn.operand(u.role[i]) = *o;
  }
  return pair_ok(u, profile, insn);
}

template <Width W>
Encoded constant_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  if (auto ok = check_pair(u, profile, insn); !ok) return ok;
  const bool first = insn.left.kind == OperandKind::constant;
  const Operand &constant = first ? insn.left : insn.right, &reg = first ? insn.right : insn.left;
  const Role constant_role = first ? Role::left : Role::right, reg_role = first ? Role::right : Role::left;
  if (constant.value > 255)
    return refuse(constant_role, "the constant " + print_operand(constant) + " does not fit; here it may be 0 to 255",
                  "load it into a register with immed");
  const auto code = operand_code(profile, W, Side::source, reg);
  if (!code) return tl::unexpected(not_expressible(profile, reg_role, W, Side::source, reg));
  u.field[0].put(word, *code);
  u.field[1].put(word, constant.value);
  u.field[2].put(word, first);
  return {};
}
template <Width W>
bool constant_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const auto reg = operand_of(profile, W, Side::source, u.field[0].get(word), Bank::none);
  if (!reg) return false;
  const bool first = u.field[2].get(word);
  (first ? insn.right : insn.left) = *reg;
  (first ? insn.left : insn.right) = Operand{OperandKind::constant, Bank::none, Post::none, u.field[1].get(word)};
  return pair_ok(u, profile, insn);
}

// --- shifts: params hold kind and amount of each code ----------------------------------------------------------------

Encoded shift_set_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  auto kind = static_cast<ShiftKind>(insn[Role::shift]);
  uint32_t amount = insn[Role::amount];
  // One code serves both directions of a rotation.
  const bool rotates = kind == ShiftKind::rotate_left || kind == ShiftKind::rotate_right;
  for (int other = 0; other < (rotates ? 2 : 1); ++other) {
    for (size_t code = 0; 2 * code + 1 < u.params.size(); ++code)
      if (u.params[2 * code] == static_cast<int32_t>(kind) && u.params[2 * code + 1] == static_cast<int64_t>(amount)) {
        u.field[0].put(word, static_cast<uint32_t>(code));
        return {};
      }
    kind = kind == ShiftKind::rotate_left ? ShiftKind::rotate_right : ShiftKind::rotate_left;
    amount = 32 - amount;
  }
  return refuse(Role::amount, "this shift amount has no code; the shifter knows only some",
                "use <<1 to <<8, <<12, <<16, <<20, <<24, >>1 to >>8, >>12, >>16, >>20, >>24, >>28, >>31, <<rot8, "
                "<<rot16, <<rot24, <<indirect or >>indirect; others in two steps");
}
bool shift_set_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const size_t code = u.field[0].get(word);
  if (2 * code + 1 >= u.params.size()) return false;
  insn[Role::shift] = static_cast<uint32_t>(u.params[2 * code]);
  insn[Role::amount] = static_cast<uint32_t>(u.params[2 * code + 1]);
  return true;
}

// Where the field of find_bset begins.
Encoded field_start_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  const auto kind = static_cast<ShiftKind>(insn[Role::shift]);
  const uint32_t n = insn[Role::amount];
  if (!(kind == ShiftKind::none && n == 0) && !(kind == ShiftKind::right && n >= 1 && n <= 31))
    return refuse(Role::shift, "the field of find_bset is chosen by a right shift of 1 to 31",
                  "write >>n, or nothing for the low half");
  u.field[0].put(word, n);
  return {};
}
bool field_start_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const uint32_t n = u.field[0].get(word);
  insn[Role::shift] = static_cast<uint32_t>(n ? ShiftKind::right : ShiftKind::none);
  insn[Role::amount] = n;
  return true;
}

// br=byte: one field for deferred slots and the guess.
constexpr uint32_t kGuess = 3;

Encoded slots_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  if (insn[Role::guess] > 1) return refuse(Role::guess, "guess is yes or no", "write guess_branch or leave it out");
  if (insn[Role::guess] && insn[Role::defer])
    return refuse(Role::guess, "this branch has no room for defer and guess_branch together", "leave one of them out");
  if (insn[Role::defer] > 2)
    return refuse(Role::defer, "defer is " + std::to_string(insn[Role::defer]) + "; it may be 0 to 2",
                  "use defer[1] or defer[2]");
  u.field[0].put(word, insn[Role::guess] ? kGuess : insn[Role::defer]);
  return {};
}
bool slots_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const uint32_t code = u.field[0].get(word);
  insn[Role::guess] = code == kGuess;
  insn[Role::defer] = code == kGuess ? 0 : code;
  return true;
}

// --- contexts and commands -------------------------------------------------------------------------------------------

std::string signal_list(Profile profile) {
  std::string out;
  for (const NamedValue& n : signal_names(profile)) out += (out.empty() ? "" : ", ") + std::string(n.name);
  return out;
}
uint32_t signal_mask(Profile profile) {
  uint32_t mask = 0;
  for (const NamedValue& n : signal_names(profile)) mask |= 1u << n.value;
  return mask;
}

/// Exactly one of signals (with any or not), voluntary, kill, bpt.
bool arbitration_ok(Profile profile, const Instruction& i) {
  const uint32_t mask = i[Role::signals];
  if (i[Role::breakpoint]) return !i[Role::any] && mask == 0;
  if (mask == 1) return !i[Role::any];
  if (mask & ~signal_mask(profile)) return false;
  return mask != 0 || i[Role::any];
}
Encoded arbitration_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  for (Role r : {Role::any, Role::breakpoint})
    if (insn[r] > 1) return refuse(r, std::string(role_name(r)) + " is yes or no", "write 0 or 1");
  if (insn[Role::signals] > 0xffff || !arbitration_ok(profile, insn))
    return refuse(Role::signals, "ctx_arb takes signals, or exactly one of voluntary, kill, bpt",
                  "signals are " + signal_list(profile));
  u.field[0].put(word, insn[Role::breakpoint]);
  u.field[1].put(word, insn[Role::any]);
  u.field[2].put(word, insn[Role::signals]);
  return {};
}
bool arbitration_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  insn[Role::breakpoint] = u.field[0].get(word);
  insn[Role::any] = u.field[1].get(word);
  insn[Role::signals] = u.field[2].get(word);
  return arbitration_ok(profile, insn);
}

// Operand b is a register, or a constant of seven bits after bit 7. The operands are added, so a constant goes to b.
constexpr uint32_t kSmall = 0x80;

Encoded addresses_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  for (Role role : {Role::left, Role::right}) {
    const Operand& o = insn.operand(role);
    if (!o.present()) return refuse(role, "an address operand is missing", "write 0 for nothing to add");
    if (o.kind == OperandKind::constant && o.value > 127)
      return refuse(role, "the constant " + print_operand(o) + " does not fit; here it may be 0 to 127",
                    "load it into a register with immed");
    if (!operand_code(profile, Width::re, Side::source, o))
      return tl::unexpected(not_expressible(profile, role, Width::re, Side::source, o));
  }
  if (auto ok = check_sources(profile, insn.left, insn.right); !ok) return ok;
  const bool swap = insn.left.kind == OperandKind::constant;
  const Operand &a = swap ? insn.right : insn.left, &b = swap ? insn.left : insn.right;
  u.field[0].put(word, *operand_code(profile, Width::re, Side::source, a));
  u.field[1].put(
      word, b.kind == OperandKind::constant ? kSmall | b.value : *operand_code(profile, Width::re, Side::source, b));
  return {};
}
bool addresses_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const uint32_t code = u.field[1].get(word);
  const auto a = operand_of(profile, Width::re, Side::source, u.field[0].get(word), Bank::none);
  const auto b =
      operand_of(profile, Width::re, Side::source, code & kSmall ? kConstant | (code & 0x7f) : code, Bank::none);
  if (!a || !b || !a->present() || !b->present()) return false;
  insn.left = *a;
  insn.right = *b;
  return check_sources(profile, insn.left, insn.right).has_value();
}

// params: 1 for units that work on $$
Encoded transfer_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const Operand& o = insn.xfer;
  const OperandKind own = u.params[0] ? OperandKind::xfer_d : OperandKind::xfer_s;
  const uint32_t count = sizes(profile).transfers;
  if (o.kind == own && o.value < count) {
    u.field[0].put(word, o.value);
    return {};
  }
  const std::string prefix = u.params[0] ? "$$" : "$";
  return refuse(Role::xfer,
                o.present() ? print_operand(o) + " cannot be the transfer register of this command"
                            : std::string("the transfer register is missing"),
                "name one as " + prefix + "0 to " + prefix + std::to_string(count - 1));
}
bool transfer_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  insn.xfer = {u.params[0] ? OperandKind::xfer_d : OperandKind::xfer_s, Bank::none, Post::none, u.field[0].get(word)};
  return true;
}

// params: the event of the unit. Codes: 0 no signal, 1 sig_done, 2 ctx_swap, 3 ctx_swap with one deferred slot.
Encoded signal_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  const auto mode = static_cast<SignalMode>(insn[Role::signal_mode]);
  const uint32_t signal = insn[Role::signal], defer = insn[Role::defer], event = static_cast<uint32_t>(u.params[0]);
  if (mode > SignalMode::ctx_swap)
    return refuse(Role::signal_mode, "no such way to signal", "use sig_done or ctx_swap");
  if (signal != (mode == SignalMode::none ? 0 : event)) {
    std::string name;
    for (const NamedValue& n : signal_names(profile))
      if (n.value == event) name = n.name;
    return refuse(Role::signal, "this command raises the signal of its unit, " + name,
                  "write ctx_swap or sig_done without a name, or with " + name);
  }
  if (defer > 1 || (defer && mode != SignalMode::ctx_swap))
    return refuse(Role::defer, "defer is " + std::to_string(defer) + "; only ctx_swap has a deferred slot here, one",
                  "use defer[1] with ctx_swap");
  u.field[0].put(word, static_cast<uint32_t>(mode) + defer);
  return {};
}
bool signal_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const uint32_t code = u.field[0].get(word);
  insn[Role::signal] = code ? static_cast<uint32_t>(u.params[0]) : 0;
  insn[Role::signal_mode] = std::min(code, static_cast<uint32_t>(SignalMode::ctx_swap));
  insn[Role::defer] = code == 3;
  return true;
}

// A role with one possible value; params: the value. No bits.
Encoded implied_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t&) {
  if (insn[u.role[0]] == static_cast<uint32_t>(u.params[0])) return {};
  return refuse(u.role[0],
                std::string(role_name(u.role[0])) + " is " + std::to_string(insn[u.role[0]]) + "; it can only be " +
                    std::to_string(u.params[0]),
                "leave it out");
}
bool implied_decode(const CodecUse& u, Profile, uint64_t, Instruction& insn) {
  insn[u.role[0]] = static_cast<uint32_t>(u.params[0]);
  return true;
}

}  // namespace

const Codec ur_place{place_encode<Width::ur>, place_decode<Width::ur>};
const Codec re_place{place_encode<Width::re>, place_decode<Width::re>};
const Codec field_pair{field_pair_encode, field_pair_decode};
const Codec ur_registers{registers_encode<Width::ur>, registers_decode<Width::ur>};
const Codec re_registers{registers_encode<Width::re>, registers_decode<Width::re>};
const Codec ur_constant_pair{constant_encode<Width::ur>, constant_decode<Width::ur>};
const Codec re_constant_pair{constant_encode<Width::re>, constant_decode<Width::re>};
const Codec shift_set{shift_set_encode, shift_set_decode};
const Codec field_start{field_start_encode, field_start_decode};
const Codec guess_or_defer{slots_encode, slots_decode};
const Codec unit_arbitration{arbitration_encode, arbitration_decode};
const Codec unit_addresses{addresses_encode, addresses_decode};
const Codec unit_transfer{transfer_encode, transfer_decode};
const Codec unit_signal{signal_encode, signal_decode};
const Codec implied{implied_encode, implied_decode};

}  // namespace weft::isa::codec
