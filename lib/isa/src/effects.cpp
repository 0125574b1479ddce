// Effects of instructions: the generated table, and what a word's own roles add to it.
#include "weft/isa/effects.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace weft::isa {
namespace {

struct CsrEffectsFile {
  Profile profile;
  std::span<const CsrEffects> csrs;  ///< by offset
};

#include "effects.inc"

constexpr CsrEffects kUnknownCsr{};

/// By offset / 4. It is asked at each access.
constexpr auto by_offset(const CsrEffectsFile& file) {
  std::array<const CsrEffects*, 128> out{};
  out.fill(&kUnknownCsr);
  for (const CsrEffects& csr : file.csrs) out.at(csr.offset / 4) = &csr;
  return out;
}
constexpr auto kCsrsByOffset = [] {
  std::array<std::array<const CsrEffects*, 128>, std::size(kCsrEffectsFiles)> out{};
  for (const CsrEffectsFile& file : kCsrEffectsFiles) out.at(static_cast<size_t>(file.profile)) = by_offset(file);
  return out;
}();

bool indirect_shift(const Instruction& insn) {
  const auto kind = static_cast<ShiftKind>(insn[Role::shift]);
  return kind == ShiftKind::left_indirect || kind == ShiftKind::right_indirect;
}

}  // namespace

const Effects& effects(InsnId id) { return kEffects[static_cast<size_t>(id)]; }

unsigned longest_latency() { return kLongestLatency; }

const CsrEffects& csr_effects(Profile profile, uint32_t offset) {
  const auto& csrs = kCsrsByOffset[static_cast<size_t>(profile)];
  return offset % 4 == 0 && offset / 4 < csrs.size() ? *csrs[offset / 4] : kUnknownCsr;
}

const AluOpInfo& alu_op_info(AluOp op) {
  const auto found = std::find_if(std::begin(kAluOpInfo), std::end(kAluOpInfo),
                                  [&](const AluOpInfo& known) { return known.op == op; });
  return found != std::end(kAluOpInfo) ? *found : kAluOpInfo[0];
}

uint8_t bytes_written(const Instruction& insn) {
  const uint8_t bytes = effects(insn.id).bytes;
  return bytes == kBytesByMask ? static_cast<uint8_t>(insn[Role::mask] & kAllBytes) : bytes;
}

bool sets_codes(const Instruction& insn) {
  return info(insn.id).sets_cc && (!effects(insn.id).cc_by_token || insn[Role::load_cc] != 0);
}

bool reads_codes(const Instruction& insn) {
  if (!info(insn.id).reads_cc) return false;
  return !effects(insn.id).has(Role::op) || alu_op_info(static_cast<AluOp>(insn[Role::op])).reads_carry;
}

bool reads_previous(Profile profile, const Instruction& insn) {
  return (states_used(profile, insn) & states(State::previous)) != 0;
}

bool holds_shift_amount(const Instruction& insn) {
  return effects(insn.id).has(Role::op) && alu_op_info(static_cast<AluOp>(insn[Role::op])).logical;
}

bool swaps(const Instruction& insn) {
  switch (info(insn.id).cycles) {
    case CycleClass::swap: return true;
    case CycleClass::command: return insn[Role::signal_mode] == static_cast<uint32_t>(SignalMode::ctx_swap);
    default: return false;
  }
}

std::optional<InsnId> opposite(InsnId id) {
  const Condition condition = effects(id).condition;
  if (condition == Condition::none || condition == Condition::always) return std::nullopt;
  for (const InsnInfo& other : all_instructions())
    if (static_cast<unsigned>(effects(other.id).condition) == (static_cast<unsigned>(condition) ^ 1u)) return other.id;
  return std::nullopt;
}

States states_used(Profile profile, const Instruction& insn) {
  const Effects& e = effects(insn.id);
  States used = e.reads;
  if (insn[Role::indirect] != 0 || indirect_shift(insn)) used |= states(State::previous);
  for (const Operand* o : {&insn.dest, &insn.left, &insn.right, &insn.xfer}) {
    switch (o->kind) {
      case OperandKind::local_mem0: used |= states(State::lm_addr_0); break;
      case OperandKind::local_mem1: used |= states(State::lm_addr_1); break;
      case OperandKind::xfer_s_index:
      case OperandKind::xfer_d_index: used |= states(State::t_index); break;
      case OperandKind::neighbor_index: used |= states(o == &insn.dest ? State::nn_put : State::nn_get); break;
      default: break;
    }
  }
  if (e.csr == CsrUse::read) {
    const CsrEffects& csr = csr_effects(profile, insn[Role::csr]);
    if (!csr.indirect) used |= csr.holds;
  }
  return used;
}

Hazards hazards(Profile profile, const Instruction& insn) {
  Hazards out;
  for (Hazard h : effects(insn.id).late) {
    if (h.what == State::lm_selected) {
      if (insn[Role::lm_select] == 0) continue;
      h.what = insn[Role::lm_select] == 1 ? State::lm_addr_0 : State::lm_addr_1;
    }
    out.items[out.count++] = h;
  }
  if (effects(insn.id).csr != CsrUse::write) return out;
  const CsrEffects& csr = csr_effects(profile, insn[Role::csr]);
  for (unsigned s = 0; csr.holds >> s != 0 && out.count < out.items.size(); ++s)
    if (csr.holds >> s & 1 && !csr.indirect) out.items[out.count++] = {static_cast<State>(s), csr.visible_after};
  return out;
}

uint16_t signals_of(Profile profile, const Instruction& insn) {
  if (!is_command(insn)) return 0;
  if (const uint32_t event = unit_signal(profile, insn.id); event != 0) {
    const bool raises = insn[Role::signal_mode] != static_cast<uint32_t>(SignalMode::none);
    return static_cast<uint16_t>(raises ? 1u << event : 0u);
  }
  const uint32_t signal = insn[Role::signal];
  if (signal == 0) return 0;
  return static_cast<uint16_t>((info(insn.id).signal == SignalUse::doubled ? 3u : 1u) << signal);
}

bool asks_for(Profile profile, const Instruction& insn, uint16_t mask) {
  const Effects& e = effects(insn.id);
  if (info(insn.id).cycles == CycleClass::swap)
    return insn[Role::current_mask] != 0 || (insn[Role::signals] & mask) != 0;
  if (e.condition == Condition::signal || e.condition == Condition::not_signal)
    return (mask >> (insn[Role::signal] & 15) & 1) != 0;
  return e.csr != CsrUse::none && (csr_effects(profile, insn[Role::csr]).holds & states(State::signals)) != 0;
}

bool waits_for(const Instruction& insn, uint16_t mask) {
  return info(insn.id).cycles == CycleClass::swap && mask != 0 && (insn[Role::signals] & mask) == mask &&
         insn[Role::any] == 0 && insn[Role::breakpoint] == 0 && insn[Role::current_mask] == 0;
}

unsigned longwords_moved(InsnId id, unsigned count, bool has_xfer) {
  const Effects& e = effects(id);
  const unsigned each = e.buffer_longwords != 0 ? e.buffer_longwords : has_xfer ? info(id).longwords_per_count : 0u;
  return std::min<unsigned>(e.max_longwords, std::max(1u, count) * each);
}

// A hash is as long as what is hashed. A memory answers one longword: an old value, or what became of a put.
unsigned longwords_answered(InsnId id, unsigned count) {
  if (info(id).xfer != XferUse::both) return 0;
  return info(id).unit == Unit::hash ? longwords_moved(id, count) : 1;
}

}  // namespace weft::isa
