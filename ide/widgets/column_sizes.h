// Columns of tables that are sorted, in little room.
#pragma once

class QTableView;

namespace weft::ide {

/// Columns as wide as what they hold and their names, at most `max` pixels. Only the one that sorts has room for the
/// arrow of sorting; another one gets it when it sorts.
void size_columns(QTableView* table, int max);

}  // namespace weft::ide
