// Golden files: what is printed is compared with what was looked at and accepted before.
//
// With WEFT_UPDATE=1 in the environment the files are written anew instead; then look at `git diff`.
#pragma once

#include <filesystem>
#include <string>

namespace weft::assembler::golden {

/// tests/assembler/diagnostics
std::filesystem::path folder();
/// Fails (Catch2) when the file does not hold `text`; writes it in update mode.
void compare(const std::filesystem::path& file, const std::string& text);
bool updating();

/// Options may stand in its first line: "; options: --spill --repair-banks -O -Wall --pin FILE --chip=ixp1200".
/// Assembles `text` as a file of this name; other files come from tests/assembler/diagnostics. The rendering has
/// relative file names. A program in which nothing is wrong gives "nothing to report\n".
struct Outcome {
  std::string text, json, sarif;
  bool reports(const std::string& code) const;  ///< whether the text has this code
};
Outcome assemble_text(const std::string& name, const std::string& text);

}  // namespace weft::assembler::golden
