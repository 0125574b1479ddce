// Runs examples/firewall-napt on given frames, and says afterwards where every connection, port and buffer is.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "firewall/connections.h"
#include "nat_model.h"
#include "weft/workbench/project.h"
#include "weft/workbench/session.h"

namespace weft::test {

struct FirewallRun {
  std::string config;  ///< text of router.conf
  std::string rules;   ///< text of rules.txt, which the configuration may name
  std::map<unsigned, std::vector<workbench::ListedFrame>> in;
  std::string commands = {};
  uint64_t quiet = 200'000;                               ///< engine cycles without a frame leaving
  std::function<void(workbench::Session&)> prepare = {};  ///< before cycle 0
};

struct LeftFrame {
  unsigned port = 0;
  uint64_t at = 0;  ///< nanoseconds
  Bytes bytes;
};

struct FirewallOutcome {
  std::vector<LeftFrame> out;  ///< by time
  std::vector<std::string> log;
  workbench::Report report;
  unsigned buffers_before = 0, buffers_after = 0;          ///< free, or kept by the receivers for the next frame
  std::vector<control::firewall::Connection> connections;  ///< those in use
  uint32_t entries = 0;                                    ///< that there are
  uint32_t free_entries = 0;  ///< in the list or on its ring, or in the hand of the engine that moves them there
  uint32_t ports_in_use[3] = {0, 0, 0};     ///< bits set beside those that are never given: TCP, UDP, ICMP
  uint32_t mappings[3] = {0, 0, 0};         ///< records that buckets lead to
  uint32_t free_mappings = 0;               ///< records on the stack of free ones
  std::vector<std::string> wrong_mappings;  ///< what is wrong with them; empty: nothing
  uint32_t lost_entries = 0;                ///< neither free nor in use, or both, or twice
  uint32_t running[control::firewall::kRunningLongwords] = {};
  uint32_t chained = 0;  ///< nodes that buckets lead to
  Diagnostics findings;

  uint64_t dropped(const std::string& reason) const;
  uint64_t to_core(const std::string& reason) const;
};

/// Fails the running test case when the run ends otherwise than quiet.
FirewallOutcome run_firewall(const FirewallRun& run);

/// Every buffer is free again, every entry is free or in use, every connection is found from both sides, and exactly
/// the ports of connections are taken, one for each station's port, which has one mapping.
void check_accounts(const FirewallOutcome& outcome);

/// The configuration of the measured scenarios, with further lines, and the recorded rules: the chain `filt` of
/// tests/data/golden/napt.json. `ct state invalid` and `related` need no rule here: both are decided before them.
std::string golden_router(const std::string& more = {});
inline constexpr const char* kGoldenRules =
    "accept state established\n"
    "accept in A state new\n"
    "accept in B status dnat\n"
    "default drop\n";

}  // namespace weft::test
