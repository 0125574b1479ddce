// The SDRAM unit of the IXP1200: four queues, and the moves between SDRAM and the FIFOs (docs/timing-units.md).
#pragma once

#include "units/dram_pins.h"
#include "units/fbi.h"
#include "units/sorted_model.h"

namespace weft::emulator {

struct Sdram1200State : DramPinsState {
  PagedMemory memory;
  WEFT_FIELDS(Sdram1200State, WEFT_BASE(DramPinsState), memory)
};

class Sdram1200 final : public SortedModel {
 public:
  using State = Sdram1200State;
  Sdram1200(const ChipDescription& chip, const MemoryChannel& memory, Bus& bus, FifoMemory& fifos);

  PagedMemory& memory() { return state_.memory; }
  const Sdram1200State& state() const { return state_; }
  void restore(const Sdram1200State& state) {
    state_ = state;
    port_->reconsider();
  }

  std::string queue_name(size_t queue) const override {
    constexpr std::array kNames{"priority", "ordered", "even banks", "odd banks"};
    return kNames[queue];
  }
  size_t queue_at(isa::MemoryQueue named, uint32_t address) const override;
  bool keeps_order(uint32_t named) const override { return named == only(isa::MemoryQueue::ordered); }
  Tick ready(const WaitingCommands& waiting, size_t queue) const override;
  Tick free_for(const Command& command) const override { return pins_.start(access(command)); }
  uint32_t present(uint32_t address) const override { return state_.memory.read(address); }
  Times plan(const Command& command, Tick arrival, PlanUndo& undo) override;
  void perform(Service& service) override;
  ServeAtOnce at_once(isa::InsnId op) const override;
  const void* buffers() const override { return &fifos_; }

 private:
  template <isa::InsnId kOp>
  static ServedAtOnce serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                    uint32_t* registers, Tick arrival);
  enum Queue : size_t { kPriority, kOrdered, kEven, kOdd };
  DramPins::Access access(const Command& command) const;
  /// `n`: longwords.
  void write(Service& service, uint64_t address, unsigned n);

  Tick beat_;  ///< 8 bytes
  FifoMemory& fifos_;
  Sdram1200State state_;
  DramPins pins_;
};

}  // namespace weft::emulator
