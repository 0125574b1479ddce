// The project's tree in a dock: opens files, and chooses contexts.
#pragma once

#include <QStackedWidget>
#include <QTreeView>

#include "models/project_tree.h"
#include "views.h"

namespace weft::ide {

class EmptyPage;
struct BreakpointRow;

class ProjectTree final : public View {
  Q_OBJECT

 public:
  ProjectTree(Workspace& workspace, Theme theme);
  QJsonValue state() const override;

 private:
  void attached();
  void tell();
  void activate(const QModelIndex& index);
  void follow();
  BreakpointRow breakpoints_of(const QModelIndex& index) const;

  Workspace& workspace_;
  ProjectTreeModel model_;
  QStackedWidget* pages_;
  EmptyPage* empty_;
  QTreeView* tree_;
};

}  // namespace weft::ide
