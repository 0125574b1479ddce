// What the stages tell somebody who wants to know every name and line: the index of names. Nobody listens in a plain
// assembly (Sources::recorder() is null), and then it costs one comparison.
#pragma once

#include <deque>

#include "parser/ast.h"
#include "resolver/ir.h"
#include "source/lexer.h"

namespace weft::assembler {

struct Symbol;

/// With a recorder the stages also recover where a plain assembly gives up: a missing include, a macro without #endm or
/// a condition that cannot be evaluated does not hide the rest of the text.
class Recorder {
 public:
  virtual ~Recorder() = default;

  // --- preprocessor ---
  /// A line was handled, in some expansion or none.
  virtual void reached(const LineRef& line) = 0;
  /// A line stood in a branch that was not taken.
  virtual void skipped(const LineRef& line) = 0;
  /// At the end: the tokens of all files, by their index in Sources.
  virtual void files(std::deque<LexedFile> files) = 0;

  // --- resolver, in the order of the program ---
  virtual void line(const ast::Line& line) = 0;
  virtual void scope_opened(const Origin& origin) = 0;
  virtual void scope_closed(const Origin& origin) = 0;
  virtual void declared(const Symbol& symbol, const Origin& origin) = 0;
  virtual void used(const Symbol& symbol, const Origin& origin) = 0;
  /// How the register that was last used at this place is accessed.
  virtual void accessed(const Origin& origin, bool reads, bool writes) = 0;
  virtual void label_defined(LabelId label, std::string_view name, const Origin& origin) = 0;
  virtual void label_used(LabelId label, const Origin& origin) = 0;
  /// An import variable or a memory block, by its name without case.
  virtual void linked_name(std::string_view name, const Origin& origin, bool memory, bool definition) = 0;
  virtual void marked(const image::Mark& mark, const Origin& origin) = 0;
  /// The form that was chosen for an instruction; `skip` operands stand before those of the form.
  virtual void matched(const ast::Instruction& instruction, const isa::InsnInfo& info, const isa::Form& form,
                       size_t skip) = 0;
};

}  // namespace weft::assembler
