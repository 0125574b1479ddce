// What `weft run` is asked for, and the parts of it that are looked at before the run.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "messages.h"
#include "weft/workbench/session.h"

namespace weft::cli {

struct RunOptions {
  std::string project;
  std::vector<std::string> in, out, set;
  uint64_t cycles = 0;
  std::optional<uint64_t> seed;
  std::string engine = "auto";
  std::string json;
  std::string progress = "auto";
  std::string coverage, history, stats, profile;
  std::vector<std::string> packets;  // a number, a file, or one of each
  std::string check = "off";
  MessageOptions messages;
  std::optional<std::string> until;
  std::string control;
  std::vector<std::string> logs;
  std::string record;
  bool strict = false;
  std::string record_limit;  ///< bytes, with K, M or G; empty: the default
  std::string confine;       ///< a folder, or kOwnFolder; empty: not confined
};

/// What --stats without a file stands for.
inline constexpr const char* kStatsTable = "table";
/// What --confine without a folder stands for: the folder of the project.
inline constexpr const char* kOwnFolder = "project";

/// What follows from the options alone.
struct RunPlan {
  workbench::Observation observation;
  workbench::Overrides overrides;
  uint64_t packet_limit = 0;
  std::string packets_file;
  bool stats_file = false;
  uint64_t record_bytes = 0;
  bool from_recording = false;  ///< RunOptions::project is one
  bool goes_on = true;          ///< something is run, not only reported
};
/// Nothing after a message: the command line is wrong.
std::optional<RunPlan> plan_run(const RunOptions& options);

/// --control FILE and --log PLACE=TEXT; another exit status than kDone after a message. The commands of a recording are
/// in its session. `messages` learns which files commands name.
int add_stops(workbench::Session& session, const RunOptions& options, const std::string& project_commands,
              const workbench::Project& project, Messages& messages);
/// What is wrong with the value of an option names the option as its place, where it has no place in a file.
Diagnostics of_option(const char* option, const Diagnostics& problems);
/// Whether all files can be read and written, before the run; another exit status than kDone after a message. `read`:
/// files that were read, when that is known.
int look_at_files(const RunOptions& options, const RunPlan& plan, const workbench::Project& project,
                  const std::vector<std::string>& chips = {}, const std::vector<std::string>& read = {});
ptrdiff_t outputs_to_console(const RunOptions& options, const RunPlan& plan, const workbench::Project& project);
/// What the options ask to be written when the run has ended; false after messages. What can be written is.
bool write_results(workbench::Session& session, const workbench::Report& figures, const RunOptions& options,
                   const RunPlan& plan);

}  // namespace weft::cli
