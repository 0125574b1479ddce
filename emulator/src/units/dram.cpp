#include "units/dram.h"

#include <fmt/format.h>

namespace weft::emulator {
namespace {

bool writes_memory(isa::InsnId op) { return op == isa::InsnId::dram_write || op == isa::InsnId::dram_rbuf_rd; }

}  // namespace

Dram::Dram(const DramDescription& description, const MemoryChannel& channel, Tick period, Bus& bus,
           MediaBuffers& buffers)
    : QueuedUnit("dram", description.timing, period, bus, state_),
      beat_(channel.period * 8 / description.bytes_per_clock),
      buffers_(buffers),
      pins_(description, period, state_),
      foreseen_pins_(description, period, foreseen_) {
  state_.memory = PagedMemory(channel.bytes);
}

DramPins::Access Dram::access(const Command& command) const {
  return {command.address & ~7u, writes_memory(command.op), command.issued + cycles(timing_.command)};
}

QueuedUnit::Times Dram::foresee(const Command& command, Tick arrival) {
  state_.memory.prefetch(command.address & ~7u);
  const DramPins::Access wanted = access(command);
  const Tick start = std::max(arrival, foreseen_pins_.start(wanted));
  foreseen_pins_.occupy(wanted, start, quadwords(command) * beat_);
  return {start, answer(command, start), kNever};
}

void Dram::serve(const Command& command, Tick start) {
  using isa::InsnId;
  const unsigned n = 2 * quadwords(command);
  const uint64_t address = command.address & ~7u;
  pins_.occupy(access(command), start, quadwords(command) * beat_);
  queue_.counters.busy += quadwords(command) * beat_;
  const Tick at = answer(command, start);
  if (!state_.memory.contains(address, n * 4))
    fault(fmt::format("engine {} context {} accesses DRAM address {:#x}, where there is no memory", command.from.engine,
                      command.from.context, command.address));
  const uint32_t buffer = command.indirect_word >> 5 & 0x3fff;
  const bool moves = command.op == InsnId::dram_rbuf_rd || command.op == InsnId::dram_tbuf_wr;
  if (moves && (!command.indirect || (command.indirect_word >> 4 & 1) == 0)) {
    fault(fmt::format(
        "engine {} context {} moves between DRAM and media buffers without a buffer address in an indirect word",
        command.from.engine, command.from.context));
    reply(command, at, {});
    return;
  }
  std::array<uint32_t, 32> room;
  switch (command.op) {
    case InsnId::dram_read: {
      uint32_t* data = reply_data(room);
      state_.memory.read_longwords(address, data, n);
      reply(command, at, std::span(data, n));
      break;
    }
    case InsnId::dram_write:
      state_.memory.write_longwords(address, pull_all(command, n, room), n);
      reply(command, at, {});
      break;
    case InsnId::dram_rbuf_rd:
      for (unsigned i = 0; i < n; ++i) state_.memory.write(address + 4 * i, buffers_.read_rbuf(buffer + 4 * i));
      reply(command, at, {});
      break;
    case InsnId::dram_tbuf_wr:
      for (unsigned i = 0; i < n; ++i) buffers_.write_tbuf(buffer + 4 * i, state_.memory.read(address + 4 * i));
      reply(command, at, {});
      break;
    default: fault("a command that DRAM does not know"); reply(command, at, {});
  }
}

void Dram::hash_state(StateHash& hash) const {
  QueuedUnit::hash(hash);
  hash.add(state_.memory);
  pins_.hash(hash);
}

}  // namespace weft::emulator
