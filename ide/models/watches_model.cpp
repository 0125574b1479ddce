#include "watches_model.h"

#include <algorithm>

namespace weft::ide {

namespace {

QString hexadecimal(int64_t value) {
  return value < 0 ? QStringLiteral("-0x%1").arg(-static_cast<quint64>(value), 0, 16)
                   : QStringLiteral("0x%1").arg(static_cast<quint64>(value), 0, 16);
}

}  // namespace

WatchesModel::WatchesModel(Workspace& workspace, QObject* parent)
    : TableModel(kColumns, parent), workspace_(workspace) {
  connect(&workspace, &Workspace::watches_changed, this, &WatchesModel::take_list);
  connect(&workspace, &Workspace::project_changed, this, &WatchesModel::attach);
  // Names without a context mean another one's; what they were before says nothing of it.
  connect(&workspace.cursor(), &Cursor::context_changed, this, [this] {
    since_.forget();
    for (Row& row : rows_) row.points.clear();
    refresh();
  });
  take_list();
  attach();
}

void WatchesModel::attach() {
  since_.forget();
  request_.reset();
  for (Row& row : rows_) row = {row.expression, {}, false, {}, {}};
  if (Target* target = workspace_.target()) {
    connect(target, &Target::view_changed, this, &WatchesModel::refresh);
    connect(target, &Target::state_changed, this, [this, target] {
      if (target->state() != Target::State::building) return;
      request_.reset();  // a question to the machine before may have got lost with it
      for (Row& row : rows_) row.points.clear();
    });
  }
  refresh();
}

void WatchesModel::take_list() {
  beginResetModel();
  std::vector<Row> before = std::exchange(rows_, {});
  for (const QString& expression : workspace_.watches()) {
    const auto known = std::ranges::find(before, expression, &Row::expression);
    rows_.push_back(known == before.end() ? Row{expression, {}, false, {}, {}} : std::move(*known));
    rows_.back().expression = expression;
  }
  endResetModel();
  refresh();
}

/// A chip in front is taken off: it says of which chip.
ContextId WatchesModel::where(QString& expression) const {
  ContextId out = workspace_.cursor().context().value_or(ContextId());
  const auto view = workspace_.target() ? workspace_.target()->view() : nullptr;
  for (unsigned chip = 0; view && view->chips.size() > 1 && chip < view->chips.size(); ++chip) {
    const QString name = QString::fromStdString(view->chips[chip]) + QStringLiteral(": ");
    if (!expression.startsWith(name)) continue;
    expression.remove(0, name.size());
    out.chip = chip;
  }
  return out;
}

WatchesModel::Value WatchesModel::ask_one(const Inspector& machine, const QString& expression, ContextId where) {
  const auto value = machine.evaluate(expression.toStdString(), where);
  if (value) return {*value, {}};
  return {std::nullopt, QString::fromStdString(value.error().list().front().text)};
}

void WatchesModel::refresh() {
  Target* target = workspace_.target();
  if (target == nullptr || !target->view() || rows_.empty()) return;
  if (!request_.begin()) return;
  std::vector<std::pair<QString, ContextId>> all;
  for (const Row& row : rows_) {
    QString expression = row.expression;
    const ContextId of = where(expression);
    all.emplace_back(expression, of);
  }
  target->ask(
      this,
      [all](const Inspector& machine) {
        std::pair<uint64_t, std::vector<Value>> out{machine.cycle(), {}};
        for (const auto& [expression, of] : all) out.second.push_back(ask_one(machine, expression, of));
        return out;
      },
      [this, list = workspace_.watches()](const std::pair<uint64_t, std::vector<Value>>& answer) {
        const bool again = request_.end();
        if (list == workspace_.watches()) take(answer.first, answer.second);
        if (again || list != workspace_.watches()) refresh();
      });
}

void WatchesModel::take(uint64_t cycle, const std::vector<Value>& values) {
  since_.look(moment_of(*workspace_.target()));
  for (size_t i = 0; i < rows_.size(); ++i) {
    Row& row = rows_[i];
    row.value = values[i];
    row.last.reset();
    row.changed = false;
    if (!row.value.now) continue;
    since_.note(row.expression, *row.value.now);
    row.last = since_.last(row.expression);
    row.changed = since_.changed(row.expression, *row.value.now);
    // Points stand in the order of cycles, also when the machine goes back.
    auto& points = row.points;
    const std::pair point(cycle, static_cast<double>(*row.value.now));
    const auto at = std::ranges::lower_bound(points, cycle, {}, &std::pair<uint64_t, double>::first);
    if (at != points.end() && at->first == cycle)
      at->second = point.second;
    else
      points.insert(at, point);
    if (points.size() > kMaxPoints)
      for (size_t k = 1; k < points.size(); ++k) points.erase(points.begin() + static_cast<std::ptrdiff_t>(k));
  }
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

QVariant WatchesModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const Row& row = rows_[static_cast<size_t>(index.row())];
  const bool number = index.column() == kHexadecimal || index.column() == kDecimal || index.column() == kLast;
  if (role == kChangedRole) return row.changed && number && index.column() != kLast;
  if (role == kPointsRole) {
    QVector<double> points;
    for (const auto& [cycle, value] : row.points) points << value;
    return QVariant::fromValue(points);
  }
  if (role == Qt::ToolTipRole && !row.value.problem.isEmpty()) return row.value.problem;
  if (role == Qt::TextAlignmentRole && number) return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role == Qt::AccessibleTextRole && index.column() == kCourse)
    return row.points.empty() ? QString() : tr("%1 values").arg(row.points.size());
  if (role != Qt::DisplayRole && role != Qt::EditRole) return {};
  switch (index.column()) {
    case kExpression: return row.expression;
    case kHexadecimal: return row.value.now ? hexadecimal(*row.value.now) : QStringLiteral("–");
    case kDecimal: return row.value.now ? QString::number(*row.value.now) : row.value.problem;
    case kLast: return row.last ? hexadecimal(*row.last) : QString();
    default: return {};
  }
}

