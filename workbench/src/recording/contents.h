// A session as bytes: states at checkpoints and at the end, what control programs were told, what observers have seen.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "weft/workbench/session.h"

namespace weft::workbench {

struct SessionParts {
  std::string states, events, observers;
  uint64_t checkpoints = 0;  ///< without the end
};

/// Gives the parts of a session while it is made of them, in the order of the fields of SessionParts, each once, so
/// that a part can be read while the one before it is used. None: it cannot be read.
class PartSource {
 public:
  virtual ~PartSource() = default;
  virtual std::optional<std::string> next() = 0;
  /// The states once more, at any time later: checkpoints are read when somebody goes back. Null: they are kept.
  virtual std::function<std::optional<std::string>()> states_again() const { return {}; }
};

struct SessionContents {
  /// States take at most `most_bytes`, as long as checkpoints are left that can go.
  static SessionParts put(Session& session, uint64_t max_bytes);
  /// Into a session that was just made of the same project, commands and observation. False: the parts are not of it.
  /// Each part goes as soon as it is read: they are as large as what is made of them.
  static bool get(Session& session, SessionParts parts);
  static bool get(Session& session, PartSource& parts);

  /// Equal where the same states mean the same: programs, board and chip descriptions, observation, form of the parts.
  static uint64_t layout();
  static uint64_t fingerprint(const Session& session);

  static const Project& project(const Session& session);
  static const std::vector<std::string>& files(const Session& session);
  static const std::vector<SourceFilePtr>& commands(const Session& session);
  static const Observation& observation(const Session& session);
  /// Names of all reasons for which packets are dropped, or handed to the control processor, counted or not.
  static std::set<std::string> reasons(const Session& session, bool to_core);
  /// Why it cannot be recorded; empty when it can.
  static std::string obstacle(const Session& session);
  /// Source files that packet records name have other names here.
  static void rename_places(Session& session, const std::map<std::string, std::string>& names);

 private:
  struct States;
  /// None: they are not of this session. Unless `keep`, those between the first and the last one are without board and
  /// counts, which take most of the room.
  static std::optional<States> read_states(std::string bytes, const Session& session, bool keep);
};

}  // namespace weft::workbench
