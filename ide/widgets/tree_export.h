// What every tree of rows has in its context menu: copy and save all of it.
#pragma once

class QTreeView;
class QWidget;

namespace weft::ide {

class Workspace;

/// Rows that are inside of others are moved in by two blanks; a comma between columns in the file, a tab in the
/// clipboard.
void add_tree_exports(QTreeView* tree, Workspace& workspace);
/// The same actions for a menu that has others too.
void add_tree_exports(QWidget& to, QTreeView* tree, Workspace& workspace);

}  // namespace weft::ide
