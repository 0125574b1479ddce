// The project as a tree: its chips with microengines and contexts, whose states live, and all files that it is made of.
#pragma once

#include <QStandardItemModel>
#include <map>
#include <optional>

#include "workspace.h"

namespace weft::ide {

/// Files of the project that are not microcode: what it reads.
QStringList other_files(const workbench::Project& project);
/// Its test files, for `weft test`.
QStringList tests_of(const workbench::Project& project);

class ProjectTreeModel final : public QStandardItemModel {
  Q_OBJECT

 public:
  /// What a row is, in kKindRole.
  enum class Kind { group, chip, engine, context, file };
  Q_ENUM(Kind)
  enum Role { kKindRole = Qt::UserRole + 1, kPathRole, kContextRole };

  explicit ProjectTreeModel(Workspace& workspace, QObject* parent = nullptr);

  std::optional<ContextId> context(const QModelIndex& index) const;
  QModelIndex index_of(ContextId id) const;

 private:
  void attach();
  void fill();
  void fill_chips();
  void show_states();
  void fill_sources();
  void fill_files(QStandardItem* group, const QStringList& paths, const QString& folder);

  Workspace& workspace_;
  QStandardItem *chips_ = nullptr, *sources_ = nullptr;  ///< groups of the project that is open
  std::map<ContextId, QStandardItem*> contexts_;
};

}  // namespace weft::ide
