// All breakpoints: what they wait for, how often they were hit, and what is done then.
#pragma once

#include "models/breakpoints_model.h"
#include "views.h"

class QAction;
class QLabel;
class QTableView;

namespace weft::ide {

class BreakpointsView final : public View {
  Q_OBJECT

 public:
  BreakpointsView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;

 private:
  std::optional<size_t> chosen() const;
  void add();
  void edit();
  void remove();
  void toggle();
  void go();
  void switch_all(bool on);
  void save();
  void show_state();

  Workspace& workspace_;
  BreakpointsModel* model_;
  QTableView* table_;
  QLabel* empty_;
  std::vector<QAction*> of_one_;  ///< that need a chosen row
};

}  // namespace weft::ide
