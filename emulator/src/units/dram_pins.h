// Data pins, banks and refresh of a DRAM, as far as they decide when an access can start (docs/timing-units.md, D1-D3).
//
// A bank whose open row is another one prepares the row from the moment at which the command is there and the bank is
// free, while data of other banks still passes.
#pragma once

#include <algorithm>
#include <bit>
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
    if (std::has_single_bit(description.row_bytes) && std::has_single_bit(description.banks)) {
      row_bits_ = std::countr_zero(description.row_bytes);
      bank_bits_ = std::countr_zero(description.banks);
    }
  }

  /// No row, turn-round or refresh takes time.
  bool is_plain() const { return plain_; }
  struct Access {
    uint64_t address = 0;  ///< of the first byte
    bool writes = false;
    Tick there = 0;  ///< when its command reached the unit
  };
  struct Plan {
    Tick start = 0;    ///< the first tick at which its first data can pass
    Tick refresh = 0;  ///< when the refresh before it was due; 0 = none since the last access
  };
  Plan plan(const Access& access) const {
    if (plain_) return {std::max(state_.free, access.there), 0};  // a bank is free whenever the pins are
    return plan_in_rows(access);
  }
  Tick start(const Access& access) const { return plan(access).start; }
  /// Performs it from `start` on, as `planned` for it.
  void occupy(const Access& access, const Plan& planned, Tick start, Tick length) {
    if (planned.refresh != 0) refresh(planned.refresh);
    state_.free = start + length;
    state_.banks[bank_number(access.address)] = {true, row_of(access.address), state_.free};
    state_.last_writes = access.writes;
    state_.used = true;
  }
  /// What occupy() will change, for undo().
  void note(const Access& access, PlanUndo& undo) const;
  void take_back(const Access& access, const PlanUndo& undo);
  size_t bank_number(uint64_t address) const {
    if (row_bits_ >= 0) return address >> row_bits_ & ((uint64_t{1} << bank_bits_) - 1);
    return address / description_.row_bytes % state_.banks.size();
  }

 private:
  Plan plan_in_rows(const Access& access) const;
  /// All banks refresh at once when the access before is over, and their rows are closed afterwards.
  void refresh(Tick due);
  uint64_t row_of(uint64_t address) const {
    if (row_bits_ >= 0) return address >> row_bits_ >> bank_bits_;
    return address / description_.row_bytes / state_.banks.size();
  }
  Tick cycles(uint64_t count) const { return count * period_; }

  DramDescription description_;
  Tick period_;
  DramPinsState& state_;
  bool plain_ = false;                 ///< is_plain()
  int row_bits_ = -1, bank_bits_ = 0;  ///< of octets in a row, and of banks; -1: one of both is no power of two
};

}  // namespace weft::emulator
