// A unit of the chip as docs/timing-units.md describes it: how long a command takes, and what it does. Who waits for
// the unit, in which order, and how answers travel back is in schedule/; engines are known to neither.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>

#include "units/command_traits.h"
#include "weft/base/fields.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/memory.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

/// A command on its way to its unit, or waiting there.
struct PendingCommand {
  Command command;
  Tick arrival = 0;
  WEFT_FIELDS(PendingCommand, command, arrival)
};

/// When a command is performed and answered.
struct Times {
  Tick start = 0;       ///< it is performed: data is taken from transfer registers, memory is read and written
  Tick at = 0;          ///< the answer and the signal are back
  Tick first = kNever;  ///< of a command with two signals: when the first is raised, if that is earlier
  Tick busy = 0;        ///< time in which its data passes, for UnitCounters::busy
};

/// What plan() has changed, so that unplan() can take it back. Each unit decides what the words are.
struct PlanUndo {
  std::array<uint64_t, 6> was;
};

/// Data and signals on their way to a context.
struct Reply {
  Tick at = 0;
  uint64_t order = 0;           ///< among those of the unit at one tick
  uint64_t command = kUnasked;  ///< Command::sequence
  ContextRef to;
  bool d = false;
  uint8_t xfer = 0;
  uint8_t count = 0;
  uint16_t signals = 0;  ///< bit s = signal s
  std::array<uint32_t, 32> data{};
  WEFT_FIELDS(Reply, at, order, command, to, d, xfer, count, signals, fields::first(data, count))
};

/// What a unit says to the world apart from the answer to a command.
class UnitPort {
 public:
  virtual ~UnitPort() = default;
  /// The unit could not do what `by` has asked for. Counted, and reported to a watcher.
  virtual void fault(std::string text, const WordPlace& by) = 0;
  /// The word that asks for what is done now.
  virtual WordPlace served_word() const = 0;
  /// A push or a signal that the receiver did not ask for by the command that is performed.
  virtual void send(const Reply& reply) = 0;
  /// The same signals to this context of the engine and to those behind it, `contexts` together, in this order.
  virtual void send_to_contexts(const Reply& reply, unsigned contexts) = 0;
  /// `count` read registers ($) will be pushed to a context some time; then that is withdrawn, and send() follows.
  virtual void announce_push(ContextRef to, unsigned first, unsigned count) = 0;
  virtual void withdraw_push(ContextRef to, unsigned first, unsigned count) = 0;
  /// Something that decides when commands can be served was changed from outside.
  virtual void reconsider() = 0;
  /// The same; and the head of queue `queue` of a sorted unit is not served before `from`.
  virtual void reconsider(size_t queue, Tick from) = 0;
  /// Command::sequence of the command that is performed; kUnasked when none is.
  virtual uint64_t performing() const = 0;
};

/// The write transfer registers of a command, where they are not simply in the state of an engine.
class WriteRegisters {
 public:
  virtual ~WriteRegisters() = default;
  /// The `index`th of the command.
  virtual uint32_t read(unsigned index) = 0;
};

/// One command while its unit performs it.
class Service {
 public:
  const Command& command;
  const Times& times;

  /// `data` has room for 32 longwords. Registers come from `file` (128 of them) or, where that is null, from `other`.
  Service(const Command& command_, const Times& times_, uint32_t* data, UnitCounters& counters, const uint32_t* file,
          WriteRegisters* other)
      : command(command_), times(times_), data_(data), counters_(counters), file_(file), other_(other) {}

  /// The `index`th write transfer register of the command.
  uint32_t pull(unsigned index) {
    if (file_ == nullptr) return other_->read(index);
    ++counters_.longwords_written;
    return file_[(command.xfer + index) & 127u];
  }
  /// The first `count` of them, at most 32, where they are or in data().
  const uint32_t* pull_all(unsigned count) {
    if (file_ != nullptr && command.xfer + count <= 128) {
      counters_.longwords_written += count;
      return file_ + command.xfer;
    }
    for (unsigned i = 0; i < count; ++i) data_[i] = pull(i);
    return data_;
  }

  /// Room for the data of the answer.
  uint32_t* data() { return data_; }
  /// The answer is the first `count` longwords of data(), and the signals of the command.
  void answer(unsigned count = 0) {
    answered_ = true;
    count_ = std::min(count, 32u);
  }
  void answer_with(uint32_t value) {
    data_[0] = value;
    answer(1);
  }
  bool answered() const { return answered_; }
  unsigned count() const { return count_; }

