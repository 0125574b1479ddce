// Runs of the DiffServ edge router for the figures beside the thesis (diffserv.cpp): rules, traffic and what came of
// them.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/workbench/papers.h"
#include "weft/workbench/report.h"
#include "weft/workbench/session.h"

namespace weft::workbench::diffserv {

/// Frames of one size from one port, spread evenly, to so many addresses in turn.
struct Flow {
  unsigned port = 0;
  uint32_t destination = 0;
  uint32_t bytes = 60;       ///< without check sequence
  uint32_t permille = 1000;  ///< of the line rate
  uint32_t hosts = 1;
};

struct Offer {
  std::string rules;     ///< of a rule file
  std::string settings;  ///< further lines of the configuration
  bool range = false;
  std::vector<Flow> flows;
  uint64_t frames = 0;       ///< of each flow; 0: as many as come in `nanoseconds`
  uint64_t nanoseconds = 0;  ///< then the run is cut off; 0: it ends when all traffic has passed
};

struct Outcome {
  Report report;
  std::vector<uint64_t> from_port =
      std::vector<uint64_t>(9);   ///< frames that left, by port of arrival, from a quarter of the time on
  double seconds = 0;             ///< in which these were counted
  std::array<size_t, 6> words{};  ///< of the programs, by engine

  double rate(unsigned port) const { return seconds > 0 ? static_cast<double>(from_port[port]) / seconds : 0; }
  double rate() const;
  /// Frames a second that came as far as a queue, also a full one.
  double classified() const;
  /// Shares of an engine's cycles.
  double executing(unsigned engine) const;
  double aborted(unsigned engine) const;
  double busy(const std::string& unit) const;  ///< its data bus
  uint64_t lost() const;
};

Result<Outcome> run_router(const PaperOptions& options, const Offer& offer);

}  // namespace weft::workbench::diffserv
