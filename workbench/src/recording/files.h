// Which files a run consists of, and where they stand towards each other.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "weft/workbench/session.h"

namespace weft::workbench {

struct RunFiles {
  std::filesystem::path root;                          ///< the innermost folder that holds all of them, absolute
  std::map<std::string, std::filesystem::path> files;  ///< name from the root, file
  std::map<std::string, std::string> called;           ///< name from the root, name by which the run called it
  std::string project;                                 ///< name of the project file from the root
};

/// The project file and all that was read for the run: sources, includes, images, rules, configuration, tables,
/// captures, and descriptions of boards and chips that do not come with Weft.
RunFiles files_of_run(const Session& session);

}  // namespace weft::workbench
