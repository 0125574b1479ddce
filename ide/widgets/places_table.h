// A table of places: Enter or a double click goes there, its menu sets breakpoints; what it shows can be copied and
// saved.
#pragma once

#include <QTableView>

#include "models/places_model.h"
#include "models/workspace.h"

namespace weft::ide {

QTableView* make_places_table(QWidget* parent, const QString& accessible_name, PlacesModel& model,
                              Workspace& workspace);

}  // namespace weft::ide
