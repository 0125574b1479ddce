// Recorded outputs: what cases sent when a person last looked at it, in a file that `weft test --update` writes.
//
//   {
//     "version": 1,
//     "cases": {
//       "a packet is forwarded [2]": [
//         {"port": 1, "frame": "0200...", "is": "ethernet ..."}
//       ]
//     }
//   }
//
// "is" says what the frame is, for people who read changes of the file; it is not compared.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "testing/compare.h"
#include "testing/suite.h"
#include "weft/workbench/session.h"
#include "weft/workbench/testing.h"

namespace weft::workbench::testing {

/// Frames by the name of their case.
using RecordedCases = std::map<std::string, std::vector<ExpectedFrame>>;

/// Diagnostics: those of reading files and JSON.
Result<RecordedCases> read_recorded(const std::string& path);

/// The entry of a case. Nothing, and a difference that says what to do, when there is none.
std::optional<std::vector<ExpectedFrame>> recorded_frames(const Case& test, std::vector<Difference>& out);

/// What the session sent, with what has changed against the file. A recorded frame of which only ignored fields are
/// others stays as it is. Nothing, and a difference, when the file cannot be read.
std::optional<RecordedOutput> record(Session& session, const Case& test, std::vector<Difference>& out);

}  // namespace weft::workbench::testing
