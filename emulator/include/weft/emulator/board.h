// All chips of a board in one line of time, joined by links.
//
// Order (docs/timing.md, M1): the key is (tick, chip, rank, index). A link takes time, so that what a chip does cannot
// be seen by another one before its latency has passed: chips that run ahead may each do so for that long by
// themselves.
#pragma once

#include <memory>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

/// A reason to stop, and the chip that had it.
struct BoardStop {
  StopReason reason;
  unsigned chip = 0;
};

struct BoardState {
  std::vector<MachineState> machines;
  std::vector<std::shared_ptr<const UnitsState>> units;
  WEFT_FIELDS(BoardState, machines, units)
};

class Board {
 public:
  /// Machines and units of all chips, without programs, traffic and control processors.
  explicit Board(const BoardDescription& description);

  unsigned chip_count() const { return static_cast<unsigned>(chips_.size()); }
  Machine& machine(unsigned chip = 0) { return *chips_.at(chip).machine; }
  const Machine& machine(unsigned chip = 0) const { return *chips_.at(chip).machine; }
  Units& units(unsigned chip = 0) { return *chips_.at(chip).units; }
  const Units& units(unsigned chip = 0) const { return *chips_.at(chip).units; }

  Tick now() const { return position().now; }
  /// Events of the present tick are counted over all chips; those of the first chip come first.
  Position position() const;
  /// As the functions of Machine, for all chips. With one chip they are those of its machine.
  BoardStop run_to(Position position);
  BoardStop step_instruction(unsigned chip, unsigned engine, Position limit, int context = -1, bool pass = true);
  void set_execution(const Execution& execution);
  /// As Machine::runs_ahead(), for all chips.
  bool runs_ahead() const;
  void wake();
  uint64_t instructions() const;

  BoardState save() const;
  void restore(const BoardState& state);

 private:
  struct Chip {
    std::unique_ptr<Machine> machine;
    std::unique_ptr<Units> units;
    Tick next = 0;  ///< its next event, during a run
  };
  struct Step {
    unsigned chip = 0, engine = 0;
    int context = -1;
    bool pass = true;
    uint64_t instructions = 0;  ///< that the engine had executed before
  };
  BoardStop run(Position target, const Step* step);
  StopReason run_chip(unsigned chip, Position target, const Step* step);
  BoardStop stopped(const StopReason& reason, unsigned chip, Tick tick);
  void carry();

  std::vector<Chip> chips_;
  std::vector<LinkDescription> links_;
  Tick window_ = kNever;  ///< the least latency of a link
};

}  // namespace weft::emulator
