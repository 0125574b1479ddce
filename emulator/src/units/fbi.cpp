#include "units/fbi.h"

#include <fmt/format.h>

#include <utility>

#include "units/command_traits.h"

namespace weft::emulator {

using isa::InsnId;

namespace {

uint64_t interrupt_bit(ContextRef of) { return uint64_t{1} << (8 * (of.engine % 8) + of.context); }

}  // namespace

Fbi::Fbi(const ChipOnBoard& on, Bus& bus, HashUnit& hash)
    : UnitModel("fbi", on.chip.fbi.timing, on.chip.engine.period, bus),
      description_(on.chip.fbi),
      engines_(on.chip.engines),
      contexts_(on.chip.contexts),
      hash_(hash),
      ix_(on, bus, *this, state_.ix) {
  state_.scratch = PagedMemory(on.chip.scratch.bytes);
  state_.scratch.keep_index();
  driven_lines_ = 1;
  refresh_lines();
  state_.rfifo.resize(description_.fifo_elements * kFifoElementBytes / 4);
  state_.tfifo.resize(state_.rfifo.size());
}

void Fbi::advance(Tick now) {
  if (ix_.next_event() > now) return;
  state_.now = now;
  ix_.run(now);
  refresh_lines();
}

uint32_t Fbi::read_csr(uint32_t offset, std::optional<ContextRef> from, unsigned xfer) {
  using namespace fbi_csr;
  using Side = ReadyBus::Side;
  offset &= 0x3fc;
  const Tick now = state_.now;
  switch (offset) {
    case kReceiveControl: return from ? ix_.take_status(*from, xfer, now) : ix_.oldest_status();
    case kReceiveReadyCount: return ix_.ready().count(now);
    case kReceiveReadyLow: return ix_.ready().flags(Side::receive, 0, now);
    case kReceiveReadyHigh: return ix_.ready().flags(Side::receive, 32, now);
    case kTransmitReadyLow: return ix_.ready().flags(Side::transmit, 0, now);
    case kTransmitReadyHigh: return ix_.ready().flags(Side::transmit, 32, now);
    case kTransmitPointer: return state_.ix.next;
    case kFastPorts: return state_.ix.fast_ports;
    case kFastWait: return state_.ix.fast_wait;
    case kReadyControl: return state_.ix.ready.control;
    case kReadyRest: return state_.ix.ready.rest;
    case kHashMultiplier48Low: return hash_.multiplier(0);
    case kHashMultiplier48High: return hash_.multiplier(1);
    case kHashMultiplier64Low: return hash_.multiplier(2);
    case kHashMultiplier64High: return hash_.multiplier(3);
    case kSelfDestruct: return std::exchange(state_.csr[offset / 4], 0);
    case kInterrupts: {
      // Bit contexts x engine + context, as threads are numbered.
      uint32_t out = state_.csr[offset / 4] & 0xff000000;
      for (unsigned t = 0; t < shown_threads(); ++t)
        if ((state_.interrupts[thread(t).engine / 8] & interrupt_bit(thread(t))) != 0) out |= 1u << t;
      return out;
    }
    default:
      if (offset >= kReadyProgram1 && offset <= kReadyProgram3)
        return state_.ix.ready.program[(offset - kReadyProgram1) / 4];
      return state_.csr[offset / 4];
  }
}

void Fbi::write_csr(uint32_t offset, uint32_t value, std::optional<ContextRef> from, Tick at) {
  using namespace fbi_csr;
  offset &= 0x3fc;
  uint32_t& plain = state_.csr[offset / 4];
  const Tick now = state_.now;
  switch (offset) {
    case kReceiveRequest:
      plain = value;
      ix_.request(value, now);
      return refresh_lines();
    case kTransmitPointer: return ix_.set_next(value & 15);
    case kFastPorts: state_.ix.fast_ports = value; return;
    case kFastWait: state_.ix.fast_wait = value; return;
    case kReadyControl: return ix_.ready().set_control(value, now);
    case kReadyRest: return ix_.ready().set_rest(value, now);
    case kReceiveReadyCount: return ix_.ready().set_count(value, now);
    case kReceiveControl:
    case kReceiveReadyLow:
    case kReceiveReadyHigh:
    case kTransmitReadyLow:
    case kTransmitReadyHigh: return;  // read-only
    case kHashMultiplier48Low: return hash_.set_multiplier(0, value);
    case kHashMultiplier48High: return hash_.set_multiplier(1, value);
    case kHashMultiplier64Low: return hash_.set_multiplier(2, value);
    case kHashMultiplier64High: return hash_.set_multiplier(3, value);
    case kThreadDone0:
    case kThreadDone1:
      // Threads add their messages, the control processor takes what it has read.
      plain = from ? plain | value : plain & ~value;
      return;
    case kEnqueueSeq1:
    case kEnqueueSeq2:
      if (plain == value) return;
      plain = value;
      raise_all(offset == kEnqueueSeq1 ? fbi_event::kSequence1 : fbi_event::kSequence2, at);
      return;
    case kInterThreadSignal:
      if (is_thread(value))
        raise(thread(value), fbi_event::kInterThread, at);
      else
        fault(fmt::format("INTER_THD_SIG = {}: there is no such thread", value));
      return;
    case kInterrupts:
      if (from) {
        state_.interrupts[from->engine / 8 % 2] |= interrupt_bit(*from);
      } else {
        plain = value & 0xff000000;
        for (unsigned t = 0; t < shown_threads(); ++t)
          if (value >> t & 1) state_.interrupts[thread(t).engine / 8] &= ~interrupt_bit(thread(t));
      }
      return;
    default:
      if (offset >= kReadyProgram1 && offset <= kReadyProgram3)
        return ix_.ready().set_program((offset - kReadyProgram1) / 4, value, now);
      plain = value;
      return;
  }
}

void Fbi::raise(ContextRef to, unsigned event, Tick at, unsigned contexts) {
  if (at == 0) {
    for (unsigned i = 0; i < contexts; ++i, ++to.context) bus_.signal(to, event);
    return;
  }
  Reply out;
  out.at = at;
  out.to = to;
  out.signals = static_cast<uint16_t>(1u << event);
  out.command = port_->performing();
  port_->send_to_contexts(out, contexts);
}

void Fbi::raise_all(unsigned event, Tick at) {
  for (unsigned engine = 0; engine < engines_; ++engine) raise({static_cast<uint8_t>(engine), 0}, event, at, contexts_);
}

bool Fbi::in_scratch(const Command& command, unsigned words) {
  if (state_.scratch.contains(command.address, words * 4)) return true;
  fault(fmt::format("engine {} context {} accesses scratch address {:#x}, which does not exist", command.from.engine,
                    command.from.context, command.address));
  return false;
}

// After the last element the first one follows, so that no access is lost; but none is meant.
bool Fbi::in_fifo(const Command& command, unsigned words, uint32_t bytes) {
  if (command.address + uint64_t{4} * words <= bytes) return true;
  fault(fmt::format("engine {} context {} accesses byte {:#x} of a FIFO, which has {}", command.from.engine,
                    command.from.context, command.address, bytes));
  return false;
}

// After the data of a TFIFO there is a control word of eight bytes for each element; its first longword counts, and
// validates the element.
void Fbi::write_tfifo_block(Service& service, unsigned words) {
  const Command& command = service.command;
  in_fifo(command, words, fifo_bytes() + 8 * description_.fifo_elements);
  for (unsigned i = 0; i < words; ++i) {
    const uint32_t offset = command.address + 4 * i;
    const uint32_t value = service.pull(i);
    if (offset < fifo_bytes() || offset >= fifo_bytes() + 8 * description_.fifo_elements)
      write_tfifo(offset, value);
    else if (offset % 8 == 0)
      ix_.write_control((offset - fifo_bytes()) / 8, value);
  }
}

// What is neither media, nor a signal, nor an interrupt.
bool Fbi::is_private(const Command& command) const {
  using isa::Access;
  switch (traits_of(command.op).access) {
    case Access::read:
    case Access::write:
    case Access::atomic:
    case Access::media_read: return true;
    case Access::csr_read: return (command.csr & 0x3fc) != fbi_csr::kReceiveControl;
    default: return false;
  }
}

// What the control processor waits for, what the hash unit works with, and what SDRAM writes as well have their time.
bool Fbi::may_be_early(const Command& command) const {
  using namespace fbi_csr;
  if (is_private(command)) return true;
  if (traits_of(command.op).access == isa::Access::csr_read) return true;
  if (!writes_fbi_csr(command.op)) return false;
  switch (command.csr & 0x3fc) {
    case kHashMultiplier48Low:
    case kHashMultiplier48High:
    case kHashMultiplier64Low:
    case kHashMultiplier64High:
    case kThreadDone0:
    case kThreadDone1:
    case kInterrupts: return false;
    default: return true;
  }
}

Times Fbi::plan(const Command& command, Tick arrival, PlanUndo& undo) {
  undo.was[0] = state_.free;
  const Tick start = std::max(arrival, state_.free);
  const Tick word = cycles(description_.clock_divider);
  const CommandTraits& traits = traits_of(command.op);
  const unsigned n = traits.is_atomic ? 2 : std::max(1u, longwords(command));
  const bool reads = traits.is_atomic ? traits.atomic.returns_old : traits.xfer == isa::XferUse::read;
  Times out;
  out.start = start;
  out.busy = n * word;
  const unsigned last = traits.is_atomic ? 0 : n - 1;
  out.at = reads ? done(start, last * word) : written(start, last + 1);
  state_.free = start + out.busy;
  return out;
}

void Fbi::perform(Service& service) {
  state_.now = service.times.start;
  const Command& command = service.command;
  const uint32_t address = command.address;
  if (const auto atomic = atomic_of(command.op)) {
    in_scratch(command, 1);
    const uint32_t old = state_.scratch.read(address);
    state_.scratch.write(address, atomic->apply(old, atomic->has_operand() ? service.pull(0) : 0));
    return atomic->returns_old ? service.answer_with(old) : service.answer();
  }
  const unsigned n = std::max(1u, longwords(command));
  const Tick signal_at = written(service.times.start, 1);
  uint32_t* const data = service.data();
  switch (command.op) {
    case InsnId::scratch_read:
      in_scratch(command, n);
      state_.scratch.read_longwords(address, data, n);
      break;
    case InsnId::scratch_write:
      in_scratch(command, n);
      state_.scratch.write_longwords(address, service.pull_all(n), n);
      break;
    case InsnId::r_fifo_rd:
      in_fifo(command, n, fifo_bytes());
      for (unsigned i = 0; i < n; ++i) data[i] = read_rfifo(address + 4 * i);
      break;
    case InsnId::t_fifo_wr: write_tfifo_block(service, n); break;
    case InsnId::csr_read:
      std::fill_n(data, n, 0);
      data[0] = read_csr(command.csr, command.from, command.xfer);
      break;
    case InsnId::csr_write: write_csr(command.csr, service.pull(0), command.from, signal_at); break;
    case InsnId::fast_wr: return write_csr(command.csr, command.data, command.from, signal_at);  // no answer
    default:
      std::fill_n(data, n, 0);
      fault("a command that the FBI does not know");
      break;
  }
  service.answer(traits_of(command.op).xfer == isa::XferUse::read ? n : 0);
}

// --- at once

bool Fbi::may_write_csr(uint32_t offset, uint32_t value) const {
  if (offset == fbi_csr::kReceiveRequest) return ix_.may_request(value);
  return offset != fbi_csr::kInterThreadSignal || is_thread(value);
}

template <isa::InsnId kOp>
ServedAtOnce Fbi::serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                uint32_t* registers, Tick arrival) {
  constexpr bool kFast = kOp == InsnId::fast_wr;
  constexpr bool kWritesCsr = kFast || kOp == InsnId::csr_write;
  constexpr bool kReads = kOp == InsnId::csr_read || kOp == InsnId::scratch_read || kOp == InsnId::r_fifo_rd;
  auto& self = static_cast<Fbi&>(unit);
  State& state = self.state_;
  const unsigned longwords = kFast ? 1 : word.longwords;
  const uint32_t csr = word.csr & 0x3fc;
  const Tick start = std::max(arrival, state.free);
  if (start >= terms.until || longwords == 0) return {kNever, kNever};
  if constexpr (kWritesCsr) {
    if (!self.may_write_csr(csr, kFast ? address : registers[0])) return {kNever, kNever};
  } else if constexpr (kOp == InsnId::r_fifo_rd) {
    if (address + uint64_t{4} * longwords > self.fifo_bytes()) return {kNever, kNever};
  } else if constexpr (kOp != InsnId::csr_read) {
    if (!state.scratch.contains(address, longwords * 4)) return {kNever, kNever};
  }
  state.now = start;
  if constexpr (kOp == InsnId::csr_read) {
    std::fill_n(registers, longwords, 0);
    const bool is_foreign = csr == fbi_csr::kReceiveControl;  // a status is taken
    registers[0] = is_foreign ? self.read_csr(csr, terms.from, terms.xfer) : self.read_csr(csr);
  } else if constexpr (kWritesCsr) {
    if constexpr (!kFast) ++terms.counters->longwords_written;
    self.write_csr(csr, kFast ? address : registers[0], terms.from, self.written(start, 1));
  } else if constexpr (kOp == InsnId::r_fifo_rd) {
    std::copy_n(state.rfifo.begin() + address / 4, longwords, registers);
  } else if constexpr (kOp == InsnId::scratch_read) {
    state.scratch.read_longwords(address, registers, longwords);
  } else {
    terms.counters->longwords_written += longwords;
    state.scratch.write_longwords(address, registers, longwords);
  }
  const Tick each = self.cycles(self.description_.clock_divider), busy = longwords * each;
  state.free = start + busy;
  terms.counters->busy += busy;
  return {start, kReads ? self.done(start, busy - each) : self.written(start, longwords)};
}

