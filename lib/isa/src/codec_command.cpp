// Codecs of commands (isa.md 3.11) and of ctx_arb (3.8).
#include "codecs.h"
#include "operand_codes.h"

namespace weft::isa::codec {
namespace {

// --- the two address operands: added, so their order is free ---------------------------------------------------------

Encoded addresses_encode(const CodecUse& u, Profile profile, const Instruction& insn, uint64_t& word) {
  for (Role role : {Role::left, Role::right}) {
    const Operand& o = insn.operand(role);
    if (!o.present()) return refuse(role, "an address operand is missing", "write 0 for nothing to add");
    if (!operand_code(profile, Width::re, Side::source, o) || (o.is_gpr() && o.bank == Bank::none))
      return tl::unexpected(not_expressible(profile, role, Width::re, Side::source, o));
  }
  if (auto ok = check_sources(profile, insn.left, insn.right); !ok) return ok;
  const bool swap = swapped(insn.left, insn.right);
  u.field[0].put(word, *operand_code(profile, Width::re, Side::source, swap ? insn.right : insn.left));
  u.field[1].put(word, *operand_code(profile, Width::re, Side::source, swap ? insn.left : insn.right));
  return {};
}
bool addresses_decode(const CodecUse& u, Profile profile, uint64_t word, Instruction& insn) {
  const auto a = operand_of(profile, Width::re, Side::source, u.field[0].get(word), Bank::a);
  const auto b = operand_of(profile, Width::re, Side::source, u.field[1].get(word), Bank::b);
  if (!a || !b) return false;
  // A register of bank B had to go to slot B, so beside a constant it is the one that was written first.
  const bool swap = a->kind == OperandKind::constant && in_bank(*b, Bank::b);
  insn.left = swap ? *b : *a;
  insn.right = swap ? *a : *b;
  return check_sources(profile, insn.left, insn.right).has_value();
}

// --- the transfer register; params: 1 for units that work on $$
// -------------------------------------------------------

Encoded transfer_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  const Operand& o = insn.xfer;
  const bool d = u.params[0] != 0;
  const std::string prefix = d ? "$$" : "$";
  if (o.kind != OperandKind::xfer_s && o.kind != OperandKind::xfer_d)
    return refuse(Role::xfer,
                  o.present() ? print_operand(o) + " is not a transfer register by number"
                              : std::string("the transfer register is missing"),
                  "name one as " + prefix + "0 to " + prefix + "15");
  const bool own = (o.kind == OperandKind::xfer_d) == d;
  // Bit 4 selects the other kind when eight contexts have 16 registers of a kind each.
  if (o.value > (own ? 31u : 15u))
    return refuse(Role::xfer, "there is no register " + print_operand(o),
                  "transfer registers are 0 to 31 of the unit's "
                  "own kind, 0 to 15 of the other");
  u.field[0].put(word, own ? o.value : 16 + o.value);
  return {};
}
bool transfer_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  insn.xfer = {u.params[0] ? OperandKind::xfer_d : OperandKind::xfer_s, Bank::none, Post::none, u.field[0].get(word)};
  return true;
}

// --- signal and what to do about it; params: 1 for commands that raise two signals
// ------------------------------------

constexpr uint32_t kNoSwap = 3;

