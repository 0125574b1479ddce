#include "testing/mutants.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace weft::workbench::testing {
namespace {

using isa::AluOp;
using isa::ArgClass;
using isa::Instruction;
using isa::Operand;
using isa::OperandKind;
using isa::Role;
using isa::ShiftKind;
using Kind = Mutation::Kind;

constexpr Role kOperands[] = {Role::dest, Role::left, Role::right, Role::xfer};

/// Registers with a number of their own; local memory by its offset.
bool is_numbered(const Operand& o) {
  switch (o.kind) {
    case OperandKind::gpr:
    case OperandKind::gpr_absolute:
    case OperandKind::xfer_s:
    case OperandKind::xfer_d:
    case OperandKind::neighbor: return true;
    case OperandKind::local_mem0:
    case OperandKind::local_mem1: return o.post == isa::Post::none;
    default: return false;
  }
}

/// Positions that take a plain number, by the written forms of the instruction.
std::vector<Role> number_roles(const isa::InsnInfo& info) {
  std::vector<Role> roles;
  for (const isa::Form& form : info.forms)
    for (const isa::Arg& arg : form.args) {
      const bool number = arg.cls == ArgClass::constant || arg.cls == ArgClass::immediate ||
                          arg.cls == ArgClass::byte_mask || arg.cls == ArgClass::count ||
                          arg.cls == ArgClass::context || arg.cls == ArgClass::input_state;
      if (number && arg.role > Role::xfer && std::find(roles.begin(), roles.end(), arg.role) == roles.end())
        roles.push_back(arg.role);
    }
  return roles;
}

std::string_view operation_name(uint32_t op) {
  for (const isa::NamedValue& known : isa::alu_ops())
    if (known.value == op) return known.name;
  return "?";
}

class Maker {
 public:
  Maker(isa::Profile profile, const Instruction& insn, const RegisterUse& registers)
      : profile_(profile), insn_(insn), info_(isa::info(insn.id)), registers_(registers) {}

  std::vector<Mutation> all() {
    const Instruction nop = nop_of(profile_);
    if (insn_ == nop) return {};
    condition();
    operation();
    constants();
    add(Kind::drop, "drop", nop);
    swap();
    shift();
    others();
    return std::move(out_);
  }

 private:
  void add(Kind kind, std::string name, const Instruction& insn) { out_.push_back({kind, std::move(name), insn}); }

  void condition() {
    const auto other = isa::opposite(insn_.id);
    if (!other) return;
    Instruction changed = insn_;
    changed.id = *other;
    add(Kind::condition, "invert the condition", changed);
  }

  void operation() {
    if (!isa::effects(insn_.id).has(Role::op)) return;
    for (const isa::NamedValue& op : isa::alu_ops()) {
      if (op.value == insn_[Role::op]) continue;
      // Without a left source there is nothing to combine the right one with.
      const bool one_source =
          op.value == static_cast<uint32_t>(AluOp::b) || op.value == static_cast<uint32_t>(AluOp::not_b);
      if (!insn_.left.present() && !one_source) continue;
      Instruction changed = insn_;
      changed[Role::op] = op.value;
      add(Kind::operation, fmt::format("{} becomes {}", operation_name(insn_[Role::op]), op.name), changed);
    }
  }

  void constants() {
    for (const int step : {1, -1}) {
      const auto named = [&](Role role) { return fmt::format("{} {:+}", isa::role_name(role), step); };
      for (const Role role : {Role::left, Role::right}) {
        if (insn_.operand(role).kind != OperandKind::constant) continue;
        Instruction changed = insn_;
        changed.operand(role).value += static_cast<uint32_t>(step);
        add(Kind::constant, named(role), changed);
      }
      for (const Role role : number_roles(info_)) {
        Instruction changed = insn_;
        changed[role] += static_cast<uint32_t>(step);
        add(Kind::constant, named(role), changed);
      }
    }
  }

