#include "table_export.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QMenu>
#include <QTableView>

#include "save_files.h"

namespace weft::ide {

namespace {

QList<QAction*> exports(QObject* owner, QTableView* table, Workspace& workspace) {
  auto* copy = new QAction(QObject::tr("&Copy all"), owner);
  QObject::connect(copy, &QAction::triggered, table, [table] {
    if (table->model() != nullptr) QApplication::clipboard()->setText(tabbed_text_of(*table->model()));
  });
  auto* save = new QAction(QObject::tr("Save as C&SV..."), owner);
  QObject::connect(save, &QAction::triggered, table, [table, &workspace] {
    if (table->model() == nullptr) return;
    const QString path = ask_file_name(table, QObject::tr("Save as CSV"), QString(), QObject::tr("Tables (*.csv)"));
    if (!path.isEmpty()) write_text(workspace, path, csv_of(*table->model()).toStdString());
  });
  return {copy, save};
}

}  // namespace

void add_table_exports(QTableView* table, Workspace& workspace) {
  table->setContextMenuPolicy(Qt::ActionsContextMenu);
  table->addActions(exports(table, table, workspace));
}

void add_table_exports(QMenu& menu, QTableView* table, Workspace& workspace) {
  menu.addSeparator();
  menu.addActions(exports(&menu, table, workspace));
}

}  // namespace weft::ide
