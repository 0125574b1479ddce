// What views mark as changed: values beside those of the last stop. A view sees the machine many times between two
// stops while it runs; what it sees then is compared with the stop that was left, however often and whenever it looks.
#pragma once

#include <optional>
#include <unordered_map>
#include <utility>

#include "target.h"

namespace weft::ide {

/// Of an answer, when it arrives: a target tells of its stops and answers in one order.
struct Moment {
  uint64_t stop = 0;     ///< Target::stops()
  bool running = false;  ///< after that stop
};
inline Moment moment_of(const Target& target) { return {target.stops(), target.state() == Target::State::running}; }

template <class Key, class Value>
class SinceStop {
 public:
  /// What is noted and asked next is of this moment.
  void look(Moment moment) {
    running_ = moment.running;
    known_ = !running_ || stop_ == moment.stop;
    if (running_ || stop_ == moment.stop) return;
    // A stop that was not seen has no values to compare with; older ones would be of another stop.
    before_ = stop_ && *stop_ + 1 == moment.stop ? std::exchange(here_, {}) : Values();
    here_.clear();
    stop_ = moment.stop;
  }
  /// Values of runs are not kept.
  void note(const Key& key, const Value& value) {
    if (!running_) here_[key] = value;
  }
  size_t noted() const { return here_.size(); }
  /// At the last stop before this moment; none: it was not seen there.
  std::optional<Value> last(const Key& key) const {
    const Values& then = running_ ? here_ : before_;
    const auto at = then.find(key);
    return !known_ || at == then.end() ? std::nullopt : std::optional<Value>(at->second);
  }
  bool changed(const Key& key, const Value& value) const {
    const std::optional<Value> then = last(key);
    return then && !(*then == value);
  }
  /// What comes next has nothing to do with this.
  void forget() { *this = {}; }

 private:
  using Values = std::unordered_map<Key, Value>;
  Values here_, before_;  ///< at the last stop that was seen, and at the one before
  std::optional<uint64_t> stop_;
  bool running_ = false, known_ = false;
};

}  // namespace weft::ide
