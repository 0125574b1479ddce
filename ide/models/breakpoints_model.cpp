#include "breakpoints_model.h"

#include <QFont>

#include "breakpoint_text.h"

namespace weft::ide {

BreakpointsModel::BreakpointsModel(Workspace& workspace, QObject* parent)
    : TableModel(kColumns, parent), workspace_(workspace), rows_(workspace.breakpoints()) {
  connect(&workspace, &Workspace::breakpoints_changed, this, &BreakpointsModel::refresh);
}

// Rows come and go at the end, or somewhere: what stays in its place keeps selections.
void BreakpointsModel::refresh() {
  const std::vector<workbench::Breakpoint>& now = workspace_.breakpoints();
  const auto same = [](const workbench::Breakpoint& a, const workbench::Breakpoint& b) {
    return a.kind == b.kind && a.target == b.target;
  };
  size_t head = 0, tail = 0;
  const size_t min = std::min(now.size(), rows_.size());
  while (head < min && same(now[head], rows_[head])) ++head;
  while (tail < min - head && same(now[now.size() - 1 - tail], rows_[rows_.size() - 1 - tail])) ++tail;
  const auto begin = static_cast<std::ptrdiff_t>(head);
  if (rows_.size() > head + tail) {
    const auto end = static_cast<std::ptrdiff_t>(rows_.size() - tail);
    beginRemoveRows({}, static_cast<int>(begin), static_cast<int>(end) - 1);
    rows_.erase(rows_.begin() + begin, rows_.begin() + end);
    endRemoveRows();
  }
  if (now.size() > head + tail) {
    const auto end = static_cast<std::ptrdiff_t>(now.size() - tail);
    beginInsertRows({}, static_cast<int>(begin), static_cast<int>(end) - 1);
    rows_.insert(rows_.begin() + begin, now.begin() + begin, now.begin() + end);
    endInsertRows();
  }
  rows_ = now;
  if (!rows_.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1));
}

const workbench::Breakpoint* BreakpointsModel::at(int row) const {
  return row < 0 || row >= rowCount() ? nullptr : &rows_[static_cast<size_t>(row)];
}

Qt::ItemFlags BreakpointsModel::flags(const QModelIndex& index) const {
  const Qt::ItemFlags plain = TableModel::flags(index);
  return index.isValid() && index.column() == kPlace ? plain | Qt::ItemIsUserCheckable : plain;
}

QVariant BreakpointsModel::data(const QModelIndex& index, int role) const {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
  const workbench::Breakpoint& b = rows_[static_cast<size_t>(index.row())];
  if (role == Qt::CheckStateRole && index.column() == kPlace)
    return static_cast<int>(b.enabled ? Qt::Checked : Qt::Unchecked);
  if (role == Qt::FontRole && !b.enabled) {
    QFont font;
    font.setStrikeOut(true);  // a box that is empty is hard to see on dark colours
    return font;
  }
  if (role == Qt::ToolTipRole) {
    const QString remedy = QString::fromStdString(b.problem);
    return remedy.isEmpty() ? QVariant() : QVariant(remedy);
  }
  if (role == Qt::TextAlignmentRole && (index.column() == kHits || index.column() == kFrom))
    return QVariant(Qt::AlignRight | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kPlace: return QString::fromStdString(b.target);
    case kKind: return kind_text(b);
    case kWho: return who_text(b);
    case kCondition: return QString::fromStdString(b.condition);
    case kFrom: return QVariant::fromValue<qulonglong>(b.from_hit);
    case kHits: return QVariant::fromValue<qulonglong>(b.hits);
    case kAction: return action_text(b);
    case kWhere: return place_text(b);
    default: return {};
  }
}

QStringList BreakpointsModel::names() const {
  return names_of<kColumns>(tr("At"), tr("Kind"), tr("For"), tr("If"), tr("From hit"), tr("Hits"), tr("Then"),
                            tr("Found"));
}

bool BreakpointsModel::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (!checkIndex(index, CheckIndexOption::IndexIsValid) || index.column() != kPlace || role != Qt::CheckStateRole)
    return false;
  workbench::Breakpoint changed = rows_[static_cast<size_t>(index.row())];
  changed.enabled = value.toInt() == Qt::Checked;
  workspace_.change_breakpoint(static_cast<size_t>(index.row()), std::move(changed));
  return true;
}

}  // namespace weft::ide
