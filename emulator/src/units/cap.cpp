#include "units/cap.h"

#include <fmt/format.h>

namespace weft::emulator {

Cap::Cap(const CapDescription& description, unsigned engines, Tick period, Bus& bus, Scratch& scratch, HashUnit& hash)
    : UnitModel("cap", description.timing, period, bus),
      description_(description),
      engines_(engines),
      scratch_(scratch),
      hash_(hash) {}

uint32_t Cap::read_csr(uint32_t csr) {
  using namespace cap_csr;
  if (csr >= kScratchRing && csr < kScratchRing + 0x100) {
    const unsigned ring = (csr - kScratchRing) / 0x10;
    switch (csr & 0xf) {
      case 0: return scratch_.read_base(ring);
      case 4: return scratch_.ring(ring).head * 4;
      case 8: return scratch_.ring(ring).tail * 4;
      default: break;
    }
  }
  if (csr >= kHashMultiplier && csr < kHashMultiplier + 0x20) return hash_.multiplier((csr - kHashMultiplier) / 4);
  if (csr == kXscaleIntA || csr == kXscaleIntB)
    return static_cast<uint32_t>(interrupts(csr == kXscaleIntB, 0));  // engines 0-3
  fault(fmt::format("CAP CSR {:#x} is not modelled", csr));
  return 0;
}

void Cap::write_csr(uint32_t csr, uint32_t value, std::optional<ContextRef> from) {
  using namespace cap_csr;
  if (csr >= kScratchRing && csr < kScratchRing + 0x100) {
    const unsigned ring = (csr - kScratchRing) / 0x10;
    switch (csr & 0xf) {
      case 0: return scratch_.write_base(ring, value);
      case 4: return scratch_.set_position(ring, false, value);
      case 8: return scratch_.set_position(ring, true, value);
      default: break;
    }
  }
  if (csr >= kHashMultiplier && csr < kHashMultiplier + 0x20)
    return hash_.set_multiplier((csr - kHashMultiplier) / 4, value);
  if (csr == kXscaleIntA || csr == kXscaleIntB) {
    if (from) interrupts(csr == kXscaleIntB, from->engine / 8) |= uint64_t{1} << (from->engine % 8 * 8 + from->context);
    return;
  }
  if (csr == kInterthreadSignal) {
    const ContextRef to{static_cast<uint8_t>(value >> 7 & 15), static_cast<uint8_t>(value >> 4 & 7)};
    if ((value & 15) == 0) return fault(fmt::format("INTERTHREAD_SIG = {:#x}: signal 0 is none", value));
    if (to.engine >= engines_)
      return fault(fmt::format("INTERTHREAD_SIG = {:#x}: there is no engine {}", value, to.engine));
    bus_.signal(to, value & 15);
    return;
  }
  fault(fmt::format("CAP CSR {:#x} is not modelled", csr));
}

Times Cap::plan(const Command& command, Tick arrival, PlanUndo&) {
  const Tick word = cycles(description_.clock_divider);
  Times out;
  out.start = arrival;
  out.busy = words(command) * word;
  out.at = done(arrival, out.busy - word);
  state_.free = arrival + out.busy;
  return out;
}

void Cap::perform(Service& service) {
  using isa::InsnId;
  const Command& command = service.command;
  const unsigned n = words(command);
  const bool calculated = command.op == InsnId::cap_calc_read || command.op == InsnId::cap_calc_write;
  if (calculated && (command.address >> 31) != 0) return reflect(service, n);
  const uint32_t csr = cap_csr::of(command);
  switch (command.op) {
    case InsnId::cap_read:
    case InsnId::cap_calc_read:
      for (unsigned i = 0; i < n; ++i) service.data()[i] = read_csr(csr + 4 * i);
      return service.answer(n);
    case InsnId::cap_write:
    case InsnId::cap_calc_write:
      for (unsigned i = 0; i < n; ++i) write_csr(csr + 4 * i, service.pull(i), command.from);
      break;
    case InsnId::cap_fast_wr:
    case InsnId::cap_fast_wr_alu: return write_csr(csr, command.data, command.from);  // no answer
    default: fault("a command that CAP does not know");
  }
  service.answer();
}

void Cap::reflect(Service& service, unsigned n) {
  const Command& command = service.command;
  const unsigned engine = command.address >> 10 & 15;
  const bool d = (command.address >> 9 & 1) != 0;
  const unsigned first = command.address >> 2 & 127;
  if (engine >= engines_) {
    fault(fmt::format("the reflector has no engine {}", engine));
    return service.answer();
  }
  const ContextRef other{static_cast<uint8_t>(engine), 0};
  if (command.op == isa::InsnId::cap_calc_read) {
    for (unsigned i = 0; i < n; ++i) service.data()[i] = bus_.pull(other, d, (first + i) & 127u);
    return service.answer(n);
  }
  Reply out;
  out.at = service.times.at;
  out.to = other;
  out.d = d;
  out.xfer = static_cast<uint8_t>(first);
  out.count = static_cast<uint8_t>(n);
  for (unsigned i = 0; i < n; ++i) out.data[i] = service.pull(i);
  port_->send(out);
  service.answer();
}

void RefusedUnit::perform(Service& service) {
  const Command& command = service.command;
  const unsigned engine = command.from.engine, context = command.from.context;
  if (command.unit == isa::Unit::sram)
    fault(fmt::format(
        "engine {} context {} uses SRAM address {:#x}, whose bits 31:30 name channel {}, which the board does not have",
        engine, context, command.address, command.address >> 30));
  else
    fault(fmt::format("engine {} context {} uses {}, which is not modelled", engine, context, name_));
  const unsigned n = isa::info(command.op).xfer == isa::XferUse::read ? longwords(command) : 0;
  std::fill_n(service.data(), n, 0);
  service.answer(n);
}

}  // namespace weft::emulator