 private:
  uint32_t* data_;
  UnitCounters& counters_;
  const uint32_t* file_;
  WriteRegisters* other_;
  bool answered_ = false;
  unsigned count_ = 0;
};

class UnitModel;

/// When a command that was served at once starts and is answered. `start` kNever: nothing was done.
struct ServedAtOnce {
  Tick start, at;
};
/// What the word of such a command says.
struct AtOnceWord {
  uint8_t longwords = 0;
  uint8_t list = 0;  ///< of commands that name one
  uint16_t csr = 0;  ///< the same
};
/// When and for whom it is served.
struct AtOnceTerms {
  Tick until = kNever;               ///< it starts before this
  UnitCounters* counters = nullptr;  ///< busy and longwords_written are the model's; who serves counts the rest
  Tick there = 0;                    ///< the command has crossed the bus, though it may wait for others until `arrival`
  // Only of commands that concern others:
  ContextRef from;   ///< who sends it
  uint8_t xfer = 0;  ///< its first transfer register, physical number
};
/// plan() and perform() in one step, for a command that moves longwords from or to `registers` and could do nothing
/// wrong: no fault, and a start before `until`. Otherwise nothing is done. What fast_wr writes is in `address`.
using ServeAtOnce = ServedAtOnce (*)(UnitModel& unit, const AtOnceTerms& terms, const AtOnceWord& word,
                                     uint32_t address, uint32_t* registers, Tick arrival);

class UnitModel {
 public:
  UnitModel(std::string name, const UnitTiming& timing, Tick period, Bus& bus)
      : name_(std::move(name)),
        timing_(timing),
        period_(period),
        done_after_((timing.access + timing.reply) * period),
        bus_(bus) {}
  virtual ~UnitModel() = default;
  UnitModel(const UnitModel&) = delete;
  UnitModel& operator=(const UnitModel&) = delete;

  const std::string& name() const { return name_; }
  const UnitTiming& timing() const { return timing_; }
  Tick period() const { return period_; }
  Bus& bus() const { return bus_; }
  /// Sets of pins that can move data at once.
  virtual unsigned directions() const { return 1; }
  void connect(UnitPort& port) { port_ = &port; }

  // --- commands
  /// Nothing but the commands themselves decides when they are performed and answered. Then they can be planned ahead
  /// of time.
  virtual bool serves_in_order() const { return false; }
  /// What its own events send reaches engines later than they happen, by the lookahead of its chip or more.
  virtual bool sends_ahead() const { return false; }
  /// Performing it concerns nobody but the unit and the one who asked, and changes nothing that an event of the unit
  /// depends on: it may be performed later than at its time, in order. Of a unit that serves in order.
  virtual bool is_private(const Command&) const { return true; }
  /// Of a unit with events: when none of them lies before the start of the command, nobody can tell whether it is
  /// performed, and settle() called, earlier. Private commands are such.
  virtual bool may_be_early(const Command& command) const { return is_private(command); }
  /// It writes into buffers(), and may be performed earlier as far as the unit itself is concerned.
  virtual bool fills_buffers(const Command&) const { return false; }
  /// The first tick at which the unit itself is free for the command, whatever its arrival.
  virtual Tick free_for(const Command& command) const = 0;
  /// A command may bring the next one nearer than it was: it opens its row, or turns the pins round.
  virtual bool hastens() const { return false; }
  /// The unit takes the command, which is there from `arrival` on, as its next one. Where commands are not served in
  /// order, `arrival` is the moment at which it is performed.
  virtual Times plan(const Command& command, Tick arrival, PlanUndo& undo) = 0;
  /// The youngest command that was planned and is not taken back was not planned.
  virtual void unplan(const Command&, const PlanUndo&) {}
  /// Does what the command says.
  virtual void perform(Service& service) = 0;
  /// The way to serve such commands, which are private or may be early, in one step, when they have no indirect word
  /// and all signals come together; null: there is none. It declines those that fill buffers.
  virtual ServeAtOnce at_once(isa::InsnId) const { return nullptr; }
  /// Which input states the unit drives, and those that are on, bit by bit (isa.md 3.7).
  uint32_t driven_lines() const { return driven_lines_; }
  uint32_t input_lines() const { return input_lines_; }
  /// What its commands read, when that is so large that the host's near caches do not hold it; null: nothing is.
  const PagedMemory* large_memory() const { return large_memory_; }
  /// What memory holds: the part of a data unit that the control processor does not write.
  virtual uint32_t present(uint32_t) const { return 0; }

  /// Buffers that its commands or its events read and fill, in common with another unit; null: there are none.
  virtual const void* buffers() const { return nullptr; }

