// Scratch memory: 16 KB, atomics, and 16 rings whose fill state engines can test.
#pragma once

#include "units/queued_unit.h"

namespace weft::emulator {

struct ScratchRing {
  uint32_t base = 0;  ///< byte address
  uint32_t size = 0;  ///< longwords, 0 = not set up
  uint32_t head = 0, tail = 0, count = 0;
  bool status_is_empty = false;
};

struct ScratchState : QueueState {
  PagedMemory memory;
  std::array<ScratchRing, 16> rings{};
  Tick free = 0;
};

class Scratch final : public QueuedUnit {
 public:
  Scratch(const ScratchDescription& description, Tick period, Bus& bus);

  /// SCR_RING0_STATUS to SCR_RING11_STATUS are input states 2 to 13.
  bool input_state(unsigned number) const override;

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
  void restore(const ScratchState& state) { state_ = state; }
  void hash_state(StateHash& hash) const;

  bool foreseeable() const override { return true; }
  void begin_foresight() override { foreseen_free_ = state_.free; }
  Times foresee(const Command& command, Tick arrival) override;

 protected:
  Tick free_for(const Command&) const override { return state_.free; }
  void serve(const Command& command, Tick start) override;

 private:
  /// Time in which the command occupies the memory.
  Tick length(const Command& command) const;
  Times times(const Command& command, Tick start) const;
  bool in_memory(const Command& command, unsigned words);
  ScratchDescription description_;
  Tick word_;
  Tick foreseen_free_ = 0;
  ScratchState state_;
};

}  // namespace weft::emulator
