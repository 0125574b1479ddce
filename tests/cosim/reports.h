// What the observers of one machine report that do without the order of words, as text.
#pragma once

#include <string>

#include "weft/emulator/observers/coverage.h"
#include "weft/emulator/observers/history.h"
#include "weft/emulator/observers/profile.h"
#include "weft/emulator/observers/statistics.h"

namespace weft::test {

class Reports {
 public:
  enum class Kind : uint8_t {
    all,     ///< statistics, coverage, profile, history
    counts,  ///< the first two, which do not ask for stretches of words
  };
  /// Programs must be loaded; everything must outlive it.
  Reports(emulator::Machine& machine, emulator::Units& units, const emulator::ChipOnBoard& chip, Kind kind = Kind::all);
  ~Reports();
  Reports(const Reports&) = delete;
  Reports& operator=(const Reports&) = delete;
  std::string text() const;
  /// Signals that the history has seen raised, and by whom. One from outside may be taken for that of a command in the
  /// same moment.
  std::string signals() const;
  /// Statistics and coverage alone.
  std::string counts() const;
  const emulator::Coverage& coverage() const { return coverage_; }

 private:
  emulator::Machine& machine_;
  emulator::Statistics statistics_;
  emulator::Coverage coverage_;
  emulator::Profile profile_;
  emulator::History history_;
  Kind kind_;
};

/// The test fails where they differ.
void require_same(const std::string& expected, const std::string& seen);

}  // namespace weft::test
