// Runs the DiffServ edge router of examples/diffserv-edge-1200 on frames and gives back everything that came of them.
#pragma once

#include "../examples/forwarder1200.h"

namespace weft::test {

inline constexpr size_t kClassCount = 6;

struct EdgeSetup {
  std::string rules;                              ///< text of the rule file
  std::string other = "match any : class AF1\n";  ///< text of other.rules, for commands
  std::string settings;                           ///< further lines of router.conf
  bool range = false;                             ///< the classifier
  FramesByPort in;
  bool line_rate = false;  ///< back to back, else at the recorded times
  uint64_t quiet = 100'000;
  uint64_t cycles = 0;   ///< where the run ends at the latest; 0: by itself
  std::string commands;  ///< for the control processor: "at 1ms: show rules"
  bool log_meters = false;
};

struct EdgeResult : ForwarderResult {
  /// What a thread read when it came to a meter, in that order.
  struct Metered {
    unsigned thread = 0;
    uint64_t now = 0;  ///< 1/4096 cycles
    uint32_t bytes = 0;
  };
  std::vector<Metered> metered;
  std::string answers;  ///< to commands

  uint64_t figure(const std::string& row, int port, const std::string& column) const;
};

EdgeResult run_edge(const EdgeSetup& setup);

}  // namespace weft::test
