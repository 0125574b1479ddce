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

bool has_op(const Instruction& insn, std::initializer_list<AluOp> ops) {
  return insn.id == InsnId::alu &&
         std::any_of(ops.begin(), ops.end(), [&](AluOp op) { return insn[Role::op] == static_cast<uint32_t>(op); });
}

/// Computes from its sources and does nothing but write a GPR, the codes and the previous-ALU state.
bool is_pure(const Instruction& insn) {
  const auto still = [](const Operand& o) {
    return o.post == isa::Post::none && o.kind != OperandKind::xfer_s_index && o.kind != OperandKind::xfer_d_index &&
           o.kind != OperandKind::neighbor_index;
  };
  return isa::effects(insn.id).pure && still(insn.left) && still(insn.right) &&
         (!insn.dest.present() || insn.dest.kind == OperandKind::gpr);
}

/// Of the instruction before, it takes the left source as the amount of its shift, and nothing else.
bool reads_amount_alone(const Instruction& insn) {
  return (insn.id == InsnId::alu_shf || insn.id == InsnId::dbl_shf) && insn[Role::indirect] == 0;
}

/// Of the instructions that set the codes: logical ones.
bool clears_carry(const Instruction& insn) {
  return (insn.id == InsnId::alu || insn.id == InsnId::alu_shf) &&
         isa::alu_op_info(static_cast<AluOp>(insn[Role::op])).logical;
}

uint32_t constant_of(const Instruction& insn) {
  return isa::immediate_value({insn[Role::value], insn[Role::amount], insn[Role::invert] != 0});
}

/// Only some bytes of the destination, whatever the mask says: the old value counts.
bool partial_write(InsnId id) {
  const uint8_t bytes = isa::effects(id).bytes;
  return bytes != 0 && bytes != isa::kAllBytes;
}

std::vector<std::optional<Instruction>> decoded(isa::Profile profile, const std::vector<uint64_t>& words) {
  std::vector<std::optional<Instruction>> out;
  for (const uint64_t word : words) out.push_back(isa::decode(profile, word));
  return out;
}

}  // namespace

ProgramFlow::ProgramFlow(isa::Profile profile, const std::vector<uint64_t>& words)
    : profile_(profile), instructions_(decoded(profile, words)), flow_(instructions_, {}) {
  for (uint32_t i = 0; i < flow_.size(); ++i) goes_anywhere_ = goes_anywhere_ || flow_.goes_anywhere(i);
  for (const auto& insn : instructions_)
    if (insn)
      for (const Operand* o : {&insn->dest, &insn->left, &insn->right})
        if (o->kind == OperandKind::gpr_absolute) absolute_.insert(o->bank);
}

bool ProgramFlow::is_read(const Instruction& insn, const Asked& asked) const {
  switch (asked.state) {
    case State::codes: return isa::reads_codes(insn);
    case State::codes_but_z: {
      const isa::Condition tested = isa::effects(insn.id).condition;
      return isa::reads_codes(insn) && tested != isa::Condition::z && tested != isa::Condition::not_z;
    }
    case State::previous: return isa::reads_previous(profile_, insn);
    case State::previous_but_left: return isa::reads_previous(profile_, insn) && !reads_amount_alone(insn);
    case State::gpr:
      return insn.left == asked.gpr || insn.right == asked.gpr || (insn.dest == asked.gpr && partial_write(insn.id));
  }
  return true;
}

bool ProgramFlow::is_replaced(const Instruction& insn, const Asked& asked) const {
  switch (asked.state) {
    // After a swap codes and previous-ALU state are undefined; deferred slots still belong to the time before it.
    case State::codes:
    case State::codes_but_z: return isa::sets_codes(insn) || (isa::swaps(insn) && insn[Role::defer] == 0);
    case State::previous:
    case State::previous_but_left:
      return isa::info(insn.id).previous_alu || (isa::swaps(insn) && insn[Role::defer] == 0);
    case State::gpr:
      return insn.dest == asked.gpr && isa::info(insn.id).group == isa::Group::compute && !partial_write(insn.id);
  }
  return false;
}

