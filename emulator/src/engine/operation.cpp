#include "engine/operation.h"

#include <algorithm>
#include <bit>

#include "engine/execute.h"
#include "weft/emulator/lost_cycles.h"

namespace weft::emulator {
namespace {

using isa::Bank;
using isa::OperandKind;
using isa::Role;

SourceRef source_ref(const isa::Operand& operand) {
  const auto value = static_cast<uint8_t>(operand.value);
  const bool b = operand.bank == Bank::b;
  switch (operand.kind) {
    case OperandKind::absent: return {};
    case OperandKind::constant: return {Source::constant, value};
    case OperandKind::gpr: return {b ? Source::gpr_b : Source::gpr_a, value};
    case OperandKind::gpr_absolute: return {b ? Source::gpr_b_absolute : Source::gpr_a_absolute, value};
    case OperandKind::xfer_s: return {Source::xfer_s, value};
    case OperandKind::xfer_d: return {Source::xfer_d, value};
    case OperandKind::xfer_s_index: return {Source::xfer_s_index, 0};
    case OperandKind::xfer_d_index: return {Source::xfer_d_index, 0};
    case OperandKind::neighbor: return {Source::neighbor, value};
    case OperandKind::neighbor_index: return {Source::neighbor_index, 0};
    case OperandKind::local_mem0: return {Source::local_mem0, value};
    case OperandKind::local_mem1: return {Source::local_mem1, value};
  }
  return {};
}

DestRef dest_ref(const isa::Operand& operand) {
  const auto value = static_cast<uint8_t>(operand.value);
  const bool b = operand.bank == Bank::b;
  switch (operand.kind) {
    case OperandKind::absent:
    case OperandKind::constant: return {};
    case OperandKind::gpr: return {b ? Dest::gpr_b : Dest::gpr_a, value};
    case OperandKind::gpr_absolute: return {b ? Dest::gpr_b_absolute : Dest::gpr_a_absolute, value};
    case OperandKind::xfer_s: return {Dest::xfer_s, value};
    case OperandKind::xfer_d: return {Dest::xfer_d, value};
    case OperandKind::xfer_s_index: return {Dest::xfer_s_index, 0};
    case OperandKind::xfer_d_index: return {Dest::xfer_d_index, 0};
    case OperandKind::neighbor: return {Dest::neighbor, value};
    case OperandKind::neighbor_index: return {Dest::neighbor_put, 0};
    case OperandKind::local_mem0: return {Dest::local_mem0, value};
    case OperandKind::local_mem1: return {Dest::local_mem1, value};
  }
  return {};
}

void add_post(PostModify& post, const isa::Operand& operand, bool is_source) {
  if (operand.post == isa::Post::none) return;
  const int8_t step = operand.post == isa::Post::increment ? 1 : -1;
  switch (operand.kind) {
    case OperandKind::xfer_s_index:
    case OperandKind::xfer_d_index: post.t_index = step; break;
    case OperandKind::local_mem0: post.lm0 = step; break;
    case OperandKind::local_mem1: post.lm1 = step; break;
    case OperandKind::neighbor_index: post.nn_get |= is_source; break;  // a put moves its pointer itself
    default: return;
  }
  post.any = true;
}

uint32_t byte_mask(uint32_t bits) {
  uint32_t mask = 0;
  for (unsigned byte = 0; byte < 4; ++byte)
    if (bits >> byte & 1) mask |= uint32_t{0xff} << (8 * byte);
  return mask;
}

/// The constant that an immed writes, and the bits of the destination that it, or a field, replaces.
void resolve_immed(Operation& o, const isa::Instruction& insn) {
  const isa::Effects& effects = isa::effects(insn.id);
  const uint32_t bytes = effects.has(Role::mask) ? insn[Role::mask] : isa::bytes_written(insn);
  o.mask = byte_mask(bytes);
  o.value = insn[Role::value];
  if (bytes == isa::kAllBytes) {
    o.value <<= insn[Role::amount];
    if (insn[Role::invert]) o.value = ~o.value;
  } else if (bytes != 0) {
    o.value <<= 8 * std::countr_zero(bytes);
  }
}

void resolve_crc_bytes(Operation& o, uint32_t bytes) {
  constexpr uint8_t first[] = {0, 1, 2, 3, 0, 0, 0}, last[] = {3, 3, 3, 3, 2, 1, 0};
  o.crc_first = bytes < 7 ? first[bytes] : 0;
  o.crc_last = bytes < 7 ? last[bytes] : 3;
}

void resolve_arbitration(Operation& o, const isa::Instruction& insn) {
  const uint32_t signals = insn[Role::signals] & 0xffff;
  const bool any = insn[Role::any] != 0;
  o.current_mask = insn[Role::current_mask] != 0;
  o.leaves = Shadow::Kind::sleep;
  if (any && signals == 0 && !o.current_mask) o.leaves = Shadow::Kind::kill;
  if (insn[Role::breakpoint]) o.leaves = Shadow::Kind::breakpoint;
  o.has_target = insn[Role::has_target] != 0;
  o.wakeup = signals | (any ? ContextRecord::kAnySignal : 0);
}

void resolve_command(Operation& o, const isa::Instruction& insn, const isa::InsnInfo& info) {
  Command& c = o.command;
  c.op = o.id;
  c.unit = o.unit;
  c.count = static_cast<uint8_t>(insn[Role::count]);
  c.has_xfer = insn.xfer.present();
  c.xfer = static_cast<uint8_t>(insn.xfer.value);
  c.xfer_d = insn.xfer.kind == OperandKind::xfer_d;
  c.signal = o.number;
  c.indirect = insn[Role::indirect] != 0;
  c.csr = o.csr;
  c.queue = static_cast<isa::MemoryQueue>(insn[Role::queue]);
  c.list = static_cast<uint8_t>(insn[Role::list]);
  c.data = insn[Role::data];
  o.data_is_register = o.id == isa::InsnId::cap_fast_wr_alu || o.id == isa::InsnId::fast_wr;
  o.wakeup = (info.signal == isa::SignalUse::doubled ? 3u : 1u) << o.number;
}

/// Profile me1 counts longwords, and quadwords in SDRAM and the FIFOs.
uint8_t address_shift(isa::Profile profile, const isa::InsnInfo& info) {
  if (profile != isa::Profile::me1 || info.group != isa::Group::command) return 0;
  return info.unit == isa::Unit::dram || info.unit == isa::Unit::msf ? 3 : 2;
}

uint8_t first_number(const isa::Instruction& insn) {
  for (Role role : {Role::context, Role::signal, Role::state})
    if (insn[role]) return static_cast<uint8_t>(insn[role]);
  return static_cast<uint8_t>((insn[Role::bit] | 8 * insn[Role::byte]) & 31);
}

}  // namespace

Operation decode_operation(uint64_t word, const EngineTiming& timing) {
  Operation o;
  const auto insn = isa::decode(timing.profile, word);
  if (!insn) {
    o.execute = execute_function(o);
    return o;
  }
  const isa::InsnInfo& info = isa::info(insn->id);
  o.decodable = true;
  o.id = insn->id;
  o.unit = info.unit;
  o.op = static_cast<isa::AluOp>((*insn)[Role::op]);
  o.left = source_ref(insn->left);
  o.right = source_ref(insn->right);
  o.dest = dest_ref(insn->dest);
  o.dest_old = source_ref(insn->dest);
  // The word of me2 has no code for "no left operand" in slot A: it names register 0, which an indirect shift after it
  // sees (C2).
  const bool takes_right_only = o.op == isa::AluOp::b || o.op == isa::AluOp::not_b;
  const bool is_alu = o.id == isa::InsnId::alu || o.id == isa::InsnId::alu_shf;
  if (timing.profile == isa::Profile::me2 && is_alu && takes_right_only && !insn->left.present()) {
    const bool right_in_a = insn->right.is_gpr() && insn->right.bank == Bank::a;
    o.left = {right_in_a ? Source::gpr_b : Source::gpr_a, 0};
  }
  // A destination that is read as well is read on the side that its name has as a source.
  add_post(o.post, insn->left, true);
  add_post(o.post, insn->right, true);
  add_post(o.post, insn->dest, false);

  o.shift = static_cast<isa::ShiftKind>((*insn)[Role::shift]);
  o.amount = (*insn)[Role::amount] & 31;
  o.execute = execute_function(o);
  o.defer = static_cast<uint8_t>((*insn)[Role::defer]);
  const isa::Cost cost = isa::cost_of(*insn, lost_cycles(timing));
  o.aborts = static_cast<uint8_t>(cost.taken);
  o.mispredict_aborts = static_cast<uint8_t>(cost.not_taken);
  o.guess = (*insn)[Role::guess] != 0;
  o.number = first_number(*insn);
  o.load_cc = (*insn)[Role::load_cc] != 0;
  o.signal_mode = static_cast<isa::SignalMode>((*insn)[Role::signal_mode]);
  o.target = static_cast<uint16_t>((*insn)[Role::target]);
  o.csr = static_cast<uint16_t>((*insn)[Role::csr]);
  if (info.group == isa::Group::csr) {
    const isa::CsrEffects& effects = isa::csr_effects(timing.profile, o.csr);
    o.csr_latency = effects.visible_after;
    o.csr_is_private = effects.is_private;
    const isa::CsrInfo* csr = isa::find_csr(timing.profile, o.csr);
    o.csr_writable = csr != nullptr && csr->writable;
  }
  resolve_immed(o, *insn);
  o.address_shift = address_shift(timing.profile, info);
  resolve_arbitration(o, *insn);
  if (info.group == isa::Group::command) resolve_command(o, *insn, info);
  o.lm_select = static_cast<uint8_t>((*insn)[Role::lm_select]);
  o.lm_constant = static_cast<uint8_t>((*insn)[Role::lm_constant]);
  o.cam_state = static_cast<uint8_t>((*insn)[Role::cam_state]);
  o.crc_type = static_cast<isa::CrcType>((*insn)[Role::crc_type]);
  resolve_crc_bytes(o, (*insn)[Role::crc_bytes]);
  o.bit_swap = (*insn)[Role::bit_swap] != 0;
  o.mul_size = static_cast<isa::MulSize>((*insn)[Role::mul_size]);
  o.mul_step = static_cast<isa::MulStep>((*insn)[Role::mul_step]);
  return o;
}

}  // namespace weft::emulator
