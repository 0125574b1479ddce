// The whole program beside the model: the same frames through both, each frame that leaves compared on all bytes.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "firewall_run.h"
#include "nat_model.h"

namespace weft::test {

struct SentFrame {
  uint64_t at = 0;  ///< nanoseconds; frames of a list stand in the order of their times
  unsigned port = 0;
  Bytes bytes;
};

/// Writes a number into the identification of the IPv4 header, by which the frame is found again when it leaves.
void tag(Bytes& frame, size_t number);

struct CompareOptions {
  uint64_t tick = 1'000'000;   ///< nanoseconds
  uint32_t first_tick = 0;     ///< at cycle 0
  uint32_t release_ticks = 0;  ///< within which what has ended is given back
};

struct Compared {
  FirewallOutcome outcome;
  std::map<std::string, uint64_t> decisions;  ///< "forwarded", or the reason
  FirewallModel model;                        ///< after the last frame
};

/// Runs, compares, and makes check_accounts(). Frames are tagged by their place in the list.
Compared run_and_compare(FirewallRun run, std::vector<SentFrame> frames, const ModelConfig& config,
                         const CompareOptions& options = {});

// ---- frames of the stations of golden_router()
struct Ends {
  uint32_t source = 0, destination = 0;
  uint16_t source_port = 0, destination_port = 0;
};
struct TcpFields {
  uint8_t flags = 16;
  uint32_t sequence = 0, acknowledgment = 0;
  uint16_t window = 65535;
  Bytes options = {};
  size_t data = 0;
};
Bytes tcp_frame(unsigned port, const Ends& ends, const TcpFields& fields);
Bytes udp_frame(unsigned port, const Ends& ends, size_t data = 8, bool checksum = true);
Bytes echo_frame(unsigned port, uint32_t source, uint32_t destination, uint16_t identifier, bool reply);

}  // namespace weft::test
