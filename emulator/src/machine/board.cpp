// Several machines in one line of time. M5 and L of docs/timing.md.
#include "weft/emulator/board.h"

#include <algorithm>
#include <limits>
#include <utility>

namespace weft::emulator {
namespace {

constexpr uint32_t kAllTurns = std::numeric_limits<uint32_t>::max();

bool is_stop(StopKind kind) { return kind != StopKind::limit && kind != StopKind::idle; }

}  // namespace

Board::Board(const BoardDescription& description) : links_(description.links) {
  for (const ChipOnBoard& placed : description.chips) {
    Chip& chip = chips_.emplace_back();
    chip.machine = std::make_unique<Machine>(MachineDescription(placed.chip));
    chip.units = std::make_unique<Units>(placed, *chip.machine);
    chip.machine->attach(*chip.units);
  }
  for (const LinkDescription& link : links_) window_ = std::min(window_, link.latency);
}

Position Board::position() const {
  Position out = chips_.front().machine->position();
  for (size_t c = 1; c < chips_.size(); ++c) {
    const Position other = chips_[c].machine->position();
    if (other.now > out.now)
      out = other;
    else if (other.now == out.now)
      out.turn += other.turn;
  }
  return out;
}

void Board::carry() {
  for (const LinkDescription& link : links_) {
    if (!chips_[link.from_chip].units->carry(link.from_end, *chips_[link.to_chip].units, link.to_end)) continue;
    for (const unsigned c : {link.from_chip, link.to_chip}) chips_[c].next = chips_[c].machine->next_event();
  }
}

StopReason Board::run_chip(unsigned chip, Position target, const Step* step) {
  Machine& machine = *chips_[chip].machine;
  if (step == nullptr || step->chip != chip) return machine.run_to(target);
  const bool untouched = std::as_const(machine).state(step->engine).instructions == step->instructions;
  return machine.step_instruction(step->engine, target, step->context, step->pass && untouched);
}

/// A chip has stopped at `tick`: those before it have done all of the tick, those after it nothing.
BoardStop Board::stopped(const StopReason& reason, unsigned chip, Tick tick) {
  for (unsigned c = 0; c < chips_.size(); ++c)
    if (c != chip) chips_[c].machine->run_to({tick, c < chip ? kAllTurns : 0});
  carry();
  return {reason, chip};
}

BoardStop Board::run(Position target, const Step* step) {
  if (chips_.size() == 1) return {run_chip(0, target, step), 0};
  const bool ahead = target.turn == 0 && step == nullptr && runs_ahead();
  for (Chip& chip : chips_) chip.next = chip.machine->next_event();
  carry();
  for (;;) {
    Tick next = kNever;
    for (const Chip& chip : chips_) next = std::min(next, chip.next);
    if (next >= target.now) break;
    // Plain steppers do all events of one tick, chip by chip, so that a stop is exact. Others do all of a time in which
    // no chip can see what another one does in it.
    const Tick window = std::min(window_, target.now - next);
    const Position halt = ahead ? Position{next + window, 0} : Position{next, kAllTurns};
    for (unsigned c = 0; c < chips_.size(); ++c) {
      Chip& chip = chips_[c];
      if (chip.next > halt.now) continue;
      const StopReason reason = run_chip(c, halt, step);
      if (is_stop(reason.kind)) {
        if (!ahead) return stopped(reason, c, next);
        carry();
        return {reason, c};
      }
      chip.next = ahead ? chip.machine->next_event() : chip.machine->known_next_event();
    }
    carry();
  }
  BoardStop out{{StopKind::idle, 0, 0, 0, 0, 0}, 0};
  uint32_t left = target.turn;
  for (unsigned c = 0; c < chips_.size(); ++c) {
    const StopReason reason = run_chip(c, {target.now, left}, step);
    if (is_stop(reason.kind)) return stopped(reason, c, target.now);
    if (reason.kind == StopKind::limit) out.reason = reason;
    left -= std::min(left, chips_[c].machine->position().turn);
  }
  carry();
  return out;
}

BoardStop Board::run_to(Position position) { return run(position, nullptr); }

BoardStop Board::step_instruction(unsigned chip, unsigned engine, Position limit, int context, bool pass) {
  const Step step{chip, engine, context, pass, std::as_const(machine(chip)).state(engine).instructions};
  return run(limit, &step);
}

void Board::set_execution(const Execution& execution) {
  for (const Chip& chip : chips_) chip.machine->set_execution(execution);
}
bool Board::runs_ahead() const {
  return std::all_of(chips_.begin(), chips_.end(), [](const Chip& chip) { return chip.machine->runs_ahead(); });
}
void Board::wake() {
  for (const Chip& chip : chips_) chip.machine->wake();
}
uint64_t Board::instructions() const {
  uint64_t sum = 0;
  for (const Chip& chip : chips_) sum += chip.machine->instructions();
  return sum;
}

BoardState Board::save() const {
  BoardState out;
  for (const Chip& chip : chips_) {
    out.machines.push_back(chip.machine->save());
    out.units.push_back(chip.units->save());
  }
  return out;
}
void Board::restore(const BoardState& state) {
  for (size_t c = 0; c < chips_.size(); ++c) {
    chips_[c].machine->restore(state.machines.at(c));
    chips_[c].units->restore(*state.units.at(c));
    chips_[c].machine->wake();
  }
}

}  // namespace weft::emulator
