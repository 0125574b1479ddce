// Words for tests of flow, by hand.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "support.h"

namespace weft::isa_test {

struct Little {
  std::vector<std::optional<Instruction>> words;
  Little(std::initializer_list<Instruction> list) : words(list.begin(), list.end()) {}
  operator std::span<const std::optional<Instruction>>() const { return words; }
};

inline Instruction nop() {
  Instruction insn;
  insn.id = InsnId::immed;
  return insn;
}
inline Instruction branch(InsnId id, uint32_t target, uint32_t defer = 0) {
  Instruction insn;
  insn.id = id;
  insn[Role::target] = target;
  insn[Role::defer] = defer;
  return insn;
}
inline Instruction br(uint32_t target, uint32_t defer = 0) { return branch(InsnId::br, target, defer); }
inline Instruction beq(uint32_t target, uint32_t defer = 0) { return branch(InsnId::beq, target, defer); }
inline Instruction rtn() { return branch(InsnId::rtn, 0); }
/// ctx_arb[signals of the mask]
inline Instruction arb(uint32_t signals, uint32_t defer = 0) {
  Instruction insn;
  insn.id = InsnId::ctx_arb;
  insn[Role::signals] = signals;
  insn[Role::defer] = defer;
  return insn;
}
inline Instruction arb_any(uint32_t signals) {
  Instruction insn = arb(signals);
  insn[Role::any] = 1;
  return insn;
}
inline Instruction kill() { return arb_any(0); }
inline Instruction halt() {
  Instruction insn = arb(0);
  insn[Role::breakpoint] = 1;
  return insn;
}
/// A command with `count` references on transfer register `first` of `kind`; signal 0 = none.
inline Instruction command(InsnId id, uint32_t first, uint32_t count, uint32_t signal, SignalMode mode,
                           OperandKind kind = OperandKind::xfer_s) {
  Instruction insn;
  insn.id = id;
  insn.xfer = op(kind, first);
  insn[Role::count] = count;
  insn[Role::signal] = signal;
  insn[Role::signal_mode] = static_cast<uint32_t>(mode);
  return insn;
}
/// alu[dest, --, B, source]
inline Instruction move(Operand dest, Operand source) {
  Instruction insn;
  insn.id = InsnId::alu;
  insn.dest = dest;
  insn.right = source;
  return insn;
}
inline Instruction csr(InsnId id, Csr which) {
  Instruction insn;
  insn.id = id;
  insn[Role::csr] = static_cast<uint32_t>(which);
  return insn;
}

}  // namespace weft::isa_test
