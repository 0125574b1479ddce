// What passes between microengines and units. Units never know microengines: they receive a Command, and answer through
// a Bus with transfer-register data and signals.
#pragma once

#include <cstdint>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "weft/base/fields.h"
#include "weft/isa/isa.h"

namespace weft::emulator {

/// Global time: the greatest common divisor of all periods on the board, 1/6 ns for IXP2400 boards (board file).
using Tick = uint64_t;
inline constexpr Tick kNever = std::numeric_limits<Tick>::max();

struct ContextRef {
  uint8_t engine = 0;   ///< index in chip order, 0-7 on ixp2400
  uint8_t context = 0;  ///< 0-7
  bool operator==(const ContextRef&) const = default;
  WEFT_FIELDS(ContextRef, engine, context)
};

struct Command {
  isa::InsnId op{};  ///< e.g. sram_read
  isa::Unit unit{};
  ContextRef from;
  uint32_t address = 0;  ///< in bytes: the sum of both address operands (me1: shifted from longwords or quadwords)
  uint32_t left = 0, right = 0;  ///< the two operands apart (fast_wr, journal)
  uint8_t count = 1;             ///< references, in the unit of the command (after the indirect override)
  uint8_t xfer = 0;              ///< first transfer register: physical number 0-127 in its S or D file
  bool xfer_d = false;           ///< D file ($$)
  bool has_xfer = false;
  uint8_t signal = 0;  ///< 0 = none; two-signal commands raise signal and signal + 1 (isa.md 2.2)
  bool indirect = false;
  uint32_t indirect_word = 0;  ///< isa.md 10.4
  uint16_t csr = 0;            ///< cap: CSR address
  uint16_t pc = 0;             ///< control-store address of the word
  uint32_t data = 0;           ///< cap fast_wr immediate; me1 fast_wr: the value
  isa::MemoryQueue queue{};    ///< me1: of the SRAM or SDRAM unit
  uint8_t list = 0;            ///< me1: hardware list of sram push and pop
  Tick issued = 0;
  uint64_t sequence = 0;  ///< order of issue over the whole machine
  WEFT_FIELDS(Command, op, unit, from, address, left, right, count, xfer, xfer_d, has_xfer, signal, indirect,
              indirect_word, csr, pc, data, queue, list, issued, sequence)
};

/// A step of a frame between the wire and the buffers of the media interface. A port handles its frames in order, so
/// the frame is the oldest one that has not taken this step.
struct MediaEvent {
  enum class Kind : uint8_t {
    arrived,   ///< stored whole in the receive buffer of the MAC; `bytes`
    lost_in,   ///< ended on the wire and was not stored; `bytes`, `cause`
    filled,    ///< an mpacket of the oldest stored frame stands in receive element `element`; `first`, `length`, `sop`,
               ///< `eop`
    handed,    ///< the status of `element` is on its way to register `xfer` ($) of context `to`
    freed,     ///< receive element `element` was given back
    taken,     ///< transmit element `element` has crossed to the MAC of `port`; `length`, `sop`, `eop`
    lost_out,  ///< `cause` transmit-order: what was gathered before a start, or an element without start; else the
               ///< element that was taken and what was gathered before it. Comes after `taken`
    complete,  ///< the gathered frame has its end and waits for the wire. Comes after `taken`
    sent,      ///< the last bit of the oldest complete frame has left; `bytes`
  } kind{};
  uint8_t port = 0;
  uint16_t element = 0;
  uint32_t first = 0, length = 0;  ///< bytes of the frame
  bool sop = false, eop = false, damaged = false;
  ContextRef to;
  uint8_t xfer = 0;                             ///< physical number
  std::string_view cause;                       ///< lives as long as the program
  const std::vector<uint8_t>* bytes = nullptr;  ///< the frame without check sequence; valid during the call
  Tick at = 0;                                  ///< not told with `freed`
};

/// Follows commands through the units, and frames through the media interface. Nobody tells it anything unless one is
/// set (Bus::watcher).
class CommandWatcher {
 public:
  virtual ~CommandWatcher() = default;
  /// False when on_queued, on_serve, on_answer, and on_issue of an Observer, may be left out.
  virtual bool takes_commands() const { return true; }
  /// True when on_serve and on_answer may come as soon as their time is known, which may be before it: services of one
  /// unit in their order, and all after on_issue of the command.
  virtual bool takes_commands_early() const { return false; }
  /// Who is told of commands, when several are behind this one.
  virtual CommandWatcher* command_watcher() { return this; }
  /// Accepted; the command lies in the inlet from `arrival` on. Comes before Observer::on_issue.
  virtual void on_queued(const Command& command, Tick arrival);
  /// Leaves the inlet and is performed now: data is taken from transfer registers, memory is read and written.
  virtual void on_serve(const Command& command, Tick at);
  /// An answer is back, before its pushes and signals: `count` longwords, `signals` as a mask. `sequence` is that of
  /// the command, kUnasked for what a unit does by itself.
  virtual void on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at);
  /// A unit could not do what it was asked (UnitCounters::faults). `during` is null outside a command.
  virtual void on_fault(std::string_view unit, const Command* during, std::string_view text);
  virtual void on_media(const MediaEvent& event);
  /// The control processor takes a longword from a scratch ring, or puts one on it. Comes before it happens.
  virtual void on_host_ring(unsigned ring, bool put, uint32_t word);
  /// A memory serves the control processor now: `count` longwords from byte address `address` on, in the unit `serves`.
  virtual void on_core(isa::Unit serves, bool write, uint32_t address, unsigned count, Tick at);
};
inline constexpr uint64_t kUnasked = std::numeric_limits<uint64_t>::max();

