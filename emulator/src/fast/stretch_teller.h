// Tells observers of the words of one engine as stretches (Observer::on_stretch), so that nothing is done for a word in
// between, and of the states of its contexts.
#pragma once

#include <algorithm>
#include <array>
#include <span>

#include "fast/word_counter.h"
#include "weft/emulator/machine.h"

namespace weft::emulator::fast {

/// Also the observer of the engine while it runs ahead: what the reference does for it is told word by word.
class StretchTeller final : public Observer {
 public:
  StretchTeller(unsigned engine, const EngineState& state) : state_(state) {
    stretch_.who.engine = static_cast<uint8_t>(engine);
  }
  bool on() const { return !told_.empty(); }
  /// Nothing was told of the run that begins. `told` lives as long as that.
  void set(std::span<Observer* const> told) {
    told_ = told;
    stretch_.cause = WordStretch::kNoWord;
  }
  /// While the reference makes a step, it counts as well; null: it does not.
  void count_in(WordCounter* counter) { counter_ = counter; }

  /// `context` holds the engine; its next word is that at `pc`, in `cycle`.
  void begin(unsigned context, uint16_t pc, uint64_t cycle) {
    stretch_.who.context = static_cast<uint8_t>(context);
    go_on(pc, cycle);
  }
  void go_on(uint16_t pc, uint64_t cycle) {
    stretch_.pc = pc;
    stretch_.cycle = cycle;
  }
  /// The branch or swap at `pc` takes place, or will behind its deferred slots.
  void takes_place(uint16_t pc) { stretch_.cause = pc; }
  /// The last word was in the cycle before `cycle`, and so many cycles are lost behind it. `is_open`: deferred slots
  /// are still to come.
  [[gnu::noinline]] void end(uint64_t cycle, unsigned aborts, bool is_open = false);
  [[gnu::noinline]] void state(unsigned context, ContextState state, uint64_t cycle);

  /// When the context has got the last of the signals that it sleeps for, but for those of known answers. They may be
  /// looked at later, and those of known answers, when these are withdrawn, behind later ones.
  uint64_t last_signal(unsigned context) const { return last_signal_[context]; }
  void note_signals(unsigned context, unsigned signals, uint64_t cycle) {
    const ContextRecord& record = state_.contexts[context];
    if (record.state == ContextState::sleep && (record.wakeup & signals) != 0)
      last_signal_[context] = std::max(last_signal_[context], cycle);
  }

  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_branch(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_state(ContextRef who, ContextState state, uint64_t cycle) override;
  void on_signal_sent(ContextRef from, uint16_t pc, int engine, unsigned context, unsigned number,
                      uint64_t due) override;
  void on_local_signal(ContextRef to, unsigned number, uint64_t cycle) override;

 private:
  const EngineState& state_;
  std::span<Observer* const> told_;
  WordStretch stretch_;
  WordCounter* counter_ = nullptr;
  std::array<uint64_t, kContexts> last_signal_{};
};

}  // namespace weft::emulator::fast
