#include "units/dram_pins.h"

namespace weft::emulator {

DramPins::Plan DramPins::plan_in_rows(const Access& access) const {
  Plan out;
  const DramBank& bank = state_.banks[bank_number(access.address)];
  const bool turns = state_.used && state_.last_writes != access.writes;
  const Tick pins = state_.free + (turns ? cycles(description_.turn_round) : 0);
  const bool hit = bank.open && bank.row == row_of(access.address);
  const Tick miss = cycles(description_.row_miss);
  out.start = std::max({pins, access.there, hit ? bank.free : std::max(bank.free, access.there) + miss});
  if (description_.refresh_interval == 0) return out;
  const Tick interval = cycles(description_.refresh_interval);
  const Tick due = out.start / interval * interval;
  if (due <= state_.refreshed) return out;
  out.refresh = due;
  const Tick refreshed = std::max(due, state_.free) + cycles(description_.refresh_cycles);
  out.start = std::max(pins, std::max(refreshed, access.there) + miss);
  return out;
}

void DramPins::refresh(Tick due) {
  state_.refreshed = due;
  for (DramBank& bank : state_.banks) bank.open = false;
}

// Words: 0 end of the last transfer; 1 and 2 row and end of the bank; 3 the last refresh; 4 direction (bit 0), used
// (1), the bank's row is open (2); 5 the banks whose rows are open, which a refresh closes.
void DramPins::note(const Access& access, PlanUndo& undo) const {
  const DramBank& bank = state_.banks[bank_number(access.address)];
  undo.was[0] = state_.free;
  undo.was[1] = bank.row;
  undo.was[2] = bank.free;
  undo.was[3] = state_.refreshed;
  undo.was[4] = (state_.last_writes ? 1u : 0u) | (state_.used ? 2u : 0u) | (bank.open ? 4u : 0u);
  if (description_.refresh_interval == 0) return;
  undo.was[5] = 0;
  for (size_t b = 0; b < state_.banks.size(); ++b) undo.was[5] |= uint64_t{state_.banks[b].open} << b;
}

void DramPins::take_back(const Access& access, const PlanUndo& undo) {
  state_.free = undo.was[0];
  state_.refreshed = undo.was[3];
  state_.last_writes = (undo.was[4] & 1) != 0;
  state_.used = (undo.was[4] & 2) != 0;
  if (description_.refresh_interval != 0)
    for (size_t b = 0; b < state_.banks.size(); ++b) state_.banks[b].open = (undo.was[5] >> b & 1) != 0;
  state_.banks[bank_number(access.address)] = {(undo.was[4] & 4) != 0, undo.was[1], undo.was[2]};
}

}  // namespace weft::emulator
