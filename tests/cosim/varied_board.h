// Boards whose chips have other figures than those that are shipped.
#pragma once

#include <filesystem>
#include <string>

#include "weft/base/random.h"
#include "weft/emulator/chip.h"

namespace weft::test {

/// Writes the shipped board `name` into `folder`, and its chips with other latencies, clocks, depths of queues and
/// rows: any that a user may write in a chip file. `whole`: with another control processor and other links and ports,
/// too. The path of the board.
std::string write_varied_board(Random& random, const std::string& name, const std::filesystem::path& folder,
                               bool whole = false);
/// The first chip of such a board.
emulator::ChipOnBoard varied_chip(uint64_t seed, const std::string& name);
/// The same for odd seeds, the shipped one for the others.
emulator::ChipOnBoard chip_of(uint64_t seed, const std::string& name);

}  // namespace weft::test