bool ProgramFlow::live_behind(size_t address, const Asked& asked) const {
  const isa::Flow::Seen seen = flow_.walk_behind(static_cast<uint32_t>(address), [&](uint32_t at) {
    if (!instructions_[at] || is_read(*instructions_[at], asked)) return isa::Flow::Walk::end;
    return is_replaced(*instructions_[at], asked) ? isa::Flow::Walk::past : isa::Flow::Walk::on;
  });
  // A test may look at a register where a context has stopped.
  return seen.ended || seen.unknown || (seen.stop && asked.state == State::gpr);
}

bool ProgramFlow::writes_nothing_that_counts(size_t address, const Instruction& insn) const {
  if (!is_pure(insn)) return false;
  if (insn.dest.present() && (absolute_.contains(insn.dest.bank) || live_behind(address, {State::gpr, insn.dest})))
    return false;
  if (isa::sets_codes(insn) && live_behind(address, {State::codes, {}})) return false;
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

bool ProgramFlow::carry_is_clear(size_t address) const {
  if (goes_anywhere_) return false;
  std::set<uint32_t> known;
  std::vector<uint32_t> work{static_cast<uint32_t>(address)};
  while (!work.empty()) {
    const uint32_t at = work.back();
    work.pop_back();
    const auto before = flow_.previous(at);
    if (at == 0 || before.empty()) return false;  // control comes in from outside
    for (const uint32_t p : before) {
      if (!known.insert(p).second) continue;
      if (!instructions_[p] || flow_.leaves(p)) return false;
      const Instruction& insn = *instructions_[p];
      if (!isa::sets_codes(insn))
        work.push_back(p);
      else if (!clears_carry(insn))
        return false;
    }
  }
  return true;
}

/// Two operations of the same left source that are there for the amount of a shift.
bool ProgramFlow::gives_the_same_amount(size_t address, const Instruction& mutated) const {
  const Instruction& insn = *instructions_[address];
  return insn.id == InsnId::alu && mutated.id == InsnId::alu && insn.left == mutated.left && is_pure(insn) &&
         is_pure(mutated) && !insn.dest.present() && !mutated.dest.present() &&
         !live_behind(address, {State::codes, {}}) && !live_behind(address, {State::previous_but_left, {}});
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
  if (insn.id == mutated.id && isa::effects(insn.id).has(Role::value) && isa::effects(insn.id).pure &&
      insn.dest == mutated.dest && constant_of(insn) == constant_of(mutated))
    return "the constant is the same";
  if (gives_the_same_amount(address, mutated)) return "nothing but the left source is read, as the amount of a shift";
  if (has_op(insn, {AluOp::add}) && has_op(mutated, {AluOp::add_carry})) {
    Instruction other = insn;
    other[Role::op] = mutated[Role::op];
    if (other == mutated && carry_is_clear(address)) return "carry is clear here";
  }
  if (compares_alike(address, mutated)) return "only Z is read, and it says the same of both";
  const auto additions = {AluOp::add, AluOp::add8, AluOp::add16};
  if (has_op(insn, additions) && has_op(mutated, additions) && insn.right.kind == OperandKind::constant &&
      insn.right.value <= 0xff) {
    Instruction other = insn;
    other[Role::op] = mutated[Role::op];
    if (other == mutated) return "the right source has eight bits";
  }
  // The word after local_csr_rd takes the CSR's value only as an immed.
  const bool takes_csr = address > 0 && instructions_[address - 1] &&
                         isa::effects(instructions_[address - 1]->id).csr == isa::CsrUse::read;
  if (!takes_csr && writes_nothing_that_counts(address, insn) && writes_nothing_that_counts(address, mutated))
    return "nothing reads what it writes";
  return std::nullopt;
}

}  // namespace weft::workbench::testing
