#include "table_export.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTableView>

#include "save_files.h"

namespace weft::ide {

void add_table_exports(QTableView* table, Workspace& workspace) {
  table->setContextMenuPolicy(Qt::ActionsContextMenu);
  auto* copy = new QAction(QObject::tr("&Copy all"), table);
  QObject::connect(copy, &QAction::triggered, table, [table] {
    if (table->model() != nullptr) QApplication::clipboard()->setText(tabbed_text_of(*table->model()));
  });
  auto* save = new QAction(QObject::tr("Save as C&SV..."), table);
  QObject::connect(save, &QAction::triggered, table, [table, &workspace] {
    if (table->model() == nullptr) return;
    const QString path = ask_file_name(table, QObject::tr("Save as CSV"), QString(), QObject::tr("Tables (*.csv)"));
    if (!path.isEmpty()) write_text(workspace, path, csv_of(*table->model()).toStdString());
  });
  table->addActions({copy, save});
}

}  // namespace weft::ide
