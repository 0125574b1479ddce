// The names that exist before the first line is read, as the text of a source file of #defines.
#pragma once

#include "preprocessor/preprocessor.h"

namespace weft::assembler {

/// The bit of a chip in __IXPTYPE. A family that has no name in programs counts as IXP1200 or IXP2400, by its profile.
int64_t chip_type(const Options& options);
std::string predefined_text(const Options& options, const PreprocessSettings& settings);

}  // namespace weft::assembler
