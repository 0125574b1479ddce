// A control-store word as the fast engine runs it: one function, and operands as places that need no decision.
//
// The functions work on the same EngineState as the reference. Whatever has no function of its own here is executed by
// the reference's: `call` for what concerns the engine alone, `synchronised` for the rest (docs/engines.md).
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include "engine/operation.h"
#include "schedule/analytic_unit.h"
#include "schedule/command_shape.h"
#include "weft/isa/raised.h"

namespace weft::emulator::translate {
class Translation;
}

namespace weft::emulator::fast {

class FastEngine;
struct Op;

/// Executes `op` at `cycle` and goes on with the words after it, until something stops the engine; FastEngine says
/// what.
using Handler = void (*)(FastEngine& f, const Op* op, uint64_t cycle);

/// What the offset of a place counts from.
enum class Base : uint8_t {
  state,      ///< the EngineState
  gprs,       ///< its registers of the executing context, as GPRs are counted
  transfers,  ///< the same, as transfer registers are counted
  constants,  ///< of the program
  nowhere,    ///< absent sources read 0, absent destinations are written and forgotten
  // Longwords of local memory that the executing word names by its pointers, and transfer registers that it names by
  // T_INDEX; in_local_memory() and by_index() find them first.
  local_left,
  local_right,
  local_dest,
};
inline constexpr size_t kBases = 8;

/// Operands of a word that are in local memory.
enum LocalOperands : unsigned { kLocalLeft = 1, kLocalRight = 2, kLocalDest = 4 };

/// A longword somewhere.
struct Place {
  uint16_t offset = 0;  ///< bytes
  Base base = Base::nowhere;
  uint8_t transfer = 0;  ///< it may be in flight: 1 read, 2 write transfer register
};

struct CommandWord {
  Command command;
  CommandShape shape;
  bool at_once = false;  ///< it may have its effect when it is sent
  uint16_t signals = 0;  ///< that its answer brings, bit by bit
  uint16_t lasting = 0;  ///< its signals when it takes registers (FastEngine::place_for_answer)
  bool shared = false;   ///< isa::CommandWitnesses::is_shared()
  Tick slack = 0;        ///< time for which no word can tell whether it has had it (isa/at_once.h)
};
struct alignas(64) Op {
  Handler run = nullptr;
  Handler bare = nullptr;  ///< what `run` stands before: when events are recorded, or operands are local memory
  Place left, right, dest, old;
  uint32_t value = 0;   ///< of commands: the number in Program::commands
  uint32_t mask = 0;    ///< of words that swap: what is awaited then
  uint16_t target = 0;  ///< of words that swap: where the context goes on, behind them if they do not say
  uint8_t number = 0;
  uint8_t amount = 0;
  uint8_t defer = 0;
  uint8_t aborts = 0;
  isa::AluOp op{};
  bool load_cc = false;
  uint8_t address_shift = 0;
  bool swaps : 1 = false, data_is_register : 1 = false;  ///< of commands
  bool lm : 1 = false;                                   ///< an operand is local memory
  bool keeps_awaited : 1 = false;                        ///< ctx_arb[--]: what was awaited before
  bool sleeps : 1 = false;  ///< a command of Program::plain that swaps for its own answer alone
  bool plain : 1 = false;   ///< it has a function of its own, and all operands are places or local memory
  bool pairs : 1 = false;   ///< it executes the word behind it, too
  /// Transfer register that is read, and written, as an index into the counts of InFlight::Registers of context 0.
  uint16_t in = 0, out = 0;
  const Operation* source = nullptr;
};
static_assert(sizeof(Op) == 64);  // one line of the host's cache

/// One program, decoded for one context mode. The last Op stands after the last word.
struct Program {
  std::vector<Op> ops;
  std::vector<uint32_t> constants;
  std::vector<CommandWord> commands;              ///< as far as the words decide
  std::vector<AnalyticUnit::PlainCommand> plain;  ///< the same ones, as far as they need no record
  isa::RaisedSignals raised;
  size_t words = 0;
};

/// With what it was made of.
struct DecodedProgram {
  std::vector<uint64_t> words;
  std::vector<Operation> operations;
  bool four = false, recorded = false;
  Tick unasked = 0;  ///< EngineLookahead::unasked
  Program program;
  std::unique_ptr<translate::Translation> translation;  ///< null: all is interpreted

  DecodedProgram();
  ~DecodedProgram();
};

/// How the unit of a command serves such ones at once (UnitModel::at_once), and which it may be, by bits 31:30 of the
/// address.
struct PlainWay {
  ServeAtOnce serve = nullptr;
  AnalyticUnit* const* units = nullptr;
  bool is_foreign = false;  ///< PlainCommand::is_foreign
  bool is_large = false;    ///< one of them has a large_memory()
};
using PlainWays = std::function<PlainWay(const Command&)>;
/// `of` must live as long as the result. `recorded`: every word tells the core's log.
Program decode(const DecodedProgram& of, isa::Profile profile, Tick period, const PlainWays& ways);

}  // namespace weft::emulator::fast
