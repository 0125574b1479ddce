// The words that the coverage view's search and threshold find, a row each.
#pragma once

#include <QAbstractTableModel>

#include "coverage_model.h"

namespace weft::ide {

class CoverageTable final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kAddress, kCount, kTaken, kNotTaken, kKept, kDifference, kLabel, kPlace, kInstruction, kColumns };
  static constexpr int kSortRole = Qt::UserRole;  ///< numbers as numbers

  explicit CoverageTable(CoverageModel& model, QObject* parent = nullptr);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  uint32_t address(int row) const { return rows_[static_cast<size_t>(row)]; }
  int row_of(uint32_t address) const;  ///< -1: not found

 private:
  void refresh();
  CoverageModel& model_;
  std::vector<uint32_t> rows_;
};

}  // namespace weft::ide
