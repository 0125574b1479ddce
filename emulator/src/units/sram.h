// One SRAM channel: memory with separate read and write pins, atomics, and the queue array (queue_array.h, rules G1 to
// G5 of docs/timing-units.md). What is the same for all units (U1 to U9): unit_model.h.
#pragma once

#include "units/queue_array.h"
#include "units/unit_model.h"

namespace weft::emulator {

/// SRAM_CONTROL, channel CSR 0: bit 0 = cell mode of dequeue. Chosen; after reset buffer mode.
inline constexpr uint32_t kSramControlCells = 1;

struct SramState {
  PagedMemory memory;
  std::array<QueueEntry, 64> entries{};
  std::array<uint32_t, 64> csr{};  ///< by offset / 4
  Tick read_free = 0, write_free = 0;
  WEFT_FIELDS(SramState, memory, entries, csr, read_free, write_free)
};

class SramChannel final : public UnitModel {
 public:
  using State = SramState;
  /// Command addresses carry the channel in bits 31:30.
  static unsigned channel_of(uint32_t address) { return address >> 30; }

  SramChannel(unsigned number, const SramDescription& description, const MemoryChannel& channel, Tick period, Bus& bus);

  PagedMemory& memory() { return state_.memory; }
  QueueArray queues() { return QueueArray(state_.memory, state_.entries); }
  bool cell_mode() const { return (state_.csr[0] & kSramControlCells) != 0; }
  const SramState& state() const { return state_; }
  void restore(const SramState& state) { state_ = state; }
  unsigned directions() const override { return 2; }
  bool serves_in_order() const override { return true; }
  Tick free_for(const Command& command) const override;
  Times plan(const Command& command, Tick arrival, PlanUndo& undo) override;
  void unplan(const Command&, const PlanUndo& undo) override {
    state_.read_free = undo.was[0], state_.write_free = undo.was[1];
  }
  void perform(Service& service) override;
  ServeAtOnce at_once(isa::InsnId op) const override;

 private:
  /// How many longwords a command moves over each set of pins.
  struct Traffic {
    unsigned read = 0, write = 0;
  };
  /// The same as it follows from the instruction, and what belongs to its answer.
  struct Movement {
    uint8_t read = 0, write = 0;                  ///< whatever the count
    uint8_t read_counted = 0, write_counted = 0;  ///< for each longword
    bool queue = false;                           ///< its answer takes an access to the queue array longer
    bool early = false;                           ///< the first of its two signals comes a longword before the second
  };
  using Movements = std::array<Movement, isa::kInsnCount>;
  static Movement movement_of(isa::InsnId op);
  static const Movements& all_movements();
  const Movement& movement(const Command& command) const { return movements_[static_cast<size_t>(command.op)]; }
  Traffic traffic(const Command& command) const {
    const Movement& m = movement(command);
    const unsigned n = longwords(command);
    return {m.read + n * m.read_counted, m.write + n * m.write_counted};
  }
  static constexpr uint32_t kAddress = 0x3ffffffc;  ///< of a longword within the channel
  /// Reads or writes as many longwords as pass over the pins.
  template <isa::InsnId kOp>
  static ServedAtOnce serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                    uint32_t* registers, Tick arrival);
  template <Atomic kAtomic>
  static ServedAtOnce serve_atomic_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word,
                                           uint32_t address, uint32_t* registers, Tick arrival);
  bool in_memory(const Command& command, unsigned words);
  void perform_on_queue(Service& service);
  void perform_on_ring(Service& service, unsigned n);

  const Movements& movements_ = all_movements();
  SramDescription description_;
  Tick beat_;  ///< one longword in one direction
  SramState state_;
};

}  // namespace weft::emulator
