// Breakpoints of a project from one time to the next: .weft/ide.json beside weft.json. The folder has a .gitignore of
// its own that leaves everything in it out, so that a checkout stays clean; whoever wants to share the breakpoints
// takes that file away, and it stays away.
#pragma once

#include <QString>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/workbench/breakpoint.h"

namespace weft::ide {

class BreakpointStore {
 public:
  /// Of the project in that folder.
  explicit BreakpointStore(const QString& folder = {}) : folder_(folder) {}

  QString file() const;
  /// What was kept; nothing when there is no file. Diagnostic: breakpoints-file, when it cannot be understood.
  Result<std::vector<workbench::Breakpoint>> load() const;
  /// Empty, or why it could not be written. Nothing is made for a project that never had a breakpoint.
  QString save(const std::vector<workbench::Breakpoint>& all) const;

 private:
  QString folder_;
};

}  // namespace weft::ide
