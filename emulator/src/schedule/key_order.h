// Keys in their order. Few of them change at a time, and most by little, so that a sorted array is quicker than a heap.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <cstddef>

#include "schedule/key.h"

namespace weft::emulator {

/// The keys of so many members; kNever: the member has none.
template <size_t kMembers>
class KeyOrder {
 public:
  KeyOrder() { reset(kMembers); }
  /// No member has one. Only the first `used` get one until the next reset().
  void reset(size_t used) {
    assert(used <= kMembers);
    std::fill_n(sorted_.begin(), used, kNever);
    std::fill_n(keys_.begin(), used, kNever);
    sorted_[used] = kNever;
  }

  Key first_key() const { return sorted_[0]; }
  Key second_key() const { return sorted_[1]; }
  /// The member's key is another one now. False: it is the same.
  bool set(size_t member, Key key) {
    const Key before = keys_[member];
    if (key == before) return false;
    keys_[member] = key;
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
  /// The same, when the member's was the first one: nearly always it still is, and the new one is larger.
  void set_after_turn(size_t member, Key key) {
    const Key before = sorted_[0];
    if (keys_[member] != before || key < before) [[unlikely]]
      return static_cast<void>(set(member, key));
    keys_[member] = key;
    size_t at = 0;
    for (; sorted_[at + 1] < key; ++at) sorted_[at] = sorted_[at + 1];
    sorted_[at] = key;
  }

 private:
  std::array<Key, kMembers + 1> sorted_;  ///< at least one kNever behind them
  std::array<Key, kMembers> keys_;        ///< by member
};

}  // namespace weft::emulator
