#include "units/scratch.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::emulator {

Scratch::Scratch(const ScratchDescription& description, Tick period, Bus& bus)
    : UnitModel("scratch", description.timing, period, bus),
      description_(description),
      word_(description.clock_divider * period) {
  state_.memory = PagedMemory(description.bytes);
  state_.memory.keep_index();
  driven_lines_ = ((1u << kRingsWithLine) - 1) << kFirstLine;
}

void Scratch::refresh_line(unsigned number) {
  if (number >= kRingsWithLine) return;
  const ScratchRing& ring = state_.rings[number];
  const bool on = ring.size != 0 && (ring.status_is_empty ? ring.count == 0 : near_full(number));
  const uint32_t line = 1u << (kFirstLine + number);
  input_lines_ = on ? input_lines_ | line : input_lines_ & ~line;
}

bool Scratch::set_ring(unsigned number, uint32_t base, uint32_t size, bool status_is_empty) {
  if (number >= description_.rings || (size != 128 && size != 256 && size != 512 && size != 1024)) return false;
  if (base % (size * 4) != 0 || !state_.memory.contains(base, size * 4)) return false;
  state_.rings[number] = {base, size, 0, 0, 0, status_is_empty};
  refresh_line(number);
  return true;
}

bool Scratch::put(unsigned number, uint32_t word) {
  const ScratchRing& ring = state_.rings[number & 15];
  if (ring.count >= ring.size) return false;
  put(number & 15, &word, 1);
  return true;
}

std::optional<uint32_t> Scratch::get(unsigned number) {
  if (state_.rings[number & 15].count == 0) return std::nullopt;
  uint32_t word = 0;
  get(number & 15, &word, 1);
  return word;
}

// Sizes of rings are powers of two.
void Scratch::put(unsigned number, const uint32_t* words, unsigned count) {
  ScratchRing& ring = state_.rings[number];
  const unsigned to_end = std::min(count, ring.size - ring.tail);
  state_.memory.write_longwords(ring.base + 4 * ring.tail, words, to_end);
  if (to_end < count) state_.memory.write_longwords(ring.base, words + to_end, count - to_end);
  ring.tail = (ring.tail + count) & (ring.size - 1);
  ring.count += count;
  refresh_line(number);
}

static void clear(uint32_t* words, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    words[i] = 0;
    keep_plain_loop();
  }
}

void Scratch::get(unsigned number, uint32_t* words, unsigned count) {
  ScratchRing& ring = state_.rings[number];
  const unsigned there = std::min(count, ring.count), to_end = std::min(there, ring.size - ring.head);
  clear(words + there, count - there);
  state_.memory.read_longwords(ring.base + 4 * ring.head, words, to_end);
  if (to_end < there) state_.memory.read_longwords(ring.base, words + to_end, there - to_end);
  ring.head = (ring.head + there) & (ring.size - 1);
  ring.count -= there;
  refresh_line(number);
}

uint32_t Scratch::read_base(unsigned number) const {
  const ScratchRing& ring = state_.rings[number & 15];
  if (ring.size == 0) return 0;
  uint32_t code = 0;
  while (128u << code < ring.size) ++code;
  return code << 30 | (ring.status_is_empty ? 1u << 26 : 0) | ring.base;
}

void Scratch::write_base(unsigned number, uint32_t value) {
  const uint32_t size = 128u << (value >> 30);
  const uint32_t base = value & 0x3fff & ~(size * 4 - 1);
  if (!set_ring(number, base, size, (value >> 26 & 1) != 0))
    fault(fmt::format("SCRATCH_RING_BASE_{} = {:#x} places the ring outside the memory", number, value));
}

void Scratch::set_position(unsigned number, bool tail, uint32_t byte_offset) {
  ScratchRing& ring = state_.rings[number & 15];
  if (ring.size == 0) return;
  (tail ? ring.tail : ring.head) = byte_offset / 4 % ring.size;
  ring.count = (ring.tail + ring.size - ring.head) % ring.size;
  refresh_line(number & 15);
}

Times Scratch::plan(const Command& command, Tick arrival, PlanUndo& undo) {
  undo.was[0] = state_.free;
  Times out;
  out.start = std::max(arrival, state_.free);
  if (const auto atomic = atomic_of(command.op)) {
    out.busy = busy_of_atomic();
    out.at = done(out.start);
    if (atomic->has_operand() && atomic->returns_old) out.first = first_signal(out, word_);
  } else {
    out.busy = busy_of(longwords(command));
    out.at = done(out.start, out.busy - word_);
  }
  state_.free = out.start + out.busy;
  return out;
}

bool Scratch::in_memory(const Command& command, unsigned words) {
  if (state_.memory.contains(command.address & ~3u, words * 4)) return true;
  fault(fmt::format("engine {} context {} accesses scratch address {:#x}, which does not exist", command.from.engine,
                    command.from.context, command.address));
  return false;
}

