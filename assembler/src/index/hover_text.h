// Sentences of hovers that need no index: numbers in several radices, and what an instruction costs.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "weft/assembler/assembler.h"

namespace weft::assembler {

/// "32 = 0x20 = 0b100000"; of 32 bits, also negative and as an IPv4 address where it can be meant so.
std::string number_text(int64_t value);
/// "1 cycle, and 3 more when it is taken; each filled deferred slot takes one off." Without the figures of a chip:
/// nothing.
std::string cycles_text(const isa::InsnInfo& info, isa::Profile profile, const std::optional<LostCycles>& lost);

}  // namespace weft::assembler
