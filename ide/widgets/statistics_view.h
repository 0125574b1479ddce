// Statistics of a run: where cycles went, what units, ports and lines did, and what differs from another run.
#pragma once

#include <QSortFilterProxyModel>

#include "models/statistics_model.h"
#include "views.h"

class QComboBox;
class QLabel;
class QLineEdit;
class QMenu;
class QStackedWidget;
class QTabBar;
class QTableView;
class QToolBar;

namespace weft::ide {

class EmptyPage;

class FigureCells;

class StatisticsView final : public View {
  Q_OBJECT

 public:
  StatisticsView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;
  void set_theme(Theme theme) override;

  StatisticsModel& model() { return model_; }
  FiguresModel& figures() { return figures_; }
  QTableView& table() { return *table_; }
  /// "contexts", "units" ... (StatisticsTables).
  void show_table(const QString& name);
  /// All as `weft run --stats=FILE` writes it (.txt, .csv, .json), or the profile (.folded and profile.txt,
  /// profile.json).
  void save(const QString& path, bool profile);

 private:
  void set_watching(bool on) override { model_.set_watching(on); }
  void make_bar();
  void tell();
  void fill();
  void follow();
  void fill_menu(QMenu& menu);
  void offer(bool profile);
  QString chosen_table() const;

  Workspace& workspace_;
  StatisticsModel model_;
  FiguresModel figures_;
  QSortFilterProxyModel sorted_;
  QTabBar* tabs_;
  QToolBar* bar_;
  QComboBox* group_;
  QLineEdit* search_;
  QTableView* table_;
  FigureCells* cells_;
  QLabel* title_;
  EmptyPage *empty_, *no_rows_;
  QStackedWidget *pages_, *inner_;
  QAction *forget_ = nullptr, *range_ = nullptr, *group_action_ = nullptr;
  QString shown_;
  bool sized_ = false;
};

}  // namespace weft::ide
