// me1: every operand, number and token of every instruction: what fits is written and read back as it was, what lies
// just outside is refused. The limits are written down here once more.
#include <algorithm>
#include <catch2/catch.hpp>
#include <functional>
#include <set>
#include <vector>

#include "support.h"

using namespace weft::isa;
using namespace weft::isa_test;

namespace {

constexpr Profile kMe1 = Profile::me1;

std::vector<Operand> universe() {
  std::vector<Operand> out{none()};
  for (Bank bank : {Bank::a, Bank::b}) {
    for (uint32_t n = 0; n <= 16; ++n) out.push_back({OperandKind::gpr, bank, Post::none, n});
    for (uint32_t n = 0; n <= 64; ++n) out.push_back({OperandKind::gpr_absolute, bank, Post::none, n});
  }
  out.push_back({OperandKind::gpr, Bank::none, Post::none, 1});
  for (OperandKind kind : {OperandKind::xfer_s, OperandKind::xfer_d})
    for (uint32_t n = 0; n <= 8; ++n) out.push_back(op(kind, n));
  for (OperandKind kind : {OperandKind::xfer_s_index, OperandKind::xfer_d_index, OperandKind::neighbor,
                           OperandKind::neighbor_index, OperandKind::local_mem0, OperandKind::local_mem1})
    for (Post post : {Post::none, Post::increment}) out.push_back(op(kind, 0, post));
  for (uint32_t n = 0; n <= 257; ++n) out.push_back(k(n));
  return out;
}

bool legal(ArgClass cls, const Operand& o) {
  const bool dest = cls == ArgClass::ur_dest || cls == ArgClass::re_dest;
  const bool wide = cls == ArgClass::ur_dest || cls == ArgClass::ur_source || cls == ArgClass::ur_register;
  switch (o.kind) {
    case OperandKind::absent: return dest;
    case OperandKind::constant:
      if (cls == ArgClass::address) return o.value <= 127;
      return (cls == ArgClass::ur_source || cls == ArgClass::re_source) && o.value <= 255;
    case OperandKind::gpr: return o.bank != Bank::none && o.value < 16;
    case OperandKind::gpr_absolute: return wide && o.value < 64;
    case OperandKind::xfer_s:
    case OperandKind::xfer_d: return o.value < 8;
    default: return false;
  }
}

int sort(const Operand& o) {
  if (!o.present()) return 0;
  if (o.is_gpr()) return o.bank == Bank::a ? 1 : 2;
  return o.kind == OperandKind::constant ? 3 : 4;
}
bool is_operand(ArgClass cls) { return cls <= ArgClass::address; }

Operand other_sort(const Operand& beside) { return sort(beside) == 1 ? b(1) : a(1); }

/// The operand that is read together with `role`; xfer = there is none.
Role partner(const InsnInfo& facts, Role role) {
  if (facts.id == InsnId::ld_field || facts.id == InsnId::ld_field_w_clr)
    return role == Role::dest ? Role::right : Role::dest;
  return role == Role::left ? Role::right : role == Role::right ? Role::left : Role::xfer;
}

OperandKind own_kind(const InsnInfo& facts) {
  return facts.unit == Unit::dram ? OperandKind::xfer_d : OperandKind::xfer_s;
}

Instruction plain(const InsnInfo& facts, const Form& form) {
  Instruction insn;
  insn.id = facts.id;
  for (const Arg& arg : form.args) {
    if (is_operand(arg.cls)) {
      const Role other = partner(facts, arg.role);
      insn.operand(arg.role) = other == Role::xfer ? a(1) : other_sort(insn.operand(other));
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
  return insn;
}

/// Words in which two spellings meet: rotations, and address operands of which one is a constant.
Instruction read_back(Instruction i) {
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

struct Tally {
  size_t good = 0, refused = 0;
};
std::string text(const Instruction& insn) { return print(kMe1, insn, PrintNames{}); }
void expect(const Instruction& insn, bool good, Tally& tally) {
  const auto word = encode(kMe1, insn);
  if (!good) {
    ++tally.refused;
    if (word) FAIL("not refused: " << text(insn) << " = " << std::hex << *word);
    if (word.error().text.empty() || word.error().remedy.empty()) FAIL("no reason or remedy: " << text(insn));
    return;
  }
  ++tally.good;
  if (!word) FAIL("refused: " << text(insn) << ": " << word.error().text);
  if (*word >> 32) FAIL("too wide: " << text(insn));
  const auto back = decode(kMe1, *word);
  if (!back) FAIL("not read back: " << text(insn) << " = " << std::hex << *word);
  if (*back != read_back(insn)) FAIL("read back differently: " << text(insn) << " as " << text(*back));
  if (!is_canonical(kMe1, *word)) FAIL("not canonical: " << text(*back));
}

void for_each_form(const std::function<void(const InsnInfo&, const Form&, const Instruction&)>& f) {
  for (const InsnInfo& facts : all_instructions()) {
    if (!enabled(kMe1, facts.id)) continue;
    for (const Form& form : facts.forms)
      if (facts.id != InsnId::alu || form.args.size() != 5) f(facts, form, plain(facts, form));
  }
}

uint32_t max_defer(const InsnInfo& facts) {
  switch (facts.cycles) {
    case CycleClass::branch:
    case CycleClass::swap: return 1;
    case CycleClass::branch_cc:
    case CycleClass::branch_test: return 2;
    default: return 0;
  }
}

}  // namespace

TEST_CASE("me1: every instruction has a legal plain form") {
  Tally tally;
  for_each_form([&](const InsnInfo&, const Form&, const Instruction& insn) { expect(insn, true, tally); });
  CHECK(tally.good > 65);
}

TEST_CASE("me1: every operand in every position") {
  Tally tally;
  for_each_form([&](const InsnInfo& facts, const Form& form, const Instruction& base) {
    for (const Arg& arg : form.args) {
      if (!is_operand(arg.cls)) continue;
      for (const Operand& o : universe()) {
        Instruction insn = base;
        insn.operand(arg.role) = o;
        const Role other = partner(facts, arg.role);
        if (other != Role::xfer && insn.operand(other).present()) insn.operand(other) = other_sort(o);
        const bool good = legal(arg.cls, o) || (arg.optional && !o.present());
        if (check_operand(kMe1, arg, o).has_value() != good)
          FAIL("check_operand disagrees: " << facts.name << " " << print_operand(o));
        expect(insn, good, tally);
      }
    }
  });
  CHECK(tally.good > 10000);
  CHECK(tally.refused > 5000);
}

TEST_CASE("me1: pairs of sources of one sort are refused, others are not") {
  Tally tally;
  for_each_form([&](const InsnInfo&, const Form& form, const Instruction& base) {
    const Arg *left = nullptr, *right = nullptr;
    for (const Arg& arg : form.args) {
      if (is_operand(arg.cls) && arg.role == Role::left) left = &arg;
      if (is_operand(arg.cls) && arg.role == Role::right) right = &arg;
    }
    if (!left || !right) return;
    for (const Operand& l : {a(1), abs_a(40), b(2), abs_b(41), k(3), op(OperandKind::xfer_s, 4), op(OperandKind::xfer_d, 5)})
      for (const Operand& r : {a(3), abs_a(42), b(4), abs_b(43), k(5), op(OperandKind::xfer_s, 6), op(OperandKind::xfer_d, 7)}) {
        if (!legal(left->cls, l) || !legal(right->cls, r)) continue;
        Instruction insn = base;
        insn.left = l;
        insn.right = r;
        expect(insn, sort(l) != sort(r), tally);
      }
  });
  CHECK(tally.good > 200);
  CHECK(tally.refused > 100);
}

TEST_CASE("me1: every number in every position, and its neighbours") {
  Tally tally;
  for_each_form([&](const InsnInfo& facts, const Form& form, const Instruction& base) {
    auto try_value = [&](Role role, uint32_t value, bool good) {
      Instruction insn = base;
      insn[role] = value;
      expect(insn, good, tally);
    };
    auto range = [&](Role role, uint32_t min, uint32_t max, uint32_t step = 1) {
      for (uint32_t v = min; v <= max; v += step) try_value(role, v, true);
      try_value(role, max, true);
      try_value(role, max + 1, false);
      if (min) try_value(role, min - 1, false);
    };
    for (const Arg& arg : form.args) switch (arg.cls) {
        case ArgClass::constant: range(arg.role, arg.min, arg.max, arg.max > 4000 ? 13 : 1); break;
        case ArgClass::count: range(arg.role, arg.min, arg.max); break;
        case ArgClass::immediate: range(Role::value, 0, 0xffff, 13); break;
        case ArgClass::byte_mask: range(Role::mask, 0, 15); break;
        case ArgClass::label: range(Role::target, 0, 2047, 7); break;
        case ArgClass::signal: range(Role::signal, 1, 9); break;
        case ArgClass::context: range(Role::context, 0, 3); break;
        case ArgClass::input_state: range(Role::state, 0, 1); break;
        case ArgClass::local_csr:
        case ArgClass::cap_csr:
          for (uint32_t v = 0; v <= 0x402; ++v) try_value(Role::csr, v, v % 4 == 0 && v < 0x400);
          break;
        case ArgClass::byte_shift:
          for (uint32_t v = 0; v <= 25; ++v) try_value(Role::amount, v, v == 0 || v == 8 || v == 16);
          break;
        case ArgClass::alu_op:
        case ArgClass::shf_op: {
          std::set<uint32_t> ops{0, 4, 8, 12, 16, 20};
          if (arg.cls == ArgClass::alu_op) ops.insert({1, 5, 9, 13, 17, 21, 24, 25});
          for (uint32_t v = 0; v <= 40; ++v) try_value(Role::op, v, ops.count(v) != 0);
          break;
        }
        case ArgClass::shift:
        case ArgClass::right_shift:
          for (uint32_t kind = 0; kind <= 7; ++kind)
            for (uint32_t n = 0; n <= 33; ++n) {
              const auto s = static_cast<ShiftKind>(kind);
              const std::set<uint32_t> left{1, 2, 3, 4, 5, 6, 7, 8, 12, 16, 20, 24};
              bool good = n == 0 && (s == ShiftKind::none || s == ShiftKind::left_indirect || s == ShiftKind::right_indirect);
              if (s == ShiftKind::left) good = left.count(n);
              if (s == ShiftKind::right) good = left.count(n) || n == 28 || n == 31;
              if (s == ShiftKind::rotate_left || s == ShiftKind::rotate_right) good = n == 8 || n == 16 || n == 24;
              if (arg.cls == ArgClass::right_shift) {
                good = s == ShiftKind::right && n >= 1 && n <= 31;
                if (facts.id == InsnId::find_bset) good = good || (s == ShiftKind::none && n == 0);
                if (facts.id == InsnId::dbl_shf) good = good || (s == ShiftKind::right_indirect && n == 0);
              }
              Instruction insn = base;
              insn[Role::shift] = kind;
              insn[Role::amount] = n;
              expect(insn, good, tally);
            }
          break;
        case ArgClass::xfer_read:
        case ArgClass::xfer_write:
        case ArgClass::xfer_both:
          for (const Operand& o : universe()) {
            Instruction insn = base;
            insn.xfer = o;
            expect(insn, o.kind == own_kind(facts) && o.value < 8, tally);
          }
          break;
        default: break;
      }
  });
  CHECK(tally.good > 5000);
  CHECK(tally.refused > 5000);
}

TEST_CASE("me1: every token of every instruction") {
  Tally tally;
  for_each_form([&](const InsnInfo& facts, const Form&, const Instruction& base) {
    auto has = [&](TokenId t) { return std::find(facts.tokens.begin(), facts.tokens.end(), t) != facts.tokens.end(); };
    auto flag = [&](Role role, bool good) {
      Instruction insn = base;
      insn[role] = 1;
      expect(insn, good, tally);
    };
    flag(Role::indirect, has(TokenId::indirect_ref));
    flag(Role::load_cc, has(TokenId::load_cc));
    flag(Role::guess, has(TokenId::guess_branch));
    for (Role role : {Role::ignore_error, Role::bit_swap, Role::lm_select, Role::crc_bytes, Role::has_target, Role::current_mask})
      flag(role, false);
    if (facts.group != Group::command) {
      const bool shared = facts.id == InsnId::br_eq_byte || facts.id == InsnId::br_ne_byte;
      for (uint32_t guess = 0; guess <= 1; ++guess)
        for (uint32_t n = 1; n <= 4; ++n) {
          Instruction insn = base;
          insn[Role::defer] = n;
          insn[Role::guess] = guess;
          expect(insn, n <= max_defer(facts) && (!guess || (has(TokenId::guess_branch) && !shared)), tally);
        }
      return;
    }
    const uint32_t event = unit_signal(kMe1, facts.id);
    CHECK((event != 0) == (facts.signal != SignalUse::none));
    for (uint32_t mode = 0; mode <= 3; ++mode)
      for (uint32_t s = 0; s <= 16; ++s)
        for (uint32_t defer = 0; defer <= 2; ++defer) {
          Instruction insn = base;
          insn[Role::signal_mode] = mode;
          insn[Role::signal] = s;
          insn[Role::defer] = defer;
          bool good = mode == 0 && s == 0 && defer == 0;
          if (event && mode == 1) good = s == event && defer == 0;
          if (event && mode == 2) good = s == event && defer <= 1;
          expect(insn, good, tally);
        }
  });
  CHECK(tally.good > 200);
  CHECK(tally.refused > 3000);
}

TEST_CASE("me1: ctx_arb takes unit signals or exactly one of its special names") {
  Tally tally;
  for (uint32_t mask : {0x0u, 0x1u, 0x2u, 0x10u, 0x3feu, 0x400u, 0x8000u, 0x11u, 0x10000u})
    for (uint32_t any : {0u, 1u})
      for (uint32_t bpt : {0u, 1u}) {
        Instruction insn;
        insn.id = InsnId::ctx_arb;
        insn[Role::signals] = mask;
        insn[Role::any] = any;
        insn[Role::breakpoint] = bpt;
        const bool signals = mask == 2 || mask == 0x10 || mask == 0x3fe;
        bool good = signals && !bpt;
        if (mask == 1) good = !any && !bpt;
        if (mask == 0) good = any != bpt;
        expect(insn, good, tally);
      }
  CHECK(tally.good == 9);
}
