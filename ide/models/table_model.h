// A table that is one list: how many rows and columns a view finds, and what stands above them, is the same for all.
#pragma once

#include <QAbstractTableModel>
#include <QStringList>

namespace weft::ide {

class TableModel : public QAbstractTableModel {
 public:
  int rowCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : static_cast<int>(rows()); }
  int columnCount(const QModelIndex& parent = {}) const final { return parent.isValid() ? 0 : columns_; }
  /// The names of the columns. Who has tips too says so before this.
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole || section < 0 || section >= columns_) return {};
    return names()[section];
  }

 protected:
  TableModel(int columns, QObject* parent) : QAbstractTableModel(parent), columns_(columns) {}
  virtual size_t rows() const = 0;
  virtual QStringList names() const = 0;
  /// A name for each of so many columns.
  template <int columns, class... Name>
  static QStringList names_of(const Name&... names) {
    static_assert(sizeof...(names) == columns);
    return {names...};
  }

 private:
  int columns_;
};

}  // namespace weft::ide
