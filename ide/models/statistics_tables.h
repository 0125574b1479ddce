// The tables of the statistics view, made where the machine is, from what its observers have counted: the same figures
// as `weft run --stats` and `--profile` report.
#pragma once

#include <memory>
#include <optional>

#include "figures_table.h"
#include "file_names.h"
#include "weft/workbench/range_figures.h"

namespace weft::ide {

struct StatisticsTables {
  bool recorded = false;  ///< statistics were kept
  uint64_t from_cycle = 0, to_cycle = 0;
  double seconds = 0;
  uint64_t not_followed = 0;  ///< commands whose latency is missing
  std::optional<std::pair<uint64_t, uint64_t>>
      range;  ///< that tables with FigureTable::of_range are of, as far as it is recorded; none: the whole run
  std::vector<FigureTable> tables;
  const FigureTable* find(std::string_view name) const;
};

/// What was counted of a range, kept while nothing of it has changed: to count it anew costs more than to look at it.
class RangeCache {
 public:
  struct Chip {
    std::optional<workbench::RangeStatistics> statistics;
    std::optional<workbench::RangePackets> packets;
    emulator::ProfileFigures profile;
  };
  /// Where the machine is.
  const std::vector<Chip>& of(const workbench::Inspector& machine, workbench::CycleRange range);

 private:
  std::optional<workbench::CycleRange> range_;
  uint64_t known_ = 0;  ///< up to which cycle the run was known
  std::vector<Chip> chips_;
};

/// "contexts", "units", "queues", "latencies", "ports", "losses", "lines"; and of the profile "programs", "stages",
/// "blocks", "macros", "profile_lines". Of a range they are what the history knows of it, ports and losses what the
/// packet tracker knows; without them they are of the whole run.
StatisticsTables take_statistics(const workbench::Inspector& machine,
                                 std::optional<std::pair<uint64_t, uint64_t>> range, const FileNames& names = {},
                                 RangeCache* cache = nullptr);

enum class StatisticsFormat { text, csv, json };
/// What `weft run --stats=FILE` writes of a chip. Empty: no statistics were kept.
std::string statistics_file(const workbench::Inspector& machine, unsigned chip, StatisticsFormat format);
/// What `weft run --profile FILE` writes of a chip; in place of CSV its folded stacks. Empty: no profile was made, or
/// as above.
std::string profile_file(const workbench::Inspector& machine, unsigned chip, StatisticsFormat format);

}  // namespace weft::ide
