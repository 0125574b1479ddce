#include "engine/operation.h"

#include <algorithm>

#include "engine/execute.h"

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

unsigned cycle_cost(isa::CycleClass cycles, const EngineTiming& timing) {
  switch (cycles) {
    case isa::CycleClass::single: return 0;
    case isa::CycleClass::branch: return timing.abort_branch;
    case isa::CycleClass::branch_cc: return timing.abort_branch_cc;
    case isa::CycleClass::branch_test: return timing.abort_branch_test;
    case isa::CycleClass::swap:
    case isa::CycleClass::command: return timing.abort_swap;
  }
  return 0;
}

/// The constant that an immed writes, and the bits of the destination that it replaces.
void resolve_immed(Operation& o, const isa::Instruction& insn) {
  using isa::InsnId;
  const uint32_t value = insn[Role::value];
  switch (insn.id) {
    case InsnId::immed:
      o.value = value << insn[Role::amount];
      if (insn[Role::invert]) o.value = ~o.value;
      o.mask = ~uint32_t{0};
      return;
    case InsnId::immed_b0:
      o.mask = 0x000000ff;
      o.value = value;
      return;
    case InsnId::immed_b1:
      o.mask = 0x0000ff00;
      o.value = value << 8;
      return;
    case InsnId::immed_b2:
      o.mask = 0x00ff0000;
      o.value = value << 16;
      return;
    case InsnId::immed_b3:
      o.mask = 0xff000000;
      o.value = value << 24;
      return;
    case InsnId::immed_w0:
      o.mask = 0x0000ffff;
      o.value = value;
      return;
    case InsnId::immed_w1:
      o.mask = 0xffff0000;
      o.value = value << 16;
      return;
    default:
      o.value = value;
      o.mask = byte_mask(insn[Role::mask]);
      return;
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
  o.halt = insn[Role::breakpoint] != 0;
  o.current_mask = insn[Role::current_mask] != 0;
  o.kill = any && signals == 0 && !o.halt && !o.current_mask;
  o.has_target = insn[Role::has_target] != 0;
  o.wakeup = signals | uint32_t{any} << 16;
}

/// Profile me1 counts longwords, and quadwords in SDRAM and the FIFOs.
uint8_t address_shift(isa::Profile profile, const isa::InsnInfo& info) {
  if (profile != isa::Profile::me1 || info.group != isa::Group::command) return 0;
  return info.unit == isa::Unit::dram || info.unit == isa::Unit::msf ? 3 : 2;
}

uint8_t first_number(const isa::Instruction& insn) {
  for (Role role : {Role::context, Role::signal, Role::state, Role::bit, Role::byte})
    if (insn[role]) return static_cast<uint8_t>(insn[role]);
  return 0;
}

}  // namespace

Operation decode_operation(uint64_t word, const EngineTiming& timing) {
  Operation o;
  const auto insn = isa::decode(timing.profile, word);
  if (!insn) {
    o.execute = &execute_undecodable;
    return o;
  }
  const isa::InsnInfo& info = isa::info(insn->id);
  o.decodable = true;
  o.id = insn->id;
  o.unit = info.unit;
  o.op = static_cast<isa::AluOp>((*insn)[Role::op]);
  o.execute = execute_function(o.id, o.op);
  o.left = source_ref(insn->left);
  o.right = source_ref(insn->right);
  o.dest = dest_ref(insn->dest);
  o.dest_old = source_ref(insn->dest);
  // The word of me2 has no code for "no left operand" in slot A: it names register 0, which an indirect shift behind it
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
  o.amount = static_cast<uint8_t>((*insn)[Role::amount]);
  o.defer = static_cast<uint8_t>((*insn)[Role::defer]);
  const unsigned cost = cycle_cost(info.cycles, timing);
  const auto not_filled = [&o](unsigned slots) { return static_cast<uint8_t>(slots > o.defer ? slots - o.defer : 0); };
  o.aborts = not_filled(cost);
  o.guess = (*insn)[Role::guess] != 0;
  if (o.guess) {
    o.aborts = not_filled(std::min(cost, timing.abort_branch));
    o.wrong_guess = not_filled(cost);
  }
  o.number = first_number(*insn);
  o.count = static_cast<uint8_t>((*insn)[Role::count]);
  o.has_xfer = insn->xfer.present();
  o.xfer = static_cast<uint8_t>(insn->xfer.value);
  o.xfer_d = insn->xfer.kind == OperandKind::xfer_d;
  o.load_cc = (*insn)[Role::load_cc] != 0;
  o.doubled = info.signal == isa::SignalUse::doubled;
  o.indirect = (*insn)[Role::indirect] != 0;
  o.signal_mode = static_cast<isa::SignalMode>((*insn)[Role::signal_mode]);
  o.target = static_cast<uint16_t>((*insn)[Role::target]);
  o.csr = static_cast<uint16_t>((*insn)[Role::csr]);
  if (info.group == isa::Group::csr) {
    if (const isa::CsrInfo* csr = isa::find_csr(timing.profile, o.csr)) {
      o.csr_latency = csr_latency(*csr);
      o.csr_writable = csr->writable;
    }
  }
  resolve_immed(o, *insn);
  if (info.group == isa::Group::command) o.value = (*insn)[Role::data];
  o.address_shift = address_shift(timing.profile, info);
  o.queue = static_cast<isa::MemoryQueue>((*insn)[Role::queue]);
  o.list = static_cast<uint8_t>((*insn)[Role::list]);
  resolve_arbitration(o, *insn);
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
