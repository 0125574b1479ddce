// What the text of a source file shows without being assembled: lines that look like instructions, and macros around
// them.
#pragma once

#include <string>
#include <vector>

namespace weft::workbench::testing {

/// The lines of a file without their ends; nothing when it cannot be read.
std::vector<std::string> lines_of(const std::string& file);

/// A line without comment, and without blanks at both ends.
std::string bare(const std::string& line);

/// For each line what names its place: the label before it in its macro ("next#"), without one the macro ("put");
/// nothing outside of both. A label on the line itself counts.
std::vector<std::string> contexts_of(const std::vector<std::string>& lines);

struct MacroLines {
  std::string name;
  unsigned first = 0, last = 0;  ///< lines of #macro and #endm
  std::vector<unsigned> code;    ///< lines between them that look like instructions
};
/// Macros of a file; those inside of others are passed over.
std::vector<MacroLines> macros_of(const std::string& file);
/// Whether there is a line that looks like an instruction, in a macro or outside of them.
bool has_code(const std::string& file);

}  // namespace weft::workbench::testing
