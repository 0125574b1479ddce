// The DRAM channel, and the moves between DRAM and the media buffers.
//
// Commands are served in order.
#pragma once

#include "units/dram_pins.h"
#include "units/unit_model.h"

namespace weft::emulator {

/// What DRAM sees of the MSF: RBUF for rbuf_rd and TBUF for tbuf_wr, by MSF byte address (data at 0x2000).
class MediaBuffers {
 public:
  virtual ~MediaBuffers() = default;
  /// Longwords from a byte address on; after the end of a buffer its beginning follows.
  virtual void read_rbuf(uint32_t address, std::span<uint32_t> out) const = 0;
  virtual void write_tbuf(uint32_t address, std::span<const uint32_t> in) = 0;
};

struct DramState : DramPinsState {
  PagedMemory memory;
  WEFT_FIELDS(DramState, WEFT_BASE(DramPinsState), memory)
};

class Dram final : public UnitModel {
 public:
  using State = DramState;
  Dram(const DramDescription& description, const MemoryChannel& channel, Tick period, Bus& bus, MediaBuffers& buffers);

  PagedMemory& memory() { return state_.memory; }
  const DramState& state() const { return state_; }
  void restore(const DramState& state) { state_ = state; }

  bool serves_in_order() const override { return true; }
  uint32_t present(uint32_t address) const override { return state_.memory.read(address); }
  Tick free_for(const Command& command) const override { return pins_.start(access(command)); }
  bool hastens() const override { return !pins_.is_plain(); }
  Times plan(const Command& command, Tick arrival, PlanUndo& undo) override;
  void unplan(const Command& command, const PlanUndo& undo) override { pins_.take_back(access(command), undo); }
  void perform(Service& service) override;
  ServeAtOnce at_once(isa::InsnId op) const override;
  const void* buffers() const override { return &buffers_; }

 private:
  template <isa::InsnId kOp>
  static ServedAtOnce serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                    uint32_t* registers, Tick arrival);
  DramPins::Access access(const Command& command) const;
  static unsigned quadwords(const Command& command) { return std::min(16u, std::max(1u, unsigned{command.count})); }

  Tick beat_;  ///< 8 bytes
  MediaBuffers& buffers_;
  DramState state_;
  DramPins pins_;
};

}  // namespace weft::emulator