  // --- what happens without a command: media
  virtual bool has_events() const { return false; }
  virtual Tick next_event() const { return kNever; }
  /// Everything that is due; then commands are served, and settle() is called.
  virtual void advance(Tick) {}
  virtual void settle(Tick) {}
  /// Registers that will be pushed to contexts, for which no command is under way.
  virtual void announce_pushes() {}

  /// Longwords that the command moves.
  static unsigned longwords(const Command& command) {
    return std::min(32u, unsigned{command.count} * traits_of(command.op).longwords_per_count);
  }

 protected:
  Tick cycles(uint64_t count) const { return count * period_; }
  /// The tick at which an answer is back whose last data unit passes `more` ticks after the first.
  Tick done(Tick start, Tick more = 0) const { return start + done_after_ + more; }
  /// The same for commands whose last data travels to the memory.
  Tick done_write(Tick start, Tick more = 0) const {
    return start + cycles(timing_.access_write + timing_.reply) + more;
  }
  /// When the first of two signals is raised (U6): one data unit before the second, as far as its way back allows.
  Tick first_signal(const Times& times, Tick unit) const {
    return std::max(times.start + cycles(timing_.reply) + unit, times.at) - unit;
  }
  /// Longwords that a command which is served at once moves from or to registers.
  template <bool kReads>
  class Moved {
   public:
    Moved(PagedMemory& memory, uint64_t address, unsigned longwords)
        : memory_(memory), address_(address), longwords_(longwords) {
      if constexpr (kReads)
        at_ = memory.readable(address, longwords);
      else
        at_ = memory.writable(address, longwords);
    }
    bool exist() const { return at_ != nullptr || memory_.contains(address_, uint64_t{longwords_} * 4); }
    void move(uint32_t* registers, const AtOnceTerms& terms) {
      if constexpr (kReads) {
        at_ != nullptr ? PagedMemory::copy(registers, at_, longwords_)
                       : memory_.read_longwords(address_, registers, longwords_);
      } else {
        at_ != nullptr ? PagedMemory::copy(at_, registers, longwords_)
                       : memory_.write_longwords(address_, registers, longwords_);
        terms.counters->longwords_written += longwords_;
      }
    }

   private:
    PagedMemory& memory_;
    uint64_t address_;
    unsigned longwords_;
    std::conditional_t<kReads, const uint32_t, uint32_t>* at_;
  };
  /// An atomic that takes an operand from the first register, or leaves the old value there.
  template <Atomic kAtomic>
  static void apply(PagedMemory& memory, uint64_t address, uint32_t* registers, const AtOnceTerms& terms) {
    uint32_t* const at = memory.writable(address, 1);
    const uint32_t old = at != nullptr ? *at : memory.read(address);
    const uint32_t value = kAtomic.apply(old, kAtomic.has_operand() ? registers[0] : 0);
    if (at != nullptr)
      *at = value;
    else
      memory.write(address, value);
    if constexpr (kAtomic.has_operand()) ++terms.counters->longwords_written;
    if constexpr (kAtomic.returns_old) registers[0] = old;
  }
  /// What `way` gives for the atomic; null when it has both an operand and an answer, whose signals come one after the
  /// other.
  template <class Way>
  static ServeAtOnce way_of(const std::optional<Atomic>& atomic, const Way& way) {
    using Kind = Atomic::Kind;
    ServeAtOnce found = nullptr;
    const auto find = [&]<Atomic... kAtomics>() {
      ((atomic == kAtomics ? static_cast<void>(found = way.template operator()<kAtomics>()) : void()), ...);
    };
    find.template operator()<Atomic{Kind::incr, false}, Atomic{Kind::incr, true}, Atomic{Kind::decr, false},
                             Atomic{Kind::decr, true}, Atomic{Kind::set, false}, Atomic{Kind::clr, false},
                             Atomic{Kind::add, false}, Atomic{Kind::sub, false}>();
    return found;
  }
  void fault(std::string text) { port_->fault(std::move(text), port_->served_word()); }
  /// `by` has asked for it earlier.
  void fault(std::string text, const WordPlace& by) { port_->fault(std::move(text), by); }
  WordPlace served_word() const { return port_->served_word(); }

  std::string name_;
  UnitTiming timing_;
  Tick period_;
  Tick done_after_;
  Bus& bus_;
  UnitPort* port_ = nullptr;
  uint32_t driven_lines_ = 0, input_lines_ = 0;
  const PagedMemory* large_memory_ = nullptr;
};

}  // namespace weft::emulator
