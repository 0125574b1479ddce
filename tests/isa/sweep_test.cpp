// Every operand, number and token of every instruction: what the facts allow is encoded and read back as it was, what
// lies just outside is refused. The rules of legality are written down here once more, from isa.md 3.2 to 3.12.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "support.h"

using namespace weft::isa;
using namespace weft::isa_test;

namespace {

/// All operands there are, and those just beyond.
std::vector<Operand> universe() {
  std::vector<Operand> out{none()};
  for (Bank bank : {Bank::a, Bank::b}) {
    for (uint32_t n = 0; n <= 32; ++n) out.push_back({OperandKind::gpr, bank, Post::none, n});
    for (uint32_t n = 0; n <= 128; ++n) out.push_back({OperandKind::gpr_absolute, bank, Post::none, n});
  }
  out.push_back({OperandKind::gpr, Bank::none, Post::none, 1});
  for (OperandKind kind : {OperandKind::xfer_s, OperandKind::xfer_d, OperandKind::neighbor})
    for (uint32_t n = 0; n <= 32; ++n) out.push_back(op(kind, n));
  for (OperandKind kind : {OperandKind::xfer_s_index, OperandKind::xfer_d_index, OperandKind::neighbor_index})
    for (Post post : {Post::none, Post::increment, Post::decrement}) out.push_back(op(kind, 0, post));
  for (OperandKind kind : {OperandKind::local_mem0, OperandKind::local_mem1}) {
    for (uint32_t n = 0; n <= 16; ++n) out.push_back(op(kind, n));
    for (Post post : {Post::increment, Post::decrement})
      for (uint32_t n : {0u, 1u}) out.push_back(op(kind, n, post));
  }
  for (uint32_t n = 0; n <= 257; ++n) out.push_back(k(n));
  return out;
}

bool is_lm(const Operand& o) { return o.kind == OperandKind::local_mem0 || o.kind == OperandKind::local_mem1; }

bool legal(ArgClass cls, const Operand& o) {
  const bool dest = cls == ArgClass::ur_dest || cls == ArgClass::re_dest;
  const bool wide = cls == ArgClass::ur_dest || cls == ArgClass::ur_source || cls == ArgClass::ur_register;
  switch (o.kind) {
    case OperandKind::absent: return dest;
    case OperandKind::constant:
      if (cls == ArgClass::address) return o.value <= 127;
      return (cls == ArgClass::ur_source || cls == ArgClass::re_source) && o.value <= 255;
    case OperandKind::gpr: return o.bank != Bank::none && o.value < 32;
    case OperandKind::gpr_absolute: return wide && o.value < 128;
    case OperandKind::xfer_s:
    case OperandKind::xfer_d: return o.value < 32;
    case OperandKind::neighbor: return wide && o.value < 32;
    case OperandKind::xfer_s_index:
    case OperandKind::xfer_d_index: return true;
    case OperandKind::neighbor_index: return o.post == Post::increment || (o.post == Post::none && !dest);
    default:
      if (o.post != Post::none) return wide && o.value == 0;
      return o.value < (wide ? 16u : 8u);
  }
}

int sort(const Operand& o) {
  if (!o.present()) return 0;
  if (o.is_gpr()) return o.bank == Bank::a ? 1 : 2;
  if (o.kind == OperandKind::constant) return 3;
  if (o.kind == OperandKind::neighbor || o.kind == OperandKind::neighbor_index) return 4;
  return is_lm(o) ? 5 : 6;
}

bool is_operand(ArgClass cls) { return cls <= ArgClass::address; }

/// Something that the position takes, of another sort than `beside`.
Operand some_operand(ArgClass cls, const Operand& beside) {
  for (const Operand& o : {a(1), b(1), op(OperandKind::xfer_s, 1)})
    if (sort(o) != sort(beside) && legal(cls, o)) return o;
  return a(1);
}

/// The operand that is read together with `role`; xfer = there is none.
Role partner(const InsnInfo& facts, Role role) {
  const bool field = facts.id == InsnId::ld_field || facts.id == InsnId::ld_field_w_clr;
  if (field) return role == Role::dest ? Role::right : Role::dest;
  return role == Role::left ? Role::right : role == Role::right ? Role::left : Role::xfer;
}

/// A legal instruction of this form, with as little in it as possible.
Instruction plain(const InsnInfo& facts, const Form& form) {
  Instruction insn;
  insn.id = facts.id;
  for (const Arg& arg : form.args) {
    if (is_operand(arg.cls)) {
      insn.operand(arg.role) = some_operand(arg.cls, insn.operand(partner(facts, arg.role)));
      continue;
    }
    switch (arg.cls) {
      case ArgClass::xfer_read:
      case ArgClass::xfer_write:
      case ArgClass::xfer_both:
        insn.xfer = op(facts.unit == Unit::dram ? OperandKind::xfer_d : OperandKind::xfer_s, 2);
        break;
      case ArgClass::count:
      case ArgClass::signal: insn[arg.role] = 1; break;
      case ArgClass::constant: insn[arg.role] = arg.min; break;
      case ArgClass::right_shift:
        insn[Role::shift] = static_cast<uint32_t>(ShiftKind::right);
        insn[Role::amount] = 3;
        break;
      case ArgClass::signal_list: insn[Role::signals] = 0x10; break;
      default: break;
    }
  }
  return insn;
}

/// What reading back must give: some spellings share a word.
Instruction read_back(Instruction i) {
  const auto kind = static_cast<ShiftKind>(i[Role::shift]);
  const bool unary = (i.id == InsnId::alu || i.id == InsnId::alu_shf) &&
                     (i[Role::op] == uint32_t(AluOp::b) || i[Role::op] == uint32_t(AluOp::not_b));
  const bool crosswise = i.right.is_gpr() && i.right.bank == Bank::a;
  if (unary && (i.left == a(0) || i.left == b(0))) i.left = none();
  if (unary && i.id == InsnId::alu && crosswise && i.left == k(0)) i.left = none();
  if (kind == ShiftKind::rotate_right && i[Role::amount] > 16) {
    i[Role::shift] = static_cast<uint32_t>(ShiftKind::rotate_left);
    i[Role::amount] = 32 - i[Role::amount];
  } else if (kind == ShiftKind::rotate_left && i[Role::amount] >= 16) {
    i[Role::shift] = static_cast<uint32_t>(ShiftKind::rotate_right);
    i[Role::amount] = 32 - i[Role::amount];
  }
  if (i.id == InsnId::jump && i[Role::target] == 0) i.id = InsnId::rtn;
  if (info(i.id).group == Group::command) {
    const bool d = info(i.id).unit == Unit::dram;
    if (i.xfer.present() && (i.xfer.kind == OperandKind::xfer_d) != d)
      i.xfer = op(d ? OperandKind::xfer_d : OperandKind::xfer_s, 16 + i.xfer.value);
    // Addresses are added: a register of bank B goes before a constant, otherwise slot A is named first.
    const bool swap = (i.left.is_gpr() && i.left.bank == Bank::b) || crosswise;
    if (swap && !(i.left.is_gpr() && i.left.bank == Bank::b && i.right.kind == OperandKind::constant))
      std::swap(i.left, i.right);
    else if (!swap && i.left.kind == OperandKind::constant && i.right.is_gpr() && i.right.bank == Bank::b)
      std::swap(i.left, i.right);
  }
  if (i.id == InsnId::mul_step && i[Role::mul_step] == 0) i[Role::mul_size] = 0;
  return i;
}

struct Tally {
  size_t good = 0, refused = 0;
};
/// Encodes, and compares with what should have come of it.
void expect(const Instruction& insn, bool good, Tally& tally) {
  const auto word = encode(Profile::me2, insn);
  if (!good) {
    ++tally.refused;
    if (!word) {
      if (word.error().text.empty() || word.error().remedy.empty()) FAIL("no reason or remedy: " << insn);
      return;
    }
    FAIL("not refused: " << insn << " = " << std::hex << *word);
  }
  ++tally.good;
  if (!word) FAIL("refused: " << insn << ": " << word.error().text);
  if (*word >> 40) FAIL("too wide: " << insn);
  const auto back = decode(Profile::me2, *word);
  if (!back) FAIL("not read back: " << insn << " = " << std::hex << *word);
  if (*back != read_back(insn)) FAIL("read back differently: " << insn << " as " << *back);
  const auto again = encode(Profile::me2, *back);
  if (!again) FAIL("cannot be written again: " << *back << ": " << again.error().text);
  if (!is_canonical(Profile::me2, *again)) FAIL("not canonical: " << *back);
}

void for_each_form(const std::function<void(const InsnInfo&, const Form&, const Instruction&)>& f) {
  for (const InsnInfo& facts : all_instructions())
    for (const Form& form : facts.forms) {
      if (!enabled(Profile::me2, facts.id)) continue;
      if (facts.id == InsnId::alu && form.args.size() == 5) continue;  // assembled as alu_shf
      Instruction insn = plain(facts, form);
      if (facts.id == InsnId::mul_step && &form != &facts.forms[0]) {
        insn[Role::mul_step] = static_cast<uint32_t>(MulStep::last);
        insn[Role::mul_size] = static_cast<uint32_t>(MulSize::m16x16);
      }
      f(facts, form, insn);
    }
}

}  // namespace

