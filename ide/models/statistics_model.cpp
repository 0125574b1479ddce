#include "statistics_model.h"

namespace weft::ide {

StatisticsModel::StatisticsModel(Workspace& workspace, QObject* parent)
    : WatchedFigures(workspace, 250, parent), tables_(std::make_shared<StatisticsTables>()) {
  connect(&workspace.cursor(), &Cursor::range_changed, this, [this] {
    if (of_range_) outdate();
  });
  begin();
}

// What was kept stays, so that runs of two builds can be compared.
void StatisticsModel::renewed() {
  tables_ = std::make_shared<StatisticsTables>();
  cache_ = std::make_shared<RangeCache>();
  Q_EMIT changed();
}

void StatisticsModel::set_of_range(bool on) {
  if (std::exchange(of_range_, on) != on) outdate();
}

void StatisticsModel::send(Target& target) {
  const auto range = of_range_ ? workspace_.cursor().range() : std::nullopt;
  question(
      target,
      [range, names = workspace_.names(), cache = cache_](const Inspector& machine) {
        return std::make_shared<const StatisticsTables>(take_statistics(machine, range, names, cache.get()));
      },
      [this](const std::shared_ptr<const StatisticsTables>& tables) {
        tables_ = tables;
        Q_EMIT changed();
      });
}

void StatisticsModel::keep() {
  kept_ = tables_;
  Q_EMIT changed();
}
void StatisticsModel::forget() {
  kept_ = nullptr;
  Q_EMIT changed();
}

void StatisticsModel::ask_file(bool profile, unsigned chip, StatisticsFormat format,
                               const std::function<void(const std::string&)>& then) {
  if (workspace_.target() == nullptr) return;
  workspace_.target()->ask(
      this,
      [profile, chip, format](const Inspector& machine) {
        return profile ? profile_file(machine, chip, format) : statistics_file(machine, chip, format);
      },
      then);
}

}  // namespace weft::ide
