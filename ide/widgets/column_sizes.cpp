#include "column_sizes.h"

#include <QHeaderView>
#include <QTableView>
#include <algorithm>

namespace weft::ide {

void size_columns(QTableView* table, int max) {
  constexpr int kAround = 10;  // a name and its edges
  const QAbstractItemView* cells = table;
  const QHeaderView* header = table->horizontalHeader();
  for (int column = 0; column < table->model()->columnCount(); ++column) {
    const int name =
        header->fontMetrics().horizontalAdvance(table->model()->headerData(column, Qt::Horizontal).toString()) +
        kAround;
    const bool sorted = header->isSortIndicatorShown() && header->sortIndicatorSection() == column;
    table->setColumnWidth(column, std::min(max, std::max(cells->sizeHintForColumn(column),
                                                         sorted ? header->sectionSizeHint(column) : name)));
  }
  constexpr const char* kWidens = "widens";  // once for each table
  if (header->property(kWidens).toBool()) return;
  table->horizontalHeader()->setProperty(kWidens, true);
  QObject::connect(header, &QHeaderView::sortIndicatorChanged, table, [table](int column) {
    if (column >= 0 && !table->isColumnHidden(column))
      table->setColumnWidth(column,
                            std::max(table->columnWidth(column), table->horizontalHeader()->sectionSizeHint(column)));
  });
}

}  // namespace weft::ide
