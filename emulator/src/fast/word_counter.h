// How often each context has executed each word, as differences: a stretch of words that ran one after the other
// counts at its first word and after its last one, so that nothing is done for a word in between.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "fast/hot_state.h"
#include "weft/emulator/machine.h"

namespace weft::emulator::fast {

/// Also the observer of an engine while the reference makes a step for it.
class WordCounter final : public Observer {
 public:
  /// `counted`: HotState::counted, where host code counts as well.
  explicit WordCounter(CountedWord*& counted) : of_(counted) {}
  bool on() const { return on_; }
  /// Word numbers are below `words` + 1: a context can stand after the last one.
  void set(bool on, size_t words) {
    on_ = on;
    if (!on) return;
    for (auto& context : contexts_)
      if (context.size() < words + 1) context.resize(words + 1);
    of_ = contexts_[context_].data();
  }
  /// `context` holds the engine from now on.
  void hold(unsigned context) {
    context_ = context;
    of_ = contexts_[context].data();
  }
  void enter(std::ptrdiff_t word) { ++of_[word].difference; }
  /// The word is not executed any more.
  void leave(std::ptrdiff_t word) { --of_[word].difference; }
  void taken(std::ptrdiff_t word) { ++of_[word].taken; }
  /// The context that held the engine has left it.
  void swapped() { ++swaps_[context_]; }
  WordCounts take();

  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_branch(ContextRef who, uint16_t pc, uint64_t cycle) override;

 private:
  CountedWord*& of_;  ///< of the context that holds the engine
  unsigned context_ = 0;
  bool on_ = false;
  std::array<std::vector<CountedWord>, kContexts> contexts_;
  std::array<uint64_t, kContexts> swaps_{};
};

}  // namespace weft::emulator::fast
