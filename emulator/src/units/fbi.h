// The FBI unit of the IXP1200 as the microengines see it: scratch memory, CSRs, the FIFOs, signals between threads and
// interrupts to the control processor. The buses behind the FIFOs are not here.
#pragma once

#include <algorithm>

#include "units/hash_unit.h"
#include "units/queued_unit.h"

namespace weft::emulator {

/// Offsets of CSRs (isa.md 12.3) that do something; the others only hold their value.
namespace fbi_csr {
inline constexpr uint32_t kThreadDone0 = 0x008, kThreadDone1 = 0x00c, kEnqueueSeq1 = 0x028, kEnqueueSeq2 = 0x02c,
                          kHashMultiplier64Low = 0x140, kHashMultiplier64High = 0x144, kHashMultiplier48Low = 0x148,
                          kHashMultiplier48High = 0x14c, kInterThreadSignal = 0x1c0, kSelfDestruct = 0x1d4,
                          kInterrupts = 0x1e0;
}  // namespace fbi_csr

/// Numbers of the events (lib/isa/me1_registers.td).
namespace fbi_event {
inline constexpr unsigned kInterThread = 5, kSequence1 = 8, kSequence2 = 9;
}  // namespace fbi_event

inline constexpr uint32_t kFifoElementBytes = 64;

/// What SDRAM sees of the FIFOs, by byte offset.
class FifoMemory {
 public:
  virtual ~FifoMemory() = default;
  virtual uint32_t read_rfifo(uint32_t offset) const = 0;
  virtual void write_tfifo(uint32_t offset, uint32_t value) = 0;
  virtual uint32_t fifo_bytes() const = 0;
};

struct FbiState : QueueState {
  PagedMemory scratch;
  std::vector<uint32_t> rfifo, tfifo;  ///< longwords
  std::array<uint32_t, 256> csr{};     ///< by offset / 4
  /// Of engines 0-7 and 8-15: bit 8 x (engine % 8) + context.
  std::array<uint64_t, 2> interrupts{};
  Tick free = 0;
};

class Fbi final : public QueuedUnit, public FifoMemory {
 public:
  Fbi(const ChipDescription& chip, Bus& bus, HashUnit& hash);

  /// REC_REQ_AVAIL: there is no receive state machine here that could be busy. PUSH_PROTECT: nothing is pushed unasked.
  bool input_state(unsigned number) const override { return number == 0; }

  PagedMemory& scratch() { return state_.scratch; }
  uint32_t read_rfifo(uint32_t offset) const override { return state_.rfifo[offset / 4 % state_.rfifo.size()]; }
  void write_rfifo(uint32_t offset, uint32_t value) { state_.rfifo[offset / 4 % state_.rfifo.size()] = value; }
  uint32_t read_tfifo(uint32_t offset) const { return state_.tfifo[offset / 4 % state_.tfifo.size()]; }
  void write_tfifo(uint32_t offset, uint32_t value) override { state_.tfifo[offset / 4 % state_.tfifo.size()] = value; }
  uint32_t fifo_bytes() const override { return static_cast<uint32_t>(4 * state_.rfifo.size()); }

  uint32_t read_csr(uint32_t offset);
  /// Writes of the control processor have no context. Signals are raised at tick `at`, 0 = now.
  void write_csr(uint32_t offset, uint32_t value, std::optional<ContextRef> from, Tick at = 0);
  uint64_t& interrupts(unsigned group) { return state_.interrupts[group & 1]; }

  const FbiState& state() const { return state_; }
  void restore(const FbiState& state) { state_ = state; }
  void hash_state(StateHash& hash) const;

 protected:
  Tick free_for(const Command&) const override { return state_.free; }
  void serve(const Command& command, Tick start) override;

 private:
  bool in_scratch(const Command& command, unsigned words);
  bool in_fifo(const Command& command, unsigned words);
  ContextRef thread(uint32_t number) const {
    return {static_cast<uint8_t>(number / contexts_), static_cast<uint8_t>(number % contexts_)};
  }
  /// Threads that IREG shows.
  unsigned shown_threads() const { return std::min(24u, engines_ * contexts_); }
  void raise(ContextRef to, unsigned event, Tick at);
  void raise_all(unsigned event, Tick at);

  FbiDescription description_;
  unsigned engines_, contexts_;
  HashUnit& hash_;
  FbiState state_;
};

}  // namespace weft::emulator
