// From source files to the lines of the program: includes, conditions, macros, loops, defines.
//
// Decisions where the vendor's documents are silent:
//  - Arithmetic is 32 bits wide and signed (see expression.h); an undefined name in an expression is an error.
//  - A macro is called by its name at the beginning of a line, after labels. Macros may share a name if their numbers
//  of
//    parameters differ. Parameters are replaced in every line of the body, also inside 'quotes', not inside "strings".
//  - A label that a macro defines is visible in that macro and in what it calls. Its name in the program is the
//  caller's
//    label, '_' and its own name when the call stands after a label, else M, the number of the call (three digits or
//    more), '_' and its own name. A label whose name comes from an argument belongs to the caller.
//  - Names are the same without case, but the name of a label is a parameter or a define only with the same case.
//  - A comma that comes out of an argument or a define separates arguments only if the call fits no other way.
//  - #for sets its name to each item in turn; the parentheses of an item (c, d) stay.
//  - #define_eval gives a number if its text is an expression, else, if the text is quoted, comes from strleft or
//    strright, or is one operand or a list of names, that text.
//  - #error takes a severity 0-4 and reports an error with any of them. Preprocessing goes on after it.
//  - __DATE__ and __TIME__ are those of SOURCE_DATE_EPOCH, or of 1970-01-01 00:00:00, never of the clock.
#pragma once

#include "source/pragmas.h"
#include "source/token.h"
#include "weft/assembler/assembler.h"

namespace weft::assembler {

struct PreprocessSettings {
  bool wide = false;               ///< 64-bit arithmetic, as in the tools of later parts
  bool undefined_is_zero = false;  ///< an undefined name in an expression counts as 0, as in C
  uint32_t revision_min = 0x00;    ///< __REVISION_MIN
  uint32_t revision_max = 0xff;    ///< __REVISION_MAX
  std::optional<int64_t> date;     ///< seconds since 1970 for __DATE__ and __TIME__; default: SOURCE_DATE_EPOCH, then 0
  uint32_t include_depth = 64;
  uint32_t macro_depth = 128;
  uint32_t loop_passes = 65'536;  ///< of one loop
  uint32_t lines = 400'000;       ///< of the expanded program
  uint64_t tokens = 4'000'000;    ///< of the expanded program: some hundred megabytes
  uint32_t errors = 100;
  uint32_t messages = 100'000;  ///< of any severity
  uint64_t work = 16'000'000;   ///< tokens handled, of any kind
};

/// A #pragma that was accepted.
struct Pragma {
  Origin origin;
  std::string text;
  size_t line = 0;  ///< of the program: it stands before this one
};

struct Preprocessed {
  TokenProgram program;
  Diagnostics diagnostics;
  std::vector<std::string> files;        ///< every file read, in order, each once
  std::vector<std::string> macro_names;  ///< to suggest for an unknown instruction
  std::vector<Pragma> pragmas;
  WarningRules warnings;  ///< of #pragma warning
  bool complete = true;   ///< false: preprocessing was given up, and lines are missing
};

/// `sources` must outlive the result. Never throws on bad input, always ends.
Preprocessed preprocess(Sources& sources, SourceFilePtr main, const Options& options,
                        const PreprocessSettings& settings = {});

/// Text that gives the same program when it is assembled again, and with the pragmas the same words and warnings.
std::string print_program(const TokenProgram& program, const std::vector<Pragma>& pragmas = {});

}  // namespace weft::assembler
