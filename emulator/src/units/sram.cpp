#include "units/sram.h"

#include <fmt/format.h>

#include "units/command_traits.h"

namespace weft::emulator {

using isa::InsnId;

SramChannel::SramChannel(unsigned number, const SramDescription& description, const MemoryChannel& channel, Tick period,
                         Bus& bus)
    : UnitModel(fmt::format("sram{}", number), description.timing, period, bus),
      description_(description),
      beat_(channel.period * 4 / description.bytes_per_clock) {
  state_.memory = PagedMemory(channel.bytes);
  state_.memory.keep_index();
  large_memory_ = &state_.memory;
}

SramChannel::Movement SramChannel::movement_of(InsnId op) {
  using isa::Access;
  const CommandTraits& traits = traits_of(op);
  const bool data = traits.xfer != isa::XferUse::none, doubled = traits.xfer == isa::XferUse::both;
  switch (traits.access) {
    case Access::atomic: return {1, 1, 0, 0, false, traits.atomic.has_operand() && traits.atomic.returns_old};
    case Access::read:
    case Access::ring_get: return {0, 0, 1, 0, false, false};
    case Access::ring_put: return {0, 0, 0, 1, false, doubled};
    case Access::write: return {0, 0, 0, 1, false, false};
    case Access::journal: return data ? Movement{0, 0, 0, 1, false, false} : Movement{0, 1, 0, 0, false, false};
    case Access::enqueue: return {0, 1, 0, 0, true, false};
    case Access::dequeue: return {1, 0, 0, 0, true, false};
    // A pointer and the count go to transfer registers, too; the other pointer does not.
    case Access::queue_load: return data ? Movement{2, 0, 0, 0, false, false} : Movement{1, 0, 0, 0, false, false};
    case Access::queue_store: return {0, 3, 0, 0, false, false};
    case Access::queue_store_count: return {0, 1, 0, 0, false, false};
    default: return {};  // registers of the channel, the tail of a queue
  }
}

const SramChannel::Movements& SramChannel::all_movements() {
  static const Movements all = [] {
    Movements out{};
    for (const isa::InsnInfo& info : isa::all_instructions()) out[static_cast<size_t>(info.id)] = movement_of(info.id);
    return out;
  }();
  return all;
}

Tick SramChannel::free_for(const Command& command) const {
  const Traffic t = traffic(command);
  return std::max(t.read != 0 ? state_.read_free : 0, t.write != 0 ? state_.write_free : 0);
}

Times SramChannel::plan(const Command& command, Tick arrival, PlanUndo& undo) {
  state_.memory.prefetch(command.address & kAddress);
  undo.was[0] = state_.read_free, undo.was[1] = state_.write_free;
  const Traffic t = traffic(command);
  const Movement& m = movement(command);
  Times out;
  out.start = std::max({arrival, t.read != 0 ? state_.read_free : 0, t.write != 0 ? state_.write_free : 0});
  if (t.read != 0) state_.read_free = out.start + t.read * beat_;
  if (t.write != 0) state_.write_free = out.start + t.write * beat_;
  out.busy = (t.read + t.write) * beat_;
  out.at = done(out.start, (std::max({t.read, t.write, 1u}) - 1) * beat_);
  if (m.queue) out.at += cycles(description_.queue_access);
  if (m.early) out.first = first_signal(out, beat_);
  return out;
}

bool SramChannel::in_memory(const Command& command, unsigned words) {
  if (state_.memory.contains(command.address & kAddress, words * 4)) return true;
  fault(fmt::format("engine {} context {} accesses {} address {:#x}, where there is no memory", command.from.engine,
                    command.from.context, name_, command.address));
  return false;
}

void SramChannel::perform(Service& service) {
  const Command& command = service.command;
  const unsigned n = longwords(command);
  const uint32_t address = command.address & kAddress;
  if (const auto atomic = atomic_of(command.op)) {
    in_memory(command, 1);
    const uint32_t old = state_.memory.read(address);
    const uint32_t operand = atomic->has_operand() ? service.pull(0) : 0;
    state_.memory.write(address, atomic->apply(old, operand));
    return atomic->returns_old ? service.answer_with(old) : service.answer();
  }
  switch (command.op) {
    case InsnId::sram_read:
      in_memory(command, n);
      state_.memory.read_longwords(address, service.data(), n);
      return service.answer(n);
    case InsnId::sram_write:
      in_memory(command, n);
      state_.memory.write_longwords(address, service.pull_all(n), n);
      return service.answer();
    case InsnId::sram_put:
    case InsnId::sram_get:
    case InsnId::sram_journal:
    case InsnId::sram_fast_journal: return perform_on_ring(service, n);
    case InsnId::sram_csr_rd: return service.answer_with(state_.csr[command.address / 4 & 63]);
    case InsnId::sram_csr_wr: state_.csr[command.address / 4 & 63] = service.pull(0); return service.answer();
    default: return perform_on_queue(service);
  }
}

template <isa::InsnId kOp>
ServedAtOnce SramChannel::serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word,
                                        uint32_t address, uint32_t* registers, Tick arrival) {
  auto& self = static_cast<SramChannel&>(unit);
  const unsigned longwords = word.longwords;
  constexpr bool kReads = kOp == InsnId::sram_read;
  Tick& free = kReads ? self.state_.read_free : self.state_.write_free;
  const Tick start = longwords != 0 ? std::max(arrival, free) : arrival;
  address &= kAddress;
  Moved<kReads> data(self.state_.memory, address, longwords);
  if (start >= terms.until || !data.exist()) return {kNever, kNever};
  data.move(registers, terms);
  if (longwords == 0) return {start, self.done(start)};
  const Tick busy = longwords * self.beat_;
  free = start + busy;
  terms.counters->busy += busy;
  return {start, self.done(start, busy - self.beat_)};
}