template <Atomic kAtomic>
ServedAtOnce Fbi::serve_atomic_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord&, uint32_t address,
                                       uint32_t* registers, Tick arrival) {
  auto& self = static_cast<Fbi&>(unit);
  State& state = self.state_;
  const Tick start = std::max(arrival, state.free);
  if (start >= terms.until || !state.scratch.contains(address, 4)) return {kNever, kNever};
  state.now = start;
  apply<kAtomic>(state.scratch, address, registers, terms);
  const Tick busy = 2 * self.cycles(self.description_.clock_divider);
  state.free = start + busy;
  terms.counters->busy += busy;
  return {start, kAtomic.returns_old ? self.done(start) : self.written(start, 1)};
}

ServeAtOnce Fbi::at_once(isa::InsnId op) const {
  switch (op) {
    case InsnId::csr_read: return &serve_at_once<InsnId::csr_read>;
    case InsnId::csr_write: return &serve_at_once<InsnId::csr_write>;
    case InsnId::fast_wr: return &serve_at_once<InsnId::fast_wr>;
    case InsnId::scratch_read: return &serve_at_once<InsnId::scratch_read>;
    case InsnId::scratch_write: return &serve_at_once<InsnId::scratch_write>;
    case InsnId::r_fifo_rd: return &serve_at_once<InsnId::r_fifo_rd>;
    default: return way_of(atomic_of(op), []<Atomic kAtomic>() { return &serve_atomic_at_once<kAtomic>; });
  }
}

}  // namespace weft::emulator
