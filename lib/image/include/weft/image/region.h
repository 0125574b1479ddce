// How regions are called, in Images as in sources and expressions.
#pragma once

#include <string_view>

#include "weft/image/image.h"

namespace weft::image {

/// "scratch", "sram0" to "sram3", "dram", "local".
std::string_view region_name(Region region);

}  // namespace weft::image
