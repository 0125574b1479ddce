#include "tables.h"

#include <QHeaderView>
#include <QJsonObject>

#include "number_cells.h"

namespace weft::ide {

QTableView* make_table(QWidget* parent, const QString& accessible_name) {
  auto* view = new QTableView(parent);
  view->setAccessibleName(accessible_name);
  view->setItemDelegate(new NumberCells(view));
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setSelectionMode(QAbstractItemView::SingleSelection);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setAlternatingRowColors(true);
  view->setShowGrid(false);
  view->setWordWrap(false);
  view->setTabKeyNavigation(false);
  view->verticalHeader()->hide();
  view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 6);
  view->horizontalHeader()->setHighlightSections(false);
  view->horizontalHeader()->setStretchLastSection(true);
  return view;
}

QJsonArray rows_of(const QAbstractItemModel* model) {
  QJsonArray out;
  for (int row = 0; model != nullptr && row < model->rowCount(); ++row) {
    QJsonObject fields;
    for (int column = 0; column < model->columnCount(); ++column)
      fields[model->headerData(column, Qt::Horizontal).toString()] =
          QJsonValue::fromVariant(model->index(row, column).data());
    out.append(fields);
  }
  return out;
}

}  // namespace weft::ide
