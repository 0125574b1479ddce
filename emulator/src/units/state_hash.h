// A hash over state records, the same on every host (FNV-1a on 64-bit values).
#pragma once

#include <algorithm>
#include <cstdint>

#include "weft/emulator/memory.h"

namespace weft::emulator {

class StateHash {
 public:
  template <class T>
  void add(T value) {
    hash_ = (hash_ ^ static_cast<uint64_t>(value)) * 0x100000001b3ull;
    hash_ ^= hash_ >> 29;
  }
  template <class Range>
  void add_all(const Range& range) {
    for (const auto value : range) add(value);
  }
  /// Pages that hold only zeros count like pages that do not exist.
  void add(const PagedMemory& memory) {
    memory.for_each_page([this](uint64_t address, std::span<const uint32_t> longwords) {
      if (std::all_of(longwords.begin(), longwords.end(), [](uint32_t v) { return v == 0; })) return;
      add(address);
      add_all(longwords);
    });
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325ull;
};

}  // namespace weft::emulator
