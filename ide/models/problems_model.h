// What is wrong, a row each: where, what, and what to do about it.
#pragma once

#include <QAbstractTableModel>

#include "file_names.h"
#include "weft/base/diagnostic.h"

namespace weft::ide {

class ProblemsModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kSeverity, kText, kRemedy, kPlace, kCode, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void set(Diagnostics problems, const FileNames& names = {});
  /// Null: no such row.
  const Diagnostic* at(int row) const;
  size_t errors() const { return problems_.error_count(); }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  Diagnostics problems_;
  FileNames names_;
};

}  // namespace weft::ide
