#include "tests_view.h"

#include <QAction>
#include <QFontDatabase>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonObject>
#include <QLabel>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolBar>
#include <QTreeView>
#include <QVBoxLayout>

#include "changed_delegate.h"
#include "empty_page.h"
#include "models/project_tree.h"
#include "tools.h"
#include "tree_export.h"

namespace weft::ide {

TestsView::TestsView(Workspace& workspace, Theme)
    : workspace_(workspace),
      bar_(new QToolBar),
      tree_(new QTreeView),
      detail_(new QPlainTextEdit),
      summary_(new QLabel),
      pages_(new QStackedWidget),
      empty_(new EmptyPage) {
  QVBoxLayout* const column = fill_view(this, pages_, empty_);
  make_bar();
  column->addWidget(bar_);
  auto* split = new QSplitter;
  tree_->setModel(&model_);
  tree_->setAccessibleName(tr("Tests"));
  tree_->setUniformRowHeights(true);
  tree_->setSelectionMode(QAbstractItemView::ExtendedSelection);
  tree_->setItemDelegate(new ChangedDelegate(TestsModel::kBadRole, tree_));
  tree_->header()->setStretchLastSection(false);
  tree_->header()->setSectionResizeMode(0, QHeaderView::Stretch);
  for (const int c : {TestsModel::kVerdict, TestsModel::kCycles, TestsModel::kTime})
    tree_->header()->setSectionResizeMode(c, QHeaderView::ResizeToContents);
  detail_->setReadOnly(true);
  detail_->setFont(QFontDatabase::systemFont(QFontDatabase::FixedFont));
  detail_->setAccessibleName(tr("What was wrong"));
  detail_->setPlaceholderText(tr("Choose a test: here is what it expected, and what came."));
  detail_->setTabChangesFocus(true);
  split->addWidget(tree_);
  split->addWidget(detail_);
  split->setStretchFactor(0, 3);
  split->setStretchFactor(1, 2);
  split->setChildrenCollapsible(false);
  column->addWidget(split, 1);
  add_tree_exports(tree_, workspace);
  connect(tree_, &QTreeView::activated, this, &TestsView::go_to);
  connect(tree_->selectionModel(), &QItemSelectionModel::currentChanged, this, &TestsView::show_row);
  connect(&model_, &TestsModel::changed, this, &TestsView::tell);
  connect(&model_, &TestsModel::finished, this, [this] {
    Q_EMIT coverage_changed(cover_->isChecked());
    if (!std::exchange(asked_, false)) return;
    if (const QModelIndex bad = model_.first_failure(); bad.isValid()) {
      tree_->expand(bad.parent());
      tree_->setCurrentIndex(bad);
      tree_->scrollTo(bad);
      go_to(bad);
    }
    Q_EMIT workspace_.message(tr("Tests: %1").arg(model_.summary()));
  });
  connect(&workspace, &Workspace::project_changed, this, &TestsView::attach);
  attach();
}

void TestsView::make_bar() {
  bar_->setAccessibleName(tr("Tools of the tests"));
  run_ = add_tool(bar_, "run_tests", tr("Run all"), tr("Run all tests of the project"), this, [this] {
    asked_ = true;
    model_.set_files(tests_of(workspace_.project()), workspace_.names());  // they may have been edited
    model_.run({});
  });
  run_chosen_ =
      add_tool(bar_, "run_chosen_tests", tr("Run chosen"), tr("Run the chosen tests, or files of tests"), this, [this] {
        asked_ = true;
        model_.run(tree_->selectionModel()->selectedRows());
      });
  stop_ = add_tool(bar_, "stop_tests", tr("Stop"), tr("End the tests that run"), this, [this] { model_.stop(); });
  bar_->addSeparator();
  open_ = add_tool(bar_, "open_test", tr("Show"), tr("Open the test file where it expects what did not come"), this,
                   [this] { go_to(tree_->currentIndex()); });
  debug_ = add_tool(bar_, "debug_test", tr("Debug"),
                    tr("Open the machine of the case, run it, and go back to the first wrong byte or longword"), this,
                    [this] {
                      if (const auto item = model_.case_at(tree_->currentIndex().siblingAtColumn(0)))
                        workspace_.debug_case(item);
                    });
  cover_ = add_tool(bar_, "tests_in_margin", tr("In the margin"),
                    tr("Show in the texts which lines the tests have executed, instead of the run"), this,
                    [this] { Q_EMIT coverage_changed(cover_->isChecked()); });
  cover_->setCheckable(true);
  bar_->addSeparator();
  summary_->setContentsMargins(6, 0, 6, 0);
  bar_->addWidget(summary_);
}

void TestsView::attach() {
  detail_->clear();
  cover_->setChecked(false);
  Q_EMIT coverage_changed(false);
  const bool open = workspace_.target() != nullptr && !workspace_.recording();
  model_.set_files(open ? tests_of(workspace_.project()) : QStringList(), workspace_.names());
  if (model_.cases() > 0 && model_.rowCount() == 1) tree_->expandAll();
  if (model_.rowCount() > 0) tree_->setCurrentIndex(model_.index(0, 0));
}

void TestsView::tell() {
  QString why;
  if (workspace_.target() == nullptr)
    why = no_machine(workspace_);
  else if (workspace_.recording())
    why = tr("A recording has no tests: open the project.");
  else if (model_.rowCount() == 0)
    why =
        tr("The project has no tests: write a file NAME.test.json beside its weft.json or in tests/, or choose packets "
           "in the view Packets and 'Make a test case'.");
  empty_->say(why);
  pages_->setCurrentIndex(why.isEmpty() ? 1 : 0);
  summary_->setText(model_.problems().isEmpty() ? model_.summary() : model_.problems());
  summary_->setToolTip(summary_->text());
  for (QAction* action : {run_, run_chosen_}) action->setEnabled(!model_.runs());
  stop_->setEnabled(model_.runs());
  show_row();
}

void TestsView::show_row() {
  const QModelIndex row = tree_->currentIndex().siblingAtColumn(0);
  const QString text = workspace_.names().shortened(row.data(TestsModel::kTextRole).toString());
  if (detail_->toPlainText() != text) detail_->setPlainText(text);
  open_->setEnabled(row.isValid());
  debug_->setEnabled(model_.case_at(row).has_value());
}

void TestsView::go_to(const QModelIndex& index) {
  const QModelIndex row = index.siblingAtColumn(0);
  if (!row.isValid()) return;
  Q_EMIT workspace_.place_requested(row.data(TestsModel::kFileRole).toString(), row.data(TestsModel::kLineRole).toInt(),
                                    row.data(TestsModel::kColumnRole).toInt());
}

QString TestsView::detail() const { return detail_->toPlainText(); }

QJsonValue TestsView::state() const {
  if (pages_->currentIndex() == 0) return empty_->state();
  QJsonArray files;
  for (int f = 0; f < model_.rowCount(); ++f) {
    const QModelIndex file = model_.index(f, 0);
    QJsonArray cases;
    for (int c = 0; c < model_.rowCount(file); ++c) {
      const QModelIndex one = model_.index(c, 0, file);
      cases.append(QJsonObject{{"name", one.data().toString()},
                               {"outcome", one.siblingAtColumn(TestsModel::kVerdict).data().toString()}});
    }
    files.append(QJsonObject{{"file", file.data().toString()}, {"tests", cases}});
  }
  return QJsonObject{{"summary", model_.summary()}, {"files", files}};
}

}  // namespace weft::ide
