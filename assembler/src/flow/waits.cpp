#include "flow/waits.h"

#include <algorithm>

namespace weft::assembler {

using isa::Role;

Waits::Waits(const Program& program, const Flow& flow, const Calls& calls)
    : program_(program), flow_(flow), calls_(calls) {
  for (std::vector<uint32_t>& seen : seen_) seen.assign(program.insns.size(), 0);
  for (const Hint& hint : program.hints) {
    if (hint.kind == Hint::Kind::io_completed) completed_.emplace(hint.index, &hint);
  }
  const auto size = static_cast<uint32_t>(program.insns.size());
  for (uint32_t i = 0; i < size; ++i) {
    const IrInsn& insn = program.insns[i];
    const isa::BranchTo goes = isa::effects(insn.insn.id).goes;
    if (goes == isa::BranchTo::indexed) returns_ = true;
    if (goes == isa::BranchTo::address && !calls.returns_behind(flow.last_slot(i))) returns_ = true;
  }
}

bool Waits::awaits(const IrInsn& insn, const SignalRef& signal) const {
  const auto same = [&](const SignalRef& other) {
    if (other.half != SignalRef::Half::whole) return false;
    return signal.id >= 0 ? other.id == signal.id : other.id < 0 && other.number == signal.number;
  };
  return (insn.insn[Role::any] == 0 || insn.signals.size() == 1) &&
         std::any_of(insn.signals.begin(), insn.signals.end(), same);
}

/// `.io_completed` before `index` names the command's signal, a register of its transfer, or its unit.
bool Waits::said_completed(uint32_t index, const IrInsn& command) const {
  const auto [begin, end] = completed_.equal_range(index);
  return std::any_of(begin, end, [&](const auto& entry) {
    const Hint& hint = *entry.second;
    if (hint.unit != isa::Unit::none) return isa::info(command.insn.id).unit == hint.unit;
    if (hint.signal >= 0) return command.signal && command.signal->id == hint.signal;
    const VregId first = command.vreg[static_cast<size_t>(Role::xfer)];
    if (hint.vreg < 0 || first < 0) return false;
    if (hint.vreg == first) return true;
    return std::any_of(program_.groups.begin(), program_.groups.end(), [&](const XferGroup& g) {
      const auto has = [&](VregId v) { return std::find(g.members.begin(), g.members.end(), v) != g.members.end(); };
      return has(first) && has(hint.vreg);
    });
  });
}

std::vector<uint32_t> Waits::points_under_way(uint32_t issue, const Limits& limits) {
  std::vector<uint32_t> points;
  const IrInsn& command = program_.insns[issue];
  const auto size = static_cast<uint32_t>(program_.insns.size());
  const auto shadow_end = [&](uint32_t index) { return flow_.last_slot(index); };
  points.push_back(2 * issue + 1);
  const auto mode = static_cast<isa::SignalMode>(command.insn[Role::signal_mode]);
  if (mode == isa::SignalMode::ctx_swap) {
    for (uint32_t i = issue + 1; i <= shadow_end(issue); ++i) {
      points.push_back(2 * i);
      points.push_back(2 * i + 1);
    }
    return points;
  }

  checkpoint(program_.cancellation);
  ++stamp_;
  // Inside a subroutine that was called on the way, a path returns to the calls it came by; else to every caller.
  struct Step {
    uint32_t at;
    bool inside;
  };
  std::vector<Step> work;
  std::vector<std::pair<uint32_t, bool>> came_by;  // call, and whether it stands inside another one
  std::vector<VregId> returned;                    // links of the subroutines that a path has run through
  const auto visit = [&](uint32_t to, bool inside) {
    if (to >= size || seen_[inside][to] == stamp_) return;
    if (!returns_ && !inside && (to < limits.scope_begin || to >= limits.scope_end)) return;
    seen_[inside][to] = stamp_;
    if (said_completed(to, command)) return;
    points.push_back(2 * to);
    if (limits.stop && (*limits.stop)[to] && to != issue) return;
    work.push_back({to, inside});
  };
  const auto go_on = [&](uint32_t at, bool inside) {
    if (const int32_t c = calls_.leaving(at); c >= 0) {
      const Call& call = calls_.all()[static_cast<size_t>(c)];
      came_by.emplace_back(static_cast<uint32_t>(c), inside);
      visit(call.entry, true);
      if (std::find(returned.begin(), returned.end(), call.link) != returned.end()) visit(call.to, inside);
    } else if (inside && calls_.returns_behind(at)) {
      const VregId link = calls_.link_behind(at);
      if (std::find(returned.begin(), returned.end(), link) != returned.end()) return;
      returned.push_back(link);
      for (size_t k = 0; k < came_by.size(); ++k) {
        const Call& call = calls_.all()[came_by[k].first];
        if (call.link == link) visit(call.to, came_by[k].second);
      }
    } else {
      for (uint32_t to : flow_.next(at)) visit(to, inside);
    }
  };
  go_on(issue, false);
  const bool has_signal = mode == isa::SignalMode::sig_done && command.signal;
  while (!work.empty()) {
    const auto [at, inside] = work.back();
    work.pop_back();
    const IrInsn& insn = program_.insns[at];
    if (has_signal && awaits(insn, *command.signal)) {
      for (uint32_t i = at + 1; i <= shadow_end(at); ++i) {  // the wait begins after the deferred slots
        points.push_back(2 * i - 1);
        points.push_back(2 * i);
      }
      if (shadow_end(at) > at) points.push_back(2 * shadow_end(at) + 1);
      continue;
    }
    points.push_back(2 * at + 1);
    const isa::Condition tested = isa::effects(insn.insn.id).condition;
    const bool tests = tested == isa::Condition::signal || tested == isa::Condition::not_signal;
    if (has_signal && tests && insn.signal && insn.signal->half == SignalRef::Half::whole &&
        (command.signal->id >= 0 ? insn.signal->id == command.signal->id
                                 : insn.signal->id < 0 && insn.signal->number == command.signal->number)) {
      // Only the way on which the signal has not arrived goes on.
      const uint32_t last = shadow_end(at);
      for (uint32_t i = at + 1; i <= last; ++i) {
        points.push_back(2 * i);
        points.push_back(2 * i + 1);
      }
      if (tested == isa::Condition::signal)
        visit(last + 1, inside);
      else
        visit(insn.target >= 0 ? program_.labels[static_cast<size_t>(insn.target)].index : insn.insn[Role::target],
              inside);
      continue;
    }
    go_on(at, inside);
  }
  return points;
}

}  // namespace weft::assembler
