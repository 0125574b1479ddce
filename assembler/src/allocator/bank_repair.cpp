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

/// Where a move stands, and which source it copies for the instructions from there to `last`.
struct Repair {
  uint32_t first = 0, last = 0;
  Role role{};
};

bool multiplies(const Program& program, uint32_t i) {
  return isa::effects(program.insns[i].insn.id).has(Role::mul_step);
}
bool begins(const Program& program, uint32_t i) {
  return program.insns[i].insn[Role::mul_step] == static_cast<uint32_t>(isa::MulStep::start);
}

/// The steps of a multiplication follow each other directly and read the same sources: a move stands before the first.
std::optional<Repair> steps_around(const Program& program, uint32_t i) {
  Repair out{i, i, {}};
  if (!multiplies(program, i)) return out;
  while (!begins(program, out.first)) {
    if (out.first == 0 || !multiplies(program, out.first - 1)) return std::nullopt;
    --out.first;
  }
  while (out.last + 1 < program.insns.size() && multiplies(program, out.last + 1) && !begins(program, out.last + 1))
    ++out.last;
  return out;
}

/// Nothing when a move must not stand there.
std::optional<Repair> repairable(const Program& program, const Flow& flow, const OptimizerRules& rules, uint32_t i) {
  std::optional<Repair> repair = steps_around(program, i);
  if (!repair) return std::nullopt;
  const uint32_t at = repair->first;
  if (flow.shadow_of(at) >= 0 || rules.reads_result(at)) return std::nullopt;
  if (rules.result_live_after(at) && !rules.sets_previous(at)) return std::nullopt;
  if (!multiplies(program, i) && isa::effects(program.insns[i].insn.id).behind) return std::nullopt;
  for (const Role role : {Role::right, Role::left}) {
    const VregId v = program.insns[i].vreg[static_cast<size_t>(role)];
    if (v < 0) continue;
    repair->role = role;
    const VregClass cls = program.vregs[static_cast<size_t>(v)].cls;
    if (cls == VregClass::gpr) return repair;
    // The move of an absolute register changes the condition codes.
    const bool codes_matter = rules.reads_codes(at) || (rules.codes_live_after(at) && !rules.sets_codes(at));
    if (cls == VregClass::gpr_absolute && !codes_matter) return repair;
  }
  return std::nullopt;
}

/// The instructions read a copy from now on; gives what makes the copy.
IrInsn copy_of(Program& program, const Repair& repair, VregId source) {
  const IrInsn& reader = program.insns[repair.first];
  Vreg copy;
  copy.name = program.vregs[static_cast<size_t>(source)].name + "'";
  copy.used = true;
  copy.declared = reader.origin;
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
  move.origin = reader.origin;
  move.source_line = reader.source_line;
  for (uint32_t i = repair.first; i <= repair.last; ++i)
    if (VregId& read = program.insns[i].vreg[static_cast<size_t>(repair.role)]; read == source) read = id;
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
  std::vector<std::pair<Repair, VregId>> repairs;
  for (const BankPair& pair : conflicts) {
    sources.checkpoint();
    const auto repair = repairable(program, flow, rules, pair.insn);
    if (!repair) continue;
    const VregId source = program.insns[pair.insn].vreg[static_cast<size_t>(repair->role)];
    // Each step of a multiplication has the conflict.
    if (!repairs.empty() && repairs.back().first.first == repair->first && repairs.back().second == source) continue;
    repairs.emplace_back(*repair, source);
  }
  std::ranges::stable_sort(repairs, {}, [](const auto& p) { return p.first.first; });
  std::vector<Insertion> insertions;
  for (const auto& [repair, source] : repairs) {
    const std::string name = program.vregs[static_cast<size_t>(source)].name;
    out.add(sources.diagnostic(
        Severity::info, "asm-bank-repair", program.insns[repair.first].origin,
        fmt::format("a move of '{}' into a register of the other bank was put before this instruction", name),
        "share sources differently to save the cycle"));
    insertions.push_back({repair.first, copy_of(program, repair, source)});
  }
  insert(program, std::move(insertions));
  return static_cast<unsigned>(repairs.size());
}

}  // namespace weft::assembler
