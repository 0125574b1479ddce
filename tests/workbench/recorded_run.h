// A recorded run whose parts can be changed after the checksums: what somebody can do who makes a recording on
// purpose.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "recording/contents.h"
#include "weft/workbench/session.h"

namespace weft::workbench::test {

/// `bytes` bytes from `at` on, little-endian, get another value.
struct Change {
  enum class Part : uint8_t { states, events, observers };
  Part part{};
  uint64_t at = 0;  ///< modulo the size of the part
  unsigned bytes = 1;
  uint64_t value = 0;
};

class RecordedRun {
 public:
  /// Runs a project to a cycle, with everything watched that recordings hold.
  RecordedRun(const std::string& project, uint64_t cycles);

  const SessionParts& parts() const { return parts_; }
  SessionParts changed(const std::vector<Change>& changes) const;
  /// Of the same project, before its first cycle.
  std::unique_ptr<Session> fresh() const;
  /// What a user does with a recording: looks at all of it, runs on, and goes back. False when the parts are refused.
  static bool use(Session& fresh, const SessionParts& parts, uint64_t cycles);

 private:
  Project project_;
  SessionParts parts_;
};

}  // namespace weft::workbench::test
