// Measurements in the manner of RFC 2544: how much a project forwards without loss, and how long a packet takes.
//
// A project's own generated traffic is offered, at other sizes and rates. A trial offers a number of packets; the
// standard offers for 60 seconds, which no cycle-accurate emulator does. Rates are those of the emulated wire and the
// chip's clock.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/workbench/project.h"

namespace weft::workbench {

/// What part of the packets is not for the router's fast way (claim I11 of Brink et al. has all three).
struct BenchMix {
  TrafficEntry::Special special = TrafficEntry::Special::none;
  uint32_t permille = 0;
};

struct Offered {
  std::string size = "64";    ///< octets with check sequence, or "imix"
  uint32_t permille = 1000;   ///< of the line rate
  uint64_t packets = 10'000;  ///< into each port that has generated traffic
  BenchMix mix;
};

/// Work of one microengine, or of all engines that run one program, in the window of a trial.
struct StageFigures {
  std::string name;  ///< the program
  std::vector<unsigned> engines;
  /// Engine cycles for each packet that entered: of all its engines together.
  double executing = 0, aborted = 0, stalled = 0, idle = 0;
  double instructions = 0;
  double sram_in = 0, sram_out = 0;  ///< SRAM longwords read and written for each packet, all channels
  double dram_bytes = 0;             ///< moved for each packet, to and from transfer registers and media buffers
  double dram_written = 0;           ///< of them, those written from transfer registers
  double utilisation = 0;            ///< of the busiest of its engines: cycles that are not idle
};

struct ResourceFigures {
  std::string name;        ///< "sram0", "dram", "engine 3" ...
  double utilisation = 0;  ///< 0 to 1
};

/// Time in nanoseconds from the last bit in to the first bit out (RFC 1242 3.8, store and forward).
struct LatencyFigures {
  uint64_t packets = 0;
  double min = 0, mean = 0, median = 0, p99 = 0, max = 0;
};

struct TrialFigures {
  Offered offered;
  uint64_t frames_in = 0;     ///< offered, all ports
  uint64_t special = 0;       ///< of them not for the fast way
  uint64_t frames_out = 0;    ///< of them forwarded, each counted once
  uint64_t lost = 0;          ///< should have been forwarded and were not
  uint64_t lost_special = 0;  ///< local ones that never reached the control processor
  uint64_t reordered = 0, doubled = 0;
  /// A port for which more came than it could send: what waits for it still grew when the offer ended.
  struct Growth {
    unsigned port = 0;
    double share = 0;  ///< by how much too much came for it: 0.004 is 0.4 %
  };
  std::vector<Growth> growing;
  double packets_per_second = 0;                        ///< offered
  double gigabits = 0, wire_gigabits = 0;               ///< offered; with check sequence, and with preamble and gap too
  std::vector<std::pair<std::string, uint64_t>> drops;  ///< reasons that the program counted
  std::vector<std::pair<std::string, uint64_t>> handed;  ///< reasons for which the control processor got packets
  LatencyFigures latency;
  std::vector<StageFigures> stages;
  std::vector<ResourceFigures> resources;  ///< the busiest first
  double cycles_per_packet = 0;            ///< engine cycles between two packets, all ports together

  bool clean() const { return lost == 0 && lost_special == 0 && doubled == 0 && reordered == 0 && growing.empty(); }
};

struct BenchControl {
  const std::atomic<bool>* interrupt = nullptr;
  std::function<void(const TrialFigures&)> trial_done;  ///< for progress
};

/// One offer. Diagnostics: those of projects and runs, bench-traffic, bench-fault, bench-interrupted.
Result<TrialFigures> run_trial(const Project& project, const Offered& offered, const BenchControl& control = {});

/// The highest rate at which a trial is clean(), by halving, to `resolution` thousandths of the line rate; the last
/// clean trial. Nothing when even one thousandth loses packets. When packets are lost in the same number at two loads
/// the search ends. Diagnostics: as run_trial, and bench-loss, which says for what reason.
Result<std::optional<TrialFigures>> find_throughput(const Project& project, Offered offered, uint32_t resolution,
                                                    const BenchControl& control = {});

/// Sizes of RFC 2544 (9.1) and "imix" that all ports of the project can send; where 64 octets are too few the least
/// number that is enough, 78 for IPv6 as in the papers. Diagnostics: as run_trial.
Result<std::vector<std::string>> usual_sizes(const Project& project);

/// Sums the offered packets of a trial that the ports of the project would send (generated traffic only).
unsigned traffic_ports(const Project& project);

std::string bench_table(const std::vector<TrialFigures>& trials, const std::string& what);
std::string stage_table(const TrialFigures& trial);
/// Version 1 (docs/measuring.md). `complete`: these are all trials that were asked for.
std::string bench_json(const std::string& project, const std::string& what, const std::vector<TrialFigures>& trials,
                       bool complete = true);

}  // namespace weft::workbench
