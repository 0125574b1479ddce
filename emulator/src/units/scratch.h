// Scratch memory: 16 KB, atomics, and 16 rings whose fill state engines can test.
#pragma once

#include "units/command_traits.h"
#include "units/unit_model.h"

namespace weft::emulator {

struct ScratchRing {
  uint32_t base = 0;  ///< byte address
  uint32_t size = 0;  ///< longwords, 0 = not set up
  uint32_t head = 0, tail = 0, count = 0;
  bool status_is_empty = false;
  WEFT_FIELDS(ScratchRing, base, size, head, tail, count, status_is_empty)
};

struct ScratchState {
  PagedMemory memory;
  std::array<ScratchRing, 16> rings{};
  Tick free = 0;
  WEFT_FIELDS(ScratchState, memory, rings, free)
};

class Scratch final : public UnitModel {
 public:
  using State = ScratchState;
  Scratch(const ScratchDescription& description, Tick period, Bus& bus);

  /// SCR_RING0_STATUS to SCR_RING11_STATUS are input states 2 to 13.
  bool input_state(unsigned number) const { return number < 32 && (input_lines_ >> number & 1) != 0; }

  PagedMemory& memory() { return state_.memory; }
  const ScratchRing& ring(unsigned number) const { return state_.rings[number & 15]; }
  /// From here on the status line of the ring shows "full".
  bool near_full(unsigned number) const {
    const ScratchRing& r = ring(number);
    return r.size != 0 && r.count * 100 >= r.size * description_.near_full_percent;
  }
  bool set_ring(unsigned number, uint32_t base, uint32_t size, bool status_is_empty);
  bool put(unsigned number, uint32_t word);
  std::optional<uint32_t> get(unsigned number);

  /// SCRATCH_RING_BASE, _HEAD and _TAIL as CAP CSRs (isa.md 10.1).
  uint32_t read_base(unsigned number) const;
  void write_base(unsigned number, uint32_t value);
  void set_position(unsigned number, bool tail, uint32_t byte_offset);

  const ScratchState& state() const { return state_; }
  void restore(const ScratchState& state) {
    state_ = state;
    for (unsigned ring = 0; ring < kRingsWithLine; ++ring) refresh_line(ring);
  }

  bool serves_in_order() const override { return true; }
  Tick free_for(const Command&) const override { return state_.free; }
  Times plan(const Command& command, Tick arrival, PlanUndo& undo) override;
  void unplan(const Command&, const PlanUndo& undo) override { state_.free = undo.was[0]; }
  void perform(Service& service) override;
  ServeAtOnce at_once(isa::InsnId op) const override;

 private:
  static constexpr unsigned kRingsWithLine = 12, kFirstLine = 2;
  /// The ring's status line, after the ring has changed.
  void refresh_line(unsigned ring);
  bool in_memory(const Command& command, unsigned words);
  /// On a ring that has room for all of them.
  void put(unsigned ring, const uint32_t* words, unsigned count);
  /// 0 for those that are not there.
  void get(unsigned ring, uint32_t* words, unsigned count);
  /// Time in which the data of a command without operand passes.
  Tick busy_of(unsigned longwords) const { return std::max(longwords, 1u) * word_; }
  Tick busy_of_atomic() const { return 2 * word_; }
  static unsigned ring_of(uint32_t address) { return address / 4 % 16; }
  bool is_sound(isa::InsnId op, uint32_t address, unsigned longwords) const;
  template <isa::InsnId kOp>
  static ServedAtOnce serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                    uint32_t* registers, Tick arrival);
  template <Atomic kAtomic>
  static ServedAtOnce serve_atomic_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word,
                                           uint32_t address, uint32_t* registers, Tick arrival);
  void perform(const Atomic& atomic, Service& service);
  ScratchDescription description_;
  Tick word_;
  ScratchState state_;
};

}  // namespace weft::emulator
