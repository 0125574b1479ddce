// Running one case, for the runner and for those who run it under other conditions.
#pragma once

#include <functional>
#include <set>
#include <string>

#include "testing/suite.h"
#include "weft/workbench/session.h"
#include "weft/workbench/testing.h"

namespace weft::workbench {
class ImageStore;
}

namespace weft::workbench::testing {

struct RunHow {
  std::string engine = "reference";
  bool coverage = false;
  std::string history;  ///< file; empty: none
  bool update = false;  ///< recorded outputs are taken, not compared
  bool explain = true;  ///< a failure is told with ways of packets and contexts; what differs is told in any case
  /// Makes the session; empty: Session::create.
  std::function<Result<std::unique_ptr<Session>>(const Project&, const Observation&)> make = {};
  /// Told which files were read for the case, before it runs.
  std::function<void(const std::vector<std::string>&)> reads = {};
  ImageStore* images = nullptr;            ///< of programs that other cases have run; null: none
  std::set<std::string>* kinds = nullptr;  ///< takes the Difference::kind of all that fails
};

/// Runs, compares, and fills in everything but file, name and seconds. "fails" is not looked at.
void execute_case(const Case& test, const RunHow& how, CaseOutcome& outcome);

/// Gives a session of the case what it has before cycle 0: contexts, values, commands of the control processor, and a
/// stop at the end of code of its own. Diagnostics: those of sessions, at the places of the test.
Result<bool> prepare_case(Session& session, const Case& test);

}  // namespace weft::workbench::testing
