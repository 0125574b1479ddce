#include "units/sdram1200.h"

#include <fmt/format.h>

namespace weft::emulator {

using isa::InsnId;

namespace {

/// The most that one command moves: an element of a FIFO.
constexpr unsigned kMostQuadwords = 8;

/// Accesses of the control processor come under the names of the later parts.
bool writes_memory(InsnId op) {
  return op == InsnId::sdram_write || op == InsnId::sdram_r_fifo_rd || op == InsnId::dram_write;
}

/// The bits of longword `index` (0 or 1) of a quadword that a byte mask lets through; bit 7 of it is the first byte.
uint32_t longword_mask(uint32_t byte_mask, unsigned index) {
  uint32_t out = 0;
  for (unsigned byte = 0; byte < 4; ++byte)
    if (byte_mask >> (7 - 4 * index - byte) & 1) out |= 0xff000000u >> (8 * byte);
  return out;
}

}  // namespace

Sdram1200::Sdram1200(const ChipDescription& chip, const MemoryChannel& memory, Bus& bus, FifoMemory& fifos)
    : SortedUnit(
          "sdram", chip.dram.timing, chip.engine.period, bus, state_,
          {chip.sdram1200.priority, chip.sdram1200.ordered, chip.sdram1200.bank_queue, chip.sdram1200.bank_queue}, 1),
      beat_(memory.period * 8 / chip.dram.bytes_per_clock),
      fifos_(fifos),
      pins_(chip.dram, chip.engine.period, state_) {
  state_.memory = PagedMemory(memory.bytes);
  state_.queues.resize(4);
}

DramPins::Access Sdram1200::access(const Command& command, Tick there) const {
  return {command.address & ~7u, writes_memory(command.op), there};
}

size_t Sdram1200::queue_of(const Command& command) const {
  if (command.queue == isa::MemoryQueue::priority) return kPriority;
  if (command.queue == isa::MemoryQueue::ordered) return kOrdered;
  return pins_.bank_number(command.address & ~7u) % 2 == 0 ? kEven : kOdd;
}

Tick Sdram1200::ready(size_t queue) const {
  const PendingCommand& pending = head(queue);
  return pins_.start(access(pending.command, pending.arrival));
}

void Sdram1200::serve(const Command& command, Tick start) {
  const unsigned quadwords = std::clamp(unsigned{command.count}, 1u, kMostQuadwords);
  const unsigned n = 2 * quadwords;
  const uint64_t address = command.address & ~7u;
  const Tick length = quadwords * beat_;
  pins_.occupy(access(command, start), start, length);
  queue_.counters.busy += length;
  if (!state_.memory.contains(address, n * 4))
    fault(fmt::format("engine {} context {} accesses SDRAM address {:#x}, where there is no memory",
                      command.from.engine, command.from.context, command.address));
  const Tick more = length - beat_;
  const bool moves = command.op == InsnId::sdram_r_fifo_rd || command.op == InsnId::sdram_t_fifo_wr;
  if (moves && !command.indirect) {
    fault(fmt::format("engine {} context {} moves between SDRAM and a FIFO without an indirect word that says where",
                      command.from.engine, command.from.context));
    reply(command, done(start, more), {});
    return;
  }
  const uint32_t place = (command.indirect_word & 127) * 8;
  if (moves && place + 8 * quadwords > fifos_.fifo_bytes())
    fault(fmt::format("engine {} context {} moves byte {:#x} of a FIFO, which has {}", command.from.engine,
                      command.from.context, place + 8 * quadwords - 1, fifos_.fifo_bytes()));
  std::array<uint32_t, 2 * kMostQuadwords> data;
  switch (command.op) {
    case InsnId::dram_read:
    case InsnId::sdram_read:
      state_.memory.read_longwords(address, data.data(), n);
      reply(command, done(start, more), std::span(data.data(), n));
      break;
    case InsnId::dram_write:
    case InsnId::sdram_write:
      write(command, address, quadwords);
      reply(command, done_write(start, more), {});
      break;
    case InsnId::sdram_r_fifo_rd:
      for (unsigned i = 0; i < n; ++i) data[i] = fifos_.read_rfifo(place + 4 * i);
      state_.memory.write_longwords(address, data.data(), n);
      reply(command, done_write(start, more), {});
      break;
    case InsnId::sdram_t_fifo_wr:
      state_.memory.read_longwords(address, data.data(), n);
      for (unsigned i = 0; i < n; ++i) fifos_.write_tfifo(place + 4 * i, data[i]);
      reply(command, done(start, more), {});
      break;
    default: fault("a command that this SDRAM unit does not know"); reply(command, done(start, more), {});
  }
}

void Sdram1200::write(const Command& command, uint64_t address, unsigned quadwords) {
  const bool masked = command.indirect && (command.indirect_word >> 20 & 1) != 0;
  if (!masked) {
    std::array<uint32_t, 32> room;
    const uint32_t* values = pull_all(command, 2 * quadwords, room);
    state_.memory.write_longwords(address, values, 2 * quadwords);
    return;
  }
  const uint32_t byte_mask = command.indirect_word >> 12 & 0xff;
  for (unsigned i = 0; i < 2 * quadwords; ++i) {
    const uint32_t mask = longword_mask(byte_mask, i % 2);
    const uint32_t value = pull(command, i);
    state_.memory.write(address + 4 * i, (state_.memory.read(address + 4 * i) & ~mask) | (value & mask));
  }
}

void Sdram1200::hash_state(StateHash& hash) const {
  SortedUnit::hash(hash);
  hash.add(state_.memory);
  pins_.hash(hash);
}

}  // namespace weft::emulator
