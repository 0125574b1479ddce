// Tables of figures: what the statistics view shows, as values that any thread can make, and the model that shows one
// of them, beside the same table of another run.
#pragma once

#include <QAbstractTableModel>
#include <optional>
#include <string>
#include <vector>

#include "weft/workbench/inspect.h"

namespace weft::ide {

struct FigureColumn {
  enum class Kind {
    text,
    count,    ///< qulonglong
    percent,  ///< double, 0 to 100; also painted as a bar
    decimal,  ///< double
    depth,    ///< text, and a histogram that is painted
  };
  QString name;
  Kind kind = Kind::text;
  bool compared = false;  ///< gets a column with the difference from the other run
  int digits = 2;         ///< of percent and decimal
  bool idle = false;      ///< what nobody uses: its bars are grey
};

struct FigureRow {
  std::vector<QVariant> values;  ///< one for each column; invalid: there is no such figure
  std::string file = {};         ///< where a click goes; empty: nowhere
  uint32_t line = 0;
  std::optional<workbench::ContextId> context = {};
  std::vector<double> histogram = {};  ///< shares from 0 to 1 of n = 0, 1, 2 ...; of the column of kind depth
};

struct FigureTable {
  const char* name = "";  ///< for states and files: "contexts"
  QString title;
  QString empty;  ///< why it has no rows
  int keys = 1;   ///< as many columns in front say which row it is
  std::vector<FigureColumn> columns;
  std::vector<FigureRow> rows;
  bool of_range = false;  ///< of the chosen range alone
};

class FiguresModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  static constexpr int kSortRole = Qt::UserRole;           ///< numbers as numbers
  static constexpr int kShareRole = Qt::UserRole + 1;      ///< double, 0 to 1: the bar of a cell
  static constexpr int kHistogramRole = Qt::UserRole + 2;  ///< QVariantList of doubles
  static constexpr int kIdleRole = Qt::UserRole + 3;       ///< true: of a column of what nobody uses

  using QAbstractTableModel::QAbstractTableModel;

  /// Rows and columns of the same names stay where they are. `kept`: the same table of another run; null: none.
  void show(FigureTable table, const FigureTable* kept);
  const FigureTable& table() const { return table_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
  const FigureRow& row(int row) const { return table_.rows[static_cast<size_t>(row)]; }
  int row_of(workbench::ContextId id) const;  ///< -1: none
  /// Numbers as they are, without separators of thousands.
  QString csv() const;

 private:
  struct Shown {
    size_t column = 0;
    bool difference = false;
    bool operator==(const Shown&) const = default;
  };
  QVariant value(int row, Shown shown) const;
  FigureTable table_;
  std::vector<std::optional<FigureRow>> kept_rows_;  ///< of each row
  bool compares_ = false;
  std::vector<Shown> shown_;
};

}  // namespace weft::ide
