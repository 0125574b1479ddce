// Where a name is declared and used, in all programs of the project.
#pragma once

#include "models/places_model.h"
#include "views.h"

class QLabel;
class QTableView;

namespace weft::ide {

class ReferencesView final : public View {
  Q_OBJECT

 public:
  ReferencesView(Workspace& workspace, Theme theme);
  void show_references(const QString& what, std::vector<FoundPlace> places);
  QJsonValue state() const override;

 private:
  Workspace& workspace_;
  PlacesModel* model_;
  QLabel* what_;
  QTableView* table_;
};

}  // namespace weft::ide
