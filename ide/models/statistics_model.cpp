#include "statistics_model.h"

namespace weft::ide {

StatisticsModel::StatisticsModel(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace), tables_(std::make_shared<StatisticsTables>()) {
  later_.setSingleShot(true);
  connect(&later_, &QTimer::timeout, this, &StatisticsModel::ask);
  connect(&workspace, &Workspace::project_changed, this, &StatisticsModel::attach);
  connect(&workspace.cursor(), &Cursor::range_changed, this, [this] {
    if (!of_range_) return;
    stale_ = true;
    ask();
  });
  attach();
}

void StatisticsModel::attach() {
  renew();
  Target* target = workspace_.target();
  if (target == nullptr) return;
  connect(target, &Target::state_changed, this, [this, target] {
    if (target->state() == Target::State::building) renew();
  });
  connect(target, &Target::view_changed, this, [this] {
    stale_ = true;
    ask();
  });
  ask();
}

// Another program: nothing is known of it. What was kept stays, so that runs of two builds can be compared.
void StatisticsModel::renew() {
  ++build_;
  asking_ = false;
  stale_ = true;
  earlier_ = false;
  tables_ = std::make_shared<StatisticsTables>();
  Q_EMIT changed();
}

void StatisticsModel::set_watching(bool on) {
  watching_ = on;
  ask();
}

void StatisticsModel::set_of_range(bool on) {
  if (std::exchange(of_range_, on) == on) return;
  stale_ = true;
  ask();
}

void StatisticsModel::ask() {
  if (!watching_ || !stale_ || asking_) return;
  Target* target = workspace_.target();
  if (target == nullptr || !target->view()) return;
  // A run that goes on gives new figures all the time; the machine has better things to do.
  if (target->state() == Target::State::running && since_.isValid() && since_.elapsed() < kPause) {
    if (!later_.isActive()) later_.start(kPause);
    return;
  }
  asking_ = true;
  stale_ = false;
  since_.start();
  const auto range = of_range_ ? workspace_.cursor().range() : std::nullopt;
  target->ask(this, [range](const Inspector& machine) { return std::make_shared<const StatisticsTables>(take_statistics(machine, range)); },
              [this, build = build_](const std::shared_ptr<const StatisticsTables>& tables) {
                if (build != build_) return;
                asking_ = false;
                earlier_ = tables->earlier;
                if (!tables->earlier) tables_ = tables;
                Q_EMIT changed();
                ask();
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

void StatisticsModel::ask_file(bool profile, unsigned chip, StatisticsFormat format, const std::function<void(const std::string&)>& then) {
  if (workspace_.target() == nullptr) return;
  workspace_.target()->ask(this, [profile, chip, format](const Inspector& machine) { return profile ? profile_file(machine, chip, format) : statistics_file(machine, chip, format); }, then);
}

}  // namespace weft::ide
