#include "project_tree.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QVBoxLayout>

#include "breakpoint_menu.h"
#include "empty_page.h"
#include "save_files.h"

namespace weft::ide {

namespace {

QJsonArray rows_below(const QAbstractItemModel& model, const QModelIndex& parent) {
  QJsonArray out;
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    QJsonObject one{{"text", index.data().toString()}};
    if (model.hasChildren(index)) one["rows"] = rows_below(model, index);
    out.append(one);
  }
  return out;
}

QString text_below(const QAbstractItemModel& model, const QModelIndex& parent, int depth) {
  QString out;
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    out += QString(2 * depth, QLatin1Char(' ')) + index.data().toString() + QLatin1Char('\n') +
           text_below(model, index, depth + 1);
  }
  return out;
}

}  // namespace

ProjectTree::ProjectTree(Workspace& workspace, Theme)
    : workspace_(workspace),
      model_(workspace),
      pages_(new QStackedWidget),
      empty_(new EmptyPage),
      tree_(new QTreeView) {
  fill_view(this, pages_, empty_, tree_);
  setFocusProxy(tree_);
  tree_->setAccessibleName(tr("Project"));
  tree_->setHeaderHidden(true);
  tree_->setUniformRowHeights(true);
  tree_->setModel(&model_);
  connect(tree_, &QTreeView::activated, this, &ProjectTree::activate);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& index) {
    if (const auto id = model_.context(index)) workspace_.cursor().set_context(id);
  });
  connect(&workspace_.cursor(), &Cursor::context_changed, this, &ProjectTree::follow);
  for (const auto filled : {&Workspace::project_changed, &Workspace::project_read_again})
    connect(&workspace_, filled, this, &ProjectTree::attached);  // after the model's own
  add_breakpoint_menus(tree_, workspace_, [this](const QModelIndex& index) { return breakpoints_of(index); });
  auto* open = new QAction(tr("&Open"), tree_);
  connect(open, &QAction::triggered, this, [this] { activate(tree_->currentIndex()); });
  auto* copy = new QAction(tr("&Copy all"), tree_);
  connect(copy, &QAction::triggered, this, [this] { QApplication::clipboard()->setText(text_below(model_, {}, 0)); });
  auto* save = new QAction(tr("&Save as a text..."), tree_);
  connect(save, &QAction::triggered, this, [this] {
    const QString path =
        ask_file_name(this, tr("Save the project's tree"), QStringLiteral("project.txt"), tr("Texts (*.txt)"));
    if (!path.isEmpty()) write_text(workspace_, path, text_below(model_, {}, 0).toStdString());
  });
  tree_->addActions({open, copy, save});
  tell();
}

void ProjectTree::tell() {
  empty_->say(no_machine(workspace_));
  pages_->setCurrentIndex(workspace_.target() == nullptr ? 0 : 1);
}

// The project and its groups are open; microengines and programs are not, or there is nothing to see for rows.
void ProjectTree::attached() {
  tell();
  tree_->expandToDepth(1);
}

void ProjectTree::activate(const QModelIndex& index) {
  if (const QString path = index.data(ProjectTreeModel::kPathRole).toString(); !path.isEmpty()) {
    Q_EMIT workspace_.file_requested(path);
    return;
  }
  const auto id = model_.context(index);
  const auto view = workspace_.target() ? workspace_.target()->view() : nullptr;
  if (!id || !view) return;
  for (const workbench::ContextView& c : view->contexts)
    if (c.id == *id && c.line != 0)
      workspace_.request_built_place(QString::fromStdString(c.file), static_cast<int>(c.line));
}

// A context, and the place where it stands; a microengine.
BreakpointRow ProjectTree::breakpoints_of(const QModelIndex& index) const {
  const auto view = workspace_.target() ? workspace_.target()->view() : nullptr;
  if (!view) return {};
  if (const auto id = model_.context(index)) {
    const auto at = std::ranges::find(view->contexts, *id, &workbench::ContextView::id);
    const QString who = name_of_context(workspace_, *id);
    return at == view->contexts.end() || at->line == 0
               ? BreakpointRow{{}, 0, who}
               : BreakpointRow{QString::fromStdString(at->file), static_cast<int>(at->line), who};
  }
  const auto of = model_.context(model_.index(0, 0, index));
  const bool engine =
      index.data(ProjectTreeModel::kKindRole).toInt() == static_cast<int>(ProjectTreeModel::Kind::engine);
  return engine && of ? BreakpointRow{{}, 0, of_chip(workspace_, of->chip, QStringLiteral("me%1").arg(of->engine))}
                      : BreakpointRow();
}

// Another context is chosen somewhere else: it is shown where one was chosen here.
void ProjectTree::follow() {
  const auto id = workspace_.cursor().context();
  if (!id || !model_.context(tree_->currentIndex()) || model_.context(tree_->currentIndex()) == id) return;
  if (const QModelIndex index = model_.index_of(*id); index.isValid()) tree_->setCurrentIndex(index);
}

QJsonValue ProjectTree::state() const {
  return workspace_.target() == nullptr ? empty_->state() : rows_below(model_, {});
}

}  // namespace weft::ide
