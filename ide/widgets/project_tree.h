// The project's tree in a dock: opens files, and chooses contexts.
#pragma once

#include <QTreeView>

#include "models/project_tree.h"
#include "views.h"

namespace weft::ide {

struct BreakpointRow;

class ProjectTree final : public View {
  Q_OBJECT

 public:
  ProjectTree(Workspace& workspace, Theme theme);
  QJsonValue state() const override;

 private:
  void attached();
  void activate(const QModelIndex& index);
  void follow();
  BreakpointRow breakpoints_of(const QModelIndex& index) const;

  Workspace& workspace_;
  ProjectTreeModel model_;
  QTreeView* tree_;
};

}  // namespace weft::ide
