// The two streams of the command line: results to standard output, everything else to standard error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"

namespace weft::cli {

class Messages;

/// Colour when standard error is a terminal and NO_COLOR is not set.
bool use_color();
/// Says what is wrong: through the command's Messages (messages.h), or else as text to standard error.
void report(const Diagnostics& diagnostics);
/// From now on report() goes through these; null: none.
void report_through(Messages* messages);
/// Text to standard error. Without `color` use_color() decides.
void print_text(const Diagnostics& diagnostics, std::optional<bool> color = {});
/// An output file and the option that named it.
struct NamedFile {
  std::string option, path;
};
/// "-", or another name of what this process has open as standard output: /dev/stdout, /dev/fd/1, /proc/self/fd/1.
bool is_standard_output(const std::string& path);
/// The error output-is-input.
Diagnostics overwrites(const std::string& option, const std::string& path);
/// Looks before the work begins whether all outputs can be written, and that none is an input or another output.
/// Problems are reported.
bool outputs_are_good(const std::vector<NamedFile>& outputs, const std::vector<std::string>& inputs);
/// Writes to a file, whole or not at all; "-" is standard output. Problems are reported; the result is success.
bool write_output(const std::string& path, std::string_view bytes);
/// The same for text: names and texts of strangers in it are escaped on standard output (weft::printable_lines), and
/// stay as they are in files.
bool write_text(const std::string& path, std::string_view text);
/// Reads a file; "-" is standard input.
Result<std::string> read_input(const std::string& path, uint64_t max);

}  // namespace weft::cli
