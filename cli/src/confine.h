// Keeps this process to some folders, by the system itself (Landlock, Linux 5.13 and later): names that a project
// builds, links, includes and what a control program opens are all held back alike.
#pragma once

#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/base/files.h"

namespace weft::cli {

struct Confinement {
  std::vector<std::string> folders;       ///< read and written, with all below
  std::vector<std::string> read;          ///< files, or folders with all below, that are read
  std::vector<std::string> output_files;  ///< written, and nothing beside them
};

/// From now on until the process ends. The files that are given back are the outputs, begun while that was possible:
/// as long as they are there, AtomicFile::create() goes on with them. Diagnostics: confine-impossible when the system
/// cannot do it, file-missing, file-unwritable.
Result<std::vector<AtomicFile>> confine(const Confinement& to);

}  // namespace weft::cli
