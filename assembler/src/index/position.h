// The statement before a position; private to src/index.
#pragma once

#include "index/data.h"

namespace weft::assembler {

struct Statement {
  std::vector<Token>
      tokens;            ///< from the beginning of the statement, labels left out, to before the word at the position
  std::string prefix;    ///< of the word at the position, as far as it stands before it
  bool in_text = false;  ///< inside quotes
};
Statement statement_at(const IndexFile& file, Position position);

/// A form of an instruction and what it takes at the argument; arg null: the command.
struct Choice {
  const isa::InsnInfo* info;
  const isa::Form* form;
  const isa::Arg* arg;
};
std::vector<Choice> choices(const Index::Data& data, const IndexContext& context, const Statement& statement);
IndexContext context_of(const Index::Data& data, const Statement& statement);

}  // namespace weft::assembler
