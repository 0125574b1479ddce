#include "units/dram.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::emulator {
namespace {

bool writes_memory(isa::InsnId op) { return op == isa::InsnId::dram_write || op == isa::InsnId::dram_rbuf_rd; }

}  // namespace

Dram::Dram(const DramDescription& description, const MemoryChannel& channel, Tick period, Bus& bus, MediaBuffers& buffers)
    : QueuedUnit("dram", description.timing, period, bus, state_),
      description_(description),
      beat_(channel.period * 8 / description.bytes_per_clock),
      buffers_(buffers) {
  state_.memory = PagedMemory(channel.bytes);
  state_.banks.resize(description.banks);
}

Dram::Plan Dram::plan(const Command& command) const {
  const Tick there = command.issued + cycles(timing_.command);
  const uint64_t address = command.address & ~7u;
  const DramBank& bank = state_.banks[address / description_.row_bytes % state_.banks.size()];
  const bool turns = state_.used && state_.last_writes != writes_memory(command.op);
  const Tick pins = state_.free + (turns ? cycles(description_.turn_round) : 0);
  const bool hit = bank.open && bank.row == row_of(address);
  const Tick miss = cycles(description_.row_miss);
  Plan out;
  out.start = std::max({pins, there, hit ? bank.free : std::max(bank.free, there) + miss});
  if (description_.refresh_interval == 0) return out;
  const Tick interval = cycles(description_.refresh_interval);
  const Tick due = out.start / interval * interval;
  if (due <= state_.refreshed) return out;
  // All banks refresh at once when the access before is over, and their rows are closed afterwards.
  out.refresh = due;
  const Tick refreshed = std::max(due, state_.free) + cycles(description_.refresh_cycles);
  out.start = std::max(pins, std::max(refreshed, there) + miss);
  return out;
}

void Dram::occupy(const Command& command, Tick start, Tick length) {
  const Plan planned = plan(command);
  if (planned.refresh != 0) {
    state_.refreshed = planned.refresh;
    for (DramBank& bank : state_.banks) bank.open = false;
  }
  const uint64_t address = command.address & ~7u;
  state_.free = start + length;
  bank_of(address) = {true, row_of(address), state_.free};
  state_.last_writes = writes_memory(command.op);
  state_.used = true;
  queue_.counters.busy += length;
}

void Dram::serve(const Command& command, Tick start) {
  using isa::InsnId;
  const unsigned quadwords = std::min(16u, std::max(1u, unsigned{command.count}));
  const unsigned n = 2 * quadwords;
  const uint64_t address = command.address & ~7u;
  occupy(command, start, quadwords * beat_);
  const Tick at = done(start, (quadwords - 1) * beat_);
  if (!state_.memory.contains(address, n * 4))
    fault(fmt::format("engine {} context {} accesses DRAM address {:#x}, where there is no memory", command.from.engine,
                      command.from.context, command.address));
  const uint32_t buffer = command.indirect_word >> 5 & 0x3fff;
  const bool moves = command.op == InsnId::dram_rbuf_rd || command.op == InsnId::dram_tbuf_wr;
  if (moves && (!command.indirect || (command.indirect_word >> 4 & 1) == 0)) {
    fault(fmt::format("engine {} context {} moves between DRAM and media buffers without a buffer address in an indirect word",
                      command.from.engine, command.from.context));
    reply(command, at, {});
    return;
  }
  std::array<uint32_t, 32> data{};
  switch (command.op) {
    case InsnId::dram_read:
      for (unsigned i = 0; i < n; ++i) data[i] = state_.memory.read(address + 4 * i);
      reply(command, at, std::span(data.data(), n));
      break;
    case InsnId::dram_write:
      for (unsigned i = 0; i < n; ++i) state_.memory.write(address + 4 * i, pull(command, i));
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
  hash.add(state_.free);
  for (const DramBank& bank : state_.banks)
    for (const uint64_t part : {uint64_t{bank.open}, bank.row, bank.free}) hash.add(part);
  hash.add(state_.last_writes);
  hash.add(state_.refreshed);
}

}  // namespace weft::emulator
