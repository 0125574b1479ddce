// What passes between microengines and units. Units never know microengines: they receive a Command, and answer through
// a Bus with transfer-register data and signals.
#pragma once

#include <cstdint>
#include <limits>
#include <string_view>

#include "weft/isa/isa.h"

namespace weft::emulator {

/// Global time: the greatest common divisor of all periods on the board, 1/6 ns for IXP2400 boards (board file).
using Tick = uint64_t;
inline constexpr Tick kNever = std::numeric_limits<Tick>::max();

struct ContextRef {
  uint8_t engine = 0;   ///< index in chip order, 0-7 on ixp2400
  uint8_t context = 0;  ///< 0-7
  bool operator==(const ContextRef&) const = default;
};

struct Command {
  isa::InsnId op{};      ///< e.g. sram_read
  isa::Unit unit{};
  ContextRef from;
  uint32_t address = 0;  ///< sum of both address operands, as the engine computed it
  uint32_t left = 0, right = 0;  ///< the two operands apart (fast_wr, journal)
  uint8_t count = 1;     ///< references, in the unit of the command (after the indirect override)
  uint8_t xfer = 0;      ///< first transfer register: physical number 0-127 in its S or D file
  bool xfer_d = false;   ///< D file ($$)
  bool has_xfer = false;
  uint8_t signal = 0;    ///< 0 = none; two-signal commands raise signal and signal + 1 (isa.md 2.2)
  bool indirect = false;
  uint32_t indirect_word = 0;  ///< isa.md 10.4
  uint16_t csr = 0;      ///< cap: CSR address
  uint32_t data = 0;     ///< cap fast_wr immediate
  Tick issued = 0;
  uint64_t sequence = 0; ///< order of issue over the whole machine
};

/// Follows commands through the units. A unit tells it only when one is set (Bus::watcher).
class CommandWatcher {
 public:
  virtual ~CommandWatcher() = default;
  /// Accepted; the command lies in the inlet from `arrival` on. Comes before Observer::on_issue.
  virtual void on_queued(const Command& command, Tick arrival);
  /// Leaves the inlet and is performed now: data is taken from transfer registers, memory is read and written.
  virtual void on_serve(const Command& command, Tick at);
  /// An answer is back, before its pushes and signals: `count` longwords, `signals` as a mask. `sequence` is that of the
  /// command, kUnasked for what a unit does by itself.
  virtual void on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at);
  /// A unit could not do what it was asked (UnitCounters::faults). `during` is null outside a command.
  virtual void on_fault(std::string_view unit, const Command* during, std::string_view text);
};
inline constexpr uint64_t kUnasked = std::numeric_limits<uint64_t>::max();

/// The way back from a unit to the engines: the push and pull buses and the signal lines.
class Bus {
 public:
  virtual ~Bus() = default;
  CommandWatcher* watcher = nullptr;  ///< null: nobody looks
  /// Reads write-transfer register `number` (physical) of an engine.
  virtual uint32_t pull(ContextRef to, bool d, unsigned number) = 0;
  /// Writes read-transfer register `number` (physical) of an engine.
  virtual void push(ContextRef to, bool d, unsigned number, uint32_t value) = 0;
  /// Raises event signal 1-15 of a context.
  virtual void signal(ContextRef to, unsigned number) = 0;
};

/// Something that has events in time. The machine runs the actor with the smallest key (tick, rank, index).
class Actor {
 public:
  virtual ~Actor() = default;
  /// The tick of its next event, kNever if it waits to be asked.
  virtual Tick next_event() const = 0;
  /// Performs everything that is due at `now` (== next_event()).
  virtual void run(Tick now) = 0;
};

/// A unit of the chip. Its whole state is one copyable record (snapshots copy it).
class Unit : public Actor {
 public:
  virtual std::string_view name() const = 0;
  /// False while its inlet is full: the issuing engine stalls and tries again next cycle.
  virtual bool can_accept(const Command& command) const = 0;
  virtual void accept(const Command& command, Tick now) = 0;
  /// br_inp_state lines that this unit drives (scratch rings); `number` as in isa.md 3.7.
  virtual bool input_state(unsigned number) const;
};

}  // namespace weft::emulator
