#include "places_table.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QSaveFile>

#include "tables.h"

namespace weft::ide {

namespace {

QString separated(const QAbstractItemModel& model, QLatin1Char separator) {
  QString out;
  for (int row = -1; row < model.rowCount(); ++row) {
    QStringList cells;
    for (int column = 0; column < model.columnCount(); ++column) {
      QString cell = row < 0 ? model.headerData(column, Qt::Horizontal).toString() : model.index(row, column).data().toString();
      if (separator == QLatin1Char(',')) cell = QLatin1Char('"') + cell.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
      cells << cell;
    }
    out += cells.join(separator) + QLatin1Char('\n');
  }
  return out;
}

}  // namespace

QTableView* make_places_table(QWidget* parent, const QString& accessible_name, PlacesModel& model, Workspace& workspace) {
  QTableView* table = make_table(parent, accessible_name);
  table->setModel(&model);
  QObject::connect(table, &QTableView::activated, table, [&model, &workspace](const QModelIndex& index) {
    if (const FoundPlace* place = model.at(index.row())) Q_EMIT workspace.place_asked(place->path, place->line, place->column);
  });
  table->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(QObject::tr("&Copy all"), table);
  QObject::connect(copy, &QAction::triggered, table, [&model] { QApplication::clipboard()->setText(separated(model, QLatin1Char('\t'))); });
  auto* save = new QAction(QObject::tr("Save as C&SV..."), table);
  QObject::connect(save, &QAction::triggered, table, [table, &model, &workspace] {
    const QString path = QFileDialog::getSaveFileName(table, QObject::tr("Save as CSV"), QString(), QObject::tr("Tables (*.csv)"));
    if (path.isEmpty()) return;
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(separated(model, QLatin1Char(',')).toUtf8()) < 0 || !file.commit())
      Q_EMIT workspace.message(QObject::tr("%1 cannot be written: %2").arg(path, file.errorString()));
  });
  table->addActions({copy, save});
  return table;
}

}  // namespace weft::ide
