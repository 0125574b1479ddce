#include "outline_model.h"

namespace weft::ide {

namespace {

std::string key_of(const std::vector<assembler::IndexOutline>& outline) {
  std::string out;
  for (const assembler::IndexOutline& o : outline)
    out += o.kind + ' ' + o.name + ' ' + std::to_string(o.place.line) + '-' + std::to_string(o.last_line) + '{' +
           key_of(o.inside) + '}';
  return out;
}

void add(QStandardItem& under, const std::vector<assembler::IndexOutline>& outline) {
  for (const assembler::IndexOutline& o : outline) {
    auto* name = new QStandardItem(QString::fromStdString(o.name.empty() ? o.kind : o.name));
    auto* kind = new QStandardItem(QString::fromStdString(o.kind));
    auto* line = new QStandardItem(QString::number(o.place.line));
    for (QStandardItem* item : {name, kind, line}) item->setEditable(false);
    name->setToolTip(QString::fromStdString(o.kind + " " + o.name));
    line->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    name->setData(static_cast<int>(o.place.line), OutlineModel::kLineRole);
    name->setData(static_cast<int>(o.place.column), OutlineModel::kColumnRole);
    name->setData(static_cast<int>(std::max(o.last_line, o.place.line)), OutlineModel::kLastLineRole);
    add(*name, o.inside);
    under.appendRow({name, kind, line});
  }
}

}  // namespace

OutlineModel::OutlineModel(QObject* parent) : QStandardItemModel(parent) {
  setHorizontalHeaderLabels({tr("Name"), tr("Kind"), tr("Line")});
}

void OutlineModel::show(const std::vector<assembler::IndexOutline>& outline) {
  const QString key = QString::fromStdString(key_of(outline));
  if (invisibleRootItem()->data().toString() == key && rowCount() > 0) return;
  removeRows(0, rowCount());
  invisibleRootItem()->setData(key);
  add(*invisibleRootItem(), outline);
}

QModelIndex OutlineModel::row_at(int line) const {
  QModelIndex found, under;
  while (true) {
    QModelIndex next;
    for (int row = 0; row < rowCount(under); ++row) {
      const QModelIndex here = index(row, 0, under);
      if (here.data(kLineRole).toInt() <= line && line <= here.data(kLastLineRole).toInt()) next = here;
    }
    if (!next.isValid()) return found;
    found = under = next;
  }
}

}  // namespace weft::ide
