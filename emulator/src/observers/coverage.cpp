#include "weft/emulator/observers/coverage.h"

#include <numeric>

#include "weft/isa/flow.h"

namespace weft::emulator {

uint64_t Coverage::Word::all_executed() const { return std::accumulate(executed.begin(), executed.end(), uint64_t{0}); }
uint64_t Coverage::Word::all_taken() const { return std::accumulate(taken.begin(), taken.end(), uint64_t{0}); }

Coverage::Coverage(const Machine& machine) : machine_(machine) {
  const DecodedPrograms programs(machine);
  for (unsigned e = 0; e < programs.engines(); ++e) {
    engines_.emplace_back(programs.size(e));
    for (unsigned pc = 0; pc < programs.size(e); ++pc) {
      const isa::Instruction* insn = programs.at(e, pc);
      if (insn == nullptr || !isa::is_branch(*insn)) continue;
      Word& word = engines_[e][pc];
      word.branch = true;
      word.conditional = isa::transfer_of(*insn).falls_through;
    }
  }
}

void Coverage::on_execute(ContextRef who, uint16_t pc, uint64_t) { ++word(who.engine, pc).executed[who.context]; }

void Coverage::on_branch(ContextRef who, uint16_t pc, uint64_t) { ++word(who.engine, pc).taken[who.context]; }

void Coverage::on_counts(unsigned engine, const WordCounts& counts) {
  for (unsigned c = 0; c < kContexts; ++c)
    for (size_t pc = 0; pc < counts.words[c].size(); ++pc) {
      const WordCounts::Word& more = counts.words[c][pc];
      if (more.executed == 0 && more.taken == 0) continue;
      Word& known = word(engine, pc);
      known.executed[c] += more.executed;
      known.taken[c] += more.taken;
    }
}

}  // namespace weft::emulator
