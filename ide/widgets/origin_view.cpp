#include "origin_view.h"

#include <QDockWidget>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>
#include <functional>

#include "empty_page.h"
#include "models/state_tree.h"
#include "tree_export.h"
#include "view_parts.h"

namespace weft::ide {

using Row = OriginTree::Row;

OriginView::OriginView(Workspace& workspace, Theme)
    : workspace_(workspace),
      model_(workspace),
      title_(new QLabel),
      name_(new QLineEdit),
      pages_(new QStackedWidget),
      empty_(new EmptyPage),
      tree_(new QTreeView) {
  QVBoxLayout* box = tight_column(this);
  QHBoxLayout* top = tool_row();
  top->addWidget(title_, 1);
  name_->setPlaceholderText(tr("Register or longword"));
  name_->setAccessibleName(tr("Register or longword whose writer is asked for"));
  name_->setToolTip(tr("temp, me0.ctx3.temp, scratch[0x40]; without a context it is of the chosen one. Enter asks"));
  name_->setClearButtonEnabled(true);
  name_->setMaximumWidth(420);
  top->addWidget(name_, 1);
  box->addLayout(top);
  box->addWidget(pages_);
  pages_->addWidget(empty_);
  pages_->addWidget(tree_);
  tree_->setModel(&model_);
  tree_->setAccessibleName(tr("Who wrote this"));
  tree_->setAlternatingRowColors(true);
  tree_->setUniformRowHeights(true);
  tree_->setEditTriggers(QAbstractItemView::NoEditTriggers);
  tree_->setExpandsOnDoubleClick(false);
  tree_->setContextMenuPolicy(Qt::CustomContextMenu);
  tree_->header()->setStretchLastSection(true);
  connect(tree_, &QTreeView::activated, this, &OriginView::go);
  connect(tree_, &QTreeView::customContextMenuRequested, this, &OriginView::menu);
  connect(name_, &QLineEdit::returnPressed, this, [this] {
    workbench::Holder what;
    what.name = name_->text().trimmed().toStdString();
    what.where = workspace_.cursor().context().value_or(ContextId());
    if (!what.name.empty()) ask(what);
  });
  connect(&model_, &OriginTree::answered, this, [this](const QModelIndex& row) {
    tell();
    tree_->expand(row);
    for (int column = 0; column + 1 < OriginTree::kColumns; ++column) {
      tree_->resizeColumnToContents(column);
      tree_->setColumnWidth(column, std::min(tree_->columnWidth(column) + 10, 380));
    }
    if (!tree_->currentIndex().isValid()) tree_->setCurrentIndex(row);
  });
  connect(&workspace, &Workspace::project_changed, this, &OriginView::attach);
  connect(&workspace, &Workspace::origin_requested, this, &OriginView::ask);
  attach();
}

void OriginView::attach() {
  model_.forget();
  if (Target* target = workspace_.target())
    connect(target, &Target::state_changed, this, [this, target] {
      if (target->state() == Target::State::building) model_.forget();  // another run
      tell();
    });
  tell();
}

void OriginView::tell() {
  title_->setText(model_.title());
  QString why = no_machine(workspace_);
  if (why.isEmpty() && model_.rowCount() == 0)
    why =
        tr("Ask in Registers, Memory, Queues, CSRs or the text: context menu, or Ctrl+Shift+W. Or name a register or "
           "a longword above.");
  empty_->say(why);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
}

void OriginView::ask(const workbench::Holder& what) {
  for (QWidget* w = parentWidget(); w != nullptr; w = w->parentWidget())
    if (auto* dock = qobject_cast<QDockWidget*>(w)) {
      dock->show();
      dock->raise();
    }
  model_.ask(what);
  tell();
  tree_->setFocus();
}

void OriginView::go(const QModelIndex& row) {
  const QModelIndex first = row.siblingAtColumn(0);
  if (model_.row_of(first) == Row::open) {
    model_.ask_writer(first);
    return;
  }
  const QVariant cycle = first.data(OriginTree::kCycleRole);
  if (!cycle.isValid()) return;
  if (const auto id = first.data(OriginTree::kContextRole); id.isValid())
    workspace_.cursor().set_context(id.value<ContextId>());
  workspace_.cursor().set_cycle(cycle.toULongLong());
  workspace_.cursor().look();
  const QString file = first.data(OriginTree::kFileRole).toString();
  if (!file.isEmpty()) workspace_.request_built_place(file, first.data(OriginTree::kLineRole).toInt());
}

void OriginView::menu(const QPoint& at) {
  const QModelIndex index = tree_->indexAt(at).siblingAtColumn(0);
  auto* menu = new QMenu(this);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  if (index.isValid()) fill_menu(*menu, index);
  add_tree_exports(*menu, tree_, workspace_);
  menu->popup(tree_->viewport()->mapToGlobal(at));
}

void OriginView::fill_menu(QMenu& menu, const QModelIndex& index) {
  const QPersistentModelIndex row(index);
  menu.addAction(tr("Go there"), this, [this, row] { go(row); })
      ->setEnabled(index.data(OriginTree::kCycleRole).isValid());
  menu.addAction(tr("Who wrote this?"), this, [this, row] { model_.ask_writer(row); })
      ->setEnabled(model_.row_of(index) == Row::open);
  menu.addAction(tr("Who reads it next?"), this, [this, row] { model_.ask_reader(row); })
      ->setEnabled(model_.row_of(index) == Row::written);
  menu.addSeparator();
}

QJsonValue OriginView::state() const {
  if (pages_->currentIndex() == 0) return empty_->state();
  const std::function<QJsonArray(const QModelIndex&)> below = [&](const QModelIndex& under) {
    QJsonArray rows;
    for (int row = 0; row < model_.rowCount(under); ++row) {
      QJsonObject fields;
      for (int column = 0; column < OriginTree::kColumns; ++column)
        fields[model_.headerData(column, Qt::Horizontal).toString()] =
            model_.index(row, column, under).data().toString();
      const QJsonArray inner = below(model_.index(row, 0, under));
      if (!inner.isEmpty()) fields[QStringLiteral("below")] = inner;
      rows << fields;
    }
    return rows;
  };
  return QJsonObject{{QStringLiteral("of"), model_.title()}, {QStringLiteral("rows"), below({})}};
}

}  // namespace weft::ide
