// The measurements beside the thesis on DiffServ, one member function for each setting: of the machine in diffserv.cpp,
// of classes and flows in diffserv_classes.cpp.
#pragma once

#include <optional>
#include <string>

#include "experiments/diffserv_run.h"

namespace weft::workbench::diffserv {

inline constexpr uint32_t kTo = 0x14000000;  ///< 20.p.0.0/16 lies behind port p
inline constexpr double kLine64 = 148'810;   ///< frames of 64 bytes a second at 100 Mb/s
inline constexpr unsigned kGigabit = 8;

constexpr uint32_t behind(unsigned port, uint32_t host) { return kTo | port << 16 | host; }

/// Rules that only their destination tells apart: the packet to host n matches rule n, so host `count` is the worst
/// case of linear search.
std::string host_rules(unsigned port, unsigned count, const std::string& action);
std::string percent(double share);

class Thesis {
 public:
  explicit Thesis(const PaperOptions& options) : options_(options) {
    out_.paper = "Scalability and Bottlenecks of DiffServ over Network Processors (NCTU thesis)";
  }

  Result<PaperReport> measure() {
    using Step = bool (Thesis::*)();
    for (const Step step :
         {&Thesis::saturated, &Thesis::curve, &Thesis::threads, &Thesis::shares, &Thesis::flows, &Thesis::mac_buffer})
      if (!(this->*step)()) return tl::unexpected(std::move(problem_));
    return std::move(out_);
  }

 private:
  std::optional<Outcome> run(const Offer& offer) {
    auto done = diffserv::run_router(options_, offer);
    if (!done) {
      problem_ = std::move(done.error());
      return std::nullopt;
    }
    return std::move(*done);
  }
  void row(std::string claim, std::string what, std::string paper, std::string ours, std::string conditions = {},
           std::string difference = {}) {
    out_.figures.push_back({std::move(claim), std::move(what), std::move(paper), std::move(ours), std::move(conditions),
                            std::move(difference)});
  }
  uint64_t milliseconds(uint64_t full) const {
    return (options_.quick ? std::max<uint64_t>(1, full / 4) : full) * 1'000'000;
  }

  /// D4, D27 to D31: seven ports at wire speed to the Gigabit port, 64 rules, each packet matches the last one.
  bool saturated();
  /// D10, D23: the search alone, and its part of D31.
  bool curve();
  /// D11, D12: which threads receive.
  bool threads();
  /// D14, D15: classes from four ports into one.
  bool shares();
  /// D13, D19, D20: one port with many policed flows, which together may have half of the line.
  bool flows();
  /// D21 to D25. The whole frame is in SDRAM before it is classified, so no frame is lost by its own classification;
  /// but the next one meets the buffer of the MAC as the thesis's does, when classification takes longer than the gap
  /// and 240 bytes do.
  bool mac_buffer();

  const PaperOptions& options_;
  PaperReport out_;
  Diagnostics problem_;
  double cycles_per_rule_ = 0, cycles_fixed_ = 0;  ///< of linear search
};

}  // namespace weft::workbench::diffserv
