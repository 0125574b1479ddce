// The SRAM unit of the IXP1200: four queues, locks, hardware lists, bit operations (docs/timing-units.md, S1-S6).
#pragma once

#include "units/sorted_model.h"

namespace weft::emulator {

struct Sram1200State {
  PagedMemory memory;
  std::vector<uint32_t> locks;  ///< locked longword addresses, in the order in which they were taken
  std::vector<uint32_t> heads;  ///< of the lists: longword addresses, 0 = empty
  Tick free = 0;                ///< of the data pins
  bool last_writes = false;     ///< direction of the last transfer
  WEFT_FIELDS(Sram1200State, memory, locks, heads, free, last_writes)
};

class Sram1200 final : public SortedModel {
 public:
  using State = Sram1200State;
  Sram1200(const ChipDescription& chip, const MemoryChannel& channel, Bus& bus);

  PagedMemory& memory() { return state_.memory; }
  bool locked(uint32_t byte_address) const;
  /// False when the address is locked already or no lock is free.
  bool lock(uint32_t byte_address);
  /// As sram[unlock]; waiting read_locks go on at `now`.
  void unlock(uint32_t byte_address, Tick now);
  std::vector<uint32_t> list(unsigned number) const;
  void set_list(unsigned number, std::span<const uint32_t> longword_addresses);

  const Sram1200State& state() const { return state_; }
  void restore(const Sram1200State& state) {
    state_ = state;
    port_->reconsider();
  }

  std::string queue_name(size_t queue) const override {
    constexpr std::array kNames{"priority", "read_lock", "optimize_mem", "ordered"};
    return kNames[queue];
  }
  size_t queue_at(isa::MemoryQueue named, uint32_t address) const override;
  bool keeps_order(uint32_t named) const override { return named == only(isa::MemoryQueue::ordered); }
  Tick ready(const WaitingCommands& waiting, size_t queue) const override;
  Tick free_for(const Command& command) const override;
  bool rearrange(WaitingCommands& waiting, Tick now) override;
  Times plan(const Command& command, Tick arrival, PlanUndo& undo) override;
  void perform(Service& service) override;
  ServeAtOnce at_once(isa::InsnId op) const override;

 private:
  template <isa::InsnId kOp>
  static ServedAtOnce serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                    uint32_t* registers, Tick arrival);
  enum Queue : size_t { kPriority, kLockMisses, kOptimized, kOrdered };
  /// How many longwords a command moves over the pins, the reads first.
  struct Traffic {
    unsigned read = 0, write = 0;
  };
  Traffic traffic(const Command& command) const;
  /// A read_lock at the head of the order queue that must wait for a lock.
  bool misses(const WaitingCommands& waiting, const Command& command) const;
  bool can_lock(uint32_t byte_address) const;
  void release(uint32_t byte_address);
  bool in_memory(const Command& command, unsigned words);
  uint32_t pop(unsigned number);
  void push(uint32_t byte_address, unsigned number);

  Sram1200Description description_;
  Tick beat_;  ///< one longword
  Sram1200State state_;
};

}  // namespace weft::emulator
