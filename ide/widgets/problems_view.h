// What is wrong with the project, and where. Enter or a double click goes there.
#pragma once

#include "models/problems_model.h"
#include "views.h"

class QStackedWidget;
class QTableView;

namespace weft::ide {

class EmptyPage;

class ProblemsView final : public View {
  Q_OBJECT

 public:
  ProblemsView(Workspace& workspace, Theme theme);
  QJsonValue state() const override;

 private:
  void tell();

  Workspace& workspace_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  ProblemsModel* model_;
  QTableView* table_;
};

}  // namespace weft::ide
