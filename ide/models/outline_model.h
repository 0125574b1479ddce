// The outline of a text as a tree: its macros, labels, scopes, stages and registers, with what is inside of them.
#pragma once

#include <QStandardItemModel>

#include "weft/assembler/index.h"

namespace weft::ide {

class OutlineModel final : public QStandardItemModel {
  Q_OBJECT

 public:
  enum Role { kLineRole = Qt::UserRole + 1, kColumnRole, kLastLineRole };

  explicit OutlineModel(QObject* parent = nullptr);
  /// The same rows stay as they are, so that what is open stays open.
  void show(const std::vector<assembler::IndexOutline>& outline);
  /// The innermost row around a line; not valid: none.
  QModelIndex row_at(int line) const;
};

}  // namespace weft::ide
