#include "units/dram_pins.h"

namespace weft::emulator {

DramPins::Plan DramPins::plan(const Access& access) const {
  Plan out;
  if (plain_) {  // a bank is free whenever the pins are
    out.start = std::max(state_.free, access.there);
    return out;
  }
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
  // All banks refresh at once when the access before is over, and their rows are closed afterwards.
  out.refresh = due;
  const Tick refreshed = std::max(due, state_.free) + cycles(description_.refresh_cycles);
  out.start = std::max(pins, std::max(refreshed, access.there) + miss);
  return out;
}

void DramPins::occupy(const Access& access, Tick start, Tick length) {
  const Plan planned = plan(access);
  if (planned.refresh != 0) {
    state_.refreshed = planned.refresh;
    for (DramBank& bank : state_.banks) bank.open = false;
  }
  state_.free = start + length;
  state_.banks[bank_number(access.address)] = {true, row_of(access.address), state_.free};
  state_.last_writes = access.writes;
  state_.used = true;
}

void DramPins::hash(StateHash& hash) const {
  hash.add(state_.free);
  for (const DramBank& bank : state_.banks)
    for (const uint64_t part : {uint64_t{bank.open}, bank.row, bank.free}) hash.add(part);
  hash.add(state_.last_writes);
  hash.add(state_.refreshed);
}

}  // namespace weft::emulator
