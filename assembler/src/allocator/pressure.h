// Says why registers ran out: where the need is highest, who holds them there, and what would help.
#pragma once

#include <string>
#include <vector>

#include "flow/liveness.h"

namespace weft::assembler {

/// What competes for one kind of register.
struct Contest {
  std::string kind;              ///< "bank A", "signals"
  std::vector<uint32_t> rivals;  ///< webs that need one
  uint32_t failed = 0;           ///< the web that found none
  unsigned room = 0;             ///< how many there are
  std::vector<std::string> remedies;
  /// General-purpose registers: the other bank.
  std::string other_kind;
  std::vector<uint32_t> other;
  unsigned other_room = 0;
};

/// Reports the fullest point: who is live there, where each got its value and is used next, and what would help.
void report_pressure(const Program& program, const Sources& sources, const Liveness& liveness, const Contest& contest,
                     Diagnostics& out);

}  // namespace weft::assembler
