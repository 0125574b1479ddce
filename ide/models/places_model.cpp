#include "places_model.h"

namespace weft::ide {

void PlacesModel::set(std::vector<FoundPlace> places, const FileNames& names) {
  beginResetModel();
  names_ = names;
  places_ = std::move(places);
  endResetModel();
}

void PlacesModel::add(std::vector<FoundPlace> places) {
  if (places.empty()) return;
  const int first = static_cast<int>(places_.size());
  beginInsertRows({}, first, first + static_cast<int>(places.size()) - 1);
  places_.insert(places_.end(), std::make_move_iterator(places.begin()), std::make_move_iterator(places.end()));
  endInsertRows();
}

const FoundPlace* PlacesModel::at(int row) const {
  return row >= 0 && row < rowCount() ? &places_[static_cast<size_t>(row)] : nullptr;
}

QVariant PlacesModel::data(const QModelIndex& index, int role) const {
  const FoundPlace* place = index.isValid() ? at(index.row()) : nullptr;
  if (place == nullptr) return {};
  if (role == Qt::ToolTipRole && index.column() == kPlace) return place->path;
  if (role != Qt::DisplayRole) return {};
  switch (index.column()) {
    case kPlace: return QStringLiteral("%1:%2").arg(names_.name(place->path)).arg(place->line);
    case kKind: return place->kind;
    case kText: return place->text.trimmed();
    default: return {};
  }
}

QStringList PlacesModel::names() const { return names_of<kColumns>(tr("Place"), tr("Use"), tr("Text")); }

}  // namespace weft::ide
