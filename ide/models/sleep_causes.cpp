#include "sleep_causes.h"

#include "contexts_model.h"
#include "count_text.h"
#include "timeline_index.h"

namespace weft::ide {

using workbench::CauseStep;
using workbench::SleepCause;

SleepCauses::SleepCauses(Workspace& workspace, QObject* parent) : TableModel(kColumns, parent), workspace_(workspace) {
  connect(&workspace.cursor(), &Cursor::cycle_changed, this, &SleepCauses::ask);
  connect(&workspace.cursor(), &Cursor::context_changed, this, &SleepCauses::ask);
  connect(&workspace, &Workspace::project_changed, this, &SleepCauses::attach);
  attach();
}

void SleepCauses::attach() {
  take({});
  Target* target = workspace_.target();
  if (target == nullptr) return;
  connect(target, &Target::view_changed, this, &SleepCauses::ask);
  connect(target, &Target::state_changed, this, &SleepCauses::ask);
}

void SleepCauses::set_on(bool on) {
  on_ = on;
  ask();
}

// While the machine runs the cursor moves by itself: nobody asks why then.
void SleepCauses::ask() {
  Target* target = workspace_.target();
  const auto id = workspace_.cursor().context();
  const bool still = target != nullptr && target->view() && target->state() != Target::State::running &&
                     target->state() != Target::State::building;
  if (on_ && cause_ && id && kept_at_ == std::pair(*id, workspace_.cursor().cycle())) return;
  const unsigned number = ++asked_;
  kept_at_.reset();
  if (!on_ || !id || !still) return take({});
  target->ask(
      this,
      [id = *id, cycle = workspace_.cursor().cycle(), names = workspace_.names()](const Inspector& machine) {
        return look(machine, id, cycle, names);
      },
      [this, number](const Answer& answer) {
        if (number == asked_) take(answer);
      });
}

SleepCauses::Answer SleepCauses::look(const Inspector& machine, ContextId id, uint64_t cycle, const FileNames& names) {
  Answer out;
  out.cause = workbench::cause_of(machine, id, cycle);
  if (!out.cause) return out;
  const auto add = [&](uint64_t at, ContextId who, const std::string& text, std::optional<uint16_t> pc) {
    Row& row = out.rows.emplace_back();
    row.cycle = at;
    row.who = who;
    row.what = QString::fromStdString(text);
    if (!pc) return;
    row.place = QString::fromStdString(timeline_place(machine, who, *pc, names));
    const image::Image* image = machine.program(who.chip, who.engine);
    if (image == nullptr || *pc >= image->lines.size() || image->lines[*pc].place.line == 0) return;
    row.file = QString::fromStdString(image->files.at(image->lines[*pc].place.file));
    row.line = image->lines[*pc].place.line;
  };
  const uint64_t period = machine.ticks_per_cycle();
  for (const CauseStep& step : out.cause->steps) {
    add(step.cycle, step.who, step.text, step.pc);
    if (step.kind != CauseStep::Kind::queued) continue;
    for (const workbench::QueuedBefore& before : out.cause->before)
      add(before.command.served / period, before.who,
          tr("  before it: %1 at 0x%2")
              .arg(QString::fromUtf8(isa::info(before.command.op).name.data(),
                                     static_cast<qsizetype>(isa::info(before.command.op).name.size())))
              .arg(before.command.address, 0, 16)
              .toStdString(),
          before.command.pc);
  }
  return out;
}

void SleepCauses::take(Answer answer) {
  if (!cause_ && !answer.cause) return;
  beginResetModel();
  cause_ = std::move(answer.cause);
  rows_ = std::move(answer.rows);
  endResetModel();
  Q_EMIT changed();
}

QString SleepCauses::title() const {
  if (!cause_) return {};
  const auto view = workspace_.target() != nullptr ? workspace_.target()->view() : nullptr;
  return (view ? context_text(*view, cause_->who) + QLatin1Char(' ') : QString()) +
         counts_with_separators(QString::fromStdString(to_text(*cause_)));
}

void SleepCauses::go(int row) {
  if (row < 0 || row >= rowCount()) return;
  const Row to = rows_[static_cast<size_t>(row)];  // the cursor makes others
  Cursor& cursor = workspace_.cursor();
  // Two moves, and neither is to ask for another cause.
  kept_at_ = std::pair(to.who, cursor.cycle());
  cursor.set_context(to.who);
  kept_at_ = std::pair(to.who, to.cycle);
  cursor.set_cycle(to.cycle);
  cursor.look();
  if (to.line != 0) workspace_.request_built_place(to.file, static_cast<int>(to.line));
}

QVariant SleepCauses::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  if (role == Qt::TextAlignmentRole && index.column() == kCycle) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
  switch (index.column()) {
    case kCycle: return tr("%L1").arg(row.cycle);
    case kContext: {
      const auto view = workspace_.target() != nullptr ? workspace_.target()->view() : nullptr;
      return view ? context_text(*view, row.who) : QString();
    }
    case kWhat: return row.what;
    case kPlace: return row.place;
    default: return {};
  }
}

QStringList SleepCauses::names() const {
  return names_of<kColumns>(tr("Cycle"), tr("Context"), tr("What"), tr("Place"));
}

}  // namespace weft::ide