TEST_CASE("every instruction has a legal plain form") {
  Tally tally;
  for_each_form([&](const InsnInfo&, const Form&, const Instruction& insn) { expect(insn, true, tally); });
  size_t count = 0;
  for (const InsnInfo& facts : all_instructions()) count += enabled(Profile::me2, facts.id);
  CHECK(tally.good > count);
}

TEST_CASE("every operand in every position") {
  const std::vector<Operand> all = universe();
  Tally tally;
  for_each_form([&](const InsnInfo& facts, const Form& form, const Instruction& base) {
    const bool crc = facts.id == InsnId::crc_be || facts.id == InsnId::crc_le;
    for (const Arg& arg : form.args) {
      if (!is_operand(arg.cls)) continue;
      for (const Operand& o : all) {
        Instruction insn = base;
        insn.operand(arg.role) = o;
        const Role other = partner(facts, arg.role);
        if (other != Role::xfer && insn.operand(other).present() && sort(insn.operand(other)) == sort(o))
          for (const Arg& a2 : form.args)
            if (a2.role == other) insn.operand(other) = some_operand(a2.cls, o);
        const bool good = legal(arg.cls, o) || (arg.optional && !o.present());
        INFO(facts.name << " " << print_operand(o));
        if (check_operand(Profile::me2, arg, o).has_value() != good)
          FAIL("check_operand disagrees: " << facts.name << " " << print_operand(o));
        expect(insn, good && !(crc && arg.role == Role::right && sort(o) == 2), tally);
      }
    }
  });
  CHECK(tally.good > 50000);
  CHECK(tally.refused > 10000);
}

