#include "units/sram1200.h"

#include <fmt/format.h>

#include <algorithm>

#include "units/command_traits.h"

namespace weft::emulator {

using isa::Access;
using isa::InsnId;

Sram1200::Sram1200(const ChipDescription& chip, const MemoryChannel& channel, Bus& bus)
    : SortedModel(
          "sram", chip.sram.timing, chip.engine.period, bus,
          {chip.sram1200.priority, chip.sram1200.lock_misses, chip.sram1200.optimize_mem, chip.sram1200.ordered}, 2),
      description_(chip.sram1200),
      beat_(channel.period * 4 / chip.sram.bytes_per_clock) {
  state_.memory = PagedMemory(channel.bytes);
  state_.memory.keep_index();
  large_memory_ = &state_.memory;
  state_.heads.resize(description_.lists);
}

// S1
size_t Sram1200::queue_at(isa::MemoryQueue named, uint32_t) const {
  if (named == isa::MemoryQueue::priority) return kPriority;
  return named == isa::MemoryQueue::optimize_mem ? kOptimized : kOrdered;
}

Sram1200::Traffic Sram1200::traffic(const Command& command) const {
  switch (traits_of(command.op).access) {
    case Access::read: return {longwords(command), 0};
    case Access::write: return {0, longwords(command)};
    case Access::enqueue: return {0, 1};
    case Access::dequeue: return {state_.heads[command.list % state_.heads.size()] != 0 ? 1u : 0u, 0};
    case Access::atomic: return {1, 1};
    default: return {0, 0};
  }
}

namespace {

/// A longword passes the pins in any case, and no lock is asked for.
bool always_moves(const CommandTraits& traits) {
  if (traits.access == Access::read) return traits.lock == isa::LockUse::none;
  return traits.access == Access::write || traits.access == Access::enqueue;
}

/// The answer of the others says that their data has reached the memory, or that the lock is free.
bool answers_with_data(const CommandTraits& traits) {
  if (traits.is_atomic) return traits.atomic.returns_old;
  return traits.access == Access::read || traits.access == Access::dequeue;
}

}  // namespace

Tick Sram1200::ready(const WaitingCommands& waiting, size_t queue) const {
  const PendingCommand& pending = waiting.head(queue);
  if (description_.turn_round == 0 && always_moves(traits_of(pending.command.op)))
    return std::max(pending.arrival, state_.free);
  if (queue == kOrdered && misses(waiting, pending.command))
    return waiting.full(kLockMisses) ? kNever : pending.arrival;
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
bool Sram1200::misses(const WaitingCommands& waiting, const Command& command) const {
  return traits_of(command.op).lock == isa::LockUse::take &&
         (!waiting.empty(kLockMisses) || !can_lock(command.address));
}

bool Sram1200::rearrange(WaitingCommands& waiting, Tick now) {
  bool moved = false;
  while (!waiting.empty(kOrdered) && waiting.head(kOrdered).arrival <= now &&
         misses(waiting, waiting.head(kOrdered).command) && !waiting.full(kLockMisses)) {
    waiting.move_head(kOrdered, kLockMisses);
    moved = true;
  }
  return moved;
}

bool Sram1200::in_memory(const Command& command, unsigned words) {
  if (state_.memory.contains(command.address, words * 4)) return true;
  fault(fmt::format("engine {} context {} accesses SRAM address {:#x}, where there is no memory", command.from.engine,
                    command.from.context, command.address));
  return false;
}

Times Sram1200::plan(const Command& command, Tick arrival, PlanUndo&) {
  const Traffic t = traffic(command);
  Times out;
  out.start = arrival;
  if (t.read + t.write != 0) {
    const Tick turn = t.read != 0 && t.write != 0 ? cycles(description_.turn_round) : 0;
    out.busy = (t.read + t.write) * beat_;
    state_.free = arrival + out.busy + turn;
    state_.last_writes = t.write != 0;
  }
  const CommandTraits& traits = traits_of(command.op);
  const bool block = traits.access == Access::read || traits.access == Access::write;
  const Tick more = block ? (std::max(longwords(command), 1u) - 1) * beat_ : 0;
  out.at = answers_with_data(traits) ? done(arrival, more) : done_write(arrival, more);
  return out;
}

void Sram1200::perform(Service& service) {
  const Command& command = service.command;
  const uint32_t address = command.address;
  if (const auto atomic = atomic_of(command.op)) {
    in_memory(command, 1);
    const uint32_t old = state_.memory.read(address);
    state_.memory.write(address, atomic->apply(old, atomic->has_operand() ? service.pull(0) : 0));
    return atomic->returns_old ? service.answer_with(old) : service.answer();
  }
  const unsigned n = longwords(command);
  switch (command.op) {
    case InsnId::sram_read_lock: state_.locks.push_back(address / 4); [[fallthrough]];
    case InsnId::sram_read:
      in_memory(command, n);
      state_.memory.read_longwords(address, service.data(), n);
      return service.answer(n);
    case InsnId::sram_write:
    case InsnId::sram_write_unlock:
      in_memory(command, n);
      state_.memory.write_longwords(address, service.pull_all(n), n);
      if (command.op == InsnId::sram_write_unlock) release(address);
      break;
    case InsnId::sram_unlock: release(address); break;
    case InsnId::sram_push:
      in_memory(command, 1);
      push(address, command.list);
      break;
    case InsnId::sram_pop: return service.answer_with(pop(command.list));
    default: fault("a command that this SRAM unit does not know");
  }
  service.answer();
}

void Sram1200::release(uint32_t byte_address) {
  const auto at = std::find(state_.locks.begin(), state_.locks.end(), byte_address / 4);
  if (at != state_.locks.end()) state_.locks.erase(at);
}

void Sram1200::push(uint32_t byte_address, unsigned number) {
  uint32_t& head = state_.heads[number % state_.heads.size()];
  state_.memory.write(byte_address, head);
  head = byte_address / 4;
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
  state_.locks.push_back(byte_address / 4);
  port_->reconsider();
  return true;
}

void Sram1200::unlock(uint32_t byte_address, Tick now) {
  release(byte_address);
  port_->reconsider(kLockMisses, now);  // a read_lock that waited goes on now, not at its arrival
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
  uint32_t next = 0;
  for (size_t i = longword_addresses.size(); i-- > 0; next = longword_addresses[i])
    state_.memory.write(uint64_t{4} * longword_addresses[i], next);
  state_.heads[number] = next;
  port_->reconsider();
}

// --- at once

// All queues are empty, so that the command is the next one as soon as it is there and the pins are free.
template <isa::InsnId kOp>
ServedAtOnce Sram1200::serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word,
                                     uint32_t address, uint32_t* registers, Tick arrival) {
  auto& self = static_cast<Sram1200&>(unit);
  const unsigned longwords = word.longwords;
  State& state = self.state_;
  constexpr bool kReads = kOp == InsnId::sram_read || kOp == InsnId::sram_read_lock || kOp == InsnId::sram_pop;
  constexpr bool kIsBlock = kOp != InsnId::sram_unlock && kOp != InsnId::sram_push && kOp != InsnId::sram_pop;
  if constexpr (kIsBlock)
    if (longwords == 0) return {kNever, kNever};
  unsigned moved = kIsBlock ? longwords : 1;
  if constexpr (kOp == InsnId::sram_unlock) moved = 0;
  if constexpr (kOp == InsnId::sram_pop) moved = state.heads[word.list % state.heads.size()] != 0 ? 1 : 0;
  const Tick turn = moved != 0 && kReads == state.last_writes ? self.cycles(self.description_.turn_round) : 0;
  const Tick start = moved != 0 ? std::max(arrival, state.free + turn) : arrival;
  if (start >= terms.until) return {kNever, kNever};
  if constexpr (kOp == InsnId::sram_read_lock)
    if (!self.can_lock(address)) return {kNever, kNever};  // others may come before it
  Moved<kReads> data(state.memory, address, moved);
  if constexpr (kIsBlock || kOp == InsnId::sram_push)
    if (!data.exist()) return {kNever, kNever};
  if (moved != 0) {
    state.free = start + moved * self.beat_;
    state.last_writes = !kReads;
    terms.counters->busy += moved * self.beat_;
  }
  if constexpr (kOp == InsnId::sram_push) self.push(address, word.list);
  if constexpr (kOp == InsnId::sram_pop) registers[0] = self.pop(word.list);
  if constexpr (kIsBlock) data.move(registers, terms);
  if constexpr (kOp == InsnId::sram_read_lock) state.locks.push_back(address / 4);
  if constexpr (kOp == InsnId::sram_write_unlock || kOp == InsnId::sram_unlock) self.release(address);
  const Tick more = kIsBlock ? (longwords - 1) * self.beat_ : 0;
  return {start, kReads ? self.done(start, more) : self.done_write(start, more)};
}

ServeAtOnce Sram1200::at_once(isa::InsnId op) const {
  switch (op) {
    case InsnId::sram_read: return &serve_at_once<InsnId::sram_read>;
    case InsnId::sram_write: return &serve_at_once<InsnId::sram_write>;
    case InsnId::sram_read_lock: return &serve_at_once<InsnId::sram_read_lock>;
    case InsnId::sram_write_unlock: return &serve_at_once<InsnId::sram_write_unlock>;
    case InsnId::sram_unlock: return &serve_at_once<InsnId::sram_unlock>;
    case InsnId::sram_push: return &serve_at_once<InsnId::sram_push>;
    case InsnId::sram_pop: return &serve_at_once<InsnId::sram_pop>;
    default: return nullptr;
  }
}

}  // namespace weft::emulator
