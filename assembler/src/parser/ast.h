// The syntax tree: lines of labels, instructions, directives and structured keywords, before any name is looked up.
//
// Text points into the Sources (or `Program::words`) and lives as long as they; case is as written.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "source/token.h"

namespace weft::assembler::ast {

/// Expressions of constants, of conditions, and of single operands: a register is an expression that is only a name.
struct Expr {
  enum class Kind : uint8_t {
    number,       ///< value; text as written (byte masks need it)
    name,         ///< "temp", "$x", "@count", "i$base"
    label,        ///< "loop#"
    quoted,       ///< 'text'
    element,      ///< name[args 0]
    deref,        ///< *name, *name[args 0], *name++, *name--
    address,      ///< &name, &name[args 0]
    remote,       ///< &remote(name, args...)
    call,         ///< text(args...)
    unary,        ///< text is the operator
    binary,       ///< text is the operator
    conditional,  ///< args 0 ? 1 : 2
    code_test,    ///< "(<= 0)": text is the comparison with the condition codes
  };
  Kind kind = Kind::number;
  std::string_view text;
  int64_t value = 0;
  enum class Step : uint8_t { none, increment, decrement } step = Step::none;
  bool grouped = false;  ///< stood in parentheses
  std::vector<Expr> args;
  Origin origin;
};

struct Operand {
  enum class Kind : uint8_t {
    absent,     ///< --
    value,      ///< expr
    operation,  ///< an ALU operator that is not a name; text without blanks: "+16", "B-A"
    shift,      ///< text "<<" or ">>", expr the amount
  };
  Kind kind = Kind::absent;
  std::string text;
  Expr expr;
  Origin origin;
};

/// A token after the operands: ctx_swap[s], defer[2], any.
struct Modifier {
  std::string_view name;
  bool has_arguments = false;
  std::vector<Operand> arguments;
  Origin origin;
};

struct Instruction {
  std::string mnemonic;  ///< joined, lower case: "br=byte"
  std::vector<Operand> operands;
  std::vector<Modifier> modifiers;
  Origin origin;
};

struct DirectiveArg {
  enum class Kind : uint8_t { name, label, constant, string } kind = Kind::name;
  std::string_view text;       ///< names, labels, strings (with their quotes)
  bool address = false;        ///< &name
  std::optional<Expr> index;   ///< name[index]
  std::optional<Expr> offset;  ///< name+offset
  Expr value;                  ///< constants
  Origin origin;
};

struct Directive {
  std::string name;  ///< lower case with the point: ".reg"
  std::vector<DirectiveArg> args;
  std::string rest;  ///< .block and the other marks: the rest of the line, or what stood in quotes
  Origin origin;
};

enum class Keyword : uint8_t {
  if_,
  if_unsigned,
  elif,
  elif_unsigned,
  else_,
  endif,
  while_,
  while_unsigned,
  endw,
  repeat,
  until,
  until_unsigned,
  break_,
  continue_,
};
std::string_view keyword_text(Keyword keyword);

struct Structured {
  Keyword keyword = Keyword::if_;
  std::optional<Expr> condition;
  Origin origin;
};

/// Arithmetic notation: dest = value.
struct Assignment {
  Expr dest;
  Expr value;
  Origin origin;
};

struct LabelDefinition {
  std::string_view name;  ///< with "#"
  Origin origin;
};

struct Line {
  uint32_t index = 0;  ///< into TokenProgram::lines
  std::vector<LabelDefinition> labels;
  std::optional<Instruction> instruction;  ///< at most one of these four
  std::optional<Directive> directive;
  std::optional<Structured> structured;
  std::optional<Assignment> assignment;
  /// Of a line with a fault, which was reported: the labels, the keyword of a block without its condition, the name of
  /// a directive with the names in it. It keeps the fault from being reported again where the line was needed.
  bool wrong = false;
};

struct Program {
  std::vector<Line> lines;
  std::deque<std::string> words;  ///< text of words that were several tokens: "24x8_start"
  bool complete = true;           ///< false: given up after too many faults
};

}  // namespace weft::assembler::ast
