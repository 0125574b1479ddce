// What the words wrote that a context has executed last, by the lines of their texts. Values, made where the machine
// is.
#pragma once

#include <map>
#include <string>

#include "weft/workbench/inspect.h"

namespace weft::ide {

/// "n = 0x12" by file and line, of the last `max` executed words at most: each register once, after the word that
/// wrote it last. Empty where no history is recorded.
std::map<std::string, std::map<int, std::string>> line_values(const workbench::Inspector& machine,
                                                              workbench::ContextId id, unsigned max);

}  // namespace weft::ide
