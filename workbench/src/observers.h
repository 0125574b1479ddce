// The observers of one session.
#pragma once

#include <memory>

#include "build.h"
#include "weft/emulator/observers/coverage.h"
#include "weft/workbench/observation.h"

namespace weft::workbench {

class Observers {
 public:
  /// Attaches what is asked for. Programs must be loaded; machine and linked programs must outlive this.
  void attach(const Observation& what, emulator::Machine& machine, const Built& built);

  Result<bool> write_coverage(const std::string& path) const;
  Result<bool> write_history(const std::string& path) const;
  const emulator::Coverage* coverage() const { return coverage_.get(); }
  const emulator::History* history() const { return history_.get(); }
  emulator::Checks* checks() { return checks_.get(); }
  const emulator::Checks* checks() const { return checks_.get(); }

 private:
  emulator::Images images_;
  emulator::HistoryClock clock_;
  std::unique_ptr<emulator::Coverage> coverage_;
  std::unique_ptr<emulator::History> history_;
  std::unique_ptr<emulator::Checks> checks_;
};

}  // namespace weft::workbench
