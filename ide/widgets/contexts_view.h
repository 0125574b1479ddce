// All contexts: what they do, where they stand, what they wait for. The chosen one is the cursor's.
#pragma once

#include <memory>

#include "models/contexts_model.h"
#include "views.h"

class QStackedWidget;
class QTableView;

namespace weft::ide {

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

  Workspace& workspace_;
  std::unique_ptr<ContextsModel> model_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QTableView* table_;
  bool sized_ = false;
};

}  // namespace weft::ide
