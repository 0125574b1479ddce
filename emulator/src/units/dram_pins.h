// Data pins, banks and refresh of a DRAM, as far as they decide when an access can start (docs/timing-units.md, D1-D3).
//
// A bank whose open row is another one prepares the row from the moment at which the command is there and the bank is
// free, while data of other banks still passes.
#pragma once

#include <vector>

#include "units/unit_model.h"
#include "weft/emulator/chip.h"

namespace weft::emulator {

struct DramBank {
  bool open = false;
  uint64_t row = 0;
  Tick free = 0;  ///< end of its last access
  WEFT_FIELDS(DramBank, open, row, free)
};

struct DramPinsState {
  Tick free = 0;  ///< of the data pins
  std::vector<DramBank> banks;
  bool last_writes = false;  ///< direction of the last access
  bool used = false;         ///< there was one
  Tick refreshed = 0;        ///< when the last refresh that was taken into account was due
  WEFT_FIELDS(DramPinsState, free, banks, last_writes, used, refreshed)
};

class DramPins {
 public:
  DramPins(const DramDescription& description, Tick period, DramPinsState& state)
      : description_(description), period_(period), state_(state) {
    state_.banks.resize(description.banks);
    plain_ = description.row_miss == 0 && description.turn_round == 0 && description.refresh_interval == 0;
  }

  struct Access {
    uint64_t address = 0;  ///< of the first byte
    bool writes = false;
    Tick there = 0;  ///< when its command reached the unit
  };
  /// The first tick at which its first data can pass.
  Tick start(const Access& access) const { return plan(access).start; }
  /// Performs it from `start` on.
  void occupy(const Access& access, Tick start, Tick length);
  /// What occupy() will change, for undo().
  void note(const Access& access, PlanUndo& undo) const;
  void take_back(const Access& access, const PlanUndo& undo);
  size_t bank_number(uint64_t address) const { return address / description_.row_bytes % state_.banks.size(); }

 private:
  struct Plan {
    Tick start = 0;
    Tick refresh = 0;  ///< when the refresh before it was due; 0 = none since the last access
  };
  Plan plan(const Access& access) const;
  uint64_t row_of(uint64_t address) const { return address / description_.row_bytes / state_.banks.size(); }
  Tick cycles(uint64_t count) const { return count * period_; }

  DramDescription description_;
  Tick period_;
  DramPinsState& state_;
  bool plain_ = false;  ///< no row, turn-round or refresh takes time
};

}  // namespace weft::emulator
