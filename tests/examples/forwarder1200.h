// Runs the IXP1200 forwarder of examples/ipv4-forwarder-1200 on frames and gives back everything that came of them.
#pragma once

#include "forwarder.h"
#include "reference.h"

namespace weft::test {

inline constexpr unsigned kPorts1200 = 9, kBuffers1200 = 2048, kGigabit = 8;

struct Setup1200 {
  std::string config;  ///< text of router.conf; empty: that of star1200()
  FramesByPort in;
  bool line_rate = false;    ///< back to back, else at the recorded times
  uint64_t quiet = 100'000;  ///< engine cycles without a frame leaving, after the last one entered
  workbench::Observation observation;
};

/// Buffers on the hardware list, or in the hands of a receiver.
unsigned free_buffers1200(workbench::Session& session);
ForwarderResult run_forwarder1200(const Setup1200& setup);

/// Port p: 02:00:00:00:12:0p, 10.0.p.1/24, a neighbour 10.0.p.2 (02:00:00:00:aa:0p) with 20.p.0.0/16 behind it.
/// Networks of 24 bits and single hosts of 20.p lie behind other ports.
std::string star1200();
/// The same router in plain C++.
ReferenceRouter reference1200();

/// A UDP frame that comes in by a port. Its source says so, also when it leaves.
Bytes frame_from(unsigned in, uint32_t destination, uint32_t size, uint32_t index, uint16_t source_port = 1024);

/// The time that a frame takes on the wire of a port, with preamble, check sequence and gap.
uint64_t wire_nanoseconds(unsigned port, size_t bytes);

}  // namespace weft::test
