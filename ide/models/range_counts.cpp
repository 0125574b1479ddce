#include "range_counts.h"

namespace weft::ide {

using workbench::CycleRange;
using workbench::RangeProfile;

RangeCounts::RangeCounts(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
  connect(&workspace.cursor(), &Cursor::range_changed, this, &RangeCounts::begin);
  connect(&workspace, &Workspace::project_changed, this, &RangeCounts::attach);
  attach();
}

bool RangeCounts::wanted() const { return workspace_.cursor().range() && recorded_ && workspace_.target() != nullptr; }

void RangeCounts::attach() {
  if (const Target* target = workspace_.target())
    target->follow(
        this, [this] { begin(); }, [this] { moved(); });
  begin();
}

void RangeCounts::begin() {
  ++number_;
  recorded_ = true;
  counting_ = false;
  known_to_ = 0;
  lines_.reset();
  shown_.reset();
  moved();
  Q_EMIT changed();
}

void RangeCounts::moved() {
  const Target* target = workspace_.target();
  const auto range = workspace_.cursor().range();
  if (!range || target == nullptr || !target->view() || counting_ || known_to_ >= range->second) return;
  counting_ = true;
  ask(number_, std::make_shared<RangeProfile>(*range));
}

void RangeCounts::ask(unsigned number, const std::shared_ptr<RangeProfile>& profile) {
  workspace_.target()->ask(
      this,
      [profile, range = *workspace_.cursor().range()](const Inspector& machine) {
        Answer out;
        if (const auto* history = machine.history(0)) {
          out.recorded = true;
          out.known = workbench::known_part(*history, range, machine.observed_cycle());
          out.done = profile->look(machine, kSlice);
          if (out.done) out.lines = coverage_by_line(machine, *profile);
        }
        return out;
      },
      [this, number, profile](const Answer& answer) {
        if (number != number_) return;
        if (answer.recorded && !answer.done) return ask(number, profile);
        counting_ = false;
        recorded_ = answer.recorded;
        if (answer.recorded) {
          // Up to where the history was when the count began, or later: what came meanwhile is counted with the next.
          known_to_ = answer.known.second;
          lines_ = answer.lines;
          shown_ = answer.known;
        } else {
          known_to_ = ~uint64_t{0};
        }
        Q_EMIT changed();
      });
}

}  // namespace weft::ide
