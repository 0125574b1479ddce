// Reads one case out of the levels of its test: fixtures, file, test; what stands in a later level wins, lists and names
// with values add up.
#pragma once

#include <filesystem>
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
inline constexpr const char* kShared[] = {"board", "include", "define", "frames", "set", "check", "limit", "seed", "code", "source", "project", "override", "contexts", "constants"};

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
  void existing_project(Case& to, const Level& level);
  std::string board(std::string fallback);
  void frames_in(Case& to);
  void random_frames(Case& to);
  nlohmann::json written_test();
  void expectations(Case& to);
  void frames_out(Case& to, const JsonNode& list);
  void collect_frames();
  std::vector<Longwords> longwords(const JsonNode& object);
  Amount amount(const JsonNode& node);
  std::map<std::string, Amount> amounts(const JsonNode& object);
  uint64_t nanoseconds(const JsonNode& node);
  std::vector<JsonNode> list(const JsonNode& parent, const char* name);

  std::vector<Level> levels_;
  const Row& row_;
  Diagnostics& out_;
  std::string board_;
  NamedFrames frames_;
};

}  // namespace weft::workbench::testing
