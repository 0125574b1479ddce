#include "units/dram.h"

#include <fmt/format.h>

namespace weft::emulator {

Dram::Dram(const DramDescription& description, const MemoryChannel& channel, Tick period, Bus& bus,
           MediaBuffers& buffers)
    : UnitModel("dram", description.timing, period, bus),
      beat_(channel.period * 8 / description.bytes_per_clock),
      buffers_(buffers),
      pins_(description, period, state_) {
  state_.memory = PagedMemory(channel.bytes);
  state_.memory.keep_index();
  large_memory_ = &state_.memory;
}

DramPins::Access Dram::access(const Command& command) const {
  return {command.address & ~7u, writes_memory(command.op), command.issued + cycles(timing_.command)};
}

Times Dram::plan(const Command& command, Tick arrival, PlanUndo& undo) {
  state_.memory.prefetch(command.address & ~7u);
  const DramPins::Access wanted = access(command);
  pins_.note(wanted, undo);
  Times out;
  const DramPins::Plan planned = pins_.plan(wanted);
  out.start = std::max(arrival, planned.start);
  out.busy = quadwords(command) * beat_;
  out.at = done(out.start, out.busy - beat_);
  pins_.occupy(wanted, planned, out.start, out.busy);
  return out;
}

void Dram::perform(Service& service) {
  using isa::InsnId;
  const Command& command = service.command;
  const unsigned n = 2 * quadwords(command);
  const uint64_t address = command.address & ~7u;
  if (!state_.memory.contains(address, n * 4))
    fault(fmt::format("engine {} context {} accesses DRAM address {:#x}, where there is no memory", command.from.engine,
                      command.from.context, command.address));
  const uint32_t buffer = command.indirect_word >> 5 & 0x3fff;
  if (moves_media(command.op) && (!command.indirect || (command.indirect_word >> 4 & 1) == 0)) {
    fault(fmt::format(
        "engine {} context {} moves between DRAM and media buffers without a buffer address in an indirect word",
        command.from.engine, command.from.context));
    return service.answer();
  }
  switch (command.op) {
    case InsnId::dram_read: state_.memory.read_longwords(address, service.data(), n); return service.answer(n);
    case InsnId::dram_write: state_.memory.write_longwords(address, service.pull_all(n), n); break;
    case InsnId::dram_rbuf_rd:
      buffers_.read_rbuf(buffer, std::span(service.data(), n));
      state_.memory.write_longwords(address, service.data(), n);
      break;
    case InsnId::dram_tbuf_wr:
      state_.memory.read_longwords(address, service.data(), n);
      buffers_.write_tbuf(buffer, std::span(service.data(), n));
      break;
    default: fault("a command that DRAM does not know");
  }
  service.answer();
}

template <isa::InsnId kOp>
ServedAtOnce Dram::serve_at_once(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word, uint32_t address,
                                 uint32_t* registers, Tick arrival) {
  auto& self = static_cast<Dram&>(unit);
  const unsigned longwords = word.longwords;
  constexpr bool kReads = kOp == isa::InsnId::dram_read;
  address &= ~7u;
  const DramPins::Access wanted{address, !kReads, terms.there};
  const DramPins::Plan planned = self.pins_.plan(wanted);
  const Tick start = std::max(arrival, planned.start);
  Moved<kReads> data(self.state_.memory, address, longwords);
  if (start >= terms.until || !data.exist()) return {kNever, kNever};
  const Tick busy = longwords / 2 * self.beat_;
  self.pins_.occupy(wanted, planned, start, busy);
  terms.counters->busy += busy;
  data.move(registers, terms);
  return {start, self.done(start, busy - self.beat_)};
}

ServeAtOnce Dram::at_once(isa::InsnId op) const {
  switch (op) {
    case isa::InsnId::dram_read: return &serve_at_once<isa::InsnId::dram_read>;
    case isa::InsnId::dram_write: return &serve_at_once<isa::InsnId::dram_write>;
    default: return nullptr;
  }
}

}  // namespace weft::emulator
