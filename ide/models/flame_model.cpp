#include "flame_model.h"

#include <functional>

namespace weft::ide {

using workbench::CycleRange;
using workbench::FlameNode;
using workbench::RangeProfile;

FlameModel::FlameModel(Workspace& workspace, QObject* parent) : WatchedFigures(workspace, 1000, parent) {
  connect(&workspace.cursor(), &Cursor::range_changed, this, [this] {
    if (of_range_) outdate();
  });
  begin();
}

void FlameModel::renewed() {
  root_ = nullptr;
  profile_ = nullptr;
  recorded_ = counting_ = shows_range_ = false;
  shown_ = {};
  Q_EMIT changed();
}

void FlameModel::set_options(const workbench::FlameOptions& options) {
  options_ = options;
  profile_ = nullptr;
  outdate();
}
void FlameModel::set_of_range(bool on) {
  if (std::exchange(of_range_, on) != on) outdate();
}

// A profile that was observed counts for the whole run; else the history is counted, a part in each question.
void FlameModel::send(Target& target) {
  const auto range = of_range_ ? workspace_.cursor().range() : std::nullopt;
  const CycleRange wanted = range.value_or(CycleRange{0, ~uint64_t{0}});
  // A long run that goes on is not counted over and over.
  const bool waits = !range && target.state() == Target::State::running;
  if (!profile_ || asked_ != wanted) {
    profile_ = std::make_shared<RangeProfile>(wanted);
    asked_ = wanted;
  }
  question(
      target,
      [profile = profile_, range, waits, options = options_](const Inspector& machine) {
        Answer out;
        std::vector<emulator::ProfileFigures> figures;
        const size_t chips = machine.machine().chips.size();
        bool observed = !range, history = false;
        for (unsigned c = 0; c < chips; ++c) {
          observed = observed && machine.profile(c) != nullptr;
          history = history || machine.history(c) != nullptr;
        }
        out.recorded = observed || history;
        if (observed) {
          for (unsigned c = 0; c < chips; ++c) figures.push_back(machine.profile(c)->figures());
          out.range = {figures.front().from_cycle, figures.front().to_cycle};
          out.share = 1;
          out.done = true;
        } else if (history && !waits) {
          out.done = profile->look(machine, kSlice);
          out.share = profile->share();
          if (out.done)
            for (const RangeProfile::Chip& chip : profile->figures()) {
              figures.push_back(chip.figures);
              if (chip.range.second > chip.range.first) out.range = chip.range;
            }
        }
        if (out.done) out.root = std::make_shared<const FlameNode>(flame_of(machine, figures, options));
        return out;
      },
      [this, range, waits, profile = profile_](const Answer& answer) {
        recorded_ = answer.recorded;
        if (answer.done) {
          root_ = answer.root;
          shown_ = answer.range;
          shows_range_ = range.has_value();
          if (profile == profile_) profile_ = nullptr;
        }
        counting_ = answer.recorded && !answer.done && !waits;
        share_ = answer.share;
        Q_EMIT changed();
        if (counting_) outdate();
      });
}

QString FlameModel::folded() const {
  QString out;
  if (!root_) return out;
  const std::function<void(const FlameNode&, const QString&)> write = [&](const FlameNode& node, const QString& path) {
    uint64_t inside = 0;
    for (const FlameNode& child : node.children) {
      inside += flame_width(child, options_);
      QString name = QString::fromStdString(child.name);
      name.replace(QLatin1Char(';'), QLatin1Char(':'));
      write(child, path.isEmpty() ? name : path + QLatin1Char(';') + name);
    }
    const uint64_t own = flame_width(node, options_) - inside;
    if (own > 0 && !path.isEmpty()) out += path + QStringLiteral(" %1\n").arg(own);
  };
  write(*root_, {});
  return out;
}

}  // namespace weft::ide
