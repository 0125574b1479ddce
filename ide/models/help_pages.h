// Where the documents that come with Weft say what a view is for.
#pragma once

#include <QString>

namespace weft::ide {

/// The folder of the documents, beside the installed program or in the source tree; empty: they are not there.
QString find_documents();
/// The page of a view by its name on the command line, or of "editor", from that folder on; the first page of the IDE
/// for what has none.
QString help_page(const QString& view);

}  // namespace weft::ide
