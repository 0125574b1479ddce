// What is wrong, a row each: where, what, and what to do about it.
#pragma once

#include "file_names.h"
#include "table_model.h"
#include "weft/base/diagnostic.h"

namespace weft::ide {

class ProblemsModel final : public TableModel {
  Q_OBJECT

 public:
  enum Column { kSeverity, kText, kRemedy, kPlace, kCode, kColumns };

  explicit ProblemsModel(QObject* parent = nullptr) : TableModel(kColumns, parent) {}
  void set(Diagnostics problems, const FileNames& names = {});
  /// Null: no such row.
  const Diagnostic* at(int row) const;
  size_t errors() const { return problems_.error_count(); }

  QVariant data(const QModelIndex& index, int role) const override;

 private:
  size_t rows() const override { return problems_.size(); }
  QStringList names() const override;

  Diagnostics problems_;
  FileNames names_;
};

}  // namespace weft::ide
