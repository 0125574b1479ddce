#include "observers/engine_signals.h"

#include "weft/isa/effects.h"

namespace weft::emulator {

using isa::OperandKind;
using isa::State;

namespace {

constexpr isa::States kSignals =
    isa::states(State::signal_same) | isa::states(State::signal_next) | isa::states(State::signal_previous);

isa::States raised_by(const Machine& machine, const isa::Instruction& insn) {
  if (isa::effects(insn.id).csr != isa::CsrUse::write) return {};
  return isa::csr_effects(machine.timing().profile, static_cast<uint16_t>(insn[isa::Role::csr])).holds & kSignals;
}

}  // namespace

std::optional<uint32_t> operand_value(const EngineState& s, unsigned context, const isa::Operand& operand) {
  const unsigned relative = (16 * context + operand.value) & 127;
  switch (operand.kind) {
    case OperandKind::constant: return operand.value;
    case OperandKind::gpr: return operand.bank == isa::Bank::b ? s.b[relative] : s.a[relative];
    case OperandKind::gpr_absolute: return (operand.bank == isa::Bank::b ? s.b : s.a)[operand.value & 127];
    case OperandKind::xfer_s: return s.s_in[relative];
    case OperandKind::xfer_d: return s.d_in[relative];
    default: return std::nullopt;
  }
}

bool may_send_signal(const Machine& machine, const isa::Instruction& insn) { return raised_by(machine, insn) != 0; }

std::optional<EngineSignal> engine_signal(const Machine& machine, ContextRef who, const isa::Instruction& insn) {
  const isa::States raises = raised_by(machine, insn);
  const EngineState& state = machine.state(who.engine);
  const auto value = raises != 0 ? operand_value(state, who.context, insn.left) : std::nullopt;
  if (!value) return std::nullopt;
  const auto to = [&](State where) { return (raises & isa::states(where)) != 0 ? 1 : 0; };
  EngineSignal out;
  out.number = static_cast<uint8_t>(*value >> 3 & 15);
  out.engine = who.engine + to(State::signal_next) - to(State::signal_previous);
  const unsigned step = out.engine == who.engine && state.four_contexts() ? 2 : 1;
  out.context = static_cast<uint8_t>((*value >> 7 & 1) != 0 ? (who.context + step) & 7u : *value & 7u);
  return out;
}

}  // namespace weft::emulator
