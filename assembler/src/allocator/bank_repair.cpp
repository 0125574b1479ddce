#include "allocator/bank_repair.h"

#include <fmt/format.h>

#include <algorithm>

#include "allocator/banks.h"
#include "optimizer/optimizer_rules.h"

namespace weft::assembler {
namespace {

using isa::InsnId;
using isa::Role;

/// Makes room for one instruction before `at`. Labels and scopes that begin there begin with the new one.
void insert(Program& program, uint32_t at, IrInsn insn) {
  program.insns.insert(program.insns.begin() + at, std::move(insn));
  const auto shift = [&](uint32_t& index) {
    if (index > at && index != UINT32_MAX) ++index;
  };
  for (Label& label : program.labels) shift(label.index);
  for (Hint& hint : program.hints) shift(hint.index);
  for (Vreg& v : program.vregs) shift(v.scope_begin), shift(v.scope_end);
  for (Signal& s : program.signals) shift(s.scope_begin), shift(s.scope_end);
  for (Subroutine& s : program.subroutines) shift(s.begin), shift(s.end);
  for (uint32_t& r : program.reentry) shift(r);
  for (image::Mark& m : program.marks) shift(m.address);
  for (auto& [index, word] : program.raw_words) shift(index);
}

/// The source to copy, or nothing when a move must not stand there.
std::optional<Role> repairable(const Program& program, const Flow& flow, const OptimizerRules& rules, uint32_t i) {
  const IrInsn& insn = program.insns[i];
  if (flow.shadow_of(i) >= 0 || rules.reads_previous(i)) return std::nullopt;
  if (rules.previous_live_after(i) && !rules.sets_previous(i)) return std::nullopt;
  switch (insn.insn.id) {  // steps that must follow each other directly
    case InsnId::mul_step:
    case InsnId::pop_count2:
    case InsnId::pop_count3: return std::nullopt;
    default: break;
  }
  for (const Role role : {Role::right, Role::left}) {
    const VregId v = insn.vreg[static_cast<size_t>(role)];
    if (v < 0) continue;
    const VregClass cls = program.vregs[static_cast<size_t>(v)].cls;
    if (cls == VregClass::gpr || cls == VregClass::gpr_absolute) return role;
  }
  return std::nullopt;
}

void copy_before(Program& program, uint32_t i, Role role) {
  const VregId source = program.insns[i].vreg[static_cast<size_t>(role)];
  Vreg copy;
  copy.name = program.vregs[static_cast<size_t>(source)].name + "'";
  copy.used = true;
  copy.declared = program.insns[i].origin;
  copy.scope_begin = 0;
  program.vregs.push_back(std::move(copy));
  const auto id = static_cast<VregId>(program.vregs.size() - 1);
  IrInsn move;
  move.insn.id = InsnId::ld_field_w_clr;
  move.insn[Role::mask] = 0b1111;
  move.vreg[static_cast<size_t>(Role::dest)] = id;
  move.vreg[static_cast<size_t>(Role::right)] = source;
  move.origin = program.insns[i].origin;
  move.source_line = program.insns[i].source_line;
  program.insns[i].vreg[static_cast<size_t>(role)] = id;
  insert(program, i, std::move(move));
}

}  // namespace

unsigned repair_banks(Program& program, const Sources& sources, Diagnostics& out) {
  unsigned moves = 0;
  // One at a time: a move changes who is tied to whom. Programs need a handful, if any.
  for (; moves < 256; ++moves) {
    const Flow flow(program);
    const std::vector<BankPair> conflicts = Banks::conflicts(program, analyse_liveness(program, flow), sources);
    const OptimizerRules rules(program, flow, {});
    std::optional<Role> role;
    uint32_t at = 0;
    for (const BankPair& pair : conflicts) {
      at = pair.insn;
      role = repairable(program, flow, rules, at);
      if (role) break;
    }
    if (!role) break;
    const std::string name =
        program.vregs[static_cast<size_t>(program.insns[at].vreg[static_cast<size_t>(*role)])].name;
    out.add(sources.diagnostic(
        Severity::info, "asm-bank-repair", program.insns[at].origin,
        fmt::format("a move of '{}' into a register of the other bank was put before this instruction", name),
        "share sources differently to save the cycle"));
    copy_before(program, at, *role);
  }
  return moves;
}

}  // namespace weft::assembler