// A longword over each set of pins.
template <Atomic kAtomic>
ServedAtOnce SramChannel::serve_atomic_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord&,
                                               uint32_t address, uint32_t* registers, Tick arrival) {
  auto& self = static_cast<SramChannel&>(unit);
  SramState& s = self.state_;
  const Tick start = std::max({arrival, s.read_free, s.write_free});
  address &= kAddress;
  if (start >= terms.until || !s.memory.contains(address, 4)) return {kNever, kNever};
  s.read_free = s.write_free = start + self.beat_;
  terms.counters->busy += 2 * self.beat_;
  apply<kAtomic>(s.memory, address, registers, terms);
  return {start, self.done(start)};
}

ServeAtOnce SramChannel::at_once(isa::InsnId op) const {
  switch (op) {
    case InsnId::sram_read: return &serve_at_once<InsnId::sram_read>;
    case InsnId::sram_write: return &serve_at_once<InsnId::sram_write>;
    default: return way_of(atomic_of(op), []<Atomic kAtomic>() { return &serve_atomic_at_once<kAtomic>; });
  }
}

void SramChannel::perform_on_ring(Service& service, unsigned n) {
  const Command& command = service.command;
  QueueArray array = queues();
  const unsigned number = command.address >> 24 & 63;
  switch (command.op) {
    case InsnId::sram_put: {
      // The answer: bit 31 = the ring had no room and nothing was put; 23:0 = longwords on it before.
      uint32_t status = array.entry(number).count;
      if (array.has_room(number, n)) {
        for (unsigned i = 0; i < n; ++i) array.put(number, service.pull(i));
      } else {
        status |= 1u << 31;
      }
      return isa::info(command.op).xfer == isa::XferUse::both ? service.answer_with(status) : service.answer();
    }
    case InsnId::sram_get:
      for (unsigned i = 0; i < n; ++i)
        if (!array.get(number, service.data()[i])) service.data()[i] = 0;
      return service.answer(n);
    case InsnId::sram_journal:
      for (unsigned i = 0; i < n; ++i) array.journal(number, service.pull(i));
      return service.answer();
    default:  // fast_journal: the datum is in the address
      array.journal(number, command.address & QueueArray::kAddress);
      return service.answer();
  }
}

void SramChannel::perform_on_queue(Service& service) {
  const Command& command = service.command;
  QueueArray array = queues();
  const unsigned number = command.address >> 24 & 63;
  const uint32_t address = command.address & QueueArray::kAddress;
  switch (command.op) {
    case InsnId::sram_enqueue: {
      // With the byte-mask override of the indirect word, the mask carries end of packet and cell count.
      const bool marked = command.indirect && (command.indirect_word >> 20 & 1) != 0;
      array.enqueue(number, address | (marked ? (command.indirect_word >> 12 & 0xff) << 24 : 0));
      break;
    }
    case InsnId::sram_enqueue_tail: array.enqueue_tail(number, address); break;
    case InsnId::sram_dequeue: return service.answer_with(array.dequeue(number, cell_mode()));
    case InsnId::sram_rd_qdesc_head:
    case InsnId::sram_rd_qdesc_tail: {
      const bool head = command.op == InsnId::sram_rd_qdesc_head;
      head ? array.load_head(number, address) : array.load_tail(number, address);
      const QueueEntry& entry = array.entry(number);
      service.data()[0] = head ? entry.head : entry.tail;
      service.data()[1] = entry.count;
      return service.answer(std::min(2u, unsigned{command.count}));
    }
    case InsnId::sram_rd_qdesc_other: array.load_other(number, address); break;
    case InsnId::sram_wr_qdesc: array.store(number, address); break;
    case InsnId::sram_wr_qdesc_count: array.store_count(number, address); break;
    default: fault("a command that SRAM does not know");
  }
  service.answer();
}

}  // namespace weft::emulator
