#include "sweep.h"

#include <algorithm>
#include <set>

namespace weft::isa_test {
namespace {

/// What the words of a profile can name. `others`: transfer registers of the other kind in a command.
struct Limits {
  uint32_t gprs, absolutes, transfers, others, neighbors, target, signal, context, state, csr;
  bool indexed;  ///< *$index, *n$index, local memory
};
constexpr Limits kMe2{32, 128, 32, 16, 32, 8191, 15, 7, 15, 0x2000, true};
constexpr Limits kMe1{16, 64, 8, 0, 0, 2047, 9, 3, 1, 0x400, false};
const Limits& limits(Profile profile) { return profile == Profile::me2 ? kMe2 : kMe1; }

bool is_lm(const Operand& o) { return o.kind == OperandKind::local_mem0 || o.kind == OperandKind::local_mem1; }
bool is_operand(ArgClass cls) { return cls <= ArgClass::address; }
bool has_token(const InsnInfo& facts, TokenId t) {
  return std::find(facts.tokens.begin(), facts.tokens.end(), t) != facts.tokens.end();
}

/// [first, last], or its ends and middle.
std::vector<uint32_t> values(uint32_t first, uint32_t last, Density density, uint32_t step = 1) {
  std::vector<uint32_t> out;
  if (density == Density::limits && last - first > 4)
    return {first, first + 1, first + (last - first) / 2, last - 1, last};
  for (uint32_t v = first; v < last; v += step) out.push_back(v);
  out.push_back(last);
  return out;
}

/// All operands there are, and those just beyond.
std::vector<Operand> universe(Profile profile, Density density) {
  const Limits& max = limits(profile);
  std::vector<Operand> out{none()};
  for (Bank bank : {Bank::a, Bank::b}) {
    for (uint32_t n : values(0, max.gprs, density)) out.push_back({OperandKind::gpr, bank, Post::none, n});
    for (uint32_t n : values(0, max.absolutes, density))
      out.push_back({OperandKind::gpr_absolute, bank, Post::none, n});
  }
  out.push_back({OperandKind::gpr, Bank::none, Post::none, 1});
  for (OperandKind kind : {OperandKind::xfer_s, OperandKind::xfer_d})
    for (uint32_t n : values(0, max.transfers, density)) out.push_back(op(kind, n));
  for (uint32_t n : values(0, max.neighbors, density)) out.push_back(op(OperandKind::neighbor, n));
  for (OperandKind kind : {OperandKind::xfer_s_index, OperandKind::xfer_d_index, OperandKind::neighbor_index})
    for (Post post : {Post::none, Post::increment, Post::decrement}) out.push_back(op(kind, 0, post));
  for (OperandKind kind : {OperandKind::local_mem0, OperandKind::local_mem1}) {
    for (uint32_t n : {0u, 1u, 6u, 7u, 8u, 9u, 14u, 15u, 16u}) out.push_back(op(kind, n));
    for (Post post : {Post::increment, Post::decrement})
      for (uint32_t n : {0u, 1u}) out.push_back(op(kind, n, post));
  }
  for (uint32_t n : {126u, 127u, 128u, 129u}) out.push_back(k(n));
  for (uint32_t n : values(0, 257, density)) out.push_back(k(n));
  out.push_back(k(255));
  return out;
}

bool legal(Profile profile, ArgClass cls, const Operand& o) {
  const Limits& max = limits(profile);
  const bool dest = cls == ArgClass::ur_dest || cls == ArgClass::re_dest;
  const bool wide = cls == ArgClass::ur_dest || cls == ArgClass::ur_source || cls == ArgClass::ur_register;
  switch (o.kind) {
    case OperandKind::absent: return dest;
    case OperandKind::constant:
      if (cls == ArgClass::address) return o.value <= 127;
      return (cls == ArgClass::ur_source || cls == ArgClass::re_source) && o.value <= 255;
    case OperandKind::gpr: return o.bank != Bank::none && o.value < max.gprs;
    case OperandKind::gpr_absolute: return wide && o.value < max.absolutes;
    case OperandKind::xfer_s:
    case OperandKind::xfer_d: return o.value < max.transfers;
    case OperandKind::neighbor: return wide && o.value < max.neighbors;
    default: break;
  }
  if (!max.indexed) return false;
  if (o.kind == OperandKind::xfer_s_index || o.kind == OperandKind::xfer_d_index) return true;
  if (o.kind == OperandKind::neighbor_index) return o.post == Post::increment || (o.post == Post::none && !dest);
  return o.post != Post::none ? wide && o.value == 0 : o.value < (wide ? 16u : 8u);
}

/// Two sources of one sort do not fit into one instruction.
int sort(const Operand& o) {
  if (!o.present()) return 0;
  if (o.is_gpr()) return o.bank == Bank::a ? 1 : 2;
  if (o.kind == OperandKind::constant) return 3;
  if (o.kind == OperandKind::neighbor || o.kind == OperandKind::neighbor_index) return 4;
  return is_lm(o) ? 5 : 6;
}

/// Something that the position takes, of another sort than `beside`.
Operand some_operand(Profile profile, ArgClass cls, const Operand& beside) {
  for (const Operand& o : {a(1), b(1), op(OperandKind::xfer_s, 1)})
    if (sort(o) != sort(beside) && legal(profile, cls, o)) return o;
  return a(1);
}

/// The operand that is read together with `role`; xfer = there is none.
Role partner(const InsnInfo& facts, Role role) {
  const bool field = facts.id == InsnId::ld_field || facts.id == InsnId::ld_field_w_clr;
  if (field) return role == Role::dest ? Role::right : Role::dest;
  return role == Role::left ? Role::right : role == Role::right ? Role::left : Role::xfer;
}

OperandKind own_kind(const InsnInfo& facts) {
  return facts.unit == Unit::dram ? OperandKind::xfer_d : OperandKind::xfer_s;
}

/// A legal instruction of this form, with as little in it as possible.
Instruction plain_form(Profile profile, const InsnInfo& facts, const Form& form) {
  Instruction insn;
  insn.id = facts.id;
  for (const Arg& arg : form.args) {
    if (is_operand(arg.cls)) {
      insn.operand(arg.role) = some_operand(profile, arg.cls, insn.operand(partner(facts, arg.role)));
      continue;
    }
    switch (arg.cls) {
      case ArgClass::xfer_read:
      case ArgClass::xfer_write:
      case ArgClass::xfer_both: insn.xfer = op(own_kind(facts), 0); break;
      case ArgClass::count:
      case ArgClass::signal: insn[arg.role] = 1; break;
      case ArgClass::constant: insn[arg.role] = arg.min; break;
      case ArgClass::right_shift:
        insn[Role::shift] = static_cast<uint32_t>(ShiftKind::right);
        insn[Role::amount] = 3;
        break;
      case ArgClass::signal_list: insn[Role::signals] = 2; break;
      default: break;
    }
  }
  if (facts.id == InsnId::mul_step && &form != &facts.forms[0]) {
    insn[Role::mul_step] = static_cast<uint32_t>(MulStep::last);
    insn[Role::mul_size] = static_cast<uint32_t>(MulSize::m16x16);
  }
  return insn;
}

Instruction me2_read_back(Instruction i) {
  const auto kind = static_cast<ShiftKind>(i[Role::shift]);
  const bool unary = (i.id == InsnId::alu || i.id == InsnId::alu_shf) &&
                     (i[Role::op] == uint32_t(AluOp::b) || i[Role::op] == uint32_t(AluOp::not_b));
  const bool crosswise = i.right.is_gpr() && i.right.bank == Bank::a;
  if (unary && (i.left == a(0) || i.left == b(0))) i.left = none();
  if (unary && i.id == InsnId::alu && crosswise && i.left == k(0)) i.left = none();
  const bool right = kind == ShiftKind::rotate_right && i[Role::amount] > 16;
  if (right || (kind == ShiftKind::rotate_left && i[Role::amount] >= 16)) {
    i[Role::shift] = static_cast<uint32_t>(right ? ShiftKind::rotate_left : ShiftKind::rotate_right);
    i[Role::amount] = 32 - i[Role::amount];
  }
  if (i.id == InsnId::jump && i[Role::target] == 0) i.id = InsnId::rtn;
  if (info(i.id).group == Group::command) {
    const bool d = info(i.id).unit == Unit::dram;
    if (i.xfer.present() && (i.xfer.kind == OperandKind::xfer_d) != d)
      i.xfer = op(d ? OperandKind::xfer_d : OperandKind::xfer_s, 16 + i.xfer.value);
    // Addresses are added: a register of bank B goes before a constant, otherwise slot A is named first.
    const bool left_b = i.left.is_gpr() && i.left.bank == Bank::b,
               right_b = i.right.is_gpr() && i.right.bank == Bank::b;
    const bool swap = left_b || crosswise;
    if ((swap && !(left_b && i.right.kind == OperandKind::constant)) ||
        (!swap && i.left.kind == OperandKind::constant && right_b))
      std::swap(i.left, i.right);
  }
  if (i.id == InsnId::mul_step && i[Role::mul_step] == 0) i[Role::mul_size] = 0;
  return i;
}

Instruction me1_read_back(Instruction i) {
  const auto kind = static_cast<ShiftKind>(i[Role::shift]);
  const bool left = kind == ShiftKind::rotate_left, right = kind == ShiftKind::rotate_right;
  if ((left && i[Role::amount] == 24) || (right && i[Role::amount] != 8)) {
    i[Role::shift] = static_cast<uint32_t>(left ? ShiftKind::rotate_right : ShiftKind::rotate_left);
    i[Role::amount] = 32 - i[Role::amount];
  }
  const bool addressed = info(i.id).group == Group::command && i.right.present();
  if (addressed && i.left.kind == OperandKind::constant) std::swap(i.left, i.right);
  return i;
}

uint32_t slots_by_kind(Profile profile, const InsnInfo& facts) {
  if (profile == Profile::me2) return facts.defer_max;
  switch (facts.cycles) {
    case CycleClass::branch:
    case CycleClass::swap: return 1;
    case CycleClass::branch_cc:
    case CycleClass::branch_test: return 2;
    default: return 0;
  }
}

}  // namespace

bool position_takes(Profile profile, const Arg& arg, const Operand& operand) {
  return legal(profile, arg.cls, operand) || (arg.optional && !operand.present());
}

Instruction read_back(Profile profile, Instruction insn) {
  return profile == Profile::me2 ? me2_read_back(insn) : me1_read_back(insn);
}

Sweep::Sweep(Profile profile, Sink sink, Density density)
    : profile_(profile), sink_(std::move(sink)), density_(density) {}

void Sweep::expect(const Instruction& insn, bool good, const std::string& varied) {
  ++(good ? tally_.good : tally_.refused);
  sink_(insn, good, varied);
}

void Sweep::each_form(const Visit& visit) const {
  for (const InsnInfo& facts : all_instructions()) {
    if (!enabled(profile_, facts.id)) continue;
    for (const Form& form : facts.forms)
      if (facts.id != InsnId::alu || form.args.size() != 5)
        visit(facts, form, plain_form(profile_, facts, form));  // 5: alu_shf
  }
}

Tally Sweep::plain() {
  tally_ = {};
  each_form([&](const InsnInfo&, const Form&, const Instruction& insn) { expect(insn, true, "plain"); });
  return tally_;
}

Tally Sweep::operands() {
  tally_ = {};
  const std::vector<Operand> all = universe(profile_, density_);
  each_form([&](const InsnInfo& facts, const Form& form, const Instruction& base) {
    const bool crc = profile_ == Profile::me2 && (facts.id == InsnId::crc_be || facts.id == InsnId::crc_le);
    for (const Arg& arg : form.args) {
      if (!is_operand(arg.cls)) continue;
      for (const Operand& o : all) {
        Instruction insn = base;
        insn.operand(arg.role) = o;
        const Role other = partner(facts, arg.role);
        if (other != Role::xfer && insn.operand(other).present() && sort(insn.operand(other)) == sort(o))
          for (const Arg& a2 : form.args)
            if (a2.role == other) insn.operand(other) = some_operand(profile_, a2.cls, o);
        // The data of a CRC instruction must fit slot A.
        expect(insn, position_takes(profile_, arg, o) && !(crc && arg.role == Role::right && sort(o) == 2), "operand");
      }
    }
  });
  return tally_;
}

Tally Sweep::pairs() {
  tally_ = {};
  const std::vector<Operand> kinds{a(1),
                                   abs_a(40),
                                   b(2),
                                   abs_b(41),
                                   k(3),
                                   op(OperandKind::xfer_s, 4),
                                   op(OperandKind::xfer_d, 5),
                                   op(OperandKind::neighbor_index),
                                   op(OperandKind::local_mem0, 1),
                                   op(OperandKind::local_mem1, 2),
                                   op(OperandKind::xfer_s_index, 0, Post::increment)};
  each_form([&](const InsnInfo&, const Form& form, const Instruction& base) {
    const Arg *left = nullptr, *right = nullptr;
    for (const Arg& arg : form.args) {
      if (is_operand(arg.cls) && arg.role == Role::left) left = &arg;
      if (is_operand(arg.cls) && arg.role == Role::right) right = &arg;
    }
    if (!left || !right) return;
    for (const Operand& l : kinds)
      for (const Operand& r : kinds) {
        if (!legal(profile_, left->cls, l) || !legal(profile_, right->cls, r)) continue;
        Instruction insn = base;
        insn.left = l;
        insn.right = r;
        expect(insn, sort(l) != sort(r), "pair");
      }
  });
  return tally_;
}

bool Sweep::shift_fits(const InsnInfo& facts, ArgClass cls, ShiftKind kind, uint32_t n) const {
  const bool indirect = kind == ShiftKind::left_indirect || kind == ShiftKind::right_indirect;
  if (kind > ShiftKind::right_indirect) return false;
  if (profile_ == Profile::me2) {
    if (cls == ArgClass::right_shift && kind != ShiftKind::right && kind != ShiftKind::right_indirect) return false;
    return indirect || kind == ShiftKind::none ? n == 0 : n >= 1 && n <= 31;
  }
  if (cls == ArgClass::right_shift) {
    if (kind == ShiftKind::right) return n >= 1 && n <= 31;
    return n == 0 &&
           (((facts.id == InsnId::find_bset || facts.id == InsnId::find_bset_with_mask) && kind == ShiftKind::none) ||
            (facts.id == InsnId::dbl_shf && kind == ShiftKind::right_indirect));
  }
  static const std::set<uint32_t> amounts{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24};
  switch (kind) {
    case ShiftKind::left: return amounts.contains(n);
    case ShiftKind::right: return amounts.contains(n) || n == 28 || n == 31;
    case ShiftKind::rotate_left:
    case ShiftKind::rotate_right: return n == 8 || n == 16 || n == 24;
    default: return n == 0;
  }
}

Tally Sweep::numbers() {
  tally_ = {};
  const Limits& max = limits(profile_);
  each_form([&](const InsnInfo& facts, const Form& form, const Instruction& base) {
    const auto attempt = [&](Role role, uint32_t value, bool good) {
      Instruction insn = base;
      insn[role] = value;
      expect(insn, good, "number " + std::string(role_name(role)));
    };
    const auto range = [&](Role role, uint32_t first, uint32_t last, uint32_t step = 1) {
      for (uint32_t v : values(first, last, density_, step)) attempt(role, v, true);
      attempt(role, last + 1, false);
      if (first > 0) attempt(role, first - 1, false);
    };
    const auto one_of = [&](Role role, const std::set<uint32_t>& good, uint32_t beyond) {
      for (uint32_t v = 0; v <= beyond; ++v) attempt(role, v, good.contains(v));
    };
    for (const Arg& arg : form.args) switch (arg.cls) {
        case ArgClass::constant: range(arg.role, arg.min, arg.max, arg.max > 4000 ? 13 : 1); break;
        case ArgClass::count: range(arg.role, arg.min, arg.max); break;
        case ArgClass::immediate: range(Role::value, 0, 0xffff, 13); break;
        case ArgClass::byte_shift: one_of(Role::amount, {0, 8, 16}, 25); break;
        case ArgClass::byte_mask: range(Role::mask, 0, 15); break;
        case ArgClass::label: range(Role::target, 0, max.target, 7); break;
        case ArgClass::signal: range(Role::signal, 1, max.signal); break;
        case ArgClass::context: range(Role::context, 0, max.context); break;
        case ArgClass::input_state: range(Role::state, 0, max.state); break;
        case ArgClass::crc_type: one_of(Role::crc_type, {0, 2, 4, 5, 6, 7}, 9); break;
        case ArgClass::alu_op: one_of(Role::op, {0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25}, 40); break;
        case ArgClass::shf_op: one_of(Role::op, {0, 4, 8, 12, 16, 20}, 40); break;
        case ArgClass::cap_csr:
          if (profile_ == Profile::me2) {
            range(arg.role, 0, 0xffff, 13);
            break;
          }
          [[fallthrough]];
        case ArgClass::local_csr:
          for (uint32_t v : values(0, max.csr - 4, density_)) attempt(Role::csr, v, v % 4 == 0);
          for (uint32_t v : {2u, 4u, max.csr, max.csr + 1}) attempt(Role::csr, v, v == 4);
          break;
        case ArgClass::shift:
        case ArgClass::right_shift:
          for (uint32_t kind = 0; kind <= 7; ++kind)
            for (uint32_t n = 0; n <= 33; ++n) {
              Instruction insn = base;
              insn[Role::shift] = kind;
              insn[Role::amount] = n;
              expect(insn, shift_fits(facts, arg.cls, static_cast<ShiftKind>(kind), n), "shift");
            }
          break;
        case ArgClass::mul_step:
          for (uint32_t size = 0; size <= 4; ++size)
            for (uint32_t step = 0; step <= 7; ++step) {
              Instruction insn = base;
              insn[Role::mul_size] = size;
              insn[Role::mul_step] = step;
              const bool last = step >= 5;
              const uint32_t steps[] = {0, 1, 2, 4};
              const bool good = step == 0              ? size <= 3
                                : size < 1 || size > 3 ? false
                                : last                 ? step == 5 || (step == 6 && size == 3)
                                                       : step <= steps[size];
              expect(insn, good && last == base.dest.present(), "number mul_step");
            }
          break;
        case ArgClass::xfer_read:
        case ArgClass::xfer_write:
        case ArgClass::xfer_both:
          for (const Operand& o : universe(profile_, density_)) {
            Instruction insn = base;
            insn.xfer = o;
            const bool transfer = o.kind == OperandKind::xfer_s || o.kind == OperandKind::xfer_d;
            expect(insn, transfer && o.value < (o.kind == own_kind(facts) ? max.transfers : max.others), "transfer");
          }
          break;
        default: break;
      }
  });
  return tally_;
}

void Sweep::command_tokens(const InsnInfo& facts, const Instruction& base) {
  const uint32_t event = unit_signal(profile_, facts.id);
  for (uint32_t mode = 0; mode <= 3; ++mode)
    for (uint32_t s = 0; s <= 17; ++s)
      for (uint32_t defer = 0; defer <= 3; ++defer) {
        Instruction insn = base;
        insn[Role::signal_mode] = mode;
        insn[Role::signal] = s;
        insn[Role::defer] = defer;
        const auto m = static_cast<SignalMode>(mode);
        bool good = mode == 0 && s == 0 && defer == 0;
        if (profile_ == Profile::me1) {
          if (event && m == SignalMode::sig_done) good = s == event && defer == 0;
          if (event && m == SignalMode::ctx_swap) good = s == event && defer <= 1;
        } else if (facts.signal != SignalUse::none && mode != 0) {
          const bool doubled = facts.signal == SignalUse::doubled;
          good = s >= 1 && s <= 15 && mode <= 2 && defer <= (m == SignalMode::sig_done ? 0u : 2u);
          if (doubled) good = good && m == SignalMode::sig_done && s % 2 == 0;
        }
        expect(insn, good, defer > 0 ? "defer" : "signal");
      }
}

Tally Sweep::tokens() {
  tally_ = {};
  each_form([&](const InsnInfo& facts, const Form&, const Instruction& base) {
    const auto flag = [&](Role role, bool good, uint32_t value = 1) {
      Instruction insn = base;
      insn[role] = value;
      expect(insn, good, "token");
    };
    const bool me2 = profile_ == Profile::me2;
    flag(Role::indirect, has_token(facts, TokenId::indirect_ref));
    flag(Role::load_cc, has_token(facts, TokenId::load_cc));
    flag(Role::ignore_error, me2 && has_token(facts, TokenId::ignore_data_error));
    flag(Role::bit_swap, me2 && has_token(facts, TokenId::bit_swap));
    flag(Role::guess, !me2 && has_token(facts, TokenId::guess_branch));
    flag(Role::queue, !me2 && has_token(facts, TokenId::optimize_mem),
         static_cast<uint32_t>(MemoryQueue::optimize_mem));
    flag(Role::queue, !me2 && has_token(facts, TokenId::priority), static_cast<uint32_t>(MemoryQueue::priority));
    flag(Role::queue, false, 3);
    for (uint32_t code = 1; code <= 7; ++code)
      flag(Role::crc_bytes, me2 && has_token(facts, TokenId::bytes_0) && code <= 6, code);
    for (uint32_t select = 0; select <= 3; ++select)
      for (uint32_t n = 0; n <= 4; ++n) {
        if (select == 0 && n == 0) continue;
        Instruction insn = base;
        insn[Role::lm_select] = select;
        insn[Role::lm_constant] = n;
        expect(insn, me2 && has_token(facts, TokenId::lm_addr0) && select >= 1 && select <= 2 && n <= 3, "token");
      }
    if (facts.group == Group::command) return command_tokens(facts, base);
    // One field holds guess and byte number in the byte branches of me1.
    const bool guesses = !me2 && has_token(facts, TokenId::guess_branch) && facts.id != InsnId::br_eq_byte &&
                         facts.id != InsnId::br_ne_byte;
    for (uint32_t guess = 0; guess <= (me2 ? 0u : 1u); ++guess)
      for (uint32_t n = 1; n <= 4; ++n) {
        Instruction insn = base;
        insn[Role::defer] = n;
        insn[Role::guess] = guess;
        expect(insn, n <= slots_by_kind(profile_, facts) && (!guess || guesses), "defer");
      }
  });
  return tally_;
}

Tally Sweep::contexts() {
  tally_ = {};
  const Limits& max = limits(profile_);
  const uint32_t all = (2u << max.signal) - 2;
  for (uint32_t mask : {0x0u, 0x1u, 0x2u, 0x10u, all, all + 2, 0x11u, 0x20000u})
    for (uint32_t any : {0u, 1u})
      for (uint32_t bpt : {0u, 1u})
        for (uint32_t as_is : {0u, 1u})
          for (uint32_t br : {0u, 1u})
            for (uint32_t target : {0u, 5u, max.target, max.target + 1}) {
              Instruction insn;
              insn.id = InsnId::ctx_arb;
              insn[Role::signals] = mask;
              insn[Role::any] = any;
              insn[Role::breakpoint] = bpt;
              insn[Role::current_mask] = as_is;
              insn[Role::has_target] = br;
              insn[Role::target] = target;
              const bool signals = mask > 1 && mask <= all && mask % 2 == 0;
              const bool voluntary = mask == 1 && !any, kill = mask == 0 && any, plain_mask = mask == 0 && !any;
              bool good = ((signals || voluntary || kill) && !bpt && !as_is) || (plain_mask && bpt != as_is);
              good = good && (br ? !bpt && !kill && target <= max.target : target == 0);
              if (profile_ == Profile::me1) good = good && !br && !as_is;
              expect(insn, good, "ctx_arb");
            }
  return tally_;
}

Tally Sweep::parts() {
  tally_ = {};
  each_form([&](const InsnInfo&, const Form& form, const Instruction& base) {
    for (Role role : {Role::dest, Role::left, Role::right, Role::xfer}) {
      const bool has = std::any_of(form.args.begin(), form.args.end(),
                                   [&](const Arg& arg) { return arg.role == role && arg.cls != ArgClass::none_only; });
      if (has) continue;
      Instruction insn = base;
      insn.operand(role) = role == Role::xfer ? op(OperandKind::xfer_s, 1) : a(1);
      expect(insn, false, "part");
    }
  });
  return tally_;
}

}  // namespace weft::isa_test
