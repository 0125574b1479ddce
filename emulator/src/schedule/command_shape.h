// Transfer registers and signals of a command: what counts as in flight while it is under way.
#pragma once

#include "schedule/in_flight.h"
#include "units/atomic.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

struct CommandShape {
  uint8_t taken = 0;     ///< write registers that count as in flight until it is performed
  uint8_t expected = 0;  ///< read registers that count until it is answered
  bool answers = false;  ///< with data
  bool doubled = false;  ///< two signals, if there is one
};

inline CommandShape shape_of(const Command& c) {
  const CommandTraits& info = traits_of(c.op);
  CommandShape out;
  out.answers = c.has_xfer && info.xfer != isa::XferUse::none && info.xfer != isa::XferUse::write;
  out.doubled = info.signal == isa::SignalUse::doubled;
  const auto count = static_cast<uint8_t>(InFlight::longwords(c, info));
  if (c.has_xfer && info.xfer != isa::XferUse::none && info.xfer != isa::XferUse::read) out.taken = count;
  if (out.answers) out.expected = count;
  return out;
}

}  // namespace weft::emulator
