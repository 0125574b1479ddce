// Packets of a run as a test for `weft test` (docs/testing.md): the frames that came, and what became of them.
#pragma once

#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/emulator/observers/packets.h"

namespace weft::workbench {

/// A packet of a run, with its frame (PacketLimits::frames).
struct PacketOfCase {
  unsigned port = 0;
  uint64_t nanoseconds = 0;  ///< when it had arrived
  bool damaged = false;
  std::vector<uint8_t> frame;
  emulator::Verdict verdict = emulator::Verdict::in_flight;
  std::string reason;
  int out_port = -1;
  std::vector<uint8_t> sent;  ///< when it was forwarded
};

/// Writes the test file. The packets run alone first, in the order of their times: what is expected are the frames that
/// left then, and the reasons that were counted. They must be what became of the packets in their run, and the file
/// must pass as `weft test` runs it; otherwise nothing is written. Gives the name of the test. Diagnostics:
/// packet-case-frames (a frame was not kept, or there are none), packet-case-board (several chips), packet-case-other
/// (alone they fare otherwise: they depend on packets before them, or on commands), packet-case-fails, and those of
/// projects and files.
Result<std::string> write_packet_case(const std::string& project, const std::vector<PacketOfCase>& packets,
                                      const std::string& file);

}  // namespace weft::workbench
