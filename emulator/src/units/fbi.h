// The FBI unit of the IXP1200 as the microengines see it: scratch memory, CSRs, the FIFOs, signals between threads and
// interrupts to the control processor. Behind the FIFOs is the IX bus: media/ix_bus.h.
#pragma once

#include <algorithm>

#include "media/ix_bus.h"
#include "units/hash_unit.h"
#include "units/unit_model.h"
#include "weft/isa/effects.h"

namespace weft::emulator {

/// Offsets of CSRs (isa.md 12.3) that do something; the others only hold their value.
namespace fbi_csr {
inline constexpr uint32_t kThreadDone0 = 0x008, kThreadDone1 = 0x00c, kReceiveControl = 0x018, kReceiveRequest = 0x01c,
                          kEnqueueSeq1 = 0x028, kEnqueueSeq2 = 0x02c, kFastPorts = 0x030, kReceiveReadyCount = 0x0c0,
                          kReceiveReadyLow = 0x0c4, kReceiveReadyHigh = 0x0c8, kTransmitPointer = 0x0e0,
                          kTransmitReadyLow = 0x0e4, kTransmitReadyHigh = 0x0e8, kReadyControl = 0x180,
                          kReadyProgram1 = 0x184, kReadyProgram3 = 0x18c, kReadyRest = 0x190, kFastWait = 0x1a4,
                          kHashMultiplier64Low = 0x140, kHashMultiplier64High = 0x144, kHashMultiplier48Low = 0x148,
                          kHashMultiplier48High = 0x14c, kInterThreadSignal = 0x1c0, kSelfDestruct = 0x1d4,
                          kInterrupts = 0x1e0;
}  // namespace fbi_csr

/// Numbers of the events (lib/isa/me1_registers.td).
namespace fbi_event {
inline constexpr unsigned kInterThread = 5, kStartReceive = 6, kSequence1 = 8, kSequence2 = 9;

/// What a write of this CSR raises when it is served; 0 = nothing.
constexpr unsigned raised_by(uint32_t csr) {
  switch (csr) {
    case fbi_csr::kInterThreadSignal: return kInterThread;
    case fbi_csr::kEnqueueSeq1: return kSequence1;
    case fbi_csr::kEnqueueSeq2: return kSequence2;
    default: return 0;
  }
}
/// Raised in all threads (F5), whether they want it or not.
constexpr bool to_every_thread(unsigned event) { return event == kSequence1 || event == kSequence2; }
}  // namespace fbi_event

/// A command that writes a CSR of the FBI.
inline bool writes_fbi_csr(isa::InsnId op) {
  return isa::effects(op).access == isa::Access::csr_write && isa::enabled(isa::Profile::me1, op);
}

inline constexpr uint32_t kFifoElementBytes = 64;

/// What SDRAM sees of the FIFOs, by byte offset.
class FifoMemory {
 public:
  virtual ~FifoMemory() = default;
  virtual uint32_t read_rfifo(uint32_t offset) const = 0;
  virtual void write_tfifo(uint32_t offset, uint32_t value) = 0;
  virtual uint32_t fifo_bytes() const = 0;
};

struct FbiState {
  PagedMemory scratch;
  std::vector<uint32_t> rfifo, tfifo;  ///< longwords
  std::array<uint32_t, 256> csr{};     ///< by offset / 4
  /// Of engines 0-7 and 8-15: bit 8 x (engine % 8) + context.
  std::array<uint64_t, 2> interrupts{};
  Tick free = 0;
  Tick now = 0;  ///< of the last event, answers that arrive aside
  IxBusState ix;
  WEFT_FIELDS(FbiState, scratch, rfifo, tfifo, csr, interrupts, free, now, ix)
};

class Fbi final : public UnitModel, public FifoMemory, private IxBusOwner {
 public:
  using State = FbiState;
  Fbi(const ChipOnBoard& on, Bus& bus, HashUnit& hash);

  bool has_events() const override { return true; }
  bool serves_in_order() const override { return true; }
  bool is_private(const Command& command) const override;
  bool may_be_early(const Command& command) const override;
  bool fills_buffers(const Command& command) const override {
    return traits_of(command.op).access == isa::Access::media_write;
  }
  Tick next_event() const override { return ix_.next_event(); }
  void advance(Tick now) override;
  void settle(Tick now) override {
    ix_.pump(now);
    refresh_lines();
  }

