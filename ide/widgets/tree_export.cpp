#include "tree_export.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QTreeView>

#include "save_files.h"

namespace weft::ide {

namespace {

QString field(QString text, QChar between) {
  if (between == QLatin1Char('\t')) return text.replace(QLatin1Char('\t'), QLatin1Char(' '));
  if (!text.contains(between) && !text.contains(QLatin1Char('"')) && !text.contains(QLatin1Char('\n'))) return text;
  return QLatin1Char('"') + text.replace(QLatin1Char('"'), QStringLiteral("\"\"")) + QLatin1Char('"');
}

QString rows_below(const QAbstractItemModel& model, const QModelIndex& parent, int depth, QChar between) {
  QString out;
  for (int row = 0; row < model.rowCount(parent); ++row) {
    for (int column = 0; column < model.columnCount(parent); ++column)
      out += (column == 0 ? QString(2 * depth, QLatin1Char(' ')) : QString(between)) +
             field(model.index(row, column, parent).data().toString(), between);
    out += QLatin1Char('\n') + rows_below(model, model.index(row, 0, parent), depth + 1, between);
  }
  return out;
}

QString text_of(const QAbstractItemModel& model, QChar between) {
  QString out;
  for (int column = 0; column < model.columnCount(); ++column)
    out += (column == 0 ? QString() : QString(between)) +
           field(model.headerData(column, Qt::Horizontal).toString(), between);
  return out + QLatin1Char('\n') + rows_below(model, {}, 0, between);
}

}  // namespace

void add_tree_exports(QWidget& to, QTreeView* tree, Workspace& workspace) {
  auto* copy = new QAction(QObject::tr("&Copy all"), &to);
  QObject::connect(copy, &QAction::triggered, tree,
                   [tree] { QApplication::clipboard()->setText(text_of(*tree->model(), QLatin1Char('\t'))); });
  auto* save = new QAction(QObject::tr("Save as C&SV..."), &to);
  QObject::connect(save, &QAction::triggered, tree, [tree, &workspace] {
    const QString path = ask_file_name(tree, QObject::tr("Save as CSV"), QString(), QObject::tr("Tables (*.csv)"));
    if (!path.isEmpty()) write_text(workspace, path, text_of(*tree->model(), QLatin1Char(',')).toStdString());
  });
  to.addActions({copy, save});
}

void add_tree_exports(QTreeView* tree, Workspace& workspace) {
  tree->setContextMenuPolicy(Qt::ActionsContextMenu);
  add_tree_exports(*tree, tree, workspace);
}

}  // namespace weft::ide
