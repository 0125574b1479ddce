// The control program "filter": the routers' program, and the rules of a filter (examples/firewall-filter).
//
// Options of the project beside those of the routers: `rules` FILE, from the folder of the configuration; `store` sram,
// local or compiled, when left out compiled if programs have "rules", else sram.
#pragma once

#include "weft/control/control.h"

namespace weft::control::firewall {

inline constexpr uint32_t kFilterControl = 0x3f00;  ///< scratch
inline constexpr uint32_t kFilterTableBytes =
    32 * 1024;  ///< room for 1,023 rules and the default; two of them stand at the end of each SRAM channel
inline constexpr uint32_t kFiltered = 24;  ///< reason

Result<ControlSetup> load_filter_control(const std::string& path, const ControlOptions& options);

}  // namespace weft::control::firewall
