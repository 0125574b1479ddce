// Where the documents that come with Weft are.
#pragma once

#include <QString>

namespace weft::ide {

/// The folder of the documents, beside the installed program or in the source tree; empty: they are not there.
QString find_documents();

}  // namespace weft::ide
