#include "tables.h"

#include <QHeaderView>
#include <QJsonObject>
#include <algorithm>

namespace weft::ide {

QTableView* make_table(QWidget* parent, const QString& accessible_name) {
  auto* view = new QTableView(parent);
  view->setAccessibleName(accessible_name);
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
  QObject::connect(view->horizontalHeader(), &QHeaderView::sortIndicatorChanged, view, [view](int column) {
    if (column >= 0 && !view->isColumnHidden(column)) view->setColumnWidth(column, std::max(view->columnWidth(column), view->horizontalHeader()->sectionSizeHint(column)));
  });
  return view;
}

void size_columns(QTableView* table, int most) {
  constexpr int kAround = 10;  // a name and its edges
  const QAbstractItemView* cells = table;
  const QHeaderView* header = table->horizontalHeader();
  for (int column = 0; column < table->model()->columnCount(); ++column) {
    const int name = header->fontMetrics().horizontalAdvance(table->model()->headerData(column, Qt::Horizontal).toString()) + kAround;
    const bool sorted = header->isSortIndicatorShown() && header->sortIndicatorSection() == column;
    table->setColumnWidth(column, std::min(most, std::max(cells->sizeHintForColumn(column), sorted ? header->sectionSizeHint(column) : name)));
  }
}

QJsonArray rows_of(const QAbstractItemModel* model) {
  QJsonArray out;
  for (int row = 0; model != nullptr && row < model->rowCount(); ++row) {
    QJsonObject fields;
    for (int column = 0; column < model->columnCount(); ++column)
      fields[model->headerData(column, Qt::Horizontal).toString()] = QJsonValue::fromVariant(model->index(row, column).data());
    out.append(fields);
  }
  return out;
}

}  // namespace weft::ide
