// A hash over the state of microengines, for checks that two runs are in the same state.
#pragma once

#include <cstdint>
#include <string_view>

#include "weft/emulator/machine.h"

namespace weft::workbench {

/// FNV-1a over 64-bit values.
class Fnv {
 public:
  void mix(uint64_t value) {
    hash_ = (hash_ ^ value) * 0x100000001b3;
    hash_ ^= hash_ >> 29;
  }
  void mix(std::string_view text) {
    mix(text.size());
    for (const char c : text) mix(static_cast<unsigned char>(c));
  }
  template <class Range>
  void all(const Range& range) {
    for (const auto& item : range) mix(item);
  }
  uint64_t value() const { return hash_; }

 private:
  uint64_t hash_ = 0xcbf29ce484222325;
};

/// Everything of an engine that can influence what happens later, and its counters.
void mix_engine(Fnv& hash, const emulator::Machine& machine, unsigned engine);

}  // namespace weft::workbench
