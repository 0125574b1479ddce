// Says why registers ran out: where the need is highest, who holds them there, and what would help.
#pragma once

#include <string>
#include <vector>

#include "liveness.h"

namespace weft::assembler {

/// `rivals`: the webs that compete for the `room` registers of one kind; `failed`: the one that found none.
void report_pressure(const Program& program, const Sources& sources, const Liveness& liveness,
                     const std::vector<uint32_t>& rivals, uint32_t failed, unsigned room, const std::string& kind,
                     const std::string& remedy, Diagnostics& out);

}  // namespace weft::assembler
