// The project's tests: run all, or those that are chosen; a failure says what was expected and what came, and leads to
// the place that expects it.
#pragma once

#include "models/tests_model.h"
#include "views.h"

class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QToolBar;
class QTreeView;

namespace weft::ide {

class EmptyPage;

class TestsView final : public View {
  Q_OBJECT

 public:
  TestsView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;
  TestsModel& model() { return model_; }
  QTreeView* tree() const { return tree_; }
  QString detail() const;

 Q_SIGNALS:
  /// For the margin of the texts; `shown`: the user wants to see it there.
  void coverage_changed(bool shown);

 private:
  void make_bar();
  void attach();
  void tell();
  void show_row();
  void go_to(const QModelIndex& index);

  Workspace& workspace_;
  TestsModel model_;
  QToolBar* bar_;
  QTreeView* tree_;
  QPlainTextEdit* detail_;
  QLabel* summary_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QAction *run_ = nullptr, *run_chosen_ = nullptr, *stop_ = nullptr, *open_ = nullptr, *debug_ = nullptr,
          *cover_ = nullptr;
  bool asked_ = false;  ///< by the user: the first failure is shown when they have ended
};

}  // namespace weft::ide