Encoded signal_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  const uint32_t signal = insn[Role::signal], defer = insn[Role::defer];
  const auto mode = static_cast<SignalMode>(insn[Role::signal_mode]);
  const bool doubled = u.params[0] != 0;
  if (mode > SignalMode::ctx_swap)
    return refuse(Role::signal_mode, "no such way to signal", "use sig_done or ctx_swap");
  if ((mode == SignalMode::none) != (signal == 0))
    return refuse(Role::signal, signal == 0 ? "the signal is missing" : "a signal without sig_done or ctx_swap",
                  "write sig_done[signal] or ctx_swap[signal]; signals are 1 to 15");
  if (signal > 15) return refuse(Role::signal, "there is no signal " + std::to_string(signal), "signals are 1 to 15");
  if (doubled && mode == SignalMode::ctx_swap)
    return refuse(Role::signal_mode, "this command raises two signals and cannot take ctx_swap",
                  "use sig_done[s] and wait for both with ctx_arb[s]");
  if (doubled && signal % 2 != 0)
    return refuse(Role::signal,
                  "this command raises two signals, so the first must be even; it is " + std::to_string(signal),
                  "use 2, 4, 6, 8, 10, 12 or 14");
  if (mode != SignalMode::ctx_swap && defer != 0)
    return refuse(Role::defer, "only ctx_swap has deferred slots here", "leave defer out");
  if (defer > 2)
    return refuse(Role::defer, "a swap defers at most 2 instructions, not " + std::to_string(defer),
                  "use defer[1] or defer[2]");
  u.field[0].put(word, signal);
  u.field[1].put(word, mode == SignalMode::ctx_swap ? defer : kNoSwap);
  return {};
}
bool signal_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  const uint32_t signal = u.field[0].get(word), control = u.field[1].get(word);
  const bool doubled = u.params[0] != 0;
  if (control != kNoSwap && (signal == 0 || doubled)) return false;
  if (doubled && signal % 2 != 0) return false;
  const SignalMode mode = control != kNoSwap ? SignalMode::ctx_swap
                          : signal == 0      ? SignalMode::none
                                             : SignalMode::sig_done;
  insn[Role::signal] = signal;
  insn[Role::signal_mode] = static_cast<uint32_t>(mode);
  insn[Role::defer] = control != kNoSwap ? control : 0;
  return true;
}

// --- ctx_arb: fields target, as_is, br, bpt, any, signals
// -------------------------------------------------------------

/// What ctx_arb waits for: exactly one of signals, voluntary, kill, bpt, --.
bool arbitration_ok(const Instruction& i) {
  const uint32_t mask = i[Role::signals];
  const bool any = i[Role::any], bpt = i[Role::breakpoint], as_is = i[Role::current_mask];
  if (i[Role::has_target] && (bpt || (any && mask == 0))) return false;
  if (bpt) return !any && !as_is && mask == 0;
  if (as_is) return !any && mask == 0;
  if (mask == 1) return !any;
  if (mask & 1) return false;
  return mask != 0 || any;
}
Encoded arbitration_encode(const CodecUse& u, Profile, const Instruction& insn, uint64_t& word) {
  for (Role r : {Role::any, Role::breakpoint, Role::current_mask, Role::has_target})
    if (insn[r] > 1) return refuse(r, std::string(role_name(r)) + " is yes or no", "write 0 or 1");
  if (insn[Role::signals] > 0xffff)
    return refuse(Role::signals, "there are no signals above 15", "signals are 1 to 15");
  if (!arbitration_ok(insn))
    return refuse(Role::signals, "ctx_arb takes signals, or exactly one of voluntary, kill, bpt, --",
                  "br[] goes with signals, voluntary and --; any with signals");
  if (!insn[Role::has_target] && insn[Role::target])
    return refuse(Role::target, "a target without br[]", "write br[label#]");
  if (insn[Role::target] > 0x1fff)
    return refuse(Role::target, "the address " + std::to_string(insn[Role::target]) + " is beyond 8191",
                  "shorten the program");
  u.field[0].put(word, insn[Role::target]);
  u.field[1].put(word, insn[Role::current_mask]);
  u.field[2].put(word, insn[Role::has_target]);
  u.field[3].put(word, insn[Role::breakpoint]);
  u.field[4].put(word, insn[Role::any]);
  u.field[5].put(word, insn[Role::signals]);
  return {};
}
bool arbitration_decode(const CodecUse& u, Profile, uint64_t word, Instruction& insn) {
  insn[Role::current_mask] = u.field[1].get(word);
  insn[Role::has_target] = u.field[2].get(word);
  insn[Role::target] = insn[Role::has_target] ? u.field[0].get(word) : 0;
  insn[Role::breakpoint] = u.field[3].get(word);
  insn[Role::any] = u.field[4].get(word);
  insn[Role::signals] = u.field[5].get(word);
  return arbitration_ok(insn);
}

}  // namespace

const Codec addresses{addresses_encode, addresses_decode};
const Codec transfer{transfer_encode, transfer_decode};
const Codec signal_control{signal_encode, signal_decode};
const Codec arbitration{arbitration_encode, arbitration_decode};

}  // namespace weft::isa::codec
