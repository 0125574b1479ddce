#include "flow/flow.h"

#include <algorithm>
#include <set>

namespace weft::assembler {
namespace {

using isa::InsnId;
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
  std::set<VregId> filled_otherwise;                    ///< registers that also get values we cannot follow

  explicit AddressTaken(const Program& program) {
    for (const IrInsn& insn : program.insns) {
      LabelId label = -1;
      bool taken = insn.late_value && mentions_label(insn.late_value->second, &label);
      for (const auto& late : insn.late) taken = taken || (late && mentions_label(*late, &label));
      const VregId dest = insn.vreg[static_cast<size_t>(Role::dest)];
      if (!taken) {
        if (dest >= 0) filled_otherwise.insert(dest);
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
      if (filled_otherwise.contains(vreg)) return all;
      for (const auto& [r, label] : by_register) {
        if (vreg >= 0 && r == vreg) out.push_back(label);
      }
    }
    return out.empty() ? all : out;
  }
};

}  // namespace

Transfer transfer_of(const IrInsn& insn) {
  const isa::InsnInfo& info = isa::info(insn.insn.id);
  Transfer t;
  t.defer = insn.insn[Role::defer];
  switch (insn.insn.id) {
    case InsnId::ctx_arb: {
      t.swaps = true;
      const bool signals = !insn.signals.empty() || insn.insn[Role::signals] != 0 || insn.insn[Role::current_mask] != 0;
      const bool kill = insn.insn[Role::any] != 0 && !signals;
      const bool resumes_at_label = insn.target >= 0 || insn.insn[Role::has_target] != 0;
      t.jumps = resumes_at_label;
      t.falls_through = !resumes_at_label && !kill && insn.insn[Role::breakpoint] == 0;
      break;
    }
    case InsnId::rtn:
    case InsnId::jump:
    case InsnId::br:
      t.jumps = true;
      t.falls_through = false;
      break;
    default:
      t.jumps = info.group == isa::Group::branch;
      t.falls_through = info.falls_through;
      t.swaps = insn.insn[Role::signal_mode] == static_cast<uint32_t>(isa::SignalMode::ctx_swap) &&
                info.group == isa::Group::command;
      break;
  }
  return t;
}

Flow::Flow(const Program& program) {
  const auto count = static_cast<uint32_t>(program.insns.size());
  std::vector<std::pair<uint32_t, uint32_t>> edges;
  edges.reserve(count * 2);
  runs_off_.assign(count, false);
  reached_.assign(count, false);
  shadow_of_.assign(count, -1);
  std::vector<bool> entered(count + 1, false);  // by a label or from outside
  for (const Label& label : program.labels) {
    if (label.index <= count) entered[label.index] = true;
  }
  for (uint32_t index : program.reentry) {
    if (index <= count) entered[index] = true;
  }
  const AddressTaken taken(program);

  // Instructions behind which the next word does not follow, because a branch takes effect there.
  std::vector<bool> cut(count, false);
  const auto edge = [&](uint32_t from, uint32_t to) {
    if (to < count)
      edges.emplace_back(from, to);
    else
      runs_off_[from] = true;
  };
  const auto edge_to_label = [&](uint32_t from, LabelId label) {
    if (label >= 0 && static_cast<size_t>(label) < program.labels.size()) edge(from, program.labels[label].index);
  };
  for (uint32_t i = 0; i < count; ++i) {
    const IrInsn& insn = program.insns[i];
    const Transfer t = transfer_of(insn);
    const uint32_t last = std::min(i + t.defer, count - 1);
    bool shadow_entered = false;
    for (uint32_t s = i + 1; s <= last; ++s) {
      shadow_of_[s] = static_cast<int32_t>(i);
      shadow_entered = shadow_entered || entered[s];
    }
    if (!t.falls_through && !shadow_entered) cut[last] = true;
    if (!t.jumps) continue;
    switch (insn.insn.id) {
      case InsnId::rtn:
        for (LabelId label : taken.targets_of(insn)) edge_to_label(last, label);
        break;
      case InsnId::jump:
        for (LabelId label : insn.jump_targets) edge_to_label(last, label);
        if (insn.jump_targets.empty()) {
          for (LabelId label = 0; label < static_cast<LabelId>(program.labels.size()); ++label)
            edge_to_label(last, label);
        }
        break;
      default:
        if (insn.target >= 0)
          edge_to_label(last, insn.target);
        else
          edge(last, insn.insn[Role::target]);
        break;
    }
  }
  for (uint32_t i = 0; i < count; ++i) {
    if (!cut[i]) edge(i, i + 1);
  }
  std::sort(edges.begin(), edges.end());
  edges.erase(std::unique(edges.begin(), edges.end()), edges.end());

  begin_next_.assign(count + 1, 0);
  begin_previous_.assign(count + 1, 0);
  for (const auto& [from, to] : edges) {
    ++begin_next_[from + 1];
    ++begin_previous_[to + 1];
  }
  for (uint32_t i = 0; i < count; ++i) {
    begin_next_[i + 1] += begin_next_[i];
    begin_previous_[i + 1] += begin_previous_[i];
  }
  next_.resize(edges.size());
  previous_.resize(edges.size());
  std::vector<uint32_t> at_next(begin_next_), at_previous(begin_previous_);
  for (const auto& [from, to] : edges) {
    next_[at_next[from]++] = to;
    previous_[at_previous[to]++] = from;
  }

  std::vector<uint32_t> work;
  const auto reach = [&](uint32_t index) {
    if (index < count && !reached_[index]) {
      reached_[index] = true;
      work.push_back(index);
    }
  };
  reach(0);
  for (uint32_t index : program.reentry) reach(index);
  while (!work.empty()) {
    const uint32_t index = work.back();
    work.pop_back();
    for (uint32_t to : next(index)) reach(to);
  }
}

}  // namespace weft::assembler
