// A queue in one block of memory, for records that come and go millions of times a second. Behaves as the part of
// std::deque that units use.
#pragma once

#include <cstddef>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

namespace weft::emulator {

template <class T>
class Ring {
 public:
  template <class Queue, class Value>
  class Iterator {
   public:
    using iterator_category = std::forward_iterator_tag;
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    using pointer = Value*;
    using reference = Value&;
    Iterator() = default;
    Iterator(Queue* queue, size_t at) : queue_(queue), at_(at) {}
    reference operator*() const { return (*queue_)[at_]; }
    pointer operator->() const { return &(*queue_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    Iterator operator++(int) {
      Iterator before = *this;
      ++at_;
      return before;
    }
    bool operator==(const Iterator& other) const { return at_ == other.at_; }

   private:
    Queue* queue_ = nullptr;
    size_t at_ = 0;
  };
  using iterator = Iterator<Ring, T>;
  using const_iterator = Iterator<const Ring, const T>;

  bool empty() const { return count_ == 0; }
  size_t size() const { return count_; }
  T& operator[](size_t i) { return items_[(first_ + i) & mask_]; }
  const T& operator[](size_t i) const { return items_[(first_ + i) & mask_]; }
  T& front() { return items_[first_]; }
  const T& front() const { return items_[first_]; }
  T& back() { return (*this)[count_ - 1]; }
  const T& back() const { return (*this)[count_ - 1]; }
  iterator begin() { return {this, 0}; }
  iterator end() { return {this, count_}; }
  const_iterator begin() const { return {this, 0}; }
  const_iterator end() const { return {this, count_}; }

  /// The place that extend() will take.
  T& next() {
    if (count_ == capacity_) [[unlikely]]
      grow();
    return (*this)[count_];
  }
  /// A place at the end, with what was left there.
  T& extend() {
    T& out = next();
    ++count_;
    return out;
  }
  void push_back(const T& item) { extend() = item; }
  void pop_front() {
    first_ = (first_ + 1) & mask_;
    --count_;
  }
  void clear() { first_ = count_ = 0; }

 private:
  void grow() {
    std::vector<T> larger(items_.empty() ? 16 : 2 * items_.size());
    for (size_t i = 0; i < count_; ++i) larger[i] = std::move((*this)[i]);
    items_ = std::move(larger);
    capacity_ = items_.size();
    mask_ = capacity_ - 1;
    first_ = 0;
  }
  std::vector<T> items_;  ///< a power of two
  size_t capacity_ = 0;   ///< its size
  size_t mask_ = 0;       ///< that - 1
  size_t first_ = 0, count_ = 0;
};

}  // namespace weft::emulator