  void swap() {
    if (info_.group != isa::Group::compute || isa::effects(insn_.id).has(Role::mul_step) || !insn_.left.present() ||
        !insn_.right.present())
      return;
    Instruction changed = insn_;
    std::swap(changed.left, changed.right);
    add(Kind::swap, "swap sources", changed);
  }

  void shift() {
    if (isa::effects(insn_.id).has(Role::amount)) return immed_shift();
    const auto kind = static_cast<ShiftKind>(insn_[Role::shift]);
    if (kind == ShiftKind::none || kind == ShiftKind::left_indirect || kind == ShiftKind::right_indirect) return;
    for (const int step : {1, -1}) {
      Instruction changed = insn_;
      changed[Role::amount] += static_cast<uint32_t>(step);
      if (changed[Role::amount] == 0) changed[Role::shift] = static_cast<uint32_t>(ShiftKind::none);
      add(Kind::shift, fmt::format("shift {:+}", step), changed);
    }
  }

  /// immed moves by 0, 8 or 16 bits.
  void immed_shift() {
    for (const int step : {1, -1}) {
      Instruction changed = insn_;
      changed[Role::amount] += static_cast<uint32_t>(8 * step);
      if (changed[Role::amount] <= 16) add(Kind::shift, fmt::format("shift {:+}", step), changed);
    }
  }

  void others() {
    for (const Role role : kOperands) {
      if (!is_numbered(insn_.operand(role))) continue;
      Instruction changed = insn_;
      changed.operand(role) = registers_.other(insn_.operand(role));
      add(Kind::other_register, fmt::format("other {}", isa::role_name(role)), changed);
    }
    if (insn_[Role::signal] == 0 || !isa::sizes(profile_).numbered_signals) return;
    Instruction changed = insn_;
    changed[Role::signal] = registers_.other_signal(insn_[Role::signal]);
    add(Kind::other_register, "other signal", changed);
  }

  isa::Profile profile_;
  const Instruction& insn_;
  const isa::InsnInfo& info_;
  const RegisterUse& registers_;
  std::vector<Mutation> out_;
};

uint32_t next_in(const std::set<uint32_t>& numbers, uint32_t number) {
  const auto behind = numbers.upper_bound(number);
  if (behind != numbers.end()) return *behind;
  return numbers.empty() || *numbers.begin() == number ? number + 1 : *numbers.begin();
}

}  // namespace

RegisterUse::RegisterUse(std::span<const std::optional<Instruction>> program) {
  for (const auto& insn : program) {
    if (!insn) continue;
    for (const Role role : kOperands)
      if (const Operand& o = insn->operand(role); is_numbered(o)) numbers_[{o.kind, o.bank}].insert(o.value);
    if ((*insn)[Role::signal] != 0) signals_.insert((*insn)[Role::signal]);
  }
}

Operand RegisterUse::other(const Operand& operand) const {
  Operand changed = operand;
  const auto known = numbers_.find({operand.kind, operand.bank});
  changed.value = known == numbers_.end() ? operand.value + 1 : next_in(known->second, operand.value);
  return changed;
}

uint32_t RegisterUse::other_signal(uint32_t number) const { return next_in(signals_, number); }

std::vector<Mutation> mutations_of(isa::Profile profile, const Instruction& insn, const RegisterUse& registers) {
  return Maker(profile, insn, registers).all();
}

std::optional<uint64_t> mutated_word(isa::Profile profile, const Mutation& mutation, uint64_t original) {
  const auto word = isa::encode(profile, mutation.instruction);
  if (!word || *word == original) return std::nullopt;
  // A number that a field has no room for must not become another one.
  const auto read = isa::decode(profile, *word);
  return read && *read == mutation.instruction ? std::optional(*word) : std::nullopt;
}

Instruction nop_of(isa::Profile profile) {
  for (const isa::Alias& alias : isa::aliases(profile))
    if (alias.spelling == "nop") return alias.instruction;
  return {};
}

}  // namespace weft::workbench::testing
