// Frames as keys of a map: comparing two vectors of bytes makes GCC 12 at -O3 warn of lengths that no vector has.
#pragma once

#include <string>

#include "weft/packet/bytes.h"

namespace weft::test {

inline std::string octets(const packet::Bytes& b) { return {b.begin(), b.end()}; }

}  // namespace weft::test
