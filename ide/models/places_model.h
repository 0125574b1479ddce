// Places in texts, a row each: references of a name, or what a search has found.
#pragma once

#include <vector>

#include "file_names.h"
#include "table_model.h"

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

class PlacesModel final : public TableModel {
  Q_OBJECT

 public:
  enum Column { kPlace, kKind, kText, kColumns };

  explicit PlacesModel(QObject* parent = nullptr) : TableModel(kColumns, parent) {}
  void set(std::vector<FoundPlace> places, const FileNames& names = {});
  void add(std::vector<FoundPlace> places);
  /// Null: no such row.
  const FoundPlace* at(int row) const;
  const std::vector<FoundPlace>& places() const { return places_; }

  QVariant data(const QModelIndex& index, int role) const override;

 private:
  size_t rows() const override { return places_.size(); }
  QStringList names() const override;

  std::vector<FoundPlace> places_;
  FileNames names_;
};

}  // namespace weft::ide
