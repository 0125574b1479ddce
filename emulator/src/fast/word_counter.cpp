#include "fast/word_counter.h"

namespace weft::emulator::fast {

WordCounts WordCounter::take() {
  WordCounts out;
  if (!on_) return out;
  for (size_t c = 0; c < kContexts; ++c) {
    uint64_t executed = 0;
    out.words[c].reserve(contexts_[c].size());
    for (CountedWord& word : contexts_[c]) {
      executed += word.difference;
      out.words[c].push_back({executed, word.taken});
      word = {};
    }
  }
  out.swaps = swaps_;
  swaps_ = {};
  return out;
}

void WordCounter::on_execute(ContextRef who, uint16_t pc, uint64_t) {
  auto& words = contexts_[who.context];
  if (pc + size_t{1} >= words.size()) return;  // as long as the control store, and something was executed
  ++words[pc].difference;
  --words[pc + 1u].difference;
}
void WordCounter::on_branch(ContextRef who, uint16_t pc, uint64_t) {
  if (pc < contexts_[who.context].size()) ++contexts_[who.context][pc].taken;
}

}  // namespace weft::emulator::fast
