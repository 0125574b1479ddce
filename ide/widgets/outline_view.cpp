#include "outline_view.h"

#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QLineEdit>
#include <QResizeEvent>
#include <QSortFilterProxyModel>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

#include "code_editor.h"
#include "empty_page.h"
#include "tree_export.h"
#include "view_parts.h"

namespace weft::ide {

namespace {

constexpr int kWithKinds = 260;  // pixels

QJsonArray rows_below(const QAbstractItemModel& model, const QModelIndex& parent) {
  QJsonArray out;
  for (int row = 0; row < model.rowCount(parent); ++row) {
    const QModelIndex index = model.index(row, 0, parent);
    QJsonObject one{{"name", index.data().toString()},
                    {"kind", index.siblingAtColumn(1).data().toString()},
                    {"line", index.data(OutlineModel::kLineRole).toInt()}};
    if (model.hasChildren(index)) one["rows"] = rows_below(model, index);
    out.append(one);
  }
  return out;
}

}  // namespace

OutlineView::OutlineView(Workspace& workspace, Theme)
    : workspace_(workspace),
      filtered_(new QSortFilterProxyModel(this)),
      pages_(new QStackedWidget),
      empty_(new EmptyPage),
      filter_(new QLineEdit),
      tree_(new QTreeView) {
  filtered_->setSourceModel(&model_);
  filtered_->setRecursiveFilteringEnabled(true);
  filtered_->setFilterCaseSensitivity(Qt::CaseInsensitive);
  filtered_->setFilterKeyColumn(0);
  auto* box = new QVBoxLayout(this);
  box->setContentsMargins(0, 0, 0, 0);
  box->addWidget(pages_);
  auto* full = new QWidget;
  auto* column = new QVBoxLayout(full);
  column->setContentsMargins(0, 2, 0, 0);
  column->setSpacing(2);
  prepare_field(*filter_, tr("Show only ..."), tr("Show only names with this text"));
  tree_->setAccessibleName(tr("Outline"));
  tree_->setModel(filtered_);
  tree_->setUniformRowHeights(true);
  tree_->setIndentation(14);
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  tree_->header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
  tree_->header()->setSectionResizeMode(2, QHeaderView::ResizeToContents);
  column->addWidget(filter_);
  column->addWidget(tree_);
  pages_->addWidget(empty_);
  pages_->addWidget(full);
  connect(filter_, &QLineEdit::textChanged, this, [this](const QString& text) {
    filtered_->setFilterFixedString(text);
    if (!text.isEmpty()) tree_->expandAll();
  });
  add_tree_exports(tree_, workspace);
  connect(tree_, &QTreeView::clicked, this, &OutlineView::go);
  connect(tree_, &QTreeView::activated, this, &OutlineView::go);
  refresh();
}

void OutlineView::set_editor(CodeEditor* editor) {
  if (editor_ == editor) return;
  if (editor_) editor_->disconnect(this);
  editor_ = editor;
  if (editor_) {
    connect(editor_, &CodeEditor::indexed, this, &OutlineView::refresh);
    connect(editor_, &QPlainTextEdit::cursorPositionChanged, this, &OutlineView::follow);
  }
  refresh();
}

void OutlineView::refresh() {
  const auto file = editor_ ? editor_->index_file() : std::nullopt;
  QString why;
  if (!editor_)
    why = tr("No text is open: open one in the view Project.");
  else if (!file)
    why = tr("No program of the project holds this text.");
  if (file) {
    const int before = model_.rowCount();
    model_.show(editor_->index()->outline(*file));
    if (before == 0) tree_->expandToDepth(0);
    if (model_.rowCount() == 0) why = tr("The text has no macros, labels or registers.");
  }
  empty_->say(why);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
  follow();
}

void OutlineView::follow() {
  if (!editor_ || tree_->hasFocus()) return;
  const QModelIndex row = filtered_->mapFromSource(model_.row_at(editor_->current_line_number()));
  if (!row.isValid()) return tree_->selectionModel()->clear();
  tree_->setCurrentIndex(row);
}

void OutlineView::go(const QModelIndex& index) {
  const QModelIndex first = index.siblingAtColumn(0);
  if (editor_ && first.isValid())
    Q_EMIT workspace_.place_requested(editor_->path(), first.data(OutlineModel::kLineRole).toInt(),
                                      first.data(OutlineModel::kColumnRole).toInt());
}

// In a narrow place names matter more than kinds, which their tips say.
void OutlineView::resizeEvent(QResizeEvent* event) {
  View::resizeEvent(event);
  tree_->setColumnHidden(1, event->size().width() < kWithKinds);
}

QJsonValue OutlineView::state() const {
  return pages_->currentIndex() == 0 ? empty_->state() : QJsonValue(rows_below(model_, {}));
}

}  // namespace weft::ide