TEST_CASE("pairs of sources of one sort are refused, others are not") {
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
  Tally tally;
  for_each_form([&](const InsnInfo& facts, const Form& form, const Instruction& base) {
    const Arg *left = nullptr, *right = nullptr;
    for (const Arg& arg : form.args) {
      if (is_operand(arg.cls) && arg.role == Role::left) left = &arg;
      if (is_operand(arg.cls) && arg.role == Role::right) right = &arg;
    }
    if (!left || !right) return;
    for (const Operand& l : kinds)
      for (const Operand& r : kinds) {
        if (!legal(left->cls, l) || !legal(right->cls, r)) continue;
        Instruction insn = base;
        insn.left = l;
        insn.right = r;
        const bool good = sort(l) != sort(r);
        if (check_sources(Profile::me2, l, r).has_value() != good) FAIL("check_sources disagrees: " << facts.name);
        expect(insn, good, tally);
      }
  });
  CHECK(tally.refused > 500);
}

TEST_CASE("every number in every position, and its neighbours") {
  Tally tally;
  for_each_form([&](const InsnInfo& facts, const Form& form, const Instruction& base) {
    auto range = [&](Role role, uint32_t min, uint32_t max, uint32_t step = 1) {
      for (uint32_t v = min; v <= max; v += step) {
        Instruction insn = base;
        insn[role] = v;
        expect(insn, true, tally);
      }
      Instruction insn = base;
      insn[role] = max + 1;
      expect(insn, false, tally);
      if (min == 0) return;
      insn[role] = min - 1;
      expect(insn, false, tally);
    };
    auto one_of = [&](Role role, const std::vector<uint32_t>& values, uint32_t beyond) {
      for (uint32_t v = 0; v <= beyond; ++v) {
        Instruction insn = base;
        insn[role] = v;
        expect(insn, std::find(values.begin(), values.end(), v) != values.end(), tally);
      }
    };
    for (const Arg& arg : form.args) switch (arg.cls) {
        case ArgClass::constant: range(arg.role, arg.min, arg.max, arg.max > 4000 ? 13 : 1); break;
        case ArgClass::count: range(arg.role, arg.min, arg.max); break;
        case ArgClass::immediate: range(Role::value, 0, 0xffff, 13); break;
        case ArgClass::byte_shift: one_of(Role::amount, {0, 8, 16}, 25); break;
        case ArgClass::byte_mask: range(Role::mask, 0, 15); break;
        case ArgClass::label: range(Role::target, 0, 8191, 7); break;
        case ArgClass::signal: range(Role::signal, 1, 15); break;
        case ArgClass::context: range(Role::context, 0, 7); break;
        case ArgClass::input_state: range(Role::state, 0, 15); break;
        case ArgClass::cap_csr: range(Role::csr, 0, 0xffff, 13); break;
        case ArgClass::crc_type: one_of(Role::crc_type, {0, 2, 4, 5, 6, 7}, 9); break;
        case ArgClass::alu_op: one_of(Role::op, {0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25}, 40); break;
        case ArgClass::shf_op: one_of(Role::op, {0, 4, 8, 12, 16, 20}, 40); break;
        case ArgClass::local_csr:
          for (uint32_t v = 0; v <= 0x2001; ++v) {
            Instruction insn = base;
            insn[Role::csr] = v;
            expect(insn, v % 4 == 0 && v < 0x2000, tally);
          }
          break;
        case ArgClass::shift:
        case ArgClass::right_shift:
          for (uint32_t kind = 0; kind <= 7; ++kind)
            for (uint32_t n = 0; n <= 33; ++n) {
              Instruction insn = base;
              insn[Role::shift] = kind;
              insn[Role::amount] = n;
              const auto s = static_cast<ShiftKind>(kind);
              const bool plain_shift =
                  s == ShiftKind::none || s == ShiftKind::left_indirect || s == ShiftKind::right_indirect;
              bool good = kind <= 6 && (plain_shift ? n == 0 : n >= 1 && n <= 31);
              if (arg.cls == ArgClass::right_shift)
                good = good && (s == ShiftKind::right || s == ShiftKind::right_indirect);
              expect(insn, good, tally);
            }
          break;
        case ArgClass::mul_step:
          for (uint32_t size = 0; size <= 4; ++size)
            for (uint32_t step = 0; step <= 7; ++step) {
              Instruction insn = base;
              insn[Role::mul_size] = size;
              insn[Role::mul_step] = step;
              const bool last = step >= 5;
              const bool last_form = base.dest.present();
              const uint32_t steps[] = {0, 1, 2, 4};
              bool good = step == 0              ? size <= 3
                          : size < 1 || size > 3 ? false
                          : last                 ? step == 5 || (step == 6 && size == 3)
                                                 : step <= steps[size];
              good = good && last == last_form;
              expect(insn, good, tally);
            }
          break;
        case ArgClass::xfer_read:
        case ArgClass::xfer_write:
        case ArgClass::xfer_both: {
          const OperandKind own = facts.unit == Unit::dram ? OperandKind::xfer_d : OperandKind::xfer_s;
          for (const Operand& o : universe()) {
            Instruction insn = base;
            insn.xfer = o;
            const bool xfer = o.kind == OperandKind::xfer_s || o.kind == OperandKind::xfer_d;
            expect(insn, xfer && o.value < (o.kind == own ? 32u : 16u), tally);
          }
          break;
        }
        default: break;
      }
  });
  CHECK(tally.good > 50000);
  CHECK(tally.refused > 5000);
}