void Scratch::perform(Service& service) {
  using isa::InsnId;
  const Command& command = service.command;
  const uint32_t address = command.address & ~3u;
  const unsigned n = longwords(command);
  const unsigned ring = ring_of(address);
  switch (command.op) {
    case InsnId::scratch_read:
      in_memory(command, n);
      state_.memory.read_longwords(address, service.data(), n);
      return service.answer(n);
    case InsnId::scratch_write:
      in_memory(command, n);
      state_.memory.write_longwords(address, service.pull_all(n), n);
      break;
    case InsnId::scratch_get:
      if (state_.rings[ring].size == 0)
        fault(fmt::format("engine {} gets from scratch ring {}, which is not set up", command.from.engine, ring));
      for (unsigned i = 0; i < n; ++i) service.data()[i] = get(ring).value_or(0);
      return service.answer(n);
    case InsnId::scratch_put:
      for (unsigned i = 0; i < n; ++i)
        if (!put(ring, service.pull(i)))
          fault(state_.rings[ring].size == 0
                    ? fmt::format("engine {} puts on scratch ring {}, which is not set up", command.from.engine, ring)
                    : fmt::format("engine {} puts on scratch ring {}, which is full; the word is lost",
                                  command.from.engine, ring));
      break;
    default:
      if (const auto atomic = atomic_of(command.op)) return perform(*atomic, service);
      fault("a command that scratch does not know");
  }
  service.answer();
}

// --- at once

// What perform() would call a fault.
inline bool Scratch::is_sound(isa::InsnId op, uint32_t address, unsigned longwords) const {
  const ScratchRing& ring = state_.rings[ring_of(address)];
  switch (op) {
    case isa::InsnId::scratch_get: return ring.size != 0;
    case isa::InsnId::scratch_put: return ring.count + longwords <= ring.size;
    default: return state_.memory.contains(address & ~3u, longwords * 4);
  }
}

template <isa::InsnId kOp>
ServedAtOnce Scratch::serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                    uint32_t* registers, Tick arrival) {
  using isa::InsnId;
  auto& self = static_cast<Scratch&>(unit);
  const unsigned longwords = word.longwords;
  const Tick start = std::max(arrival, self.state_.free);
  if (start >= terms.until || !self.is_sound(kOp, address, longwords)) return {kNever, kNever};
  const Tick busy = self.busy_of(longwords);
  self.state_.free = start + busy;
  terms.counters->busy += busy;
  [[maybe_unused]] const unsigned ring = ring_of(address);
  if constexpr (kOp == InsnId::scratch_get) {
    if (self.state_.rings[ring].count == 0)  // somebody polls
      clear(registers, longwords);
    else
      self.get(ring, registers, longwords);
  } else if constexpr (kOp == InsnId::scratch_put) {
    self.put(ring, registers, longwords);
    terms.counters->longwords_written += longwords;
  } else {
    Moved<kOp == InsnId::scratch_read>(self.state_.memory, address & ~3u, longwords).move(registers, terms);
  }
  return {start, self.done(start, busy - self.word_)};
}

template <Atomic kAtomic>
ServedAtOnce Scratch::serve_atomic_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord&,
                                           uint32_t address, uint32_t* registers, Tick arrival) {
  auto& self = static_cast<Scratch&>(unit);
  const Tick start = std::max(arrival, self.state_.free);
  address &= ~3u;
  if (start >= terms.until || !self.state_.memory.contains(address, 4)) return {kNever, kNever};
  self.state_.free = start + self.busy_of_atomic();
  terms.counters->busy += self.busy_of_atomic();
  apply<kAtomic>(self.state_.memory, address, registers, terms);
  return {start, self.done(start)};
}

ServeAtOnce Scratch::at_once(isa::InsnId op) const {
  using isa::InsnId;
  switch (op) {
    case InsnId::scratch_read: return &serve_at_once<InsnId::scratch_read>;
    case InsnId::scratch_write: return &serve_at_once<InsnId::scratch_write>;
    case InsnId::scratch_get: return &serve_at_once<InsnId::scratch_get>;
    case InsnId::scratch_put: return &serve_at_once<InsnId::scratch_put>;
    default: return way_of(atomic_of(op), []<Atomic kAtomic>() { return &serve_atomic_at_once<kAtomic>; });
  }
}

void Scratch::perform(const Atomic& atomic, Service& service) {
  const uint32_t address = service.command.address & ~3u;
  in_memory(service.command, 1);
  const uint32_t old = state_.memory.read(address);
  const uint32_t operand = atomic.has_operand() ? service.pull(0) : 0;
  state_.memory.write(address, atomic.apply(old, operand));
  atomic.returns_old ? service.answer_with(old) : service.answer();
}

}  // namespace weft::emulator