class CoreListener;

/// The way back from a unit to the engines: the push and pull buses and the signal lines.
class Bus {
 public:
  virtual ~Bus() = default;
  CommandWatcher* watcher = nullptr;  ///< null: nobody looks
  CoreListener* listener = nullptr;   ///< of answers to the control processor
  /// Reads write-transfer register `number` (physical) of an engine.
  virtual uint32_t pull(ContextRef to, bool d, unsigned number) = 0;
  /// All 128 of them, for who reads several now; null: somebody wants to know of each.
  virtual const uint32_t* written(ContextRef, bool) const { return nullptr; }
  /// Writes read-transfer register `number` (physical) of an engine.
  virtual void push(ContextRef to, bool d, unsigned number, uint32_t value) = 0;
  /// Raises event signal 1-15 of a context.
  virtual void signal(ContextRef to, unsigned number) = 0;
  /// Somebody outside is about to look at engines or units between runs, or to change them: everything that a run has
  /// left open (docs/engines.md) is brought up to date first.
  virtual void settle() {}
  /// A whole answer: push of `data` from register `first` on, then the signals of the mask in rising order.
  virtual void answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals);
};

/// What a turn of an actor can read or change of the chip.
struct Reach {
  enum class Kind : uint8_t {
    memory,  ///< memories and rings as they are, and what no engine can see
    unit,    ///< that, and the queue of the unit at `place`
    all,
  } kind = Kind::all;
  size_t place = 0;
};

/// Something that has events in time. The machine runs the actor with the smallest key (tick, rank, index).
class Actor {
 public:
  virtual ~Actor() = default;
  /// The tick of its next event, kNever if it waits to be asked.
  virtual Tick next_event() const = 0;
  /// Performs everything that is due at `now` (== next_event()).
  virtual void run(Tick now) = 0;
  /// next_event() straight after run(), for those who know it then.
  virtual Tick next_after_run() const { return next_event(); }
  /// Of run(now). Engines that run ahead of each other are stopped no further than that asks for.
  virtual Reach reach(Tick) const { return {}; }
  size_t machine_place = 0;  ///< among the actors of its machine; set by Machine::attach
};

/// A unit of the chip. Its whole state is one copyable record (snapshots copy it).
class Unit : public Actor {
 public:
  virtual std::string_view name() const = 0;
  /// False while its inlet is full: the issuing engine stalls and tries again next cycle.
  virtual bool can_accept(const Command& command) const = 0;
  virtual void accept(const Command& command, Tick now) = 0;
  bool accepted_behind = false;  ///< accept() has left next_event() as it was
  /// So many further tries were not made, because the inlet was full all the time; they count as tries.
  virtual void count_stalls(uint64_t) const {}
  /// br_inp_state lines that this unit drives (scratch rings); `number` as in isa.md 3.7.
  virtual bool input_state(unsigned number) const;
};

}  // namespace weft::emulator
