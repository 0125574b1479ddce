#include "units/sdram1200.h"

#include <fmt/format.h>

namespace weft::emulator {

using isa::InsnId;

namespace {

/// The most that one command moves: an element of a FIFO.
constexpr unsigned kMaxQuadwords = 8;

unsigned quadwords(const Command& command) { return std::clamp(unsigned{command.count}, 1u, kMaxQuadwords); }
/// A move between memory and a FIFO without the indirect word that says where in the FIFO.
bool lacks_place(const Command& command) { return moves_media(command.op) && !command.indirect; }

/// The bits of longword `index` (0 or 1) of a quadword that a byte mask lets through; bit 7 of it is the first byte.
uint32_t longword_mask(uint32_t byte_mask, unsigned index) {
  uint32_t out = 0;
  for (unsigned byte = 0; byte < 4; ++byte)
    if (byte_mask >> (7 - 4 * index - byte) & 1) out |= 0xff000000u >> (8 * byte);
  return out;
}

}  // namespace

Sdram1200::Sdram1200(const ChipDescription& chip, const MemoryChannel& memory, Bus& bus, FifoMemory& fifos)
    : SortedModel(
          "sdram", chip.dram.timing, chip.engine.period, bus,
          {chip.sdram1200.priority, chip.sdram1200.ordered, chip.sdram1200.bank_queue, chip.sdram1200.bank_queue}, 1),
      beat_(memory.period * 8 / chip.dram.bytes_per_clock),
      fifos_(fifos),
      pins_(chip.dram, chip.engine.period, state_) {
  state_.memory = PagedMemory(memory.bytes);
  state_.memory.keep_index();
  large_memory_ = &state_.memory;
}

DramPins::Access Sdram1200::access(const Command& command) const {
  return {command.address & ~7u, writes_memory(command.op), command.issued + cycles(timing_.command)};
}

size_t Sdram1200::queue_at(isa::MemoryQueue named, uint32_t address) const {
  if (named == isa::MemoryQueue::priority) return kPriority;
  if (named == isa::MemoryQueue::ordered) return kOrdered;
  return pins_.bank_number(address & ~7u) % 2 == 0 ? kEven : kOdd;
}

Tick Sdram1200::ready(const WaitingCommands& waiting, size_t queue) const {
  const PendingCommand& pending = waiting.head(queue);
  return std::max(pending.arrival, pins_.start(access(pending.command)));
}

Times Sdram1200::plan(const Command& command, Tick arrival, PlanUndo&) {
  Times out;
  out.start = arrival;
  out.busy = quadwords(command) * beat_;
  const DramPins::Access wanted = access(command);
  pins_.occupy(wanted, pins_.plan(wanted), arrival, out.busy);
  const Tick more = out.busy - beat_;
  const bool travels = writes_memory(command.op) && !lacks_place(command);
  out.at = travels ? done_write(arrival, more) : done(arrival, more);
  return out;
}

void Sdram1200::perform(Service& service) {
  const Command& command = service.command;
  const unsigned n = 2 * quadwords(command);
  const uint64_t address = command.address & ~7u;
  if (!state_.memory.contains(address, n * 4))
    fault(fmt::format("engine {} context {} accesses SDRAM address {:#x}, where there is no memory",
                      command.from.engine, command.from.context, command.address));
  if (lacks_place(command)) {
    fault(fmt::format("engine {} context {} moves between SDRAM and a FIFO without an indirect word that says where",
                      command.from.engine, command.from.context));
    return service.answer();
  }
  const uint32_t place = (command.indirect_word & 127) * 8;
  if (moves_media(command.op) && place + 4 * n > fifos_.fifo_bytes())
    fault(fmt::format("engine {} context {} moves byte {:#x} of a FIFO, which has {}", command.from.engine,
                      command.from.context, place + 4 * n - 1, fifos_.fifo_bytes()));
  std::array<uint32_t, 2 * kMaxQuadwords> data;
  switch (command.op) {
    case InsnId::dram_read:  // the control processor's accesses have the names of the later parts
    case InsnId::sdram_read: state_.memory.read_longwords(address, service.data(), n); return service.answer(n);
    case InsnId::dram_write:
    case InsnId::sdram_write: write(service, address, n); break;
    case InsnId::sdram_r_fifo_rd:
      for (unsigned i = 0; i < n; ++i) data[i] = fifos_.read_rfifo(place + 4 * i);
      state_.memory.write_longwords(address, data.data(), n);
      break;
    case InsnId::sdram_t_fifo_wr:
      state_.memory.read_longwords(address, data.data(), n);
      for (unsigned i = 0; i < n; ++i) fifos_.write_tfifo(place + 4 * i, data[i]);
      break;
    default: fault("a command that this SDRAM unit does not know");
  }
  service.answer();
}

void Sdram1200::write(Service& service, uint64_t address, unsigned n) {
  const Command& command = service.command;
  const bool masked = command.indirect && (command.indirect_word >> 20 & 1) != 0;
  if (!masked) {
    return state_.memory.write_longwords(address, service.pull_all(n), n);
  }
  const uint32_t byte_mask = command.indirect_word >> 12 & 0xff;
  for (unsigned i = 0; i < n; ++i) {
    const uint32_t mask = longword_mask(byte_mask, i % 2);
    const uint32_t value = service.pull(i);
    state_.memory.write(address + 4 * i, (state_.memory.read(address + 4 * i) & ~mask) | (value & mask));
  }
}

// --- at once

// As Sram1200::serve_at_once().
template <isa::InsnId kOp>
ServedAtOnce Sdram1200::serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word,
                                      uint32_t address, uint32_t* registers, Tick arrival) {
  auto& self = static_cast<Sdram1200&>(unit);
  const unsigned longwords = word.longwords;
  constexpr bool kReads = kOp == InsnId::sdram_read;
  address &= ~7u;
  const DramPins::Access wanted{address, !kReads, terms.there};
  const DramPins::Plan planned = self.pins_.plan(wanted);
  const Tick start = std::max(arrival, planned.start);
  Moved<kReads> data(self.state_.memory, address, longwords);
  if (start >= terms.until || longwords == 0 || longwords > 2 * kMaxQuadwords || !data.exist()) return {kNever, kNever};
  const Tick busy = longwords / 2 * self.beat_, more = busy - self.beat_;
  self.pins_.occupy(wanted, planned, start, busy);
  terms.counters->busy += busy;
  data.move(registers, terms);
  return {start, kReads ? self.done(start, more) : self.done_write(start, more)};
}

ServeAtOnce Sdram1200::at_once(isa::InsnId op) const {
  if (op == InsnId::sdram_read) return &serve_at_once<InsnId::sdram_read>;
  return op == InsnId::sdram_write ? &serve_at_once<InsnId::sdram_write> : nullptr;
}

}  // namespace weft::emulator
