#include "optimizer/optimizer.h"

#include <algorithm>

#include "flow/flow.h"
#include "optimizer/optimizer_rules.h"

namespace weft::assembler {
namespace {

using isa::CycleClass;
using isa::Role;

bool only_label(const LateExpr& expr) { return expr.op == LateExpr::Op::label_address; }
bool has_label(const LateExpr& expr) {
  return only_label(expr) || std::any_of(expr.args.begin(), expr.args.end(), has_label);
}

/// Puts the instructions into a new order. `order` holds old indices; what `stays` says keeps its order and carries the
/// labels, scopes and marks before it.
void rearrange(Program& program, const std::vector<uint32_t>& order, const std::vector<bool>& stays) {
  const auto old_size = static_cast<uint32_t>(program.insns.size());
  std::vector<uint32_t> place(old_size + 1, static_cast<uint32_t>(order.size()));
  for (uint32_t to = 0; to < order.size(); ++to) {
    if (stays[order[to]]) place[order[to]] = to;
  }
  for (uint32_t i = old_size; i-- > 0;) {
    if (!stays[i]) place[i] = place[i + 1];
  }
  const auto moved = [&](uint32_t index) { return index <= old_size ? place[index] : index; };
  std::vector<IrInsn> insns;
  insns.reserve(order.size());
  for (uint32_t from : order) insns.push_back(std::move(program.insns[from]));
  program.insns = std::move(insns);
  for (Label& label : program.labels) label.index = moved(label.index);
  for (Hint& hint : program.hints) hint.index = moved(hint.index);
  for (Vreg& v : program.vregs) v.scope_begin = moved(v.scope_begin), v.scope_end = moved(v.scope_end);
  for (Signal& s : program.signals) s.scope_begin = moved(s.scope_begin), s.scope_end = moved(s.scope_end);
  for (Subroutine& s : program.subroutines) s.begin = moved(s.begin), s.end = moved(s.end);
  for (uint32_t& r : program.reentry) r = moved(r);
  for (image::Mark& m : program.marks) m.address = moved(static_cast<uint32_t>(m.address));
  for (SpilledRange& r : program.spilled) {
    for (auto& [first, last] : r.insns) first = moved(first), last = moved(last);
  }
}

class Optimizer {
 public:
  Optimizer(Program program, std::vector<bool> fixed, OptimizerCounts& counts)
      : program_(std::move(program)), fixed_(std::move(fixed)), counts_(counts) {
    fixed_.resize(program_.insns.size(), false);
  }

  Program run() {
    retarget();
    while (drop()) {
    }
    fill();
    return std::move(program_);
  }

 private:
  uint32_t size() const { return static_cast<uint32_t>(program_.insns.size()); }
  const IrInsn& at(uint32_t i) const { return program_.insns[i]; }
  uint32_t index_of(LabelId label) const { return program_.labels[static_cast<size_t>(label)].index; }

  void retarget() {
    for (uint32_t i = 0; i < size(); ++i) {
      IrInsn& insn = program_.insns[i];
      if (insn.target < 0 || fixed_[i]) continue;
      LabelId target = insn.target;
      for (unsigned steps = 0; steps < 16; ++steps) {
        const uint32_t there = index_of(target);
        if (there >= size() || !isa::is_plain_branch(at(there).insn.id) || at(there).insn[Role::defer] != 0) break;
        if (at(there).target < 0 || index_of(at(there).target) == there) break;
        target = at(there).target;
      }
      if (target == insn.target) continue;
      insn.target = target;
      ++counts_.retargeted;
    }
  }

  static bool is_nop(const IrInsn& insn) {
    const isa::Effects& effects = isa::effects(insn.insn.id);
    return effects.pure && !effects.has(Role::right) && !insn.insn.dest.present() &&
           insn.vreg[static_cast<size_t>(Role::dest)] < 0;
  }
  /// A branch that does nothing but go somewhere.
  static bool only_branches(const IrInsn& insn) {
    const isa::Effects& effects = isa::effects(insn.insn.id);
    return effects.goes == isa::BranchTo::word && effects.condition != isa::Condition::signal;
  }

  bool drop() {
    const Flow flow(program_);
    const OptimizerRules rules(program_, flow, fixed_);
    std::vector<uint32_t> order;
    std::vector<bool> stays(size(), true), fixed;
    bool before_kept = true;
    for (uint32_t i = 0; i < size(); ++i) {
      const IrInsn& insn = at(i);
      bool go = false;
      if (i + 1 < size() && !fixed_[i] && flow.shadow_of(i) < 0 && flow.reached(i) && before_kept &&
          !rules.padding(i, true)) {
        if (is_nop(insn))
          go = !follows_something_special(flow, i);
        else
          go = only_branches(insn) && insn.insn[Role::defer] == 0 && insn.target >= 0 && index_of(insn.target) == i + 1;
      }
      stays[i] = !go;
      before_kept = !go;  // one at a time: distances are looked at afresh in the next round
      if (go) {
        ++counts_.dropped;
      } else {
        order.push_back(i);
        fixed.push_back(fixed_[i]);
      }
    }
    if (order.size() == size()) return false;
    rearrange(program_, order, stays);
    fixed_ = std::move(fixed);
    return true;
  }

