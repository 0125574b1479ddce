// The tables of the statistics view, made where the machine is, from what its observers have counted: the same figures
// as `weft run --stats` and `--profile` report.
#pragma once

#include <optional>

#include "figures_table.h"
#include "file_names.h"

namespace weft::ide {

struct StatisticsTables {
  bool recorded = false;  ///< statistics were kept
  uint64_t from_cycle = 0, to_cycle = 0;
  double seconds = 0;
  uint64_t not_followed = 0;  ///< commands whose latency is missing
  std::optional<std::pair<uint64_t, uint64_t>>
      range;  ///< that the cycles of contexts are of, as far as it is recorded; none: the whole run
  std::vector<FigureTable> tables;
  const FigureTable* find(std::string_view name) const;
};

/// "contexts", "units", "queues", "latencies", "ports", "losses", "lines"; and of the profile "programs", "stages",
/// "blocks", "macros", "profile_lines". The cycles of contexts are those of the range when the history was recorded.
StatisticsTables take_statistics(const workbench::Inspector& machine,
                                 std::optional<std::pair<uint64_t, uint64_t>> range, const FileNames& names = {});

enum class StatisticsFormat { text, csv, json };
/// What `weft run --stats=FILE` writes of a chip. Empty: no statistics were kept.
std::string statistics_file(const workbench::Inspector& machine, unsigned chip, StatisticsFormat format);
/// What `weft run --profile FILE` writes of a chip; in place of CSV its folded stacks. Empty: no profile was made, or
/// as above.
std::string profile_file(const workbench::Inspector& machine, unsigned chip, StatisticsFormat format);

}  // namespace weft::ide
