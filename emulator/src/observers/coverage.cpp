#include "weft/emulator/observers/coverage.h"

#include <numeric>

namespace weft::emulator {

uint64_t Coverage::Word::all_executed() const { return std::accumulate(executed.begin(), executed.end(), uint64_t{0}); }
uint64_t Coverage::Word::all_taken() const { return std::accumulate(taken.begin(), taken.end(), uint64_t{0}); }

Coverage::Coverage(const Machine& machine) : machine_(machine) {
  const DecodedPrograms programs(machine);
  for (unsigned e = 0; e < programs.engines(); ++e) {
    engines_.emplace_back(programs.size(e));
    for (unsigned pc = 0; pc < programs.size(e); ++pc) {
      const isa::Instruction* insn = programs.at(e, pc);
      if (insn == nullptr || isa::info(insn->id).group != isa::Group::branch) continue;
      Word& word = engines_[e][pc];
      word.branch = true;
      word.conditional = isa::info(insn->id).falls_through;
      word.defer = static_cast<uint8_t>((*insn)[isa::Role::defer]);
    }
  }
}

void Coverage::on_execute(ContextRef who, uint16_t pc, uint64_t) {
  auto& words = engines_[who.engine];
  if (pc >= words.size()) words.resize(pc + 1u);  // loaded after the observer was made
  Word& word = words[pc];
  ++word.executed[who.context];
  if (!word.branch) return;
  // A branch that was taken has just opened its shadow, with all deferred slots ahead (E3).
  const Shadow& shadow = machine_.state(who.engine).shadow;
  if (shadow.kind == Shadow::Kind::branch && shadow.slots == word.defer) ++word.taken[who.context];
}

}  // namespace weft::emulator