TEST_CASE("every token of every instruction") {
  Tally tally;
  for_each_form([&](const InsnInfo& facts, const Form&, const Instruction& base) {
    auto has = [&](TokenId t) { return std::find(facts.tokens.begin(), facts.tokens.end(), t) != facts.tokens.end(); };
    auto flag = [&](Role role, TokenId t) {
      Instruction insn = base;
      insn[role] = 1;
      expect(insn, has(t), tally);
    };
    flag(Role::indirect, TokenId::indirect_ref);
    flag(Role::ignore_error, TokenId::ignore_data_error);
    flag(Role::load_cc, TokenId::load_cc);
    flag(Role::bit_swap, TokenId::bit_swap);
    for (uint32_t code = 1; code <= 7; ++code) {
      Instruction insn = base;
      insn[Role::crc_bytes] = code;
      expect(insn, has(TokenId::bytes_0) && code <= 6, tally);
    }
    for (uint32_t select = 0; select <= 3; ++select)
      for (uint32_t n = 0; n <= 4; ++n) {
        if (select == 0 && n == 0) continue;
        Instruction insn = base;
        insn[Role::lm_select] = select;
        insn[Role::lm_constant] = n;
        expect(insn, has(TokenId::lm_addr0) && select >= 1 && select <= 2 && n <= 3, tally);
      }
    const bool command = facts.group == Group::command;
    if (!command) {
      for (uint32_t n = 1; n <= 4; ++n) {
        Instruction insn = base;
        insn[Role::defer] = n;
        expect(insn, n <= facts.defer_max, tally);
      }
      return;
    }
    for (uint32_t mode = 0; mode <= 3; ++mode)
      for (uint32_t s = 0; s <= 17; ++s)
        for (uint32_t defer = 0; defer <= 3; ++defer) {
          Instruction insn = base;
          insn[Role::signal_mode] = mode;
          insn[Role::signal] = s;
          insn[Role::defer] = defer;
          const auto m = static_cast<SignalMode>(mode);
          bool good = mode <= 2 && (m == SignalMode::none ? s == 0 && defer == 0 : s >= 1 && s <= 15);
          if (m == SignalMode::sig_done) good = good && defer == 0;
          if (m == SignalMode::ctx_swap) good = good && defer <= 2;
          if (facts.signal == SignalUse::doubled && m != SignalMode::none)
            good = good && m == SignalMode::sig_done && s % 2 == 0;
          if (facts.signal == SignalUse::none) good = mode == 0 && s == 0 && defer == 0;
          expect(insn, good, tally);
        }
  });
  CHECK(tally.good > 2000);
  CHECK(tally.refused > 5000);
}

