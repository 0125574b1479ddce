// Wrong programs with what is said of them beside their lines, as many as belong together in one file.
//
//   ;=== comma_missing                  a case begins; the text after it, up to the next case, is a program of its own
//   ; options: --spill -Wall            its options, if any (golden.h)
//   alu[a b]
//   ;~ 7 error: expected ',' or ']' after the operand, found 'b' [asm-syntax]
//   ;~   help: a constant expression in an operand stands in parentheses
//
// Lines that begin with ";~" are not part of the program. They stand below the line that they speak of, with its first
// column and, where more than one is marked, the last one; what belongs to a message is moved in: `help:`, `fix 3-5:`
// with the columns that change, and `note LINE:COLUMN:`. What is said of other files, or of no place, stands at the end
// of the case. A blank line at the end of a case is not part of it. WEFT_UPDATE=1 writes these lines anew.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace weft::assembler::annotated {

struct Case {
  std::string name;       ///< the program is assembled as NAME.uc
  std::string program;    ///< without what is expected
  std::string annotated;  ///< with it
};
struct File {
  std::filesystem::path path;
  std::string head;  ///< what stands before the first case
  std::vector<Case> cases;
};

File read(const std::filesystem::path& path);
/// Those of tests/assembler/diagnostics, by name.
std::vector<File> all();
/// The case of that name; fails (Catch2) when there is none.
Case find(const std::string& name);

/// The program with what `rendering`, the text form of its diagnostics, says.
std::string annotate(const std::string& name, const std::string& program, const std::string& rendering);
std::string text_of(const File& file);

}  // namespace weft::assembler::annotated
