#include "state_tree.h"

namespace weft::ide {

StateTree::StateTree(const QStringList& columns, int value, QObject* parent)
    : QStandardItemModel(parent), value_(value) {
  setColumnCount(static_cast<int>(columns.size()));
  setHorizontalHeaderLabels(columns);
}

void StateTree::forget() {
  since_.forget();
  removeRows(0, rowCount());
}

void StateTree::show(const std::vector<StateRow>& rows, Moment moment) {
  since_.look(moment);
  show(*invisibleRootItem(), rows, {});
}

void StateTree::show(QStandardItem& under, const std::vector<StateRow>& rows, const QString& path) {
  const auto wanted = static_cast<int>(rows.size());
  if (under.rowCount() > wanted) under.removeRows(wanted, under.rowCount() - wanted);
  for (int i = 0; i < wanted; ++i) {
    const StateRow& row = rows[static_cast<size_t>(i)];
    if (i >= under.rowCount()) {
      QList<QStandardItem*> cells;
      for (int column = 0; column < columnCount(); ++column) {
        cells << new QStandardItem;
        cells.back()->setEditable(false);
      }
      under.appendRow(cells);
    }
    QStandardItem& first = *under.child(i, 0);
    const QString key =
        path + QLatin1Char('/') + row.cells.value(0) + (row.cells.value(0).isEmpty() ? QString::number(i) : QString());
    const QString value = row.cells.value(value_);
    since_.note(key, value);
    const bool changed = since_.changed(key, value);
    for (int column = 0; column < columnCount(); ++column) {
      QStandardItem& cell = *under.child(i, column);
      if (const QString text = row.cells.value(column); cell.text() != text) cell.setText(text);
      if (cell.toolTip() != row.tip) cell.setToolTip(row.tip);
      if (const bool mark = column == value_ && changed; cell.data(kMarkedRole).toBool() != mark)
        cell.setData(mark, kMarkedRole);
    }
    const auto set = [&first](const QVariant& v, int role) {
      if (first.data(role) != v) first.setData(v, role);
    };
    set(changed, kChangedRole);
    set(QString::fromStdString(row.write), kWriteRole);
    set(row.memory, kMemoryRole);
    set(row.address, kAddressRole);
    set(row.file, kFileRole);
    set(row.line, kLineRole);
    first.setData(row.context ? QVariant::fromValue(*row.context) : QVariant(), kContextRole);
    first.setData(row.command ? QVariant::fromValue(*row.command) : QVariant(), kCommandRole);
    show(first, row.below, key);
  }
}

}  // namespace weft::ide
