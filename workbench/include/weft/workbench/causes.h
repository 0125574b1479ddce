// Why a context slept, from the execution history: the command that it waited for, what lay before it in the queue of
// its unit, and the signal that woke it; or who else raised that signal.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "weft/workbench/inspect.h"

namespace weft::workbench {

/// One moment on the way to a wake-up.
struct CauseStep {
  enum class Kind : uint8_t {
    slept,   ///< the context gave up the engine
    issued,  ///< the unit took the command
    queued,  ///< it lies in the queue of its unit
    served,  ///< it left the queue and was performed
    raised,  ///< the signal
    woke,    ///< the context could go on
  } kind = Kind::slept;
  uint64_t cycle = 0;
  ContextId who;                 ///< whose: of `issued` not always the one that slept
  std::optional<uint16_t> pc{};  ///< of the word that did it
  std::string text{};            ///< "scratch[get] at 0x40", "behind 3 commands"
};

/// A command that was served while another one waited.
struct QueuedBefore {
  emulator::Reference command;
  ContextId who;
};

struct SleepCause {
  enum class By : uint8_t {
    unknown,    ///< nothing that is recorded
    reference,  ///< an answer to a command of the context itself
    command,    ///< a command of another context, or one of its own that raises a signal without an answer
    engine,     ///< a context has written a CSR that raises signals
    unit,       ///< a unit by itself: the media interface has received
    lasts,      ///< it sleeps still
  } by = By::unknown;
  ContextId who;
  uint64_t begin = 0, end = 0;  ///< the cycles in which it slept
  unsigned signal = 0;          ///< 0: not known
  std::optional<emulator::Reference> command{};
  ContextId from;                      ///< who issued `command`, or wrote the CSR
  std::vector<QueuedBefore> before{};  ///< the last ones before the command, at most kMaxBefore
  size_t before_count = 0;             ///< all of them
  std::vector<CauseStep> steps{};      ///< in the order of time
  static constexpr size_t kMaxBefore = 8;
};

/// Why the context slept in that cycle. Nothing: it did not sleep, or the cycle is not recorded.
std::optional<SleepCause> cause_of(const Inspector& machine, ContextId id, uint64_t cycle);
/// One sentence: "waited 120 cycles for sram[read] (0x1a4), of which 90 behind 3 commands".
std::string to_text(const SleepCause& cause);

/// The queue in which a command waits: its unit, and the channel of SRAM. One name for all who show it.
struct Inlet {
  isa::Unit unit{};
  unsigned channel = 0;
  auto operator<=>(const Inlet&) const = default;
};
Inlet inlet_of(const emulator::Reference& reference);
std::string to_text(const Inlet& inlet);

}  // namespace weft::workbench
