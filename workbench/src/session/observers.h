// The observers of one session.
#pragma once

#include <memory>
#include <vector>

#include "project/build.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/packets.h"
#include "weft/emulator/observers/profile.h"
#include "weft/emulator/observers/statistics.h"
#include "weft/workbench/observation.h"

namespace weft::workbench {

class Observers {
 public:
  /// Attaches what is asked for. Programs must be loaded; machine, units and linked programs must outlive this.
  void attach(const Observation& what, emulator::Machine& machine, emulator::Units& units, const Built& built,
              unsigned chip, const std::vector<PoolEntry>& pools);
  /// What observers do at the end of a run. `held`: handles of buffers that the control program has.
  void finish(const std::vector<uint32_t>& held);

  bool any() const { return !attached_.empty(); }
  /// All that are there can go back to where they stood: go_back().
  bool can_go_back() const { return !packets_ && !checks_; }
  /// Takes all of them off the machine, or puts them on again.
  void pause_observers(emulator::Machine& machine, bool observers_paused);

  /// Coverage, statistics and profile as of the moment at which the machine stands, and a mark of the history, for a
  /// checkpoint; empty when they are not known.
  std::string counts() const;
  /// The muted machine stands at the moment of these counts: from here on figures are of where it stands, until it is
  /// no longer muted. Empty: they stay those of the furthest moment.
  void set_past(emulator::Machine& machine, std::string_view counts);
  /// They have seen too much: they go back to the moment of these counts, and will see what follows again.
  void go_back(std::string_view counts);
  /// Whether coverage(), statistics() and profile() are of the moment at which the machine stands.
  bool counts_are_of_now() const { return !paused_ || past_ != nullptr; }

  Result<bool> write_coverage(const std::string& path) const;
  std::string coverage_lcov() const;
  Result<bool> write_history(const std::string& path) const;
  Result<bool> write_statistics(const std::string& path) const;
  Result<bool> write_profile(const std::string& path) const;
  Result<bool> write_packets(const std::string& path) const;
  std::string statistics_text() const;  ///< empty when they were not asked for
  const emulator::Coverage* coverage() const { return past_ ? past_->coverage.get() : coverage_.get(); }
  const emulator::History* history() const { return history_.get(); }
  const emulator::Statistics* statistics() const { return past_ ? past_->statistics.get() : statistics_.get(); }
  const emulator::PacketTracker* packets() const { return packets_.get(); }
  const emulator::Profile* profile() const { return past_ ? past_->profile.get() : profile_.get(); }
  /// Each that is there, checks apart: for files.
  template <class Fn>
  void each(Fn&& fn) {
    if (coverage_) fn(*coverage_);
    if (history_) fn(*history_);
    if (statistics_) fn(*statistics_);
    if (profile_) fn(*profile_);
    if (packets_) fn(*packets_);
  }
  emulator::Checks* checks() { return checks_.get(); }
  const emulator::Checks* checks() const { return checks_.get(); }

 private:
  void add(emulator::Machine& machine, emulator::Observer& observer);
  emulator::Images images_;
  emulator::HistoryClock clock_;
  std::unique_ptr<emulator::Coverage> coverage_;
  std::unique_ptr<emulator::History> history_;
  std::unique_ptr<emulator::Statistics> statistics_;
  std::unique_ptr<emulator::Profile> profile_;
  std::unique_ptr<emulator::PacketTracker> packets_;
  std::unique_ptr<emulator::Checks> checks_;
  std::vector<emulator::Observer*> attached_;
  bool paused_ = false;

  /// What counts, of a moment that lies before the furthest one.
  struct Past {
    std::unique_ptr<emulator::Coverage> coverage;
    std::unique_ptr<emulator::Statistics> statistics;
    std::unique_ptr<emulator::Profile> profile;
    template <class Fn>
    void each(Fn&& fn) {
      if (coverage) fn(*coverage);
      if (statistics) fn(*statistics);
      if (profile) fn(*profile);
    }
  };
  std::unique_ptr<Past> past_;
};

}  // namespace weft::workbench
