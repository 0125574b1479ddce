// Source text in house style. The tokens, their order and their lines stay as they are, so the program does too.
//
//  - A label, and a directive of the preprocessor, begin in the first column. All other lines are indented by four
//    columns, and by four more inside each .begin, .local, .if, .while and .repeat, up to 40 of them. A label and the
//    instruction after it share a line if they did before.
//  - One blank after a comma, none before it; none after '[' and '(' and before ']' and ')'; elsewhere one blank where
//    there were several. Directives of the preprocessor, texts of marks and lines with the joining comment keep theirs.
//  - Comments after code stand in one column over lines that follow each other, two blanks after the longest. A
//  comment
//    line in the first column stays there, any other is indented like code. Text inside of comments is not touched.
//  - A line that goes on an instruction moves as far as the instruction's first line.
//  - At most one blank line in a row, none at the beginning and the end; no blanks at the end of a line.
#pragma once

#include <string>

#include "weft/base/diagnostic.h"

namespace weft::assembler {

/// Fails only where the text cannot be cut into tokens (a comment without end).
Result<std::string> format_source(const SourceFilePtr& source);

}  // namespace weft::assembler