  /// REC_REQ_AVAIL: the receive machine takes another request. PUSH_PROTECT: nothing is pushed unasked.
  bool input_state(unsigned number) const { return number == 0 && ix_.request_available(); }

  /// Engine cycles, at least, between a command and a signal that it raises in another thread.
  unsigned signal_cycles() const { return timing_.command + timing_.access_write + timing_.reply; }

  IxBus& media() { return ix_; }
  const IxBus& media() const { return ix_; }

  PagedMemory& scratch() { return state_.scratch; }
  uint32_t read_rfifo(uint32_t offset) const override { return state_.rfifo[place(offset)]; }
  void write_rfifo(uint32_t offset, uint32_t value) override { state_.rfifo[place(offset)] = value; }
  uint32_t read_tfifo(uint32_t offset) const override { return state_.tfifo[place(offset)]; }
  void write_tfifo(uint32_t offset, uint32_t value) override { state_.tfifo[place(offset)] = value; }
  uint32_t fifo_bytes() const override { return static_cast<uint32_t>(4 * state_.rfifo.size()); }

  /// Accesses of the control processor have no context; those without time happen at the last event of this unit.
  uint32_t read_csr(uint32_t offset, std::optional<ContextRef> from = std::nullopt, unsigned xfer = 0);
  /// Signals are raised at tick `at`, 0 = now.
  void write_csr(uint32_t offset, uint32_t value, std::optional<ContextRef> from, Tick at = 0);
  uint64_t& interrupts(unsigned group) { return state_.interrupts[group & 1]; }

  const FbiState& state() const { return state_; }
  void restore(const FbiState& state) {
    state_ = state;
    ix_.ready().refresh();
    refresh_lines();
  }

  Tick free_for(const Command&) const override { return state_.free; }
  Times plan(const Command& command, Tick arrival, PlanUndo& undo) override;
  void unplan(const Command&, const PlanUndo& undo) override { state_.free = undo.was[0]; }
  void perform(Service& service) override;
  ServeAtOnce at_once(isa::InsnId op) const override;
  const void* buffers() const override { return static_cast<const FifoMemory*>(this); }

 private:
  template <isa::InsnId kOp>
  static ServedAtOnce serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                    uint32_t* registers, Tick arrival);
  template <Atomic kAtomic>
  static ServedAtOnce serve_atomic_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word,
                                           uint32_t address, uint32_t* registers, Tick arrival);
  /// write_csr() can do what it is asked.
  bool may_write_csr(uint32_t offset, uint32_t value) const;
  /// After the last element of a FIFO the first one follows.
  size_t place(uint32_t offset) const {
    const size_t longword = offset / 4;
    return longword < state_.rfifo.size() ? longword : longword % state_.rfifo.size();
  }
  /// Input state 0, after requests may have changed.
  void refresh_lines() { input_lines_ = ix_.request_available() ? 1 : 0; }
  bool in_scratch(const Command& command, unsigned words);
  bool in_fifo(const Command& command, unsigned words, uint32_t bytes);
  void write_tfifo_block(Service& service, unsigned words);
  /// When a write of so many longwords that starts at `start` is over.
  Tick written(Tick start, unsigned words) const {
    return done_write(start, (words - 1) * cycles(description_.clock_divider));
  }
  void start_receive(ContextRef to, Tick at) override { raise(to, fbi_event::kStartReceive, at); }
  WordPlace media_word() const override { return served_word(); }
  void media_fault(std::string text, const WordPlace& by) override { fault(std::move(text), by); }
  bool is_thread(uint32_t number) const { return number < engines_ * contexts_; }
  ContextRef thread(uint32_t number) const {
    return {static_cast<uint8_t>(number / contexts_), static_cast<uint8_t>(number % contexts_)};
  }
  /// Threads that IREG shows.
  unsigned shown_threads() const { return std::min(24u, engines_ * contexts_); }
  /// In this context and those behind it, `contexts` together.
  void raise(ContextRef to, unsigned event, Tick at, unsigned contexts = 1);
  void raise_all(unsigned event, Tick at);

  FbiDescription description_;
  unsigned engines_, contexts_;
  HashUnit& hash_;
  FbiState state_;
  IxBus ix_;
};

}  // namespace weft::emulator
