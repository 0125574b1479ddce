// Trees of lines by the types of their tokens.
//
// The tree of a line depends on the types of its tokens alone, and a program of thousands of lines has but a few
// hundred different rows of types. So each row is parsed once, and its tree is read again with other tokens in place.
#pragma once

#include <memory>
#include <string>

#include "MicrocodeParser.h"
#include "parser/syntax_error.h"

namespace weft::assembler {

/// The generated parser and the trees it has made. May be used by one thread at a time; several objects may be used by
/// several threads: what ANTLR shares between all parsers of a process is locked.
class LineShapes {
 public:
  LineShapes();
  ~LineShapes();

  /// The tree of a row of token types (one byte each, with the EOL at its end) whose first token is number `start` of
  /// the program; null when the grammar has no such line. Valid until the next call.
  grammar::MicrocodeParser::LineContext* tree(const std::string& types, size_t start);
  /// What is wrong with a row that has no tree.
  SyntaxFault fault(const std::string& types, size_t start);

 private:
  struct Shape;
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace weft::assembler
