// Who wrote this, who reads it next: a chain through time, whose links move the cursor.
#pragma once

#include "models/origin_tree.h"
#include "views.h"

class QLabel;
class QLineEdit;
class QStackedWidget;
class QMenu;
class QTreeView;

namespace weft::ide {

class EmptyPage;

class OriginView final : public View {
  Q_OBJECT

 public:
  OriginView(Workspace& workspace, Theme);
  QJsonValue state() const override;
  OriginTree& model() { return model_; }
  QTreeView* tree() const { return tree_; }

 private:
  void attach();
  void ask(const workbench::Holder& what);
  void tell();
  /// The cursor of time, the context and the text.
  void go(const QModelIndex& row);
  void menu(const QPoint& at);
  void fill_menu(QMenu& menu, const QModelIndex& row);

  Workspace& workspace_;
  OriginTree model_;
  QLabel* title_;
  QLineEdit* name_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QTreeView* tree_;
};

}  // namespace weft::ide
