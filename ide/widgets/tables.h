// Tables as all views have them.
#pragma once

#include <QJsonArray>
#include <QTableView>

namespace weft::ide {

QTableView* make_table(QWidget* parent, const QString& accessible_name);
/// Columns as wide as what they hold and their names, at most `most` pixels; only the sorted one has room for the arrow.
void size_columns(QTableView* table, int most);
/// What a model shows: an object a row, by the names of the columns.
QJsonArray rows_of(const QAbstractItemModel* model);

}  // namespace weft::ide
