// The DRAM channel, and the moves between DRAM and the media buffers.
//
// Commands are served in order. A bank whose open row is another one prepares the row from the moment at which the
// command is there and the bank is free, while data of other banks still passes.
#pragma once

#include "units/queued_unit.h"

namespace weft::emulator {

/// What DRAM sees of the MSF: RBUF for rbuf_rd and TBUF for tbuf_wr, by MSF byte address (data at 0x2000).
class MediaBuffers {
 public:
  virtual ~MediaBuffers() = default;
  virtual uint32_t read_rbuf(uint32_t address) const = 0;
  virtual void write_tbuf(uint32_t address, uint32_t value) = 0;
};

struct DramBank {
  bool open = false;
  uint64_t row = 0;
  Tick free = 0;  ///< end of its last access
};

struct DramState : QueueState {
  PagedMemory memory;
  Tick free = 0;             ///< of the data pins
  std::vector<DramBank> banks;
  bool last_writes = false;  ///< direction of the last access
  bool used = false;         ///< there was one
  Tick refreshed = 0;        ///< when the last refresh that was taken into account was due
};

class Dram final : public QueuedUnit {
 public:
  Dram(const DramDescription& description, const MemoryChannel& channel, Tick period, Bus& bus, MediaBuffers& buffers);

  PagedMemory& memory() { return state_.memory; }
  const DramState& state() const { return state_; }
  void restore(const DramState& state) { state_ = state; }
  void hash_state(StateHash& hash) const;

 protected:
  Tick free_for(const Command& command) const override { return plan(command).start; }
  void serve(const Command& command, Tick start) override;

 private:
  struct Plan {
    Tick start = 0;
    Tick refresh = 0;  ///< when the refresh before it was due; 0 = none since the last access
  };
  Plan plan(const Command& command) const;
  DramBank& bank_of(uint64_t address) { return state_.banks[address / description_.row_bytes % state_.banks.size()]; }
  uint64_t row_of(uint64_t address) const { return address / description_.row_bytes / state_.banks.size(); }
  void occupy(const Command& command, Tick start, Tick length);

  DramDescription description_;
  Tick beat_;  ///< 8 bytes
  MediaBuffers& buffers_;
  DramState state_;
};

}  // namespace weft::emulator