TEST_CASE("ctx_arb takes signals or exactly one of its special names") {
  Tally tally;
  for (uint32_t mask : {0x0u, 0x1u, 0x2u, 0x10u, 0x8000u, 0xfffeu, 0x11u, 0x10000u})
    for (uint32_t any : {0u, 1u})
      for (uint32_t bpt : {0u, 1u})
        for (uint32_t as_is : {0u, 1u})
          for (uint32_t br : {0u, 1u})
            for (uint32_t target : {0u, 5u, 8191u, 8192u}) {
              Instruction insn;
              insn.id = InsnId::ctx_arb;
              insn[Role::signals] = mask;
              insn[Role::any] = any;
              insn[Role::breakpoint] = bpt;
              insn[Role::current_mask] = as_is;
              insn[Role::has_target] = br;
              insn[Role::target] = target;
              const bool signals = mask != 0 && mask != 1 && mask <= 0xfffe && mask % 2 == 0;
              const bool voluntary = mask == 1 && !any, kill = mask == 0 && any, plain_mask = mask == 0 && !any;
              bool good = (signals && !bpt && !as_is) || (voluntary && !bpt && !as_is) || (kill && !bpt && !as_is) ||
                          (plain_mask && (bpt != as_is));
              if (br)
                good = good && !bpt && !kill && target <= 8191;
              else
                good = good && target == 0;
              expect(insn, good, tally);
            }
  CHECK(tally.good > 30);
}

TEST_CASE("parts that an instruction does not have are refused") {
  Tally tally;
  for_each_form([&](const InsnInfo& facts, const Form& form, const Instruction& base) {
    for (Role role : {Role::dest, Role::left, Role::right, Role::xfer}) {
      bool has = false;
      for (const Arg& arg : form.args) has |= arg.role == role && arg.cls != ArgClass::none_only;
      if (has) continue;
      Instruction insn = base;
      insn.operand(role) = role == Role::xfer ? op(OperandKind::xfer_s, 1) : a(1);
      INFO(facts.name);
      expect(insn, false, tally);
    }
  });
  CHECK(tally.refused > 100);
}
