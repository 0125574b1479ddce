// Transfer registers that a unit will still read or write. An engine that runs ahead of the others must not touch them
// before that time has come.
//
// Counts, not bits: several accesses to one register may be outstanding. Queues of units keep them up to date
// (UnitQueue::track): a command counts from its acceptance until it is served, an answer from then until it is back.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <vector>

#include "units/command_traits.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

class InFlight {
 public:
  struct Registers {
    uint32_t all = 0;  ///< the sum of `counts`: mostly 0, which is quickly asked
    /// s_in, s_out, d_in, d_out, as in EngineState; after them room for four counts that are changed at once.
    std::array<uint16_t, 516> counts{};
    bool free(size_t number) const { return all == 0 || counts[number] == 0; }
  };

  explicit InFlight(size_t engines) : engines_(engines) {}

  Registers& of(size_t engine) { return engines_[engine]; }
  void clear() { std::fill(engines_.begin(), engines_.end(), Registers{}); }

  void push_expected(ContextRef to, bool d, unsigned first, unsigned count) { add(to, d ? 256 : 0, first, count, 1); }
  void pushed(ContextRef to, bool d, unsigned first, unsigned count) { add(to, d ? 256 : 0, first, count, -1); }
  /// Transfer registers that the command may read or write, at least.
  template <class Info>  // isa::InsnInfo, or what a unit keeps of it
  static unsigned longwords(const Command& c, const Info& info) {
    return std::max(2u, std::min(32u, unsigned{c.count} * std::max<unsigned>(1, info.longwords_per_count)));
  }
  /// Write registers that the command may take at its service; it has an operand of them.
  template <class Info>
  void takes(const Command& c, const Info& info, int by) {
    if (info.xfer != isa::XferUse::none && info.xfer != isa::XferUse::read)
      add(c.from, c.xfer_d ? 384 : 128, c.xfer, longwords(c, info), by);
  }
  /// True when nothing but one access to each of these read registers, at least one, is under way.
  bool only_one(ContextRef to, bool d, unsigned first, unsigned count) const {
    const uint16_t* registers = engines_[to.engine].counts.data() + (d ? 256 : 0);
    if (count <= 4 && first + count <= 128) {
      uint64_t word;
      std::memcpy(&word, registers + first, sizeof word);
      return ((word ^ kOnes) << (64 - 16 * count)) == 0;
    }
    for (unsigned i = 0; i < count; ++i)
      if (registers[(first + i) & 127] != 1) return false;
    return true;
  }
  void accepted(const Command& command) { add(command, 1); }
  void served(const Command& command) { add(command, -1); }

  /// `file`: where it begins among the registers.
  static void add(Registers& of_engine, unsigned file, unsigned first, unsigned count, int by) {
    uint16_t* registers = of_engine.counts.data() + file;
    of_engine.all += count * static_cast<unsigned>(by);
    if (first + count <= 128) return add_in_line(registers + first, count, by);
    for (unsigned i = 0; i < count; ++i) {
      uint16_t& r = registers[(first + i) & 127];
      r = static_cast<uint16_t>(r + by);
    }
  }

 private:
  void add(ContextRef to, unsigned file, unsigned first, unsigned count, int by) {
    if (to.engine < engines_.size()) add(engines_[to.engine], file, first, count, by);
  }
  /// Four counts in one word: none of them leaves 0 to 65535, so nothing is carried from one to the next.
  static void add_in_line(uint16_t* at, unsigned count, int by) {
    const auto change = [by](uint16_t* four, uint64_t ones) {
      uint64_t word;
      std::memcpy(&word, four, sizeof word);
      assert(by > 0 || ((ones & 1) <= (word & 0xffff) && (ones >> 16 & 1) <= (word >> 16 & 0xffff) &&
                        (ones >> 32 & 1) <= (word >> 32 & 0xffff) && (ones >> 48 & 1) <= (word >> 48 & 0xffff)));
      word = by > 0 ? word + ones : word - ones;
      std::memcpy(four, &word, sizeof word);
    };
    for (; count >= 4; count -= 4, at += 4) change(at, kOnes);
    if (count != 0) change(at, kOnes >> (64 - 16 * count));
  }
  /// Everything that the command may read or write at its service, at least.
  void add(const Command& c, int by) {
    const CommandTraits& info = traits_of(c.op);
    if (c.has_xfer && info.xfer != isa::XferUse::none) {
      if (info.xfer != isa::XferUse::write) add(c.from, c.xfer_d ? 256 : 0, c.xfer, longwords(c, info), by);
      takes(c, info, by);
    }
    // The reflector takes write registers of the other engine.
    if (c.op == isa::InsnId::cap_calc_read && (c.address >> 31) != 0)
      add({static_cast<uint8_t>(c.address >> 10 & 15), 0}, (c.address >> 9 & 1) != 0 ? 384 : 128, c.address >> 2 & 127,
          std::min(32u, std::max<unsigned>(1, c.count)), by);
  }

  /// A count of 1 in each of four.
  static constexpr uint64_t kOnes = 0x0001'0001'0001'0001;
  static_assert(std::endian::native == std::endian::little, "the first of four counts is in the lowest bits");

  std::vector<Registers> engines_;
};

}  // namespace weft::emulator
