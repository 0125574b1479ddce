// A run in one file: the project's files, what observers have seen, and moments to go back to. It opens without the
// project's folder, and without running anything again (docs/recordings.md).
//
// The file is a tar archive under zstd:
//   manifest.json     version of Weft, options, what was watched, why the run ended, sizes and checksums of all the
//   rest project/...       weft.json and every file that the run has read, at the places that they had towards each
//   other run/states        state of the board, sinks and control programs at the checkpoints and at the end run/events
//   what control programs were told: their state is what they make of it run/observers     coverage, history,
//   statistics, profile, packets of each chip
// The parts of run/ are memory of this build, checked by stored_layout(); they are not a format for other programs.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "weft/workbench/session.h"

namespace weft::workbench {

/// Bytes that observers, and after that states, may take of a recording unless the user says otherwise.
inline constexpr uint64_t kRecordingBytes = uint64_t{512} << 20;

/// What a run must be watched for to be recorded: everything that the IDE shows but checks, in about so many bytes of
/// memory for histories and packets. What does not fit loses its oldest part.
Observation recorded_observation(uint64_t bytes = kRecordingBytes, const Observation& also = {});

/// Writes a session as it stands. Session::record() must have been called before its first cycle and after its
/// commands. `overrides` are those with which the project was loaded. While the states take more than `bytes`, every
/// second checkpoint goes. Diagnostics: recording-late, recording-back, and those of files.
Result<bool> write_recording(Session& session, const Overrides& overrides, const std::string& path,
                             uint64_t bytes = kRecordingBytes);
/// What the limits have cost: one sentence each, empty when all is there.
std::vector<std::string> lost_by_limits(const Session& session);

/// By its first bytes; false also for what cannot be read.
bool is_recording(const std::string& path);
/// Also what is called like one (.weftrec), and what cannot be a project file: Recording::open() says what is wrong
/// with it.
bool is_meant_as_recording(const std::string& path);

class Recording {
 public:
  struct Info {
    std::string weft;    ///< version that made it
    uint64_t cycle = 0;  ///< at the end
    std::string stop;    ///< why the run ended
    uint64_t checkpoints = 0;
    std::vector<std::string> lost;  ///< by limits: one sentence each
    Observation observation;
  };

  /// Unpacks the project's files into a folder of its own, which goes away with this. Diagnostics: recording-format (it
  /// is none), recording-damaged, recording-version, and those of files and projects.
  static Result<std::unique_ptr<Recording>> open(const std::string& path);
  ~Recording();

  const Info& info() const;
  const Project& project() const;
  /// Where the project's files are: below it, in the same order as in the recording.
  const std::filesystem::path& folder() const;
  /// How the session calls source files: as they stand in folder(), for those who open them, or as the run called them.
  enum class Names { here, recorded };
  /// Stands at the end of the run, and can go back. May be made as often as one likes. Diagnostics: recording-other
  /// (the sources give another machine here), recording-damaged, and those of builds.
  Result<std::unique_ptr<Session>> session(Names names = Names::here) const;

 private:
  Recording();
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::workbench
