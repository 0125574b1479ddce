#include "testing/equivalence.h"

#include <fmt/format.h>

#include <algorithm>

#include "testing/mutants.h"

namespace weft::workbench::testing {
namespace {

using isa::AluOp;
using isa::InsnId;
using isa::Instruction;
using isa::Operand;
using isa::OperandKind;
using isa::Role;
using isa::ShiftKind;

bool has_op(const Instruction& insn, std::initializer_list<AluOp> ops) {
  return insn.id == InsnId::alu &&
         std::any_of(ops.begin(), ops.end(), [&](AluOp op) { return insn[Role::op] == static_cast<uint32_t>(op); });
}

bool partial_write(InsnId id) {
  switch (id) {
    case InsnId::ld_field:
    case InsnId::immed_b0:
    case InsnId::immed_b1:
    case InsnId::immed_b2:
    case InsnId::immed_b3:
    case InsnId::immed_w0:
    case InsnId::immed_w1: return true;
    default: return false;
  }
}

bool sets_codes(const Instruction& insn) {
  if (insn.id == InsnId::ld_field || insn.id == InsnId::ld_field_w_clr) return insn[Role::load_cc] != 0;
  return isa::info(insn.id).sets_cc;
}

/// Computes from its sources and does nothing but write a GPR, the codes and the previous-ALU state.
bool is_pure(const Instruction& insn) {
  switch (insn.id) {
    case InsnId::alu:
    case InsnId::alu_shf:
    case InsnId::dbl_shf:
    case InsnId::asr:
    case InsnId::ffs:
    case InsnId::immed:
    case InsnId::ld_field_w_clr: break;
    default:
      if (!partial_write(insn.id)) return false;
  }
  const auto still = [](const Operand& o) {
    return o.post == isa::Post::none && o.kind != OperandKind::xfer_s_index && o.kind != OperandKind::xfer_d_index &&
           o.kind != OperandKind::neighbor_index;
  };
  return still(insn.left) && still(insn.right) && (!insn.dest.present() || insn.dest.kind == OperandKind::gpr);
}

uint32_t constant_of(const Instruction& insn) {
  return isa::immediate_value({insn[Role::value], insn[Role::amount], insn[Role::invert] != 0});
}

bool swaps(const Instruction& insn) {
  return insn.id == InsnId::ctx_arb || (isa::info(insn.id).group == isa::Group::command &&
                                        insn[Role::signal_mode] == static_cast<uint32_t>(isa::SignalMode::ctx_swap));
}

}  // namespace

ProgramFlow::ProgramFlow(isa::Profile profile, const std::vector<uint64_t>& words) : profile_(profile) {
  for (const uint64_t word : words) instructions_.push_back(isa::decode(profile, word));
  for (size_t i = 0; i < instructions_.size(); ++i) {
    if (!instructions_[i]) continue;
    const Instruction& insn = *instructions_[i];
    for (const Operand* o : {&insn.dest, &insn.left, &insn.right})
      if (o->kind == OperandKind::gpr_absolute) absolute_.insert(o->bank);
    const bool branch = isa::info(insn.id).group == isa::Group::branch;
    const uint32_t defer = insn[Role::defer];
    if (defer == 0 || (!branch && insn[Role::has_target] == 0)) continue;
    After& slot = slots_[i + defer];
    if (insn.id == InsnId::jump || insn.id == InsnId::rtn)
      slot.unknown = true;
    else
      slot.words.push_back(insn[Role::target]);
  }
}

ProgramFlow::After ProgramFlow::after(size_t address) const {
  After after;
  if (const auto slot = slots_.find(address); slot != slots_.end()) after = slot->second;
  const Instruction& insn = *instructions_[address];
  if (insn[Role::defer] == 0) {
    const bool branch = isa::info(insn.id).group == isa::Group::branch;
    if (insn.id == InsnId::jump || insn.id == InsnId::rtn)
      after.unknown = true;
    else if (branch || insn[Role::has_target] != 0)
      after.words.push_back(insn[Role::target]);
    else if (!isa::continues(insn))
      after.ends = true;
    if (!isa::continues(insn)) return after;
  }
  after.words.push_back(address + 1);
  return after;
}

bool ProgramFlow::is_read(const Instruction& insn, const Asked& asked) const {
  const isa::InsnInfo& info = isa::info(insn.id);
  switch (asked.state) {
    case State::codes:
      return insn.id == InsnId::alu ? has_op(insn, {AluOp::add_carry, AluOp::sub_carry}) : info.reads_cc;
    case State::codes_but_z:
      return insn.id != InsnId::beq && insn.id != InsnId::bne && is_read(insn, {State::codes, {}});
    case State::previous: {
      const auto shift = static_cast<ShiftKind>(insn[Role::shift]);
      if (shift == ShiftKind::left_indirect || shift == ShiftKind::right_indirect || insn.id == InsnId::asr)
        return true;
      if (insn.id == InsnId::byte_align_be || insn.id == InsnId::byte_align_le || insn[Role::indirect] != 0)
        return true;
      if (insn.id == InsnId::local_csr_rd && insn[Role::csr] == static_cast<uint32_t>(isa::Csr::alu_out)) return true;
      return info.group == isa::Group::command &&
             std::any_of(info.forms.begin(), info.forms.end(), [](const isa::Form& form) {
               return std::any_of(form.args.begin(), form.args.end(),
                                  [](const isa::Arg& arg) { return arg.cls == isa::ArgClass::alu_output; });
             });
    }
    case State::gpr:
      return insn.left == asked.gpr || insn.right == asked.gpr || (insn.dest == asked.gpr && partial_write(insn.id));
  }
  return true;
}

bool ProgramFlow::is_replaced(const Instruction& insn, const Asked& asked) const {
  switch (asked.state) {
    // Behind a swap codes and previous-ALU state are undefined; deferred slots still belong to the time before it.
    case State::codes:
    case State::codes_but_z: return sets_codes(insn) || (swaps(insn) && insn[Role::defer] == 0);
    case State::previous: return isa::info(insn.id).previous_alu || (swaps(insn) && insn[Role::defer] == 0);
    case State::gpr:
      return insn.dest == asked.gpr && isa::info(insn.id).group == isa::Group::compute && !partial_write(insn.id);
  }
  return false;
}

bool ProgramFlow::live_behind(size_t address, const Asked& asked) const {
  std::set<size_t> seen;
  std::vector<size_t> open{address};
  for (bool first = true; !open.empty(); first = false) {
    const size_t at = open.back();
    open.pop_back();
    if (!first) {
      if (at >= instructions_.size() || !instructions_[at]) return true;
      if (is_read(*instructions_[at], asked)) return true;
      if (is_replaced(*instructions_[at], asked)) continue;
    }
    const After next = after(at);
    if (next.unknown) return true;
    // A test may look at a register where a context has stopped.
    if (next.ends && asked.state == State::gpr) return true;
    for (const size_t word : next.words)
      if (seen.insert(word).second) open.push_back(word);
  }
  return false;
}

bool ProgramFlow::writes_nothing_that_counts(size_t address, const Instruction& insn) const {
  if (!is_pure(insn)) return false;
  if (insn.dest.present() && (absolute_.contains(insn.dest.bank) || live_behind(address, {State::gpr, insn.dest})))
    return false;
  if (sets_codes(insn) && live_behind(address, {State::codes, {}})) return false;
  return !isa::info(insn.id).previous_alu || !live_behind(address, {State::previous, {}});
}

/// Two comparisons of the same sources for equality: a difference, either way round, and XOR are 0 for the same values.
bool ProgramFlow::compares_alike(size_t address, const Instruction& mutated) const {
  const Instruction& insn = *instructions_[address];
  const auto comparisons = {AluOp::sub, AluOp::b_sub_a, AluOp::xor_};
  if (!has_op(insn, comparisons) || !has_op(mutated, comparisons) || insn.dest.present() || mutated.dest.present())
    return false;
  const bool same = insn.left == mutated.left && insn.right == mutated.right,
             exchanged = insn.left == mutated.right && insn.right == mutated.left;
  return (same || exchanged) && !live_behind(address, {State::codes_but_z, {}}) &&
         !live_behind(address, {State::previous, {}});
}

std::optional<std::string> ProgramFlow::proof(size_t address, const Instruction& mutated) const {
  if (address >= instructions_.size() || !instructions_[address]) return std::nullopt;
  const Instruction& insn = *instructions_[address];
  if (has_op(insn, {AluOp::add, AluOp::add_carry, AluOp::and_, AluOp::or_, AluOp::xor_})) {
    Instruction exchanged = insn;
    std::swap(exchanged.left, exchanged.right);
    if (exchanged == mutated && !live_behind(address, {State::previous, {}}))
      return "the sources of this operation can be exchanged";
  }
  const auto neutral = {AluOp::add, AluOp::sub, AluOp::or_, AluOp::xor_, AluOp::and_not, AluOp::add8, AluOp::add16};
  if (has_op(insn, neutral) && has_op(mutated, neutral) && insn.right.kind == OperandKind::constant &&
      insn.right.value == 0) {
    Instruction other = insn;
    other[Role::op] = mutated[Role::op];
    if (other == mutated && !live_behind(address, {State::codes, {}}))
      return "both operations give the left source, and nothing reads the codes";
  }
  if (insn.id == InsnId::immed && mutated.id == InsnId::immed && insn.dest == mutated.dest &&
      constant_of(insn) == constant_of(mutated))
    return "the constant is the same";
  if (compares_alike(address, mutated)) return "only Z is read, and it says the same of both";
  const auto additions = {AluOp::add, AluOp::add8, AluOp::add16};
  if (has_op(insn, additions) && has_op(mutated, additions) && insn.right.kind == OperandKind::constant &&
      insn.right.value <= 0xff) {
    Instruction other = insn;
    other[Role::op] = mutated[Role::op];
    if (other == mutated) return "the right source has eight bits";
  }
  // The word behind local_csr_rd takes the CSR's value only as an immed.
  const bool takes_csr =
      address > 0 && instructions_[address - 1] && instructions_[address - 1]->id == InsnId::local_csr_rd;
  if (!takes_csr && writes_nothing_that_counts(address, insn) && writes_nothing_that_counts(address, mutated))
    return "nothing reads what it writes";
  return std::nullopt;
}

}  // namespace weft::workbench::testing
