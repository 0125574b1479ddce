// The words that the coverage view's search and threshold find, a row each.
#pragma once

#include "coverage_model.h"
#include "table_model.h"

namespace weft::ide {

class CoverageTable final : public TableModel {
  Q_OBJECT

 public:
  // What a word is, and how often it ran, comes first: a narrow list shows no more.
  enum Column { kAddress, kCount, kKept, kDifference, kInstruction, kPlace, kLabel, kTaken, kNotTaken, kColumns };
  static constexpr int kNumberRole = Qt::UserRole;  ///< numbers as numbers

  explicit CoverageTable(CoverageModel& model, QObject* parent = nullptr);

  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  /// Sorts itself: a program has up to 8,192 words, and their counts change while it runs. Words without a value come
  /// last.
  void sort(int column, Qt::SortOrder order = Qt::AscendingOrder) override;

  uint32_t address(int row) const { return rows_[static_cast<size_t>(row)]; }
  int row_of(uint32_t address) const;  ///< -1: not found

 private:
  size_t rows() const override { return rows_.size(); }
  QStringList names() const override;

  void refresh();
  std::vector<uint32_t> ordered() const;
  CoverageModel& model_;
  std::vector<uint32_t> hits_, rows_;  ///< by address, and as they are shown
  std::vector<int> places_;            ///< row of each address; -1: none
  int column_ = kAddress;
  Qt::SortOrder order_ = Qt::AscendingOrder;
};

}  // namespace weft::ide
