#include "optimizer/optimizer_rules.h"

#include <algorithm>

namespace weft::assembler {

using isa::Operand;
using isa::OperandKind;
using isa::Role;

namespace {

bool plain(const Operand& o) { return !o.present() || o.kind == OperandKind::constant; }

}  // namespace

OptimizerRules::OptimizerRules(const Program& program, const Flow& flow, const std::vector<bool>& fixed)
    : program_(program),
      flow_(flow),
      fixed_(fixed),
      variables_(program),
      hint_(program.insns.size() + 1, false),
      keep_(variables_.count(), false),
      accesses_(program.insns.size()) {
  fixed_.resize(program.insns.size(), false);
  for (const Hint& hint : program.hints) hint_[std::min<size_t>(hint.index, program.insns.size())] = true;
  for (const Access& a : collect_accesses(program)) {
    if (a.slot != Slot::hint) accesses_[a.insn].push_back(a);
  }
  const std::vector<bool> taken = address_taken_vregs(program);
  for (size_t v = 0; v < program.vregs.size(); ++v) {
    const Vreg& r = program.vregs[v];
    if (!r.is_volatile && !r.is_visible && !r.is_remote && !taken[v] && r.cls != VregClass::neighbor) continue;
    keep_[variables_.read(static_cast<VregId>(v))] = keep_[variables_.write(static_cast<VregId>(v))] = true;
  }
  codes_live_ = live_after(&OptimizerRules::reads_codes, &OptimizerRules::sets_codes);
  previous_live_ = live_after(&OptimizerRules::reads_previous, &OptimizerRules::sets_previous);
  result_live_ = live_after(&OptimizerRules::reads_result, &OptimizerRules::sets_previous);
}

bool OptimizerRules::sets_codes(uint32_t i) const { return isa::sets_codes(program_.insns[i].insn); }
bool OptimizerRules::reads_codes(uint32_t i) const { return isa::reads_codes(program_.insns[i].insn); }
bool OptimizerRules::sets_previous(uint32_t i) const { return isa::info(program_.insns[i].insn.id).previous_alu; }

bool OptimizerRules::reads_previous(uint32_t i) const {
  return reads_result(i) || (isa::effects(program_.insns[i].insn.id).reads & isa::states(isa::State::multiplier)) != 0;
}

bool OptimizerRules::reads_result(uint32_t i) const {
  return isa::reads_previous(program_.profile, program_.insns[i].insn);
}

std::vector<bool> OptimizerRules::live_after(Question reads, Question sets) const {
  const auto size = static_cast<uint32_t>(program_.insns.size());
  std::vector<bool> before(size, false), after(size, false);
  std::vector<uint32_t> work;
  const auto arrive = [&](uint32_t i) {
    if (before[i]) return;
    before[i] = true;
    work.push_back(i);
  };
  for (uint32_t i = 0; i < size; ++i) {
    if ((this->*reads)(i)) arrive(i);
  }
  while (!work.empty()) {
    const uint32_t i = work.back();
    work.pop_back();
    for (uint32_t p : flow_.previous(i)) {
      if (after[p]) continue;
      after[p] = true;
      if (!(this->*sets)(p)) arrive(p);
    }
  }
  return after;
}

bool OptimizerRules::movable(uint32_t i) const {
  const IrInsn& insn = program_.insns[i];
  const isa::Effects& effects = isa::effects(insn.insn.id);
  // The parts of a constant stay after each other.
  if (!effects.pure || (effects.bytes != isa::kAllBytes && !effects.has(Role::mask))) return false;
  const VregId dest = insn.vreg[static_cast<size_t>(Role::dest)];
  if (fixed_[i] || dest < 0 || hint_[i] || flow_.shadow_of(i) >= 0 || !flow_.reached(i)) return false;
  if (reads_codes(i) || reads_previous(i)) return false;
  if (effects.bytes == isa::kBytesByMask && !keeps_old_value(program_, i)) return false;
  if (insn.late_value && !effects.has(Role::value)) return false;
  for (const Role role : {Role::dest, Role::left, Role::right}) {
    if (insn.vreg[static_cast<size_t>(role)] < 0 && !insn.late[static_cast<size_t>(role)] &&
        !plain(insn.insn.operand(role)))
      return false;
  }
  for (const Access& a : accesses_[i]) {
    if (a.slot == Slot::address || variables_.is_signal(a.variable) || keep_[a.variable]) return false;
  }
  // The value of a CSR goes to the immed right after its read.
  for (uint32_t p : flow_.previous(i)) {
    if (isa::effects(program_.insns[p].insn.id).csr == isa::CsrUse::read) return false;
  }
  return !padding(i, false);
}

bool OptimizerRules::independent(uint32_t i, uint32_t past) const {
  for (const Access& mine : accesses_[i]) {
    for (const Access& theirs : accesses_[past]) {
      if (mine.variable == theirs.variable && (mine.def || theirs.def)) return false;
    }
  }
  return true;
}

bool OptimizerRules::in_scope_until(uint32_t i, uint32_t last) const {
  return std::all_of(accesses_[i].begin(), accesses_[i].end(), [&](const Access& a) {
    const auto symbol = static_cast<size_t>(variables_.symbol(a.variable));
    return program_.vregs[symbol].scope_begin <= i && program_.vregs[symbol].scope_end > last;
  });
}

/// Instructions that must or may lie between this one and those that see its effect.
unsigned OptimizerRules::latency(uint32_t i, bool signals_too) const {
  const isa::Instruction& insn = program_.insns[i].insn;
  for (const Role role : {Role::dest, Role::left, Role::right}) {
    const Operand& o = insn.operand(role);
    const VregId v = program_.insns[i].vreg[static_cast<size_t>(role)];
    const bool neighbor = o.kind == OperandKind::neighbor || o.kind == OperandKind::neighbor_index ||
                          (v >= 0 && program_.vregs[static_cast<size_t>(v)].cls == VregClass::neighbor);
    if (role == Role::dest && neighbor) return isa::sizes(program_.profile).neighbor_latency;
  }
  if (isa::effects(insn.id).csr == isa::CsrUse::write) {
    constexpr isa::States kRaises = isa::states(isa::State::signal_same) | isa::states(isa::State::signal_next) |
                                    isa::states(isa::State::signal_previous);
    const isa::CsrInfo* csr = isa::find_csr(program_.profile, insn[Role::csr]);
    const unsigned longest_known = isa::longest_latency();
    if (!csr) return longest_known;
    // What it sets off is awaited, not timed.
    if ((isa::csr_effects(program_.profile, csr->offset).holds & kRaises) != 0) return 1;
    const int latency = std::max<int>(csr->use_latency, csr->write_latency);
    return latency < 0 ? longest_known : static_cast<unsigned>(std::max(1, latency));
  }
  unsigned longest = 0;
  for (const isa::Hazard& h : isa::hazards(program_.profile, insn))
    if (signals_too || h.what != isa::State::consumed) longest = std::max<unsigned>(longest, h.cycles);
  return longest;
}

bool OptimizerRules::padding(uint32_t i, bool signals_too) const {
  std::vector<uint32_t> now{i}, before;
  for (unsigned distance = 1; distance <= isa::longest_latency() && !now.empty(); ++distance) {
    before.clear();
    for (uint32_t n : now) {
      for (uint32_t p : flow_.previous(n)) {
        if (latency(p, signals_too) >= distance) return true;
        before.push_back(p);
      }
    }
    std::sort(before.begin(), before.end());
    before.erase(std::unique(before.begin(), before.end()), before.end());
    now.swap(before);
  }
  return false;
}

}  // namespace weft::assembler
