// A control-store word as the fast engine runs it: one function, and operands as places that need no decision.
//
// The functions work on the same EngineState as the reference. Whatever has no function of its own here is executed by
// the reference's: `call` for what concerns the engine alone, `synchronised` for the rest (docs/engines.md).
#pragma once

#include <cstdint>
#include <vector>

#include "engine/operation.h"

namespace weft::emulator::fast {

class Core;
struct Op;

/// Executes `op` at `cycle` and goes on with the words behind it, until something stops the engine; Core says what.
using Handler = void (*)(Core& f, const Op* op, uint64_t cycle);

/// What the offset of a place counts from.
enum class Base : uint8_t {
  state,      ///< the EngineState
  gprs,       ///< its registers of the executing context, as GPRs are counted
  transfers,  ///< the same, as transfer registers are counted
  constants,  ///< of the program
  nowhere,    ///< absent sources read 0, absent destinations are written and forgotten
};
inline constexpr size_t kBases = 5;

/// A longword somewhere.
struct Place {
  uint16_t offset = 0;  ///< bytes
  Base base = Base::nowhere;
  uint8_t transfer = 0;  ///< it may be in flight: 1 read, 2 write transfer register
};

namespace command_flags {
inline constexpr uint8_t kIndirect = 1, kResultAsData = 2, kLeftAsData = 4, kSwap = 8, kDoubled = 16;
}

/// Transfer registers and signals of a command, as far as its word decides.
struct CommandShape {
  uint8_t taken = 0;     ///< write registers that count as in flight until it is served
  uint8_t expected = 0;  ///< read registers that count until it is answered
  bool answers = false;
  bool doubled = false;  ///< two signals, if there is one
};
struct CommandWord {
  Command command;
  CommandShape shape;
};
/// Of a complete command.
CommandShape shape_of(const Command& command);

struct alignas(64) Op {
  Handler run = nullptr;
  Handler bare = nullptr;  ///< what `run` stands before when events are recorded
  Place left, right, dest, old;
  uint32_t value = 0;
  uint32_t mask = 0;
  uint16_t target = 0;
  uint8_t number = 0;
  uint8_t amount = 0;
  uint8_t defer = 0;
  uint8_t aborts = 0;
  uint8_t flags = 0;  ///< of commands: command_flags; `number` is their address shift
  /// Transfer register that is read, and written, as an index into InFlight::Registers of context 0.
  uint16_t in = 0, out = 0;
  uint8_t lm = 0;  ///< bit 0: `left` is local memory, 1: right, 2: dest; 3: through pointer 1 instead of 0
  const Operation* source = nullptr;
};

/// One program, decoded for one context mode. The last Op stands behind the last word.
struct Program {
  std::vector<Op> ops;
  std::vector<uint32_t> constants;
  std::vector<CommandWord> commands;  ///< as far as the words decide; Op::value is the number
  size_t words = 0;
};

/// With what it was made of.
struct DecodedProgram {
  std::vector<uint64_t> words;
  std::vector<Operation> operations;
  bool four = false, recorded = false;
  Program program;
};

/// `operations` must live as long as the result. `recorded`: every word tells the core's log.
Program decode(const std::vector<Operation>& operations, bool four_contexts, bool recorded);

}  // namespace weft::emulator::fast
