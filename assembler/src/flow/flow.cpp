#include "flow/flow.h"

#include <algorithm>

namespace weft::assembler {
namespace {

using isa::Role;

bool mentions_label(const LateExpr& expr, LabelId* label) {
  if (expr.op == LateExpr::Op::label_address) {
    *label = expr.symbol;
    return true;
  }
  return std::any_of(expr.args.begin(), expr.args.end(),
                     [&](const LateExpr& arg) { return mentions_label(arg, label); });
}

/// Labels whose address the program takes: where an rtn may lead.
struct AddressTaken {
  std::vector<LabelId> all;
  std::vector<std::pair<VregId, LabelId>> by_register;  ///< by the register that load_addr fills
  std::vector<bool> filled_otherwise;                   ///< registers that also get values we cannot follow

  explicit AddressTaken(const Program& program) : filled_otherwise(program.vregs.size()) {
    for (const IrInsn& insn : program.insns) {
      LabelId label = -1;
      bool taken = insn.late_value && mentions_label(insn.late_value->second, &label);
      for (const auto& late : insn.late) taken = taken || (late && mentions_label(*late, &label));
      const VregId dest = insn.vreg[static_cast<size_t>(Role::dest)];
      if (!taken) {
        if (dest >= 0) filled_otherwise[static_cast<size_t>(dest)] = true;
        continue;
      }
      all.push_back(label);
      if (dest >= 0) by_register.emplace_back(dest, label);
    }
  }

  std::vector<LabelId> targets_of(const IrInsn& rtn) const {
    std::vector<LabelId> out;
    for (Role role : {Role::left, Role::right}) {
      const VregId vreg = rtn.vreg[static_cast<size_t>(role)];
      if (vreg >= 0 && filled_otherwise[static_cast<size_t>(vreg)]) return all;
      for (const auto& [r, label] : by_register) {
        if (vreg >= 0 && r == vreg) out.push_back(label);
      }
    }
    return out.empty() ? all : out;
  }
};

/// The instruction with its names as far as they decide where it goes.
isa::Instruction with_names(const IrInsn& insn) {
  isa::Instruction out = insn.insn;
  if (insn.target >= 0) out[Role::has_target] = 1;
  if (!insn.signals.empty()) out[Role::signals] |= 1;
  return out;
}

std::vector<isa::Flow::Step> steps_of(const Program& program) {
  std::vector<isa::Flow::Step> steps(program.insns.size());
  const AddressTaken taken(program);
  for (size_t i = 0; i < steps.size(); ++i) {
    const IrInsn& insn = program.insns[i];
    const isa::Instruction named = with_names(insn);
    steps[i] = {isa::transfer_of(named), isa::cost_of(named, program.lost), false, {}};
    steps[i].transfer.anywhere = false;
    if (!steps[i].transfer.jumps) continue;
    const auto to_label = [&](LabelId label) {
      if (label >= 0 && static_cast<size_t>(label) < program.labels.size())
        steps[i].targets.push_back(program.labels[static_cast<size_t>(label)].index);
    };
    switch (isa::effects(named.id).goes) {
      case isa::BranchTo::address:
        for (LabelId label : taken.targets_of(insn)) to_label(label);
        break;
      case isa::BranchTo::indexed:
        for (LabelId label : insn.jump_targets) to_label(label);
        if (!insn.jump_targets.empty()) break;
        for (LabelId label = 0; label < static_cast<LabelId>(program.labels.size()); ++label) to_label(label);
        break;
      default:
        if (insn.target >= 0)
          to_label(insn.target);
        else
          steps[i].targets.push_back(named[Role::target]);
        break;
    }
  }
  return steps;
}

std::vector<uint32_t> entries_of(const Program& program) {
  std::vector<uint32_t> entries{0};
  entries.insert(entries.end(), program.reentry.begin(), program.reentry.end());
  return entries;
}

std::vector<bool> labelled(const Program& program) {
  std::vector<bool> out(program.insns.size() + 1, false);
  const auto mark = [&](uint32_t index) {
    if (index < out.size()) out[index] = true;
  };
  for (const Label& label : program.labels) mark(label.index);
  for (uint32_t index : program.reentry) mark(index);
  return out;
}

}  // namespace

Transfer transfer_of(const IrInsn& insn) { return isa::transfer_of(with_names(insn)); }

Flow::Flow(const Program& program) : isa::Flow(steps_of(program), entries_of(program), labelled(program)) {}

}  // namespace weft::assembler
