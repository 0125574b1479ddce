#include "places_table.h"

#include "breakpoint_menu.h"
#include "table_export.h"
#include "tables.h"

namespace weft::ide {

QTableView* make_places_table(QWidget* parent, const QString& accessible_name, PlacesModel& model,
                              Workspace& workspace) {
  QTableView* table = make_table(parent, accessible_name);
  table->setModel(&model);
  QObject::connect(table, &QTableView::activated, table, [&model, &workspace](const QModelIndex& index) {
    if (const FoundPlace* place = model.at(index.row()))
      Q_EMIT workspace.place_requested(place->path, place->line, place->column);
  });
  add_table_exports(table, workspace);
  add_breakpoint_menus(table, workspace, [&model](const QModelIndex& index) {
    const FoundPlace* place = model.at(index.row());
    return place != nullptr ? BreakpointRow{place->path, place->line, {}, {}, true} : BreakpointRow();
  });
  return table;
}

}  // namespace weft::ide
