// Tables as all views have them.
#pragma once

#include <QJsonArray>
#include <QTableView>

namespace weft::ide {

QTableView* make_table(QWidget* parent, const QString& accessible_name);
/// What a model shows: an object a row, by the names of the columns.
QJsonArray rows_of(const QAbstractItemModel* model);

}  // namespace weft::ide
