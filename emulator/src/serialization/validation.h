// What may stand in a state that a file brings: every index, length, divisor and pointer of it against the machine that
// was built. What is allowed runs, without a fault of the host and in its time; whether it is what a run would have
// made is another question, which nobody can answer without that run.
#pragma once

#include <algorithm>

#include "units/units_state.h"
#include "weft/base/valid.h"
#include "weft/emulator/board.h"

namespace weft::emulator {

/// Ticks and cycles after this are as good as never; sums of two of them do not overflow, and as keys of events they
/// have room for the place of an actor.
inline constexpr Tick kLastTick = Tick{1} << 48;

/// What states and observers have in common: rules for all_valid() (base/valid.h).
class CommonValidation {
 public:
  explicit CommonValidation(size_t engines) : engines_(engines) {}
  bool valid(isa::InsnId v) const { return static_cast<size_t>(v) < isa::kInsnCount; }
  bool valid(ContextState v) const { return v <= ContextState::sleep; }
  bool valid(const ContextRef& v) const { return v.engine < engines() && v.context < kContexts; }
  bool valid(const UnitCounters&) const { return true; }
  size_t engines() const { return engines_; }

 private:
  size_t engines_;
};

class StateValidation : public CommonValidation {
 public:
  using CommonValidation::valid;
  /// The same chip as it stands before its first cycle, and the moment of the state that is looked at.
  StateValidation(const ChipOnBoard& on, const MachineState& machine, const UnitsState& units, Tick now)
      : CommonValidation(machine.engines.size()), on_(on), machine_(machine), units_(units), now_(now) {}

  // Machine
  bool valid(isa::Unit v) const { return v <= isa::Unit::hash; }
  bool valid(isa::MemoryQueue v) const { return v <= isa::MemoryQueue::priority; }
  bool valid(PendingWrite::Kind v) const { return v <= PendingWrite::Kind::signal; }
  bool valid(Shadow::Kind v) const { return v <= Shadow::Kind::breakpoint; }
  bool valid(const Command& v) const;
  bool valid(const Position& v) const { return v.now <= kLastTick; }
  bool valid(const MachineState& v) const;
  bool valid(const Admission& v) const;
  bool valid(const EngineState& v) const;
  bool valid(const ContextRecord& v) const { return time(v.future_due); }
  bool valid(const PendingWrite& v) const { return v.due <= kLastTick && v.context < kContexts; }
  bool valid(const PendingWrites& v) const;
  bool valid(const CamState& v) const;
  bool valid(const Shadow&) const { return true; }
  bool valid(const ConditionCodes&) const { return true; }
  bool valid(const PreviousAlu&) const { return true; }
  bool valid(const MultiplierState&) const { return true; }
  bool valid(const BsetResult&) const { return true; }

  // Queues of units
  bool valid(MemorySpace v) const { return v <= MemorySpace::dram; }
  bool valid(const PendingCommand& v) const { return v.arrival <= kLastTick; }
  bool valid(const Reply& v) const;
  bool valid(const CoreRequest& v) const;
  bool valid(const CoreCommand& v) const;
  bool valid(const CoreAnswer& v) const;
  bool valid(const QueueState& v) const;
  bool valid(const SortedState& v) const;
  bool valid(const WordPlace&) const { return true; }
  bool valid(const UnitFault&) const { return true; }
  template <class Queue, class Model>
  bool valid(const ScheduledState<Queue, Model>&) const {
    return true;
  }

  // Units
  bool valid(const UnitsState& v) const { return v.chip.index() == units_.chip.index(); }
  bool valid(const Ixp2000State& v) const;
  bool valid(const Ixp1200State& v) const;
  bool valid(const PagedMemory&) const { return true; }  // of the right size: that of its unit
  bool valid(const ScratchState& v) const;
  bool valid(const ScratchRing& v) const;
  bool valid(const SramState& v) const { return time(v.read_free) && time(v.write_free); }
  bool valid(const QueueEntry& v) const { return v.missing <= 2; }
  bool valid(const DramPinsState& v) const;
  bool valid(const DramBank& v) const { return time(v.free); }
  bool valid(const DramState&) const { return true; }
  bool valid(const HashState& v) const { return time(v.free); }
  bool valid(const CapState& v) const { return time(v.free); }
  bool valid(const RefusedState&) const { return true; }
  bool valid(const Sram1200State& v) const;
  bool valid(const Sdram1200State&) const { return true; }
  bool valid(const FbiState& v) const { return time(v.free) && v.now <= now_; }

  // Media
  bool valid(IxBusState::Direction v) const { return v <= IxBusState::Direction::transmit; }
  bool valid(const MsfState& v) const;
  bool valid(const FreelistEntry& v) const { return v.xfer < 128 && v.signal < 16 && v.since <= now_; }
  bool valid(const RbufFrame& v) const { return v.port < std::max<size_t>(1, sources()); }
  bool valid(const ReceiveTransfer& v) const;
  bool valid(const TransmitTransfer& v) const { return v.element < 128 && v.partition < 3 && ends(v.active, v.end); }
  bool valid(const PortState& v) const;
  bool valid(const StoredFrame& v) const { return v.bytes != nullptr && v.taken <= v.bytes->size(); }
  bool valid(const FramePart& v) const;
  bool valid(const PortCounters&) const { return true; }
  bool valid(const LinkEndState& v) const;
  bool valid(const LinkPart& v) const { return time(v.at) && v.bytes != nullptr && !v.bytes->empty(); }
  bool valid(const LinkCounters&) const { return true; }
  bool valid(const IxBusState& v) const;
  bool valid(const ReceiveRequest& v) const;
  bool valid(const ReceiveStatus&) const { return true; }
  bool valid(const ReadyBusState& v) const { return v.begin <= now_; }
  bool valid(const ReadyLine& v) const { return v.changed <= now_; }

  /// From which frames come: ports, and links after them.
  size_t sources() const { return on_.ports.size() + on_.links.size(); }

 private:
  static bool time(Tick v) { return v <= kLastTick || v == kNever; }
  /// The end of something that is under way is not a moment that has gone by, and there is none when nothing is.
  bool ends(bool under_way, Tick end) const { return under_way ? end >= now_ && end <= kLastTick : end == kNever; }
  uint64_t cycle() const { return now_ / on_.chip.engine.period; }
  bool port_valid(const PortState& v, const PortDescription& description) const;

  const ChipOnBoard& on_;
  const MachineState& machine_;
  const UnitsState& units_;
  Tick now_;
};

}  // namespace weft::emulator
