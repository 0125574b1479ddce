#include "flow/calls.h"

#include <algorithm>
#include <map>
#include <set>

namespace weft::assembler {
namespace {

using isa::BranchTo;
using isa::Role;

BranchTo goes(const IrInsn& insn) { return isa::effects(insn.insn.id).goes; }

class Matcher {
 public:
  Matcher(const Program& program, const Flow& flow)
      : program_(program), flow_(flow), entered_(size() + 1, false), exit_(size(), -1) {
    for (const Label& label : program.labels) entered_[std::min(label.index, size())] = true;
    for (uint32_t index : program.reentry) entered_[std::min(index, size())] = true;
    find_exits();
    find_loads();
    while (drop_unsound()) {
    }
  }

  std::vector<Call> calls() const {
    std::vector<Call> out;
    for (const auto& [link, calls] : by_link_) out.insert(out.end(), calls.begin(), calls.end());
    return out;
  }
  std::vector<VregId> exits() const {
    std::vector<VregId> out = exit_;
    for (VregId& link : out) link = by_link_.contains(link) ? link : -1;
    return out;
  }

 private:
  uint32_t size() const { return static_cast<uint32_t>(program_.insns.size()); }
  VregId dest(uint32_t i) const { return program_.insns[i].vreg[static_cast<size_t>(Role::dest)]; }
  uint32_t last_slot(uint32_t i) const { return flow_.last_slot(i); }
  bool slots_entered(uint32_t i) const {
    for (uint32_t s = i + 1; s <= last_slot(i); ++s) {
      if (entered_[s]) return true;
    }
    return false;
  }

  /// Registers through which an rtn goes, as far as they can be followed.
  void find_exits() {
    std::set<VregId> lost;
    for (uint32_t i = 0; i < size(); ++i) {
      const IrInsn& insn = program_.insns[i];
      if (goes(insn) != BranchTo::address) continue;
      VregId link = -1;
      for (const Role role : {Role::left, Role::right}) link = std::max(link, insn.vreg[static_cast<size_t>(role)]);
      exit_[last_slot(i)] = link;
      if (link < 0) continue;
      const Vreg& r = program_.vregs[static_cast<size_t>(link)];
      if (slots_entered(i) || r.cls != VregClass::gpr || r.is_volatile || r.is_global || r.initial) lost.insert(link);
      by_link_[link];
    }
    for (VregId link : lost) by_link_.erase(link);
  }

  bool is_load(uint32_t i) const {
    const IrInsn& insn = program_.insns[i];
    return isa::bytes_written(insn.insn) == isa::kAllBytes && insn.late_value &&
           insn.late_value->second.op == LateExpr::Op::label_address;
  }
  bool is_call_branch(uint32_t i) const {
    return isa::is_plain_branch(program_.insns[i].insn.id) && program_.insns[i].target >= 0 && !slots_entered(i);
  }

  void find_loads() {
    for (uint32_t i = 0; i < size(); ++i) {
      const auto found = by_link_.find(dest(i));
      if (found == by_link_.end()) continue;
      const auto branch = is_load(i) ? branch_of(i) : std::nullopt;
      if (!branch) {
        by_link_.erase(found);
        continue;
      }
      const auto index_of = [&](LabelId label) { return program_.labels[static_cast<size_t>(label)].index; };
      const uint32_t entry = index_of(program_.insns[*branch].target);
      const uint32_t back = index_of(program_.insns[i].late_value->second.symbol);
      if (entry >= size() || back >= size())
        by_link_.erase(found);
      else
        found->second.push_back({found->first, last_slot(*branch), entry, back});
    }
  }

