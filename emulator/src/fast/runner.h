// The run loop of the fast engine: always the actor or core with the smallest key, which then runs as far as it can.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "fast/core.h"
#include "machine/fan_out.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"

namespace weft::emulator::fast {

/// Keys are tick << 5 | place; actors have the places 0-15 in their order, engines those from 16 on.
using Key = uint64_t;
inline constexpr unsigned kPlaceBits = 5;
inline constexpr unsigned kEnginePlace = 16;
inline constexpr unsigned kPlaces = 32;
inline constexpr Key key_of(Tick tick, unsigned place) { return tick == kNever ? kNever : tick << kPlaceBits | place; }

class Runner {
 public:
  struct Parts {
    std::deque<Engine>& engines;
    const std::vector<Actor*>& actors;
    size_t unit_actors;  ///< the first ones: units of `units`, which concern only themselves
    Units& units;
    FanOut* observers;   ///< null: nobody looks
    Tick& now;
    const EngineTiming& timing;
    std::vector<Admission>& admissions;
    uint64_t& sequence;
  };
  Runner(const Parts& parts, Bus& bus, uint32_t horizon);
  ~Runner();

  /// As Machine::run_until.
  StopReason run(Tick limit);
  /// Between runs: observers that take counts are told what was counted since the last time.
  void tell_counts();

  // --- calls of the machine during the run
  void signal(ContextRef to, unsigned number);
  void answer(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, uint16_t signals);
  void before_change(unsigned engine);
  void after_change(unsigned engine);
  void unit_changed(size_t place) { refresh_actor(place); }

  // --- for cores
  bool has_turn(unsigned engine, uint64_t cycle) const {
    return key_of(cycle * period_, kEnginePlace + engine) < others_;
  }
  void set_now(uint64_t cycle) { now_ = cycle * period_; }
  /// Engine cycles that no core may pass: the end of the run, the control processor.
  uint64_t fence() const { return fence_; }
  uint64_t fence_after(uint64_t cycle) const;
  void stop(const StopReason& reason) {
    stopped_ = true;
    reason_ = reason;
  }
  /// Tells observers everything that cores have executed in front of the key.
  void tell(Key key);
  void tell_stalls(unsigned engine, unsigned context, uint16_t pc, uint64_t cycle, uint64_t times);
  /// Somebody looks.
  bool watched() const { return parts_.observers != nullptr; }
  /// Somebody wants every word in order.
  bool recorded() const { return !ordered_.empty(); }
  /// Somebody wants to know how often words were executed.
  bool counted() const { return counted_; }
  unsigned calm_in_cycles() const { return calm_in_; }
  unsigned calm_out_cycles() const { return calm_out_; }
  /// As EngineHost::try_issue, in `cycle`.
  Issue issue(Command& command, uint64_t cycle);
  /// The core was refused in `cycle`: the first cycle in which it could be admitted, at most `limit`. Tries in between count.
  uint64_t next_try(unsigned engine, uint64_t cycle, uint64_t limit);

 private:
  void refresh_actor(size_t place);
  void refresh_engine(unsigned engine);
  void refresh_fence();
  /// An actor that may change engines: they all stand where the reference has them, and are read again behind it.
  void run_other_actor(Actor& actor, Tick now);
  void refresh_all();
  uint64_t cycle_at(Tick tick) const { return (tick + period_ - 1) / period_; }

  Parts parts_;
  std::vector<Observer*> ordered_;
  bool counted_ = false, untold_ = false;
  Bus& bus_;
  Tick& now_;
  Tick period_;
  uint32_t horizon_;
  InFlight in_flight_;
  std::vector<std::unique_ptr<Core>> cores_;
  Key smallest() const;
  std::array<Key, kPlaces> keys_{};
  size_t actor_places_ = 0, places_ = 0;  ///< in use, rounded up to multiples of four
  Key others_ = 0;     ///< smallest key but that of the core that runs
  uint64_t fence_ = 0;
  Tick fence_tick_ = 0;
  Tick limit_ = 0;
  unsigned calm_in_ = 0, calm_out_ = 0;
  Unit* full_ = nullptr;  ///< the unit that refused last, when its inlet was full
  bool stopped_ = false;
  StopReason reason_;
};

}  // namespace weft::emulator::fast
