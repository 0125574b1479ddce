// Random legal programs, from the tables of the ISA: every instruction with every kind of operand that its forms allow.
//
// They never stop the machine: local-memory pointers stay inside, every path stays in the program, and nothing halts.
#pragma once

#include <vector>

#include "weft/base/random.h"
#include "weft/isa/isa.h"

namespace weft::test {

struct ProgramStyle {
  unsigned length = 120;   ///< words of the loop body, about
  unsigned commands = 12;  ///< percent
  unsigned swaps = 60;     ///< percent of the commands with a signal that are waited for at once
  unsigned branches = 15;  ///< percent
  bool csrs = true;        ///< local CSRs that change what others see
  bool queues = true;      ///< commands of the IXP1200 name queues; without, all keep their order
  bool cross = true;       ///< reflector, free lists and signals that name other engines
};

std::vector<isa::Instruction> random_program(Random& random, isa::Profile profile, const ProgramStyle& style);

}  // namespace weft::test
