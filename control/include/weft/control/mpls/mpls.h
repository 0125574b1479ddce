// The control program "mpls": the router's (ipv4.h), with label switched paths.
#pragma once

#include "weft/control/config.h"
#include "weft/control/control.h"

namespace weft::control::mpls {

/// Reads a router configuration with lines about labels (config.h).
Result<ControlSetup> load_mpls_control(const std::string& path, const ControlOptions& options = {});

/// What is in memory and in the microcode's constants besides what the router has without labels. `options` is that of
/// the board; the tables get less of its SRAM.
struct Extra {
  std::vector<image::MemoryWrite> memory;
  std::map<std::string, uint64_t> constants;
  std::map<std::string, image::Withheld> withheld;
  ControlOptions options;
};
Result<Extra> make_extra(const RouterConfig& config, const ControlOptions& options, uint32_t buffers);

}  // namespace weft::control::mpls
