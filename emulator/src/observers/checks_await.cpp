// Whether a context can still come to a word that takes a signal: the words behind the place where it stands, by all
// branches.
//
// A way ends at a command of the context that raises the signal itself: who waits behind it waits for that one. So an
// answer that nobody awaited shows although the program has waits for its number elsewhere, and a turn that came early
// does not, because the context comes to the wait for it. What is not known exactly counts as a wait, so that there is
// no false alarm: a jump through a register reaches every word, and words that look at the signals through CSRs may
// take any.
#include <algorithm>

#include "weft/emulator/observers/checks.h"

namespace weft::emulator {
namespace {

using isa::Csr;
using isa::InsnId;
using isa::Role;

bool looks_at_signals(const isa::Instruction& insn) {
  if (insn.id != InsnId::local_csr_rd && insn.id != InsnId::local_csr_wr) return false;
  switch (static_cast<Csr>(insn[Role::csr])) {
    case Csr::active_ctx_sig_events:
    case Csr::indirect_ctx_sig_events:
    case Csr::active_ctx_wakeup_events:
    case Csr::indirect_ctx_wakeup_events: return true;
    default: return false;
  }
}

bool takes(const isa::Instruction& insn, unsigned signal) {
  switch (insn.id) {
    case InsnId::ctx_arb: return insn[Role::current_mask] != 0 || (insn[Role::signals] >> signal & 1) != 0;
    case InsnId::br_signal:
    case InsnId::br_not_signal: return insn[Role::signal] == signal;
    default: return looks_at_signals(insn);
  }
}

bool raises(const isa::Instruction& insn, isa::Profile profile, unsigned signal) {
  const isa::InsnInfo& info = isa::info(insn.id);
  if (info.group != isa::Group::command) return false;
  const auto mode = static_cast<isa::SignalMode>(insn[Role::signal_mode]);
  // On an IXP1200 references of a unit share its event, and one wait may stand for several of them (E18).
  if (const uint32_t event = isa::unit_signal(profile, insn.id); event != 0)
    return event == signal && mode == isa::SignalMode::ctx_swap;
  const unsigned own = insn[Role::signal];
  return own != 0 && (own == signal || (info.signal == isa::SignalUse::doubled && own + 1 == signal));
}

}  // namespace

bool Checks::can_await(ContextRef who, unsigned signal) const {
  const EngineState& state = machine_.state(who.engine);
  const isa::Profile profile = machine_.timing().profile;
  const unsigned size = static_cast<unsigned>(programs_.size(who.engine));
  const ContextRecord& record = state.contexts[who.context];
  if (record.state == ContextState::sleep && (record.wakeup >> signal & 1) != 0) return true;
  std::vector<bool> seen(size);
  std::vector<unsigned> next{record.pc};
  // In the shadow of a branch or swap: deferred slots are at the pc.
  if (state.running == static_cast<int>(who.context) && state.shadow.to_target) next.push_back(state.shadow.target);
  while (!next.empty()) {
    const unsigned pc = next.back();
    next.pop_back();
    if (pc >= size || seen[pc]) continue;
    seen[pc] = true;
    const isa::Instruction* insn = programs_.at(who.engine, pc);
    if (insn == nullptr) continue;
    if (takes(*insn, signal)) return true;
    if (raises(*insn, profile, signal)) continue;
    const bool jumps = insn->id == InsnId::jump || insn->id == InsnId::rtn;
    if (jumps) {
      for (unsigned any = 0; any < size; ++any)
        if (const isa::Instruction* other = programs_.at(who.engine, any); other != nullptr && takes(*other, signal))
          return true;
    }
    // Deferred slots stand behind the branch also when it does not fall through.
    const unsigned slots = insn->values[static_cast<size_t>(Role::defer)];
    if (isa::continues(*insn) || slots != 0) next.push_back(pc + 1);
    const bool branches = isa::info(insn->id).group == isa::Group::branch && !jumps;
    if (branches || (insn->id == InsnId::ctx_arb && (*insn)[Role::has_target] != 0))
      next.push_back((*insn)[Role::target]);
  }
  return false;
}

}  // namespace weft::emulator
