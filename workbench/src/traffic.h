// Traffic entries of a project as frame sources of the emulator.
#pragma once

#include <memory>

#include "weft/emulator/media.h"
#include "weft/packet/address.h"
#include "weft/packet/generator.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

struct TrafficContext {
  uint64_t ticks_per_second = 0;
  uint64_t bits_per_second = 0;
  uint64_t seed = 1;
  packet::Mac port_mac;  ///< destination of generated frames unless the project names another
};

/// What generated traffic of a port is.
Result<packet::TrafficSpec> traffic_spec(const PortEntry& port, const TrafficContext& context);

/// The source of one port. `port` shifts the seed, so that ports do not send the same frames.
Result<std::unique_ptr<emulator::FrameSource>> make_source(const PortEntry& port, const TrafficContext& context);

}  // namespace weft::workbench
