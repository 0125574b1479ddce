#include "units/sram1200.h"

#include <fmt/format.h>

#include <algorithm>

#include "units/atomic.h"

namespace weft::emulator {

using isa::InsnId;

Sram1200::Sram1200(const ChipDescription& chip, const MemoryChannel& channel, Bus& bus)
    : SortedUnit("sram", chip.sram.timing, chip.engine.period, bus, state_,
                 {chip.sram1200.priority, chip.sram1200.lock_misses, chip.sram1200.optimize_mem, chip.sram1200.ordered},
                 2),
      description_(chip.sram1200),
      beat_(channel.period * 4 / chip.sram.bytes_per_clock) {
  state_.memory = PagedMemory(channel.bytes);
  state_.queues.resize(4);
  state_.heads.resize(description_.lists);
}

// S1
size_t Sram1200::queue_of(const Command& command) const {
  if (command.queue == isa::MemoryQueue::priority) return kPriority;
  return command.queue == isa::MemoryQueue::optimize_mem ? kOptimized : kOrdered;
}

Sram1200::Traffic Sram1200::traffic(const Command& command) const {
  switch (command.op) {
    case InsnId::sram_read:
    case InsnId::sram_read_lock: return {longwords(command), 0};
    case InsnId::sram_write:
    case InsnId::sram_write_unlock: return {0, longwords(command)};
    case InsnId::sram_push: return {0, 1};
    case InsnId::sram_pop: return {state_.heads[command.list % state_.heads.size()] != 0 ? 1u : 0u, 0};
    case InsnId::sram_unlock: return {0, 0};
    default: return atomic_of(command.op) ? Traffic{1, 1} : Traffic{0, 0};
  }
}

namespace {

/// A longword passes the pins in any case.
bool always_moves(InsnId op) {
  switch (op) {
    case InsnId::sram_read:
    case InsnId::sram_write:
    case InsnId::sram_write_unlock:
    case InsnId::sram_push: return true;
    default: return false;
  }
}

}  // namespace

Tick Sram1200::ready(size_t queue) const {
  const PendingCommand& pending = head(queue);
  if (description_.turn_round == 0 && always_moves(pending.command.op)) return std::max(pending.arrival, state_.free);
  if (queue == kOrdered && misses(pending.command)) return full(kLockMisses) ? kNever : pending.arrival;
  if (queue == kLockMisses && !can_lock(pending.command.address)) return kNever;
  return std::max(pending.arrival, free_for(pending.command));
}

Tick Sram1200::free_for(const Command& command) const {
  const Traffic t = traffic(command);
  if (t.read + t.write == 0) return 0;
  const bool turns = (t.read == 0) != state_.last_writes;
  return state_.free + (turns ? cycles(description_.turn_round) : 0);
}

// S3: a read_lock whose address is locked, or that finds others waiting, joins them at the end.
bool Sram1200::misses(const Command& command) const {
  return command.op == InsnId::sram_read_lock && (!empty(kLockMisses) || !can_lock(command.address));
}

void Sram1200::rearrange(Tick now) {
  auto& ordered = state_.queues[kOrdered];
  if (ordered.empty() || ordered.front().command.op != InsnId::sram_read_lock) return;
  while (!ordered.empty() && ordered.front().arrival <= now && misses(ordered.front().command) && !full(kLockMisses)) {
    state_.queues[kLockMisses].push_back(ordered.front());
    ordered.pop_front();
  }
}

bool Sram1200::in_memory(const Command& command, unsigned words) {
  if (state_.memory.contains(command.address, words * 4)) return true;
  fault(fmt::format("engine {} context {} accesses SRAM address {:#x}, where there is no memory", command.from.engine,
                    command.from.context, command.address));
  return false;
}

void Sram1200::serve(const Command& command, Tick start) {
  const Traffic t = traffic(command);
  if (t.read + t.write != 0) {
    const Tick turn = t.read != 0 && t.write != 0 ? cycles(description_.turn_round) : 0;
    state_.free = start + (t.read + t.write) * beat_ + turn;
    state_.last_writes = t.write != 0;
    queue_.counters.busy += (t.read + t.write) * beat_;
  }
  const uint32_t address = command.address;
  if (const auto atomic = atomic_of(command.op)) {
    in_memory(command, 1);
    const uint32_t old = state_.memory.read(address);
    state_.memory.write(address, atomic->apply(old, atomic->has_operand() ? pull(command, 0) : 0));
    if (atomic->returns_old)
      reply(command, done(start), std::array{old});
    else
      reply(command, done_write(start), {});
    return;
  }
  const unsigned n = longwords(command);
  const Tick more = (std::max(n, 1u) - 1) * beat_;
  std::array<uint32_t, 32> data;
  switch (command.op) {
    case InsnId::sram_read_lock: state_.locks.push_back(address / 4); [[fallthrough]];
    case InsnId::sram_read:
      in_memory(command, n);
      state_.memory.read_longwords(address, data.data(), n);
      reply(command, done(start, more), std::span(data.data(), n));
      break;
    case InsnId::sram_write:
    case InsnId::sram_write_unlock:
      in_memory(command, n);
      state_.memory.write_longwords(address, pull_all(command, n, data), n);
      if (command.op == InsnId::sram_write_unlock) release(command);
      reply(command, done_write(start, more), {});
      break;
    case InsnId::sram_unlock:
      release(command);
      reply(command, done_write(start), {});
      break;
    case InsnId::sram_push:
      push(command);
      reply(command, done_write(start), {});
      break;
    case InsnId::sram_pop: reply(command, done(start), std::array{pop(command.list)}); break;
    default: fault("a command that this SRAM unit does not know"); reply(command, done(start), {});
  }
}

void Sram1200::release(const Command& command) {
  const auto at = std::find(state_.locks.begin(), state_.locks.end(), command.address / 4);
  if (at != state_.locks.end()) state_.locks.erase(at);
}

void Sram1200::push(const Command& command) {
  in_memory(command, 1);
  uint32_t& head = state_.heads[command.list % state_.heads.size()];
  state_.memory.write(command.address, head);
  head = command.address / 4;
}

uint32_t Sram1200::pop(unsigned number) {
  uint32_t& head = state_.heads[number % state_.heads.size()];
  const uint32_t out = head;
  if (out != 0) head = state_.memory.read(uint64_t{4} * out);
  return out;
}

bool Sram1200::can_lock(uint32_t byte_address) const {
  return state_.locks.size() < description_.locks && !locked(byte_address);
}

bool Sram1200::locked(uint32_t byte_address) const {
  return std::find(state_.locks.begin(), state_.locks.end(), byte_address / 4) != state_.locks.end();
}

bool Sram1200::lock(uint32_t byte_address) {
  if (!can_lock(byte_address)) return false;
  changed();
  state_.locks.push_back(byte_address / 4);
  return true;
}

void Sram1200::unlock(uint32_t byte_address, Tick now) {
  changed();
  Command command;
  command.address = byte_address;
  release(command);
  // A read_lock that waited goes on now, not at its arrival.
  auto& waiting = state_.queues[kLockMisses];
  if (!waiting.empty()) waiting.front().arrival = std::max(waiting.front().arrival, now);
}

std::vector<uint32_t> Sram1200::list(unsigned number) const {
  std::vector<uint32_t> out;
  if (number >= state_.heads.size()) return out;
  // A list that runs in a circle ends where it has as many longwords as the memory.
  for (uint32_t at = state_.heads[number]; at != 0 && out.size() < state_.memory.bytes() / 4;
       at = state_.memory.read(uint64_t{4} * at))
    out.push_back(at);
  return out;
}

void Sram1200::set_list(unsigned number, std::span<const uint32_t> longword_addresses) {
  if (number >= state_.heads.size()) return;
  changed();
  uint32_t next = 0;
  for (size_t i = longword_addresses.size(); i-- > 0; next = longword_addresses[i])
    state_.memory.write(uint64_t{4} * longword_addresses[i], next);
  state_.heads[number] = next;
}

void Sram1200::hash_state(StateHash& hash) const {
  SortedUnit::hash(hash);
  hash.add(state_.memory);
  hash.add_all(state_.locks);
  hash.add_all(state_.heads);
  hash.add(state_.free);
  hash.add(state_.last_writes);
}

}  // namespace weft::emulator
