// A unit whose commands decide everything: when each is served and answered is known as soon as it is accepted.
//
// So the unit has no events. Answers are handed to the engine that asked, with their time; the function of a command is
// performed later, but in order and before anybody can see the difference (docs/engines.md). While a lane is open, the
// inlet holds the commands that are not performed, as always, and answers are in slots instead of the queue of replies;
// close() gives the unit the state that the reference would have.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "fast/operation.h"
#include "machine/in_flight.h"
#include "units/queued_unit.h"
#include "weft/emulator/admission.h"

namespace weft::emulator::fast {

class Core;
class Lane;

/// Keys are tick << 5 | place; actors have the places 0-15 in their order, engines those from 16 on.
using Key = uint64_t;
inline constexpr unsigned kPlaceBits = 5;
inline constexpr unsigned kEnginePlace = 16;
inline constexpr unsigned kPlaces = 32;
inline constexpr Key key_of(Tick tick, unsigned place) { return tick == kNever ? kNever : tick << kPlaceBits | place; }

/// Signals that an answer has brought.
struct Raised {
  uint8_t context = 0;
  uint16_t signals = 0;
};

/// Engine cycles of ticks. A division takes the time of twenty other instructions; this one is a product, and one
/// correction.
class Cycles {
 public:
  explicit Cycles(Tick period) : period_(period), inverse_(~Tick{0} / period) {}
  /// The first cycle that begins at `tick` or later.
  uint64_t at(Tick tick) const {
    __extension__ using Wide = unsigned __int128;
    const Tick last = tick + period_ - 1;
    const auto below = static_cast<uint64_t>(Wide{last} * inverse_ >> 64);  // the quotient or one less
    const Tick rest = last - below * period_;
    return below + (rest >= period_ ? 1 : 0);
  }

 private:
  Tick period_, inverse_;
};

/// An answer that an engine will get.
struct Due {
  Key key = 0;
  uint64_t cycle = 0;  ///< of the engine
  Lane* lane = nullptr;
  uint32_t slot = 0;
};

class Lane final : public AnswerTaker {
 public:
  Lane(QueuedUnit& unit, unsigned place) : unit_(unit), place_(place), cycles_(unit.period_) {}

  using Cores = std::vector<std::unique_ptr<Core>>;
  bool is_open() const { return open_; }
  unsigned place() const { return place_; }
  Unit& unit() { return unit_; }
  Admission* admission = nullptr;  ///< of the unit
  /// False when the control processor is a guest of the unit; then its times are not known.
  bool can_open() const { return !unit_.concerns_core(); }
  /// `counted`: what is under way here is in `in_flight` already.
  void open(InFlight& in_flight, const Cores& cores, bool counted);
  /// Everything before this moment has been performed and delivered.
  void close(const Cores& cores);

  enum class Answer : uint8_t { accepted, full, not_its_turn };
  /// A core sends the command in `cycle`, at `now`.
  Answer issue(const Command& command, CommandShape shape, Tick now, uint64_t cycle, Core& core);

  /// For a unit with events: its answers go to the engines as soon as they are known, with their time, so that their
  /// arrival is no event. What is in the queue of replies counts in `in_flight`. Engines that were told, bit by bit.
  uint32_t hand_over(InFlight& in_flight, const Cores& cores);
  /// From now on the unit gives its answers here at once. Engines that were told, since the last question.
  void begin_taking() { unit_.set_taker(this); }
  uint32_t told() { return std::exchange(told_, 0); }
  void end_taking() { unit_.set_taker(nullptr); }
  Reply& answer_room() override {
    taken_ = take_slot();
    Slot& slot = slots_[taken_];
    slot.start = 0;
    slot.served = true;
    return slot.reply;
  }
  void answer_known() override;
  const uint32_t* written(ContextRef of, bool d) const override;
  /// Before the first one of a run.
  void forget() {
    slots_.clear();
    free_.clear();
  }
  /// Performs everything that is served at `now` or before.
  void catch_up(Tick now) {
    while (next_start_ <= now && next_start_ != kNever) perform();
  }
  /// When the head of the inlet is served.
  Tick next_start() const { return next_start_; }
  /// Writes the data of an answer into the registers and gives its signals. `now`: up to there nothing unknown can
  /// come. With `alone` it refuses when another access to these registers is under way, or the command cannot be
  /// performed yet.
  bool deliver(uint32_t number, EngineState& to, InFlight::Registers& registers, Tick now, bool alone, Raised& raised) {
    Slot* slot = &slots_[number];
    if (!slot->served) {
      if (alone && slot->start > now) return false;
      catch_up(slot->start);
    }
    const Reply& reply = slot->reply;
    if (slot->expected != 0) {
      if (alone && !in_flight_->only_one(reply.to, reply.d, reply.xfer, slot->expected)) return false;
      InFlight::add(registers, reply.d ? 256 : 0, reply.xfer, slot->expected, -1);
      auto& file = reply.d ? to.d_in : to.s_in;
      if (reply.xfer + reply.count <= 128) {
        uint32_t* at = file.data() + reply.xfer;
        for (unsigned i = 0; i < reply.count; ++i) at[i] = reply.data[i];
      } else {
        for (unsigned i = 0; i < reply.count; ++i) file[(reply.xfer + i) & 127] = reply.data[i];
      }
    }
    raised = {reply.to.context, static_cast<uint16_t>(reply.signals & 0xfffeu)};
    free_.push_back(number);
    return true;
  }

 private:
  static constexpr uint32_t kNone = ~uint32_t{0};
  struct Planned {
    Tick start = 0;
    uint32_t first = kNone, last = kNone;  ///< slots
    uint8_t taken = 0;                     ///< write registers that are in flight because of it
  };
  struct Slot {
    Tick start = 0;  ///< of the command
    bool served = false;
    uint8_t expected = 0;  ///< registers that are in flight because of it
    Reply reply;
  };
  void plan(const Command& command, CommandShape shape, Tick arrival, Core& core);
  void perform();
  void expect(Core& core, Tick at, uint32_t slot);
  uint32_t take_slot(const Command& command, Tick start, Tick at, unsigned signals);
  uint32_t take_slot() {
    if (free_.empty()) {
      slots_.emplace_back();
      return static_cast<uint32_t>(slots_.size() - 1);
    }
    const uint32_t number = free_.back();
    free_.pop_back();
    return number;
  }

  QueuedUnit& unit_;
  unsigned place_;
  Cycles cycles_;
  InFlight* in_flight_ = nullptr;
  const Cores* cores_ = nullptr;
  bool open_ = false;
  Tick last_start_ = 0;       ///< of what was foreseen
  Tick next_start_ = kNever;  ///< of the first of `planned_`; kNever: there is none
  Ring<Planned> planned_;     ///< as the inlet
  std::vector<Slot> slots_;
  std::vector<uint32_t> free_;
  uint32_t taken_ = 0;  ///< slot of the answer that is filled in
  uint32_t told_ = 0;
};

}  // namespace weft::emulator::fast
