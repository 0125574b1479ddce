// Places in texts, a row each: references of a name, or what a search has found.
#pragma once

#include <QAbstractTableModel>
#include <vector>

#include "file_names.h"

namespace weft::ide {

struct FoundPlace {
  QString path;
  int line = 1, column = 1;  ///< from 1; columns in bytes
  int length = 0;            ///< bytes
  QString kind;              ///< "definition", "reads" ...; of a search: empty
  QString text;              ///< of the line
  int begin = 0;             ///< of the stretch in `text`, in characters
  int size = 0;
};

class PlacesModel final : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { kPlace, kKind, kText, kColumns };

  using QAbstractTableModel::QAbstractTableModel;
  void set(std::vector<FoundPlace> places, const FileNames& names = {});
  void add(std::vector<FoundPlace> places);
  /// Null: no such row.
  const FoundPlace* at(int row) const;
  const std::vector<FoundPlace>& places() const { return places_; }

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

 private:
  std::vector<FoundPlace> places_;
  FileNames names_;
};

}  // namespace weft::ide
