// Every operand, number and token of every instruction of a profile: what the facts allow, and its illegal neighbours.
// The limits are written down here once more, from isa.md 3.2 to 3.12 and 12. The tests of the instruction set encode
// each case; those of the assembler write it as text.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "support.h"

namespace weft::isa_test {

enum class Density { limits, all };  ///< of long ranges: first, last and middle values, or every one

/// `good`: it has a word. `varied` says what was changed in a plain instruction: "operand", "pair", "transfer",
/// "shift", "part", "ctx_arb", "token", "signal", "defer", or "number" and the role, as in "number count".
using Sink = std::function<void(const Instruction& insn, bool good, const std::string& varied)>;

struct Tally {
  size_t good = 0, refused = 0;
};

class Sweep {
 public:
  Sweep(Profile profile, Sink sink, Density density = Density::all);

  Tally plain();     ///< each written form once
  Tally operands();  ///< every operand in every position
  Tally pairs();     ///< two sources of one sort, and of two
  Tally numbers();   ///< numbers, names, shifts, transfer registers
  Tally tokens();    ///< flags, deferred slots, signals
  Tally contexts();  ///< ctx_arb
  Tally parts();     ///< operands where an instruction has none

 private:
  using Visit = std::function<void(const InsnInfo& facts, const Form& form, const Instruction& insn)>;
  void each_form(const Visit& visit) const;
  void expect(const Instruction& insn, bool good, const std::string& varied);
  void command_tokens(const InsnInfo& facts, const Instruction& base);
  bool shift_fits(const InsnInfo& facts, ArgClass cls, ShiftKind kind, uint32_t amount) const;

  Profile profile_;
  Sink sink_;
  Density density_;
  Tally tally_;
};

/// Whether a position takes an operand at all, whatever stands beside it.
bool position_takes(Profile profile, const Arg& arg, const Operand& operand);
/// What reading back must give: some spellings share a word.
Instruction read_back(Profile profile, Instruction insn);

}  // namespace weft::isa_test
