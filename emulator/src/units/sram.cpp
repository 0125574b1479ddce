#include "units/sram.h"

#include <fmt/format.h>

#include "units/atomic.h"

namespace weft::emulator {

using isa::InsnId;

SramChannel::SramChannel(unsigned number, const SramDescription& description, const MemoryChannel& channel, Tick period,
                         Bus& bus)
    : QueuedUnit(fmt::format("sram{}", number), description.timing, period, bus, state_),
      description_(description),
      beat_(channel.period * 4 / description.bytes_per_clock) {
  state_.memory = PagedMemory(channel.bytes);
}

SramChannel::Movement SramChannel::movement_of(InsnId op) {
  if (const auto atomic = atomic_of(op)) return {1, 1, 0, 0, false, atomic->has_operand() && atomic->returns_old};
  switch (op) {
    case InsnId::sram_read:
    case InsnId::sram_get: return {0, 0, 1, 0, false, false};
    case InsnId::sram_put: return {0, 0, 0, 1, false, isa::info(op).xfer == isa::XferUse::both};
    case InsnId::sram_write:
    case InsnId::sram_journal: return {0, 0, 0, 1, false, false};
    case InsnId::sram_enqueue: return {0, 1, 0, 0, true, false};
    case InsnId::sram_fast_journal:
    case InsnId::sram_wr_qdesc_count: return {0, 1, 0, 0, false, false};
    case InsnId::sram_dequeue: return {1, 0, 0, 0, true, false};
    case InsnId::sram_rd_qdesc_other: return {1, 0, 0, 0, false, false};
    case InsnId::sram_rd_qdesc_head:
    case InsnId::sram_rd_qdesc_tail: return {2, 0, 0, 0, false, false};
    case InsnId::sram_wr_qdesc: return {0, 3, 0, 0, false, false};
    default: return {};  // registers of the channel, enqueue_tail
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

QueuedUnit::Times SramChannel::times(const Command& command, const Traffic& t, Tick start) const {
  Times out{start, done(start, (std::max({t.read, t.write, 1u}) - 1) * beat_), kNever};
  const Movement& m = movement(command);
  if (m.queue) out.at += cycles(description_.queue_access);
  if (m.early) out.first = out.at - beat_;
  return out;
}

QueuedUnit::Times SramChannel::foresee(const Command& command, Tick arrival) {
  state_.memory.prefetch(command.address & 0x3ffffffc);
  const Traffic t = traffic(command);
  const Tick free = std::max(t.read != 0 ? foreseen_read_free_ : 0, t.write != 0 ? foreseen_write_free_ : 0);
  const Times out = times(command, t, std::max(arrival, free));
  if (t.read != 0) foreseen_read_free_ = out.start + t.read * beat_;
  if (t.write != 0) foreseen_write_free_ = out.start + t.write * beat_;
  return out;
}

bool SramChannel::in_memory(const Command& command, unsigned words) {
  if (state_.memory.contains(command.address & 0x3ffffffc, words * 4)) return true;
  fault(fmt::format("engine {} context {} accesses {} address {:#x}, where there is no memory", command.from.engine,
                    command.from.context, name_, command.address));
  return false;
}

void SramChannel::serve(const Command& command, Tick start) {
  const Traffic t = traffic(command);
  if (t.read != 0) state_.read_free = start + t.read * beat_;
  if (t.write != 0) state_.write_free = start + t.write * beat_;
  queue_.counters.busy += (t.read + t.write) * beat_;
  const unsigned n = longwords(command);
  const Times when = ahead_ ? Times{} : times(command, t, start);
  const Tick at = when.at;
  const uint32_t address = command.address & 0x3ffffffc;
  if (const auto atomic = atomic_of(command.op)) {
    in_memory(command, 1);
    const uint32_t old = state_.memory.read(address);
    const uint32_t operand = atomic->has_operand() ? pull(command, 0) : 0;
    state_.memory.write(address, atomic->apply(old, operand));
    if (atomic->returns_old)
      reply(command, at, std::array{old}, when.first);
    else
      reply(command, at, {});
    return;
  }
  std::array<uint32_t, 32> room;
  switch (command.op) {
    case InsnId::sram_read: {
      in_memory(command, n);
      uint32_t* data = reply_data(room);
      state_.memory.read_longwords(address, data, n);
      reply(command, at, std::span(data, n));
      break;
    }
    case InsnId::sram_write:
      in_memory(command, n);
      state_.memory.write_longwords(address, pull_all(command, n, room), n);
      reply(command, at, {});
      break;
    case InsnId::sram_put:
    case InsnId::sram_get:
    case InsnId::sram_journal:
    case InsnId::sram_fast_journal: serve_ring(command, when, n); break;
    case InsnId::sram_csr_rd: reply(command, at, std::array{state_.csr[command.address / 4 & 63]}); break;
    case InsnId::sram_csr_wr:
      state_.csr[command.address / 4 & 63] = pull(command, 0);
      reply(command, at, {});
      break;
    default: serve_queue(command, at); break;
  }
}

void SramChannel::serve_ring(const Command& command, const Times& times, unsigned n) {
  const Tick at = times.at;
  QueueArray array = queues();
  const unsigned number = command.address >> 24 & 63;
  std::array<uint32_t, 32> data{};
  switch (command.op) {
    case InsnId::sram_put: {
      // The answer: bit 31 = the ring had no room and nothing was put; 23:0 = longwords on it before.
      uint32_t status = array.entry(number).count;
      if (array.has_room(number, n)) {
        for (unsigned i = 0; i < n; ++i) array.put(number, pull(command, i));
      } else {
        status |= 1u << 31;
      }
      const bool answers = isa::info(command.op).xfer == isa::XferUse::both;
      if (answers)
        reply(command, at, std::array{status}, times.first);
      else
        reply(command, at, {});
      break;
    }
    case InsnId::sram_get:
      for (unsigned i = 0; i < n; ++i)
        if (!array.get(number, data[i])) data[i] = 0;
      reply(command, at, std::span(data.data(), n));
      break;
    case InsnId::sram_journal:
      for (unsigned i = 0; i < n; ++i) array.journal(number, pull(command, i));
      reply(command, at, {});
      break;
    default:  // fast_journal: the datum is in the address
      array.journal(number, command.address & QueueArray::kAddress);
      reply(command, at, {});
      break;
  }
}

void SramChannel::serve_queue(const Command& command, Tick at) {
  QueueArray array = queues();
  const unsigned number = command.address >> 24 & 63;
  const uint32_t address = command.address & QueueArray::kAddress;
  switch (command.op) {
    case InsnId::sram_enqueue: {
      // With the byte-mask override of the indirect word, the mask carries end of packet and cell count.
      const bool marked = command.indirect && (command.indirect_word >> 20 & 1) != 0;
      array.enqueue(number, address | (marked ? (command.indirect_word >> 12 & 0xff) << 24 : 0));
      reply(command, at, {});
      break;
    }
    case InsnId::sram_enqueue_tail:
      array.enqueue_tail(number, address);
      reply(command, at, {});
      break;
    case InsnId::sram_dequeue: reply(command, at, std::array{array.dequeue(number, cell_mode())}); break;
    case InsnId::sram_rd_qdesc_head:
    case InsnId::sram_rd_qdesc_tail: {
      const bool head = command.op == InsnId::sram_rd_qdesc_head;
      head ? array.load_head(number, address) : array.load_tail(number, address);
      const QueueEntry& entry = array.entry(number);
      const std::array<uint32_t, 2> data{head ? entry.head : entry.tail, entry.count};
      reply(command, at, std::span(data.data(), std::min(2u, unsigned{command.count})));
      break;
    }
    case InsnId::sram_rd_qdesc_other:
      array.load_other(number, address);
      reply(command, at, {});
      break;
    case InsnId::sram_wr_qdesc:
      array.store(number, address);
      reply(command, at, {});
      break;
    case InsnId::sram_wr_qdesc_count:
      array.store_count(number, address);
      reply(command, at, {});
      break;
    default: fault("a command that SRAM does not know"); reply(command, at, {});
  }
}

void SramChannel::hash_state(StateHash& hash) const {
  QueuedUnit::hash(hash);
  hash.add(state_.memory);
  hash.add(state_.read_free);
  hash.add(state_.write_free);
  hash.add_all(state_.csr);
  for (const QueueEntry& entry : state_.entries)
    for (const uint32_t part : {entry.head, entry.tail, entry.count, uint32_t{entry.missing}}) hash.add(part);
}

}  // namespace weft::emulator
