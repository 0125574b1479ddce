// The two streams of the command line: results to standard output, everything else to standard error.
#pragma once

#include <string>
#include <string_view>

#include "weft/base/diagnostic.h"

namespace weft::cli {

enum class DiagnosticForm { text, json, sarif };

/// Colour when standard error is a terminal and NO_COLOR is not set.
bool use_color();
/// Prints to standard error (text) or standard output (json, sarif: they are results for programs).
void report(const Diagnostics& diagnostics, DiagnosticForm form = DiagnosticForm::text);
/// Writes to a file, whole or not at all; "-" is standard output. Problems are reported; the result is success.
bool write_output(const std::string& path, std::string_view bytes);
/// Reads a file; "-" is standard input.
Result<std::string> read_input(const std::string& path);

}  // namespace weft::cli
