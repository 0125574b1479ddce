// What is known of commands under way, by their sequence.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <unordered_map>
#include <utility>

namespace weft::emulator {

/// A ring, because sequences follow each other and most commands are over soon: a command finds its place without a
/// search, and costs no allocation. One that is still under way when the ring comes round to it is moved aside.
template <class Value>
class BySequence {
 public:
  /// Null: there is none. `sequence` is that of a command, so never kUnasked.
  Value* find(uint64_t sequence) {
    Slot& slot = slot_of(sequence);
    if (slot.sequence == sequence) return &slot.value;
    return aside_.empty() ? nullptr : find_aside(sequence);
  }
  /// A new one; one of the same sequence is forgotten.
  Value& insert(uint64_t sequence) {
    Slot& slot = slot_of(sequence);
    if (slot.sequence != kNone || !aside_.empty()) make_room(slot, sequence);
    slot.sequence = sequence;
    slot.value = {};
    return slot.value;
  }
  void erase(uint64_t sequence) {
    Slot& slot = slot_of(sequence);
    if (slot.sequence == sequence)
      slot.sequence = kNone;
    else if (!aside_.empty())
      erase_aside(sequence);
  }
  /// In no order that means anything.
  template <class Visit>
  void each(Visit visit) const {
    for (const Slot& slot : *ring_)
      if (slot.sequence != kNone) visit(slot.value);
    for (const auto& [sequence, value] : aside_) visit(value);
  }

 private:
  static constexpr uint64_t kNone = std::numeric_limits<uint64_t>::max();
  static constexpr size_t kSlots = 256;
  struct Slot {
    uint64_t sequence = kNone;
    Value value;
  };
  // Apart, so that what is done for every command stays small.
  [[gnu::noinline]] Value* find_aside(uint64_t sequence) {
    const auto at = aside_.find(sequence);
    return at != aside_.end() ? &at->second : nullptr;
  }
  [[gnu::noinline]] void erase_aside(uint64_t sequence) { aside_.erase(sequence); }
  [[gnu::noinline]] void make_room(Slot& slot, uint64_t sequence) {
    if (slot.sequence != kNone && slot.sequence != sequence)
      aside_.insert_or_assign(slot.sequence, std::move(slot.value));
    aside_.erase(sequence);
  }
  Slot& slot_of(uint64_t sequence) { return (*ring_)[sequence % kSlots]; }

  std::unique_ptr<std::array<Slot, kSlots>> ring_ = std::make_unique<std::array<Slot, kSlots>>();
  std::unordered_map<uint64_t, Value> aside_;
};

}  // namespace weft::emulator
