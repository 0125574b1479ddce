// What every table can do: copy what it shows, and save it as CSV.
#pragma once

class QMenu;
class QTableView;

namespace weft::ide {

class Workspace;

/// "Copy all" and "Save as CSV..." in the table's context menu, for the model that it has then.
void add_table_exports(QTableView* table, Workspace& workspace);
/// The same after what stands in a menu that the table's view makes.
void add_table_exports(QMenu& menu, QTableView* table, Workspace& workspace);

}  // namespace weft::ide
