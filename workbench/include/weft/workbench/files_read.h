// Which files a run reads: what is written must replace none of them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "weft/workbench/session.h"

namespace weft::workbench {

/// Files that a project names, before anything is made of it: itself, sources, images, rules, the configuration of the
/// control program, captures, tables, the descriptions of its board and chips, and what words of the configuration and
/// of commands for the control processor name. Those that are there, with absolute names.
std::vector<std::string> files_named(const Project& project, std::string_view commands = {});

/// The same, and all that was read for the session: includes too.
std::vector<std::string> files_read(const Session& session);

/// Whether two names are of one file, which need not exist. Devices are never the same: they take everything.
bool is_same_file(const std::string& a, const std::string& b);

}  // namespace weft::workbench