  /// A nop that takes the value of a CSR, keeps an instruction away from a branch, or is a loop of its own.
  bool follows_something_special(const Flow& flow, uint32_t i) const {
    for (uint32_t p : flow.previous(i)) {
      const isa::InsnInfo& info = isa::info(at(p).insn.id);
      const isa::Effects& effects = isa::effects(info.id);
      if (effects.csr == isa::CsrUse::read) return true;
      const bool multiplies = (effects.writes & isa::states(isa::State::multiplier)) != 0;
      if (p + 1 == i && (info.cycles == CycleClass::branch_cc || multiplies)) return true;
    }
    return false;
  }

  // --- deferred slots ---

  unsigned slots_of(uint32_t i) const {
    const IrInsn& insn = at(i);
    const isa::InsnInfo& info = isa::info(insn.insn.id);
    if (insn.insn[Role::defer] != 0 || insn.insn[Role::guess] != 0 || fixed_[i]) return 0;
    const Transfer t = transfer_of(insn);
    if (!t.jumps && (!t.swaps || !t.falls_through)) return 0;  // kill and bpt end here
    return std::min(program_.lost.of(info.cycles), isa::max_deferred(program_.profile, info));
  }

  void fill() {
    const Flow flow(program_);
    const OptimizerRules rules(program_, flow, fixed_);
    std::vector<bool> entered(size() + 1, false);
    for (const Label& label : program_.labels) entered[std::min(label.index, size())] = true;
    for (uint32_t r : program_.reentry) entered[std::min(r, size())] = true;
    std::vector<std::vector<uint32_t>> slots(size());
    std::vector<bool> stays(size(), true);
    uint32_t floor = 0;  // nothing above belongs to this stretch
    for (uint32_t i = 0; i < size(); ++i) {
      const Transfer t = transfer_of(at(i));
      const bool control = t.jumps || t.swaps || !t.falls_through;
      if (!control) continue;
      const unsigned room = flow.reached(i) && flow.shadow_of(i) < 0 && !rules.padding(i, false) ? slots_of(i) : 0;
      if (room > 0) choose(rules, entered, i, std::max(floor, i > 32 ? i - 32 : 0), room, slots[i], stays);
      floor = i + 1 + t.defer;
    }
    std::vector<uint32_t> order;
    for (uint32_t i = 0; i < size(); ++i) {
      if (stays[i]) order.push_back(i);
      for (uint32_t moved : slots[i]) order.push_back(moved);
      if (!slots[i].empty()) program_.insns[i].insn[Role::defer] = static_cast<uint32_t>(slots[i].size());
      counts_.moved += static_cast<unsigned>(slots[i].size());
    }
    rearrange(program_, order, stays);
  }

  void choose(const OptimizerRules& rules, const std::vector<bool>& entered, uint32_t i, uint32_t floor, unsigned room,
              std::vector<uint32_t>& chosen, std::vector<bool>& stays) const {
    std::vector<uint32_t> remaining{i};  // what a candidate must pass, nearest first
    for (uint32_t c = i; c-- > floor && chosen.size() < room;) {
      if (entered[c + 1] || rules.has_hint(c + 1)) return;
      if (can_pass(rules, c, remaining, i)) {
        chosen.insert(chosen.begin(), c);
        stays[c] = false;
      } else {
        remaining.insert(remaining.begin(), c);
      }
    }
  }

  bool can_pass(const OptimizerRules& rules, uint32_t c, const std::vector<uint32_t>& remaining, uint32_t i) const {
    if (!rules.movable(c) || !rules.in_scope_until(c, i)) return false;
    if (!std::all_of(remaining.begin(), remaining.end(), [&](uint32_t r) { return rules.independent(c, r); }))
      return false;
    return state_agrees(
               rules.sets_codes(c), rules.codes_live_after(i), remaining,
               [&](uint32_t r) { return rules.reads_codes(r); }, [&](uint32_t r) { return rules.sets_codes(r); }) &&
           state_agrees(
               rules.sets_previous(c), rules.previous_live_after(i), remaining,
               [&](uint32_t r) { return rules.reads_previous(r); }, [&](uint32_t r) { return rules.sets_previous(r); });
  }

  /// Moving a setter down must leave every reader with the state it had.
  template <class Reads, class Sets>
  static bool state_agrees(bool sets, bool live_after, const std::vector<uint32_t>& remaining, Reads reads,
                           Sets also_sets) {
    if (!sets) return true;
    for (uint32_t r : remaining) {
      if (reads(r)) return false;
      if (also_sets(r)) return !live_after;
    }
    return true;
  }

  Program program_;
  std::vector<bool> fixed_;
  OptimizerCounts& counts_;
};

}  // namespace

bool layout_matters(const Program& program) {
  if (program.physical || !program.raw_words.empty()) return true;
  for (const IrInsn& insn : program.insns) {
    const isa::BranchTo goes = isa::effects(insn.insn.id).goes;
    if (goes == isa::BranchTo::indexed) return true;
    const bool branch = goes == isa::BranchTo::word;
    if ((branch || insn.insn[Role::has_target] != 0) && insn.target < 0) return true;
    if (insn.late_value && has_label(insn.late_value->second) && !only_label(insn.late_value->second)) return true;
    for (const auto& late : insn.late) {
      if (late && has_label(*late)) return true;
    }
  }
  return false;
}

Program optimize(const Program& program, const std::vector<bool>& fixed, OptimizerCounts* counts) {
  OptimizerCounts own;
  if (layout_matters(program) || program.insns.empty()) return program;
  return Optimizer(program, fixed, counts ? *counts : own).run();
}

}  // namespace weft::assembler
