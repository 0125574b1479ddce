// Rows that the reports of statistics and profile consist of, for those who show them in other ways.
#pragma once

#include <string>
#include <vector>

#include "weft/emulator/observers/profile.h"
#include "weft/emulator/observers/statistics.h"

namespace weft::emulator {

/// Traffic of one program line at one unit by one kind of command, over all engines and words.
struct LineTraffic {
  std::string place;  ///< "forward.uc:120", with the path as the assembler read it; or "me0 word 0x12"
  size_t unit = 0;    ///< index into StatisticsFigures::units
  std::string command;
  uint64_t commands = 0, longwords = 0, latency_sum = 0, latencies = 0, latency_most = 0, stall_cycles = 0;
};
/// Most longwords first.
std::vector<LineTraffic> traffic_by_line(const StatisticsFigures& figures, const Images& images);

/// Time-weighted mean of the commands in a unit's inlet.
double mean_depth(const UnitStatistics& unit);
/// Bytes through the unit in a second, all directions together.
double bytes_per_second(const UnitStatistics& unit, const StatisticsFigures& figures);
/// False for units that a board does not use.
bool worth_a_row(const UnitStatistics& unit);
/// Share of the wire's time that frames of a port took, with preamble and gap.
double wire_share(uint64_t frames, uint64_t bytes, const PortStatistics& port, const StatisticsFigures& figures);
/// All that a port has lost, for whatever reason.
uint64_t lost(const PortCounters& counters);
double per_second(uint64_t count, const StatisticsFigures& figures);

struct ProfileRow {
  std::string name;
  ProfileCycles own;        ///< of words whose innermost macro (line, block ...) it is
  ProfileCycles inclusive;  ///< macros only: of words inside it
};
/// Largest first; equal ones by name.
struct ProfileTables {
  std::vector<ProfileRow> programs, stages, blocks, macros, lines;
};
ProfileTables profile_tables(const ProfileFigures& figures, const Images& images);

}  // namespace weft::emulator
