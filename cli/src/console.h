// The two streams of the command line: results to standard output, everything else to standard error.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/base/diagnostic.h"

namespace weft::cli {

enum class DiagnosticForm { text, json, sarif };

/// Colour when standard error is a terminal and NO_COLOR is not set.
bool use_color();
/// Prints to standard error (text) or standard output (json, sarif: they are results for programs). Without `color`
/// use_color() decides.
void report(const Diagnostics& diagnostics, DiagnosticForm form = DiagnosticForm::text, std::optional<bool> color = {});
/// An output file and the option that named it.
struct NamedFile {
  std::string option, path;
};
/// Looks before the work begins whether all outputs can be written, and that none is an input or another output.
/// Problems are reported.
bool outputs_are_good(const std::vector<NamedFile>& outputs, const std::vector<std::string>& inputs);
/// Writes to a file, whole or not at all; "-" is standard output. Problems are reported; the result is success.
bool write_output(const std::string& path, std::string_view bytes);
/// Reads a file; "-" is standard input.
Result<std::string> read_input(const std::string& path);

}  // namespace weft::cli
