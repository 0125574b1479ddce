// Runs a router of examples/ as its weft.json has it, on given frames, and compares what came of them with a reference
// that decides frame by frame: every frame is accounted for, and those of one input port leave an output port in their
// order.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "forwarder.h"
#include "weft/workbench/project.h"

namespace weft::test {

struct RouterRun {
  std::string example;              ///< folder in examples/
  std::vector<unsigned> receivers;  ///< microengines that run receive.uc
  std::string config;               ///< text of router.conf
  std::map<unsigned, std::vector<workbench::ListedFrame>> in;
  std::string checks = "off,buffer-free=warn,buffer-leak=warn,access=warn";
  std::string commands = {};  ///< of the control processor, as in a file for --control
  std::vector<std::pair<std::string, std::string>> defines = {};  ///< of all programs, besides those of weft.json
  uint64_t quiet = 400'000;  ///< engine cycles without a frame leaving; the core empties its ring meanwhile
};

struct RouterOutcome {
  std::map<unsigned, std::vector<Bytes>> out;         ///< padded to the shortest frame
  std::map<unsigned, std::vector<uint64_t>> left_at;  ///< nanoseconds, of the last bits
  std::vector<std::string> log;                       ///< what commands print
  workbench::Report report;
  unsigned buffers_before = 0, buffers_after = 0;  ///< in the free list, or kept by the receivers for the next frame
  Diagnostics findings;

  uint64_t dropped(const std::string& reason) const;
  uint64_t to_core(const std::string& reason) const;
  /// Frames that the control processor has sent.
  uint64_t core_sent() const;
  /// Packets that the control processor has taken, whatever it made of them.
  uint64_t core_taken() const;
};

/// Fails the running test case when the run ends otherwise than quiet.
RouterOutcome run_router(const RouterRun& run);

struct RouterDecision {
  std::string text;  ///< "sent", "drop REASON", "core REASON", or "lost" (the port takes no such frame)
  unsigned port = 0;
  Bytes frame;
};
using RouterReference = std::function<RouterDecision(unsigned port, const Bytes& frame)>;

struct Comparison {
  std::map<std::string, uint64_t> expected;  ///< by decision
  uint64_t forwarded = 0;                    ///< left as the reference says
  uint64_t missing = 0;                      ///< should have left
  uint64_t foreign = 0;    ///< left, and no frame that came in becomes one: what the control processor sends
  uint64_t misplaced = 0;  ///< left twice, or after a later one of the same input port
};

/// Checks that the outcome is that of the reference. What rings had no room for is told by counters of its own, so it
/// may be missing from the frames that leave, or from those that the core gets. `order`: frames tell by their octets
/// whence they came.
Comparison compare(const RouterRun& run, const RouterOutcome& outcome, const RouterReference& reference,
                   bool order = true);

}  // namespace weft::test
