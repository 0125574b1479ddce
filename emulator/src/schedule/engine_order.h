// Engines in the order of their next events: by tick, then by number. Few of them change at a time, and most by a
// cycle, so that a sorted array is quicker than a heap.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>

#include "schedule/key.h"

namespace weft::emulator {

class EngineOrder {
 public:
  EngineOrder() { sorted_.fill(kNever), keys_.fill(kNever); }

  /// kNever: no engine has an event.
  Key first_key() const { return sorted_[0]; }
  Key second_key() const { return sorted_[1]; }
  Tick first_tick() const { return tick_of(sorted_[0]); }
  /// Whose key it is, which is not kNever.
  static unsigned engine_of(Key key) { return static_cast<unsigned>(key & (kPlaces - 1)) - kEnginePlace; }
  /// The engine's next event is another one now. False: it is the same.
  bool set(unsigned engine, Key key) {
    assert(key == kNever || engine_of(key) == engine);
    const Key before = keys_[engine];
    if (key == before) return false;
    keys_[engine] = key;
    size_t at = 0;
    while (sorted_[at] < before) ++at;  // kNever stands at any of its places
    if (key > before) {
      for (; sorted_[at + 1] < key; ++at) sorted_[at] = sorted_[at + 1];
    } else {
      for (; at > 0 && sorted_[at - 1] > key; --at) sorted_[at] = sorted_[at - 1];
    }
    sorted_[at] = key;
    return true;
  }
  /// The same, when the engine was the first one: nearly always it still is, and its next event is a later one.
  void set_after_turn(unsigned engine, Key key) {
    const Key before = sorted_[0];
    if (keys_[engine] != before || key < before) [[unlikely]]
      return static_cast<void>(set(engine, key));
    keys_[engine] = key;
    size_t at = 0;
    for (; sorted_[at + 1] < key; ++at) sorted_[at] = sorted_[at + 1];
    sorted_[at] = key;
  }

 private:
  static constexpr size_t kEngines = kPlaces - kEnginePlace;
  std::array<Key, kEngines + 1> sorted_;  ///< of engines that have an event; after them kNever, at least once
  std::array<Key, kEngines> keys_;        ///< by engine
};

}  // namespace weft::emulator
