#include "allocator/bank_repair.h"

#include <fmt/format.h>

#include <algorithm>

#include "allocator/banks.h"
#include "optimizer/optimizer_rules.h"

namespace weft::assembler {
namespace {

using isa::InsnId;
using isa::Role;

/// An instruction that comes before another one.
struct Insertion {
  uint32_t at = 0;
  IrInsn insn;
};

/// Puts all of them in, `insertions` by their places. Labels and scopes that begin there begin with the new ones.
void insert(Program& program, std::vector<Insertion> insertions) {
  const auto size = static_cast<uint32_t>(program.insns.size());
  std::vector<uint32_t> before(size + 1, 0);  ///< by old index: new instructions before what stands there
  std::vector<IrInsn> insns;
  insns.reserve(size + insertions.size());
  auto next = insertions.begin();
  for (uint32_t i = 0; i <= size; ++i) {
    before[i] = static_cast<uint32_t>(next - insertions.begin());
    if (i == size) break;
    for (; next != insertions.end() && next->at == i; ++next) insns.push_back(std::move(next->insn));
    insns.push_back(std::move(program.insns[i]));
  }
  program.insns = std::move(insns);
  const auto shift = [&](uint32_t& index) {
    if (index <= size) index += before[index];
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
  if (flow.shadow_of(i) >= 0 || rules.reads_result(i)) return std::nullopt;
  if (rules.result_live_after(i) && !rules.sets_previous(i)) return std::nullopt;
  if (isa::effects(insn.insn.id).behind) return std::nullopt;  // steps that must follow each other directly
  for (const Role role : {Role::right, Role::left}) {
    const VregId v = insn.vreg[static_cast<size_t>(role)];
    if (v < 0) continue;
    const VregClass cls = program.vregs[static_cast<size_t>(v)].cls;
    if (cls == VregClass::gpr) return role;
    // The move of an absolute register changes the condition codes.
    const bool codes_matter = rules.reads_codes(i) || (rules.codes_live_after(i) && !rules.sets_codes(i));
    if (cls == VregClass::gpr_absolute && !codes_matter) return role;
  }
  return std::nullopt;
}

/// The instruction reads a copy from now on; gives what makes the copy.
IrInsn copy_of(Program& program, uint32_t i, Role role) {
  const VregId source = program.insns[i].vreg[static_cast<size_t>(role)];
  Vreg copy;
  copy.name = program.vregs[static_cast<size_t>(source)].name + "'";
  copy.used = true;
  copy.declared = program.insns[i].origin;
  copy.scope_begin = 0;
  program.vregs.push_back(std::move(copy));
  const auto id = static_cast<VregId>(program.vregs.size() - 1);
  IrInsn move;
  if (program.vregs[static_cast<size_t>(source)].cls == VregClass::gpr_absolute) {
    move.insn.id = InsnId::alu;
    move.insn[Role::op] = static_cast<uint32_t>(isa::AluOp::b);
  } else {
    move.insn.id = InsnId::ld_field_w_clr;
    move.insn[Role::mask] = 0b1111;
  }
  move.vreg[static_cast<size_t>(Role::dest)] = id;
  move.vreg[static_cast<size_t>(Role::right)] = source;
  move.origin = program.insns[i].origin;
  move.source_line = program.insns[i].source_line;
  program.insns[i].vreg[static_cast<size_t>(role)] = id;
  return move;
}

}  // namespace

unsigned repair_banks(Program& program, const Sources& sources, Diagnostics& out) {
  // All at once. What ties the banks of the others together stays as it is, and a copy fits whatever that says: it is
  // tied to its source and to the other operand, which were found in one bank, or to bank A and to a source in bank B.
  const Flow flow(program);
  const OptimizerRules rules(program, flow, {});
  const std::vector<BankPair> conflicts =
      Banks::conflicts(program, analyse_liveness(program, flow), sources,
                       [&](uint32_t insn) { return repairable(program, flow, rules, insn).has_value(); });
  std::vector<std::pair<uint32_t, Role>> places;
  for (const BankPair& pair : conflicts) {
    sources.checkpoint();
    if (const auto role = repairable(program, flow, rules, pair.insn)) places.emplace_back(pair.insn, *role);
  }
  std::vector<Insertion> insertions;
  for (const auto& [at, role] : places) {
    const std::string name = program.vregs[static_cast<size_t>(program.insns[at].vreg[static_cast<size_t>(role)])].name;
    out.add(sources.diagnostic(
        Severity::info, "asm-bank-repair", program.insns[at].origin,
        fmt::format("a move of '{}' into a register of the other bank was put before this instruction", name),
        "share sources differently to save the cycle"));
    insertions.push_back({at, copy_of(program, at, role)});
  }
  insert(program, std::move(insertions));
  return static_cast<unsigned>(places.size());
}

}  // namespace weft::assembler
