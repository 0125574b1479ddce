// Whether a context can still come to a word that takes a signal: the words after the place where it stands, by all
// branches.
//
// A way ends at a command of the context that raises the signal itself: who waits behind it waits for that one. So an
// answer that nobody awaited shows although the program has waits for its number elsewhere, and a turn that came early
// does not, because the context comes to the wait for it. What is not known exactly counts as a wait, so that there is
// no false alarm: a jump through a register reaches every word, and words that look at the signals through CSRs may
// take any.
#include <algorithm>

#include "weft/emulator/lost_cycles.h"
#include "weft/emulator/observers/checks.h"

namespace weft::emulator {
namespace {

bool raises(const isa::Instruction& insn, isa::Profile profile, unsigned signal) {
  // On an IXP1200 references of a unit share its event, and one wait may stand for several of them (E18).
  if (isa::unit_signal(profile, insn.id) != 0 && !isa::swaps(insn)) return false;
  return (isa::signals_of(profile, insn) >> signal & 1) != 0;
}

}  // namespace

bool Checks::can_await(ContextRef who, unsigned signal) const {
  const EngineState& state = state_of(who.engine);
  const isa::Profile profile = machine_.timing().profile;
  const ContextRecord& record = state.contexts[who.context];
  const auto mask = static_cast<uint16_t>(1u << signal);
  if (record.state == ContextState::sleep && record.awaits(signal)) return true;
  std::vector<uint32_t> places{record.pc};
  // In the shadow of a branch or swap: deferred slots are at the pc.
  if (state.running == static_cast<int>(who.context) && state.shadow.to_target) places.push_back(state.shadow.target);
  const std::span<const std::optional<isa::Instruction>> words = programs_.words(who.engine);
  const auto takes = [&](uint32_t pc) { return words[pc] && isa::asks_for(profile, *words[pc], mask); };
  const isa::Flow flow(words, lost_cycles(machine_.timing()), places);
  const isa::Flow::Seen seen = flow.walk(places, [&](uint32_t pc) {
    if (takes(pc)) return isa::Flow::Walk::end;
    return words[pc] && raises(*words[pc], profile, signal) ? isa::Flow::Walk::past : isa::Flow::Walk::on;
  });
  if (seen.ended || !seen.by_register) return seen.ended;
  for (uint32_t pc = 0; pc < flow.size(); ++pc)
    if (takes(pc)) return true;
  return false;
}

}  // namespace weft::emulator
