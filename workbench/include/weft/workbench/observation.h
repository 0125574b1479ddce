// What a run is watched for. Nothing of it changes the run; what is not asked for costs nothing.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/diagnostic.h"
#include "weft/emulator/observers/checks.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/packets.h"

namespace weft::workbench {

struct Observation {
  bool coverage = false;
  bool history = false;
  bool statistics = false;
  bool profile = false;
  bool packets = false;
  emulator::PacketLimits packet_limits;
  emulator::HistoryLimits history_limits;
  emulator::CheckModes checks = emulator::all_checks(emulator::CheckMode::off);
};

/// What a file name asks for: .info and .lcov, .csv, .json; .perfetto-trace, .pftrace and .pb, .json.
bool is_coverage_file(std::string_view path);
bool is_history_file(std::string_view path);
/// .txt (the table), .csv, .json; profiles: .txt, .folded, .json.
bool is_statistics_file(std::string_view path);
bool is_profile_file(std::string_view path);
/// .txt, .json, .csv, .pcapng. The last one holds frames, so that Observation::packet_limits.frames must be set.
bool is_packets_file(std::string_view path);

/// "warn", "stop", "off", or a list such as "warn,ring=stop,codes=off": a mode for all checks, then modes of single
/// ones. Diagnostic: check-mode.
Result<emulator::CheckModes> parse_check_modes(std::string_view text);

/// "stats.csv" for the chip "egress" is "stats.egress.csv".
std::string file_of_chip(std::string_view path, std::string_view chip);

}  // namespace weft::workbench
