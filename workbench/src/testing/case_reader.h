// Reads one case out of the levels of its test: fixtures, file, test; what stands in a later level wins, lists and
// names with values add up.
#pragma once

#include <filesystem>
#include <memory>
#include <vector>

#include "testing/suite.h"

namespace weft::workbench::testing {

/// An object with settings, and the file that it stands in.
struct Level {
  JsonNode node;
  const JsonDocument* document = nullptr;
  std::filesystem::path folder;  ///< relative names begin there
};

/// Members that every level may have.
inline constexpr const char* kShared[] = {"board",  "include", "case_sensitive", "define",   "frames",
                                          "set",    "check",   "limit",          "seed",     "code",
                                          "source", "project", "override",       "contexts", "constants"};

class CaseReader {
 public:
  /// `board`: the one of several that this case runs on, or empty.
  CaseReader(std::vector<Level> levels, const Row& row, Diagnostics& out, std::string board = {})
      : levels_(std::move(levels)), row_(row), out_(out), board_(std::move(board)) {}
  void read(Case& to);

 private:
  const JsonNode& test() const { return levels_.back().node; }
  const Level* last_with(const char* name) const;
  void program(Case& to);
  void generated_program(Case& to, const Level& level);
  void inline_code(ProgramEntry& entry, const JsonNode& node, const std::string& test);
  void definitions(ProgramEntry& entry);
  void contexts(Case& to);
  void existing_project(Case& to, const Level& level);
  std::string board(std::string fallback);
  SourceRange board_range() const;
  void frames_in(Case& to);
  /// Frames that enter, at times from `begin` on; relative names begin at `folder`. Gives the time of the last one.
  uint64_t enter(Case& to, const std::vector<JsonNode>& frames, uint64_t begin, const std::filesystem::path& folder);
  /// What the project says of the port that `port` names. Where it says nothing, `place` is to blame for a port that
  /// the board has not.
  PortEntry& entry_of_port(Project& project, const JsonNode& port, const SourceRange& place);
  /// The packets of a capture from `at` on.
  void enter_capture(TrafficEntry& to, const JsonNode& node, uint64_t at, const std::filesystem::path& folder);
  void random_frames(Case& to);
  nlohmann::json written_test();
  void expectations(Case& to);
  Expectations expected(const JsonNode& node, const std::filesystem::path& folder);
  std::vector<ExpectedField> fields_of(const JsonNode& node);
  std::vector<std::string> ignored(const JsonNode& expect);
  void frames_out(Expectations& to, const JsonNode& expect, const std::filesystem::path& folder);
  void capture_out(Expectations& to, const JsonNode& node, unsigned port, const std::filesystem::path& folder);
  void recorded_out(Expectations& to, const JsonNode& expect);
  void collect_frames();
  /// Frames with a name in the "in" of a test or step.
  void name_frames(const JsonNode& parent, const JsonDocument& document);
  void steps(Case& to);
  /// The steps of the test, or of its file; `folder` is where their relative names begin.
  std::vector<JsonNode> step_list(std::filesystem::path& folder);
  /// `masks`: a value may be {"is": VALUE, "mask": BITS}.
  std::vector<Longwords> longwords(const JsonNode& object, bool masks);
  /// An expression; a number alone has at most 32 bits.
  std::string longword(const JsonNode& node);
  /// How often a frame or a capture comes.
  uint64_t times(const JsonNode& node);
  /// Nanoseconds from one frame to the next.
  uint64_t every(const JsonNode& node);
  bool is_damaged(const JsonNode& node);
  Amount amount(const JsonNode& node);
  std::map<std::string, Amount> amounts(const JsonNode& object);
  uint64_t nanoseconds(const JsonNode& node);
  std::vector<JsonNode> list(const JsonNode& parent, const char* name);
  /// As Row::text(), but of a text alone.
  std::string written(const JsonNode& node);
  /// `count` more frames of so many bytes. False, and an error at the node, when the test has too many.
  bool has_room(const JsonNode& node, uint64_t bytes, uint64_t count = 1);

  std::vector<Level> levels_;
  const Row& row_;
  Diagnostics& out_;
  std::string board_;
  NamedFrames frames_;
  uint64_t frame_bytes_ = 0;
  std::unique_ptr<JsonDocument> steps_document_;
};

}  // namespace weft::workbench::testing
