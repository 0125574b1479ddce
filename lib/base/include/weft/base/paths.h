// Names of files as the system understands them, and as they may be shown.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

/// The path without "." and without "NAME/..", but where NAME is a symbolic link: there ".." leads to the folder above
/// the link's target, so that the system finds another file than std::filesystem::path::lexically_normal() names.
std::filesystem::path tidy(const std::filesystem::path& path);

/// A name or a text from a file or a command line as it may be printed on a terminal, in one line: control characters
/// (C0, DEL, C1), characters that change the direction of text, and bytes that are not UTF-8 are written as in C: `\n`,
/// `\x1b`, `\u009b`, `\xff`.
std::string printable(std::string_view text);
/// The same for text of several lines: ends of lines and tabs stay. JSON stays the same JSON.
std::string printable_lines(std::string_view text);

}  // namespace weft
