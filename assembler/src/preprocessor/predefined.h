// The names that exist before the first line is read, as the text of a source file of #defines.
#pragma once

#include "preprocessor/preprocessor.h"

namespace weft::assembler {

/// The bit of a chip in __IXPTYPE; 0 for a chip that is not known.
int64_t chip_type(const std::string& chip);
std::string predefined_text(const std::string& chip, const PreprocessSettings& settings);

}  // namespace weft::assembler
