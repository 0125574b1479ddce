// Transfer registers and signals of a command: what counts as in flight while it is under way.
#pragma once

#include "schedule/in_flight.h"
#include "units/unit_model.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

struct CommandShape {
  uint8_t taken = 0;     ///< write registers that count as in flight until it is performed
  uint8_t expected = 0;  ///< read registers that count until it is answered
  bool answers = false;  ///< with data
  bool doubled = false;  ///< two signals, if there is one
  bool moves = false;    ///< data between memory and a buffer of the media interface
};

inline CommandShape shape_of(const Command& c) {
  const CommandTraits& info = traits_of(c.op);
  CommandShape out;
  out.answers = c.has_xfer && info.xfer != isa::XferUse::none && info.xfer != isa::XferUse::write;
  out.doubled = info.signal == isa::SignalUse::doubled;
  out.moves = moves_media(c.op);
  const auto count = static_cast<uint8_t>(InFlight::longwords(c, info));
  if (c.has_xfer && info.xfer != isa::XferUse::none && info.xfer != isa::XferUse::read) out.taken = count;
  if (out.answers) out.expected = count;
  return out;
}

/// Signals of an answer, bit by bit: those that come with the last of it, and the one that comes before, where the
/// command has two and the first is earlier.
struct AnswerSignals {
  uint16_t first = 0, last = 0;
};
inline AnswerSignals signals_of(const Command& c, bool doubled, const Times& times) {
  if (c.signal == 0) return {};
  const auto bits = [&c](unsigned of_first) { return static_cast<uint16_t>(of_first << c.signal); };
  if (!doubled) return {0, bits(1)};
  return times.first == kNever ? AnswerSignals{0, bits(3)} : AnswerSignals{bits(1), bits(2)};
}

/// It may bring one of these signals, bit by bit, to the context.
bool brings(const Command& command, ContextRef to, unsigned signals);

}  // namespace weft::emulator
