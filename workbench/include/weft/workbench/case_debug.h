// A test case under the debugger: a session on its machine, and the way to the first thing that is not as it expects:
// the frame with its first wrong byte and the instruction that wrote it, or the last write of a wrong longword.
//
//   auto debugged = CaseDebug::open(item, observation);
//   Session& session = (*debugged)->session();     // run, step, go back as with any other
//   auto wrong = (*debugged)->run_to_wrong(control);
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "weft/workbench/session.h"
#include "weft/workbench/testing.h"
#include "weft/workbench/writer.h"

namespace weft::workbench {

/// The first thing that is wrong.
struct WrongPlace {
  std::string text;  ///< one line
  std::string file;  ///< of the test, where it says what was expected; empty: no place
  Position at;
  std::optional<unsigned> port{};  ///< of a frame
  size_t frame = 0;                ///< of all that left by the port, from 0
  std::optional<size_t> octet{};   ///< the first that is wrong
  uint32_t packet = 0;             ///< its number in the packet tracker; 0: none, or packets are not followed
  std::optional<Writer> writer{};  ///< who wrote what is wrong
};

class CaseDebug {
 public:
  /// Diagnostics: those of test files, projects and sessions; test-none when the file has no such case any more.
  static Result<std::unique_ptr<CaseDebug>> open(const TestPlan::Item& item, const Observation& observation);
  ~CaseDebug();

  Session& session() { return *session_; }
  /// Whose session it is from now on; run_to_wrong() is then given it.
  std::unique_ptr<Session> take() { return std::move(session_); }

  /// From cycle 0 to the end of the case; then, when something is wrong, back to where it became so. `wrong` says what,
  /// and stays empty when all is as expected, or when a breakpoint or the user has stopped the run before. The session
  /// must record. `ended` is told where the case ended, before it goes back. Diagnostics: those of going back.
  Result<Stop> run_to_wrong(Session& session, const RunControl& control, std::optional<WrongPlace>& wrong,
                            const std::function<void(const Stop&)>& ended = {}) const;

 private:
  struct Impl;
  CaseDebug();
  std::unique_ptr<Impl> impl_;
  std::unique_ptr<Session> session_;
};

}  // namespace weft::workbench
