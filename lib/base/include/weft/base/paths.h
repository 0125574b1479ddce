// Names of files as the system understands them, and as they may be shown.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

/// The path without "." and without "NAME/..", but where NAME is a symbolic link: there ".." leads to the folder above
/// the link's target, so that the system finds another file than std::filesystem::path::lexically_normal() names.
std::filesystem::path tidy(const std::filesystem::path& path);

/// A name or a text from a file or a command line as it may be printed on a terminal: control characters and bytes that
/// are no UTF-8 become a mark.
std::string printable(std::string_view text);

}  // namespace weft
