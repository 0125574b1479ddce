// Traffic entries of a project as frame sources of the emulator.
#pragma once

#include <map>
#include <memory>

#include "weft/emulator/chip.h"
#include "weft/emulator/media.h"
#include "weft/packet/address.h"
#include "weft/packet/generator.h"
#include "weft/packet/pcap.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

class CaptureClock;

struct TrafficContext {
  uint64_t ticks_per_second = 0;
  uint64_t bits_per_second = 0;
  uint64_t seed = 1;
  packet::Mac port_mac;            ///< destination of generated frames unless the project names another
  CaptureClock* clock = nullptr;   ///< for captures at their own times
  packet::WireOverhead wire = {};  ///< of the port
};

/// The time base that all captures with their own times share: 0 is the earliest of their first time stamps.
class CaptureClock {
 public:
  /// Reads the captures of these ports. The error is named at the port's capture.
  Result<bool> read(const std::vector<PortEntry>& ports);
  /// The frames of a port at their times; nothing for other ports. They are given once.
  Result<std::vector<emulator::Frame>> take(const PortEntry& port, uint64_t ticks_per_second);

 private:
  std::map<unsigned, std::vector<packet::CapturedPacket>> captures_;
  uint64_t base_ = 0;  ///< nanoseconds
};

/// What frames cost on the wire of a port.
packet::WireOverhead wire_overhead(const emulator::PortDescription& port);

/// What generated traffic of a port is.
Result<packet::TrafficSpec> traffic_spec(const PortEntry& port, const TrafficContext& context);

/// The source of one port. `port` shifts the seed, so that ports do not send the same frames.
Result<std::unique_ptr<emulator::FrameSource>> make_frame_source(const PortEntry& port, const TrafficContext& context);

}  // namespace weft::workbench
