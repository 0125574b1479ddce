// One style of counts: those in sentences of the machine and the project get the separators that tables give them.
#pragma once

#include <QString>

namespace weft::ide {

/// "the limit of 36000 cycles was reached" has 36,000; addresses, values and names stay as they are.
QString counts_with_separators(const QString& text);

}  // namespace weft::ide
