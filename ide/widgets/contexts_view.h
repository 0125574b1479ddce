// All contexts: what they do, where they stand, what they wait for. The chosen one is the cursor's.
#pragma once

#include <QElapsedTimer>
#include <memory>

#include "models/contexts_model.h"
#include "views.h"

class QMenu;
class QStackedWidget;
class QTableView;

namespace weft::ide {

class ColumnWidths;
class EmptyPage;

class ContextsView final : public View {
  Q_OBJECT

 public:
  ContextsView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;

 private:
  void attach();
  void follow();
  void tell();
  void shown();
  void fill_menu(QMenu& menu, const QModelIndex& row);

  Workspace& workspace_;
  std::unique_ptr<ContextsModel> model_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QTableView* table_;
  ColumnWidths* widths_;
  QElapsedTimer measured_;
};

}  // namespace weft::ide