QStringList WatchesModel::names() const {
  return names_of<kColumns>(tr("Expression"), tr("Now"), tr("Decimal"), tr("Last stop"), tr("Course"));
}

Qt::ItemFlags WatchesModel::flags(const QModelIndex& index) const {
  Qt::ItemFlags out = TableModel::flags(index);
  return index.column() == kExpression ? out | Qt::ItemIsEditable : out;
}

bool WatchesModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != kExpression) return false;
  QStringList all = workspace_.watches();
  const QString text = value.toString().trimmed();
  if (text == all[index.row()]) return true;
  if (text.isEmpty() || all.contains(text)) {
    Q_EMIT refused(text.isEmpty() ? tr("An expression cannot be empty; Delete removes it")
                                  : tr("%1 is watched already").arg(text));
    return false;
  }
  all[index.row()] = text;
  workspace_.set_watches(all);
  return true;
}

void WatchesModel::remove(int row) {
  QStringList all = workspace_.watches();
  if (row < 0 || row >= all.size()) return;
  all.removeAt(row);
  workspace_.set_watches(all);
}

int WatchesModel::shift(int row, int by) {
  QStringList all = workspace_.watches();
  const int to = row + by;
  if (row < 0 || row >= all.size() || to < 0 || to >= all.size()) return row;
  all.move(row, to);
  workspace_.set_watches(all);
  return to;
}

void WatchesModel::evaluate(const QString& expression, const std::function<void(const QString&)>& then) {
  Target* target = workspace_.target();
  if (target == nullptr || !target->view()) return then(tr("nothing is built"));
  QString own = expression.trimmed();
  const ContextId of = where(own);
  target->ask(
      this, [own, of](const Inspector& machine) { return ask_one(machine, own, of); },
      [then, expression](const Value& value) {
        then(value.now
                 ? QStringLiteral("%1 = %2 = %3").arg(expression.trimmed(), hexadecimal(*value.now)).arg(*value.now)
                 : value.problem);
      });
}

}  // namespace weft::ide
