// CSRs, CAM and signals, queues and rings: trees of what the machine holds besides registers and memory. Three views of
// one make.
#pragma once

#include "models/refresh_request.h"
#include "models/state_rows.h"
#include "value_menu.h"
#include "views.h"

class QLabel;
class QLineEdit;
class QTreeView;
class QStackedWidget;

namespace weft::ide {

class EmptyPage;

class StateView : public View {
  Q_OBJECT

 public:
  enum class What { csrs, engine, queues };
  QJsonValue state() const override;
  QTreeView* tree() const { return tree_; }

 protected:
  StateView(Workspace& workspace, What what);

 private:
  void attach();
  void refresh();
  void take(const StateRows& rows);
  void filter();
  void activate(const QModelIndex& index);
  void edit(const QModelIndex& index);
  void show_sender(const QModelIndex& index);
  void menu(const QPoint& at);
  std::optional<ValueName> value_of(const QModelIndex& row) const;
  QString text_of_tree(QChar between) const;
  void showEvent(QShowEvent* event) override;

  Workspace& workspace_;
  What what_;
  StateTree model_;
  QLabel* title_;
  QLineEdit* search_;
  QTreeView* tree_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  std::optional<ContextId> shown_;
  RefreshRequest request_;
  bool opened_ = false;
};

class CsrsView final : public StateView {
  Q_OBJECT

 public:
  CsrsView(Workspace& workspace, Theme) : StateView(workspace, What::csrs) {}
};
class CamView final : public StateView {
  Q_OBJECT

 public:
  CamView(Workspace& workspace, Theme) : StateView(workspace, What::engine) {}
};
class QueuesView final : public StateView {
  Q_OBJECT

 public:
  QueuesView(Workspace& workspace, Theme) : StateView(workspace, What::queues) {}
};

}  // namespace weft::ide