  /// The branch that surely follows a load_addr, with the register as loaded.
  std::optional<uint32_t> branch_of(uint32_t load) const {
    if (const int32_t shadow = flow_.shadow_of(load); shadow >= 0) {
      const auto branch = static_cast<uint32_t>(shadow);
      return is_call_branch(branch) && untouched(load + 1, last_slot(branch), dest(load)) ? std::optional(branch)
                                                                                          : std::nullopt;
    }
    for (uint32_t i = load + 1; i < size(); ++i) {
      if (entered_[i] || dest(i) == dest(load)) return std::nullopt;
      if (is_call_branch(i)) return untouched(i + 1, last_slot(i), dest(load)) ? std::optional(i) : std::nullopt;
      const Transfer t = transfer_of(program_.insns[i]);
      if (t.jumps || !t.falls_through) return std::nullopt;
    }
    return std::nullopt;
  }
  bool untouched(uint32_t first, uint32_t last, VregId link) const {
    for (uint32_t i = first; i <= last; ++i) {
      if (dest(i) == link) return false;
    }
    return true;
  }

  /// Removes the first register whose subroutines do not keep the rules; false when all of them do.
  bool drop_unsound() {
    std::map<uint32_t, Call> leaving;
    for (const auto& [link, calls] : by_link_) {
      for (const Call& call : calls) {
        if (!leaving.emplace(call.from, call).second) return by_link_.erase(link), true;  // two loads for one branch
      }
    }
    for (const auto& [link, calls] : by_link_) {
      std::set<uint32_t> entries;
      for (const Call& call : calls) {
        if (entries.insert(call.entry).second && !sound(link, call.entry, leaving)) return by_link_.erase(link), true;
      }
    }
    return false;
  }

  /// From `entry` on, nothing fills the register again, not even a subroutine called from there, and every way out of
  /// this subroutine goes through it.
  bool sound(VregId link, uint32_t entry, const std::map<uint32_t, Call>& leaving) const {
    for (const bool inside : {false, true}) {  // with the subroutines called from there, or without
      std::vector<bool> seen(size(), false);
      std::vector<uint32_t> work{entry};
      const auto visit = [&](uint32_t i) {
        if (!seen[i]) work.push_back(i);
        seen[i] = true;
      };
      seen[entry] = true;
      while (!work.empty()) {
        const uint32_t i = work.back();
        work.pop_back();
        if (dest(i) == link) return false;
        if (goes(program_.insns[i]) == BranchTo::indexed && program_.insns[i].jump_targets.empty()) return false;
        const bool out = exit_at(i);
        if (out) {
          if (!inside && exit_[i] != link) return false;
          if (!inside || by_link_.contains(exit_[i])) continue;
        }
        if (const auto call = leaving.find(i); call != leaving.end()) {
          visit(call->second.to);
          if (inside) visit(call->second.entry);
          continue;
        }
        for (uint32_t to : flow_.next(i)) visit(to);
      }
    }
    return true;
  }
  bool exit_at(uint32_t i) const {
    for (uint32_t k = 0; k <= 3 && k <= i; ++k) {
      if (goes(program_.insns[i - k]) == BranchTo::address && last_slot(i - k) == i) return true;
    }
    return false;
  }

  const Program& program_;
  const Flow& flow_;
  std::vector<bool> entered_;
  std::vector<VregId> exit_;
  std::map<VregId, std::vector<Call>> by_link_;
};

}  // namespace

Calls::Calls(const Program& program, const Flow& flow) {
  const auto size = static_cast<uint32_t>(program.insns.size());
  const bool any = std::any_of(program.insns.begin(), program.insns.end(),
                               [](const IrInsn& insn) { return goes(insn) == BranchTo::address; });
  exit_.assign(size, -1);
  if (any) {
    const Matcher matcher(program, flow);
    calls_ = matcher.calls();
    exit_ = matcher.exits();
  }
  index(size);
}

void Calls::index(uint32_t size) {
  leaving_.assign(size, -1);
  entering_.resize(size);
  returning_.resize(size);
  for (uint32_t c = 0; c < calls_.size(); ++c) {
    leaving_[calls_[c].from] = static_cast<int32_t>(c);
    entering_[calls_[c].entry].push_back(c);
    returning_[calls_[c].to].push_back(c);
  }
}

}  // namespace weft::assembler
