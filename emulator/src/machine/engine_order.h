// Engines in the order of their next events: by tick, then by number. Few of them change at a time, and most by a
// cycle, so that a sorted array is quicker than a heap.
#pragma once

#include <cassert>
#include <cstddef>
#include <vector>

#include "schedule/key.h"

namespace weft::emulator {

class EngineOrder {
 public:
  explicit EngineOrder(size_t engines) : sorted_(engines + 1, kNever), keys_(engines, kNever) {
    assert(engines <= kPlaces - kEnginePlace);
  }

  /// kNever: no engine has an event.
  Tick first_tick() const { return tick_of(sorted_[0]); }
  /// Of first_tick(), which is not kNever.
  unsigned first() const { return static_cast<unsigned>(sorted_[0] & (kPlaces - 1)) - kEnginePlace; }
  void set(unsigned engine, Tick next) {
    const Key key = key_of(next, kEnginePlace + engine), before = keys_[engine];
    if (key == before) return;
    keys_[engine] = key;
    size_t at = 0;
    while (sorted_[at] < before) ++at;  // kNever stands at any of its places
    if (key > before) {
      for (; sorted_[at + 1] < key; ++at) sorted_[at] = sorted_[at + 1];
    } else {
      for (; at > 0 && sorted_[at - 1] > key; --at) sorted_[at] = sorted_[at - 1];
    }
    sorted_[at] = key;
  }

 private:
  std::vector<Key> sorted_;  ///< of engines that have an event; after them kNever, at least once
  std::vector<Key> keys_;    ///< by engine
};

}  // namespace weft::emulator
