// What the statistics view shows, without the window: tables of the machine as it runs, and those of the run that is
// compared with.
#pragma once

#include <memory>

#include "statistics_tables.h"
#include "watched_figures.h"

namespace weft::ide {

class StatisticsModel final : public WatchedFigures {
  Q_OBJECT

 public:
  explicit StatisticsModel(Workspace& workspace, QObject* parent = nullptr);

  /// The last ones that were asked for: they follow the machine, back and forth.
  const StatisticsTables& tables() const { return *tables_; }
  const StatisticsTables* kept() const { return kept_.get(); }
  void keep();
  void forget();
  /// Only the cursor's range, as far as the history knows it.
  void set_of_range(bool on);
  bool of_range() const { return of_range_; }
  /// The file of a chip as the command line writes it.
  void ask_file(bool profile, unsigned chip, StatisticsFormat format,
                const std::function<void(const std::string&)>& then);

 private:
  void renewed() override;
  void send(Target& target) override;

  std::shared_ptr<const StatisticsTables> tables_, kept_;
  std::shared_ptr<RangeCache> cache_;  ///< only in questions
  bool of_range_ = true;
};

}  // namespace weft::ide
