// Commands to units: the word becomes a Command, or the engine stalls (isa.md 3.11, 10.4; E8).
#include "engine/execute.h"
#include "engine/microengine.h"

namespace weft::emulator::execute {
namespace {

/// In eight-context mode a context has 16 registers of each kind, and bit 4 of the field selects the other kind.
void set_transfer(Command& c, const Engine& e, const Operation& o) {
  unsigned number = o.xfer;
  c.has_xfer = o.has_xfer;
  c.xfer_d = o.xfer_d;
  if (number >= 16 && !e.s.four_contexts()) {
    number -= 16;
    c.xfer_d = !c.xfer_d;
  }
  c.xfer = static_cast<uint8_t>(e.relative(number));
}

/// Bits of the indirect word that concern every unit; the unit reads those that are its own.
void override_fields(Command& c, uint32_t word) {
  c.indirect = true;
  c.indirect_word = word;
  if (word >> 25 & 1) c.count = static_cast<uint8_t>((word >> 21 & 15) + 1);
}

}  // namespace

Outcome command(Engine& e, const Operation& o) {
  Command c;
  c.op = o.id;
  c.unit = o.unit;
  c.from = {static_cast<uint8_t>(e.index()), static_cast<uint8_t>(e.context())};
  c.left = e.read(o.left);
  c.right = e.read(o.right);
  if (e.s.stopped) return Outcome::fault;
  c.address = (c.left + c.right) << o.address_shift;
  c.count = o.count;
  set_transfer(c, e, o);
  c.signal = o.number;
  c.csr = o.csr;
  c.queue = o.queue;
  c.list = o.list;
  c.data = o.value;
  if (o.id == isa::InsnId::cap_fast_wr_alu) c.data = e.s.previous.result;
  if (o.id == isa::InsnId::fast_wr) c.data = c.left;
  if (o.indirect) override_fields(c, e.s.previous.result);
  switch (e.host().try_issue(c)) {
    case Issue::accepted: break;
    case Issue::refused: return Outcome::stall;
    case Issue::unserved: return e.fault(StopKind::unserved);
  }
  if (o.signal_mode == isa::SignalMode::ctx_swap) {
    const uint32_t signals = uint32_t{1} << o.number;
    e.current().wakeup = o.doubled ? signals | signals << 1 : signals;
    e.leave_context(o, Shadow::Kind::sleep);
  }
  return Outcome::done;
}

}  // namespace weft::emulator::execute
