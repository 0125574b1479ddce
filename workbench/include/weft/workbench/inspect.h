// A machine that stands still, as people look at it: contexts, registers by name, memory. What views show is asked
// here, so that none of them knows a chip or a session: a running project answers, and so may a recording.
#pragma once

#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/emulator/engine.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/packets.h"
#include "weft/emulator/observers/profile.h"
#include "weft/emulator/observers/statistics.h"
#include "weft/image/image.h"
#include "weft/workbench/breakpoint.h"
#include "weft/workbench/report.h"
#include "weft/workbench/state.h"

namespace weft::workbench {

class Session;

/// A context by its place on the board.
struct ContextId {
  unsigned chip = 0, engine = 0, context = 0;
  auto operator<=>(const ContextId&) const = default;
};

struct ContextView {
  ContextId id;
  emulator::ContextState state = emulator::ContextState::inactive;
  uint32_t pc = 0;
  std::string label;  ///< the last label at or before the PC, with the distance: "my_turn#+3"
  std::string file;   ///< of the innermost place, as the assembler read it; empty: not known
  uint32_t line = 0;
  std::string waits_on;  ///< asleep: names of the signals; "any of" in front when one is enough
  uint64_t executing = 0, aborted = 0, stalled = 0, idle = 0;  ///< engine cycles since cycle 0
  std::optional<uint64_t> in_state =
      {};  ///< engine cycles in `state` so far; none: there is no history, or it begins later
  std::optional<uint32_t> packet = {};  ///< number of the packet that it has in hand, 0: none; not set: packets are not
                                        ///< followed, or the moment is past
};

struct EngineView {
  unsigned chip = 0, engine = 0;
  std::string program;  ///< "forward.uc"
};

/// The machine at one cut.
struct MachineView {
  uint64_t cycle = 0;                                   ///< of the engines
  uint64_t nanoseconds = 0;                             ///< since cycle 0
  uint64_t received = 0, transmitted = 0, dropped = 0;  ///< frames
  std::vector<std::string> chips;                       ///< one without a name on a board of one chip
  std::vector<EngineView> engines;                      ///< those with a program
  std::vector<ContextView> contexts;                    ///< of these engines
  bool has_history = false, has_packets = false;  ///< they are recorded: ContextView::in_state, ContextView::packet
};

/// Words [begin, end) in which a named register has this place.
struct LiveRange {
  uint32_t begin = 0, end = 0;
  std::string physical;
  std::string file, last_file;  ///< of the first and the last word, as the program's own text has them: macros count
                                ///< where they are called
  uint32_t line = 0, last_line = 0;  ///< 0: not known
};

struct RegisterView {
  std::string name;                    ///< as the source calls it
  std::string physical;                ///< "a3", "$7", "$7 out", "@b12"
  std::optional<uint32_t> value;       ///< none: no live range at the PC
  std::vector<LiveRange> ranges = {};  ///< by address
};

class Inspector {
 public:
  virtual ~Inspector() = default;
  virtual MachineView machine() const = 0;
  /// All that the program names, those with a live range at the PC first.
  virtual std::vector<RegisterView> registers(ContextId id) const = 0;
  /// Longwords from a byte address on; fewer than `count` where the memory ends.
  virtual std::vector<uint32_t> memory(unsigned chip, image::Region region, uint64_t address, unsigned count) const = 0;
  /// Bytes; 0: the chip has no such memory.
  virtual uint64_t memory_size(unsigned chip, image::Region region) const = 0;
  /// docs/debugging.md. Diagnostics: those of Session::evaluate().
  virtual Result<int64_t> evaluate(const std::string& expression, ContextId where) const = 0;
  /// Null: none.
  virtual const image::Image* program(unsigned chip, unsigned engine) const = 0;
  virtual Report report() const = 0;

  // What observers have seen, of one chip. Null: it was not asked for. Valid while the question is answered.
  virtual const emulator::History* history(unsigned chip) const = 0;
  virtual const emulator::Coverage* coverage(unsigned chip) const = 0;
  virtual const emulator::Statistics* statistics(unsigned chip) const = 0;
  virtual const emulator::PacketTracker* packets(unsigned chip) const = 0;
  /// Engine cycle at which the machine stands, and ticks: those of references and media.
  virtual uint64_t cycle() const = 0;
  /// Up to which cycle observers have looked: after cycle() after going back.
  virtual uint64_t observed_cycle() const { return cycle(); }
  /// Of which cycle coverage, statistics and profile are: cycle() where they go back with the machine, else
  /// observed_cycle().
  virtual uint64_t counted_cycle() const { return observed_cycle(); }
  virtual uint64_t ticks_per_cycle() const = 0;
  virtual uint64_t ticks_per_second() const = 0;
  /// As coverage() and statistics(): of one chip; null: it was not asked for.
  virtual const emulator::Profile* profile(unsigned chip) const {
    static_cast<void>(chip);
    return nullptr;
  }
  /// Whether a breakpoint could be set now, as Session::add_breakpoint would say; nothing is set. Where nothing runs
  /// all are fine.
  virtual Result<bool> check_breakpoint(const Breakpoint& breakpoint) const {
    static_cast<void>(breakpoint);
    return true;
  }

  /// The control store as it is loaded and linked; empty: no program, or it is not known.
  virtual std::vector<uint64_t> words(unsigned chip, unsigned engine) const {
    return static_cast<void>(chip), static_cast<void>(engine), std::vector<uint64_t>();
  }
  /// The figures of the chip's engines: slots that branches lose, and more.
  virtual emulator::EngineTiming timing(unsigned chip) const {
    return static_cast<void>(chip), emulator::EngineTiming();
  }
  // --- state in detail (state.h). Nothing of it changes the machine.
  virtual std::vector<MemoryInfo> memories(unsigned chip) const;
  virtual std::vector<MemorySymbol> symbols(unsigned chip) const;
  /// From a byte address on, a multiple of 4; fewer than `count` where the memory ends.
  virtual std::vector<uint32_t> longwords(unsigned chip, const std::string& memory, uint64_t address,
                                          unsigned count) const;
  /// The first address in [from, end) at which these bytes stand, at multiples of `align`. To be asked for a few
  /// megabytes at a time.
  virtual std::optional<uint64_t> find(unsigned chip, const std::string& memory, const std::vector<uint8_t>& bytes,
                                       uint64_t from, uint64_t end, unsigned align) const;
  /// Those of a microengine as the context sees them.
  virtual std::vector<CsrView> local_csrs(ContextId id) const;
  /// CAP, hash and media registers; IXP1200: of the FBI.
  virtual std::vector<CsrView> chip_csrs(unsigned chip) const;
  virtual EngineDetail engine(ContextId id) const;
  virtual UnitsDetail units(unsigned chip) const;
};

/// The session must outlive it.
std::unique_ptr<Inspector> inspect(Session& session);

/// "loop#+2", as the label is written; empty before the first one. Labels that the assembler makes for structured
/// blocks do not count.
std::string label_of(const image::Image& image, uint32_t address);
/// A label as it is written in its text: the assembler puts the number of the macro call in front ("m001_my_turn#").
std::string written_label(std::string_view label);

}  // namespace weft::workbench
