// Answers that one engine will get, whose time is known, in the order of their keys.
#pragma once

#include <algorithm>
#include <span>
#include <utility>
#include <vector>

#include "schedule/key.h"

namespace weft::emulator {

class AnalyticUnit;

struct Due {
  Key key = 0;
  uint64_t cycle = 0;  ///< of the engine
  AnalyticUnit* unit = nullptr;
  uint32_t slot = 0;  ///< of the unit
};

class DueAnswers {
 public:
  void expect(const Due& due) {
    expect(due, [](const Due&) { return false; });
  }
  /// Those with the same key that are `later` come after it.
  template <class Later>
  void expect(const Due& due, Later later) {
    if (end_ == items_.size()) make_room();
    Due* at = items_.data() + end_++;
    for (const Due* first = items_.data() + first_;
         at != first && (at[-1].key > due.key || (at[-1].key == due.key && later(at[-1]))); --at)
      *at = at[-1];
    *at = due;
    if (due.key < first_key_) first_key_ = due.key, first_cycle_ = due.cycle;
  }
  std::span<const Due> all() const { return std::span(items_).subspan(first_, end_ - first_); }
  Key first_key() const { return first_key_; }  ///< kNever: nothing is expected
  uint64_t first_cycle() const { return first_cycle_; }
  const Due& front() const { return items_[first_]; }
  void pop_front() {
    if (++first_ == end_)
      clear();
    else
      first_key_ = items_[first_].key, first_cycle_ = items_[first_].cycle;
  }
  /// Nothing of the unit is expected any more.
  void drop(const AnalyticUnit* unit) {
    Due* const first = items_.data() + first_;
    Due* const end = std::remove_if(first, items_.data() + end_, [unit](const Due& due) { return due.unit == unit; });
    end_ = static_cast<size_t>(end - items_.data());
    if (first == end) return clear();
    first_key_ = first->key, first_cycle_ = first->cycle;
  }
  void clear() {
    first_ = end_ = 0;
    first_key_ = first_cycle_ = kNever;
  }

 private:
  void make_room() {
    std::move(items_.begin() + static_cast<std::ptrdiff_t>(first_), items_.end(), items_.begin());
    end_ -= std::exchange(first_, 0);
    if (end_ > items_.size() / 2) items_.resize(2 * items_.size());
  }

  Key first_key_ = kNever;
  uint64_t first_cycle_ = kNever;
  std::vector<Due> items_ = std::vector<Due>(64);  ///< from first_ to end_
  size_t first_ = 0, end_ = 0;
};

}  // namespace weft::emulator
