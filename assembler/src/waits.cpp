#include "waits.h"

#include <algorithm>

namespace weft::assembler {

using isa::InsnId;
using isa::Role;

Waits::Waits(const Program& program, const Flow& flow) : program_(program), flow_(flow), seen_(program.insns.size(), 0) {
  for (const Hint& hint : program.hints) {
    if (hint.kind == Hint::Kind::io_completed) completed_.emplace(hint.index, &hint);
  }
  for (const IrInsn& insn : program.insns) calls_ = calls_ || insn.insn.id == InsnId::rtn || insn.insn.id == InsnId::jump;
}

bool Waits::awaits(const IrInsn& insn, const SignalRef& signal) const {
  const auto same = [&](const SignalRef& other) {
    if (other.half != SignalRef::Half::whole) return false;
    return signal.id >= 0 ? other.id == signal.id : other.id < 0 && other.number == signal.number;
  };
  if (insn.insn.id == InsnId::ctx_arb) {
    return (insn.insn[Role::any] == 0 || insn.signals.size() == 1) &&
           std::any_of(insn.signals.begin(), insn.signals.end(), same);
  }
  return false;
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
  const auto shadow_end = [&](uint32_t index) { return std::min(index + program_.insns[index].insn[Role::defer], size - 1); };
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
  std::vector<uint32_t> work;
  const auto visit = [&](uint32_t to) {
    if (to >= size || seen_[to] == stamp_) return;
    if (!calls_ && (to < limits.scope_begin || to >= limits.scope_end)) return;
    seen_[to] = stamp_;
    if (said_completed(to, command)) return;
    points.push_back(2 * to);
    if (limits.stop && (*limits.stop)[to] && to != issue) return;
    work.push_back(to);
  };
  for (uint32_t to : flow_.next(issue)) visit(to);
  const bool has_signal = mode == isa::SignalMode::sig_done && command.signal;
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    const IrInsn& insn = program_.insns[at];
    if (has_signal && awaits(insn, *command.signal)) {
      for (uint32_t i = at + 1; i <= shadow_end(at); ++i) {  // the wait begins behind the deferred slots
        points.push_back(2 * i - 1);
        points.push_back(2 * i);
      }
      if (shadow_end(at) > at) points.push_back(2 * shadow_end(at) + 1);
      continue;
    }
    points.push_back(2 * at + 1);
    const bool tests = insn.insn.id == InsnId::br_signal || insn.insn.id == InsnId::br_not_signal;
    if (has_signal && tests && insn.signal && insn.signal->half == SignalRef::Half::whole &&
        (command.signal->id >= 0 ? insn.signal->id == command.signal->id
                                 : insn.signal->id < 0 && insn.signal->number == command.signal->number)) {
      // Only the way on which the signal has not arrived goes on.
      const uint32_t last = shadow_end(at);
      for (uint32_t i = at + 1; i <= last; ++i) {
        points.push_back(2 * i);
        points.push_back(2 * i + 1);
      }
      if (insn.insn.id == InsnId::br_signal) visit(last + 1);
      else visit(insn.target >= 0 ? program_.labels[static_cast<size_t>(insn.target)].index : insn.insn[Role::target]);
      continue;
    }
    for (uint32_t to : flow_.next(at)) visit(to);
  }
  return points;
}

}  // namespace weft::assembler
