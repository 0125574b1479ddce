#include "allocator/spill_rewrite.h"

#include <algorithm>
#include <bit>

#include "flow/accesses.h"
#include "optimizer/optimizer.h"

namespace weft::assembler {
namespace {

using isa::Bank;
using isa::InsnId;
using isa::Operand;
using isa::OperandKind;
using isa::Role;

constexpr std::array<Role, 3> kRoles = {Role::dest, Role::left, Role::right};

/// `to = from`, whole, without touching the condition codes.
IrInsn quiet_move(const IrInsn& at) {
  IrInsn move;
  move.insn.id = InsnId::ld_field_w_clr;
  move.insn[Role::mask] = 0b1111;
  move.origin = at.origin;
  move.source_line = at.source_line;
  return move;
}

/// The same for offsets that ld_field does not reach; sets the codes.
IrInsn loud_move(const IrInsn& at) {
  IrInsn move = quiet_move(at);
  move.insn.id = InsnId::alu;
  move.insn[Role::mask] = 0;
  move.insn[Role::op] = static_cast<uint32_t>(isa::AluOp::b);
  return move;
}

VregId new_register(Program& program, std::string name, const Origin& declared) {
  Vreg v;
  v.name = std::move(name);
  v.used = true;
  v.declared = declared;
  program.vregs.push_back(std::move(v));
  return static_cast<VregId>(program.vregs.size() - 1);
}

bool restricted_reach(int slot) { return static_cast<unsigned>(slot) % kOffsets < kRestrictedOffsets; }

/// Sets the pointers of the running context. Nothing here touches the condition codes, so that code which falls into a
/// .reentry keeps them:
///   local_csr_rd[ACTIVE_CTX_STS]             context number in bits 2:0
///   immed[p, 0]
///   ld_field_w_clr[p, 1111, p, <<29]         only the number is left, at the top
///   immed_w0[p, base >> below]               the base joins at the bottom, so that one rotation puts
///   ld_field_w_clr[p, 1111, p, >>rotR]       base and number side by side: base | number << step
///   local_csr_wr[ACTIVE_LM_ADDR_n, p]        and instructions until it holds
std::vector<IrInsn> prologue(Program& program, const SpillArea& area, const IrInsn& at) {
  std::vector<IrInsn> out;
  const auto add = [&](InsnId id) -> IrInsn& {
    IrInsn insn;
    insn.insn.id = id;
    insn.origin = at.origin;
    insn.source_line = at.source_line;
    out.push_back(std::move(insn));
    return out.back();
  };
  const auto shifted = [&](VregId to, VregId from, isa::ShiftKind kind, uint32_t amount) {
    IrInsn& insn = add(InsnId::ld_field_w_clr);
    insn.insn[Role::mask] = 0b1111;
    insn.insn[Role::shift] = static_cast<uint32_t>(kind);
    insn.insn[Role::amount] = amount;
    insn.vreg[static_cast<size_t>(Role::dest)] = to;
    insn.vreg[static_cast<size_t>(Role::right)] = from;
  };
  // Four contexts are 0, 2, 4 and 6: the step of two contexts is that of one area.
  const unsigned area_log = 2 + static_cast<unsigned>(std::countr_zero(area.words));
  const unsigned step = program.contexts == 4 ? area_log - 1 : area_log;
  const unsigned rotate = 29 - step;  // number << 29 becomes number << step
  const unsigned below = step + 3;    // bits of the base below this are 0
  for (size_t k = 0; k < area.pointers.size(); ++k) {
    const VregId number = new_register(program, "spill'", at.origin);
    const VregId pointer = new_register(program, "spill'", at.origin);
    add(InsnId::local_csr_rd).insn[Role::csr] = static_cast<uint32_t>(isa::Csr::active_ctx_sts);
    add(InsnId::immed).vreg[static_cast<size_t>(Role::dest)] = number;
    shifted(pointer, number, isa::ShiftKind::left, 29);
    if (area.base[k] != 0) {
      IrInsn& base = add(InsnId::immed_w0);
      base.vreg[static_cast<size_t>(Role::dest)] = pointer;
      base.insn[Role::value] = area.base[k] >> below;
    }
    const VregId result = new_register(program, "spill'", at.origin);
    shifted(result, pointer, isa::ShiftKind::rotate_right, rotate);
    IrInsn& write = add(InsnId::local_csr_wr);
    write.insn[Role::csr] =
        static_cast<uint32_t>(area.pointers[k] == 0 ? isa::Csr::active_lm_addr_0 : isa::Csr::active_lm_addr_1);
    write.vreg[static_cast<size_t>(Role::left)] = result;
  }
  for (unsigned nop = isa::hazards(program.profile, out.back().insn).items[0].cycles; nop > 0; --nop)
    add(InsnId::immed);
  return out;
}

}  // namespace

isa::Operand spill_operand(int slot, const std::vector<unsigned>& pointers) {
  const auto s = static_cast<unsigned>(slot);
  return {pointers[s / kOffsets] == 0 ? OperandKind::local_mem0 : OperandKind::local_mem1, Bank::none, isa::Post::none,
          s % kOffsets};
}

SpillRewriter::SpillRewriter(const Program& program, const Flow& flow, const Liveness& liveness)
    : program_(program),
      flow_(flow),
      rules_(program, flow, {}),
      layout_(layout_matters(program)),
      webs_of_(program.insns.size(), {-1, -1, -1}),
      keeps_(program.insns.size(), false) {
  for (const Access& a : liveness.accesses) {
    if (a.slot == Slot::dest) {
      webs_of_[a.insn][0] = a.web;
      keeps_[a.insn] = a.use;
    }
    if (a.slot == Slot::left) webs_of_[a.insn][1] = a.web;
    if (a.slot == Slot::right) webs_of_[a.insn][2] = a.web;
  }
}

/// A move may stand before the instruction.
bool SpillRewriter::room_before(uint32_t i) const {
  if (layout_ || flow_.shadow_of(i) >= 0 || rules_.reads_previous(i)) return false;
  if (rules_.previous_live_after(i) && !rules_.sets_previous(i)) return false;
  for (uint32_t p : flow_.previous(i)) {
    if (isa::effects(program_.insns[p].insn.id).csr == isa::CsrUse::read)
      return false;  // its value goes to the next word
  }
  return !isa::effects(program_.insns[i].insn.id).behind;
}

bool SpillRewriter::room_behind(uint32_t i) const {
  const Transfer t = transfer_of(program_.insns[i]);
  if (layout_ || flow_.shadow_of(i) >= 0 || t.jumps || t.swaps || !t.falls_through || rules_.previous_live_after(i))
    return false;
  return !isa::effects(program_.insns[i].insn.id).before;
}

bool SpillRewriter::codes_live_before(uint32_t i) const {
  return rules_.reads_codes(i) || (rules_.codes_live_after(i) && !rules_.sets_codes(i));
}

std::string SpillRewriter::prologue_obstacle(uint32_t i) const {
  if (i >= program_.insns.size()) return "";
  if (flow_.shadow_of(i) >= 0) return "it stands in a deferred slot";
  if (rules_.reads_previous(i) || (rules_.previous_live_after(i) && !rules_.sets_previous(i))) {
    return "what comes there takes the result of the instruction before it";
  }
  for (uint32_t p : flow_.previous(i)) {
    if (isa::effects(program_.insns[p].insn.id).csr == isa::CsrUse::read)
      return "the instruction there takes the value of local_csr_rd";
  }
  if (i != 0 && layout_) return "distances between words mean something in this program";
  return "";
}

/// The instruction with some register in every place that will have one, to ask the encoding what it takes.
isa::Instruction SpillRewriter::mock(uint32_t i) const {
  const IrInsn& ir = program_.insns[i];
  isa::Instruction insn = ir.insn;
  const bool field = isa::effects(insn.id).pairs_dest;
  for (const Role role : {Role::dest, Role::left, Role::right, Role::xfer}) {
    const auto r = static_cast<size_t>(role);
    if (ir.late[r]) insn.operand(role) = {OperandKind::constant, Bank::none, isa::Post::none, 1};
    if (ir.vreg[r] < 0) continue;
    const Bank bank = role == Role::left || (role == Role::dest && field) ? Bank::a : Bank::b;
    switch (program_.vregs[static_cast<size_t>(ir.vreg[r])].cls) {
      case VregClass::gpr: insn.operand(role) = {OperandKind::gpr, bank, isa::Post::none, 0}; break;
      case VregClass::gpr_absolute: insn.operand(role) = {OperandKind::gpr_absolute, bank, isa::Post::none, 0}; break;
      case VregClass::xfer_s: insn.operand(role) = {OperandKind::xfer_s, Bank::none, isa::Post::none, 0}; break;
      case VregClass::xfer_d: insn.operand(role) = {OperandKind::xfer_d, Bank::none, isa::Post::none, 0}; break;
      case VregClass::neighbor: insn.operand(role) = {OperandKind::neighbor, Bank::none, isa::Post::none, 0}; break;
    }
  }
  if (ir.signal) insn[Role::signal] = 2;
  return insn;
}

std::optional<InsnPlan> SpillRewriter::plan(uint32_t i, const Slots& slots,
                                            const std::vector<unsigned>& pointers) const {
  const isa::Instruction base = mock(i);
  std::array<int, 3> slot{-1, -1, -1};
  unsigned spilled = 0;
  for (size_t r = 0; r < 3; ++r) {
    if (webs_of_[i][r] >= 0) slot[r] = slots[static_cast<size_t>(webs_of_[i][r])];
    if (slot[r] >= 0) ++spilled;
  }
  if (spilled == 0) return InsnPlan{};
  const bool before = room_before(i), behind = room_behind(i);
  const bool codes_before = codes_live_before(i), codes_after = rules_.codes_live_after(i);
  std::optional<InsnPlan> best;
  for (unsigned choice = 0; choice < 8; ++choice) {
    InsnPlan plan;
    isa::Instruction insn = base;
    bool good = true;
    for (size_t r = 0; r < 3 && good; ++r) {
      const bool through = (choice >> r & 1) != 0;
      if (slot[r] < 0) {
        good = !through;
        continue;
      }
      if (!through) {
        insn.operand(kRoles[r]) = spill_operand(slot[r], pointers);
        continue;
      }
      plan.through[r] = true;
      const bool reach = restricted_reach(slot[r]);
      if (r != 0 || keeps_[i]) {
        good = before && (reach || !codes_before);
        ++plan.words;
      }
      if (r == 0) {
        good = good && behind && (reach || !codes_after);
        ++plan.words;
      }
    }
    if (!good || (best && best->words <= plan.words)) continue;
    if (isa::encode(program_.profile, insn)) best = plan;
  }
  return best;
}

SpillRewriter::Result SpillRewriter::rewrite(const Slots& slots, const SpillArea& area) const {
  Result result;
  Program& out = result.program;
  out = program_;
  out.insns.clear();
  const auto size = static_cast<uint32_t>(program_.insns.size());
  std::vector<uint32_t> start(size + 1, 0);  // where the words of an old instruction begin
  const auto put = [&](IrInsn insn, int32_t old) {
    out.insns.push_back(std::move(insn));
    result.old_index.push_back(old);
  };
  const auto set_pointers = [&](uint32_t i) {
    for (IrInsn& insn : prologue(out, area, program_.insns[i])) {
      put(std::move(insn), -1);
      ++result.prologue;
    }
  };
  const bool start_is_entry = std::find(program_.reentry.begin(), program_.reentry.end(), 0u) != program_.reentry.end();
  for (uint32_t i = 0; i < size; ++i) {
    if (i == 0 && !start_is_entry) set_pointers(0);
    start[i] = static_cast<uint32_t>(out.insns.size());
    if (std::find(program_.reentry.begin(), program_.reentry.end(), i) != program_.reentry.end()) set_pointers(i);
    IrInsn insn = program_.insns[i];
    const InsnPlan how = plan(i, slots, area.pointers).value_or(InsnPlan{});
    std::vector<IrInsn> behind;
    for (size_t r = 0; r < 3; ++r) {
      const int32_t web = webs_of_[i][r];
      if (web < 0 || slots[static_cast<size_t>(web)] < 0) continue;
      const int slot = slots[static_cast<size_t>(web)];
      const auto role = static_cast<size_t>(kRoles[r]);
      const Operand place = spill_operand(slot, area.pointers);
      const VregId name = insn.vreg[role];
      if (!how.through[r]) {
        insn.vreg[role] = -1;
        insn.insn.operand(kRoles[r]) = place;
        continue;
      }
      insn.vreg[role] = new_register(out, program_.vregs[static_cast<size_t>(name)].name + "'", insn.origin);
      const auto move = [&] { return restricted_reach(slot) ? quiet_move(insn) : loud_move(insn); };
      if (r != 0 || keeps_[i]) {
        IrInsn load = move();
        load.vreg[static_cast<size_t>(Role::dest)] = insn.vreg[role];
        load.insn.right = place;
        put(std::move(load), -1);
        ++result.moves;
      }
      if (r == 0) {
        IrInsn store = move();
        store.vreg[static_cast<size_t>(Role::right)] = insn.vreg[role];
        store.insn.dest = place;
        behind.push_back(std::move(store));
        ++result.moves;
      }
    }
    put(std::move(insn), static_cast<int32_t>(i));
    for (IrInsn& store : behind) put(std::move(store), -1);
  }
  start[size] = static_cast<uint32_t>(out.insns.size());
  const auto moved = [&](uint32_t index) { return index <= size ? start[index] : index; };
  for (Label& label : out.labels) label.index = moved(label.index);
  for (Hint& hint : out.hints) hint.index = moved(hint.index);
  for (size_t v = 0; v < program_.vregs.size(); ++v) {
    Vreg& r = out.vregs[v];
    // What has its value before the first word must keep it through the prologue.
    const bool from_start = r.scope_begin == 0 && (r.initial || r.is_volatile);
    r.scope_begin = from_start ? 0 : moved(r.scope_begin);
    r.scope_end = moved(r.scope_end);
  }
  for (Signal& s : out.signals)
    s.scope_begin = s.scope_begin == 0 ? 0 : moved(s.scope_begin), s.scope_end = moved(s.scope_end);
  for (Subroutine& s : out.subroutines) s.begin = moved(s.begin), s.end = moved(s.end);
  for (uint32_t& r : out.reentry) r = moved(r);
  for (image::Mark& m : out.marks) m.address = moved(m.address);
  for (auto& [index, word] : out.raw_words) index = moved(index);
  return result;
}

}  // namespace weft::assembler
