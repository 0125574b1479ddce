// Two machines that must be the same: events one by one, and all state.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "weft/base/random.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/machine.h"
#include "weft/emulator/stored.h"
#include "weft/emulator/units.h"

namespace weft::test {

/// The first chip of a board that is shipped.
const emulator::ChipOnBoard& board(const char* name);

/// The words of a program that has no errors.
std::vector<uint64_t> assembled(const std::string& text, isa::Profile profile = isa::Profile::me2);

/// What observers are told, as numbers.
struct Event {
  enum class Kind : uint8_t { execute, stall, issue, queued, serve, answer, pull, push, signal } kind;
  uint64_t at = 0;  ///< tick, or cycle for execute and stall
  uint32_t engine = 0, context = 0;
  uint64_t a = 0, b = 0;
  bool operator==(const Event&) const = default;
};
std::string to_text(const Event& event);

class Recorder : public emulator::Observer {
 public:
  void on_execute(emulator::ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_stall(emulator::ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_issue(const emulator::Command& command) override;
  void on_queued(const emulator::Command& command, emulator::Tick arrival) override;
  void on_serve(const emulator::Command& command, emulator::Tick at) override;
  void on_answer(uint64_t sequence, unsigned count, uint16_t signals, emulator::Tick at) override;
  void on_pull(emulator::ContextRef to, bool d, unsigned number, uint32_t value, emulator::Tick at) override;
  void on_push(emulator::ContextRef to, bool d, unsigned number, uint32_t value, emulator::Tick at) override;
  void on_signal(emulator::ContextRef to, unsigned number, emulator::Tick at) override;
  bool reads_state() const override { return false; }

  std::vector<Event> events;
};

uint64_t hash_of(const emulator::Machine& machine, const emulator::Units& units);
emulator::BoardState board_of(const emulator::Machine& machine, const emulator::Units& units);
/// Empty when equal; otherwise the first differences in words.
std::string difference(const emulator::BoardState& a, const emulator::BoardState& b);
std::string difference(const emulator::Machine& a, const emulator::Units& units_a, const emulator::Machine& b,
                       const emulator::Units& units_b);
std::string difference(const std::vector<Event>& a, const std::vector<Event>& b);

/// A machine with its units whose first engines run the same words.
struct EqualEngines {
  EqualEngines(const emulator::ChipOnBoard& chip, const std::vector<uint64_t>& words, unsigned contexts,
               unsigned engines);
  emulator::Machine machine;
  emulator::Units units;
};

/// The same words on the first engines, on the reference and on two fast machines, up to cycle `end`: one with many
/// cuts, at most so many cycles `apart`, and one without. The test fails at the first difference in state. `user`: now
/// and then a user changes something, as this decides.
void compare_engines(const emulator::ChipOnBoard& chip, const std::vector<uint64_t>& words, unsigned contexts,
                     uint64_t end, unsigned engines = 2, unsigned apart = 7, Random* user = nullptr);

/// A machine with its units, and what the test calls it.
struct Side {
  const char* name;
  emulator::Machine& machine;
  emulator::Units& units;
};
/// Runs `others` beside the reference to random cuts up to `end`: they stop alike, and at every third cut, and at the
/// last one, their state is the same. `between`: what is done to all of them behind a cut that does not end the run.
void compare_at_cuts(Random& random, const std::string& what, const Side& reference, const std::vector<Side>& others,
                     emulator::Tick end, const std::function<void()>& between = {});

}  // namespace weft::test
