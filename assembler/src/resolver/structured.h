// Structured blocks (.if .while .repeat ...) written as compares and branches.
//
// The result is again a syntax tree, so that operands in conditions are checked like those of written instructions.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "parser/ast.h"

namespace weft::assembler {

/// What the blocks need from the resolver.
class StructuredSink {
 public:
  virtual ~StructuredSink() = default;
  virtual void emit(const ast::Instruction& instruction) = 0;
  /// A label of that name without a place yet; the view stays valid.
  virtual std::string_view new_label(std::string text, const Origin& origin) = 0;
  virtual void place_label(std::string_view name) = 0;
  /// The value of an expression of numbers; nothing, silently, for anything else.
  virtual std::optional<int64_t> constant_value(const ast::Expr& expr) = 0;
  /// An import variable or a memory block: 32 bits that the linker knows.
  virtual bool is_import(const ast::Expr& expr) = 0;
  virtual bool is_register(const ast::Expr& expr) = 0;
  /// A register for a part of a condition; nothing when registers are physical.
  virtual std::optional<std::string_view> new_temporary(const Origin& origin) = 0;
  virtual void report(std::string code, const Origin& origin, std::string text, std::string remedy) = 0;
};

class Structured {
 public:
  explicit Structured(StructuredSink& sink) : sink_(sink) {}
  void keyword(const ast::Structured& s);
  /// dest = value, as the ALU instructions that compute it.
  void assign(const ast::Assignment& a);
  /// Reports blocks that are still open; false if there are any.
  bool finish();

 private:
  struct Block {
    enum class Kind : uint8_t { if_, while_, repeat } kind;
    unsigned number;  ///< NNN of lNNN_
    Origin origin;
    std::string_view next, end;   ///< .if: where a false condition goes
    std::string_view top, again;  ///< loops: the body, and where .continue goes
    unsigned branches = 0;        ///< .if: conditions so far
    bool has_else = false;
    bool leaves = false;  ///< .if: something jumps to end
  };

  Block& open(Block::Kind kind, const Origin& origin);
  Block* innermost(Block::Kind kind, const ast::Structured& s);
  Block* innermost_loop(const ast::Structured& s);
  std::string_view label(const Block& block, std::string_view suffix);
  std::string_view new_skip(const Origin& origin);
  void close_branch(Block& block, const ast::Structured& s);

  /// Code that goes to `target` when the truth of the condition is `sense`, and falls through otherwise.
  void branch(const std::optional<ast::Expr>& condition, bool sense, bool is_unsigned, std::string_view target);
  void branch(const ast::Expr& e, bool sense, bool is_unsigned, std::string_view target);
  void compare(const ast::Expr& e, bool sense, bool is_unsigned, std::string_view target);
  void test_call(const ast::Expr& call, std::string_view op, const ast::Expr* value, bool sense,
                 std::string_view target);
  void signal(const ast::Expr& call, bool sense, std::string_view target);
  void test_value(const ast::Expr& e, bool sense, std::string_view target);
  void code_test(const ast::Expr& e, bool sense, std::string_view target);
  /// A register or constant with the value of `e`: shifts and masks go into a temporary.
  std::optional<ast::Expr> single(const ast::Expr& e);
  bool set_codes(const ast::Expr& e, const ast::Operand& dest);
  /// dest = a constant of any width.
  void load(const ast::Operand& dest, const ast::Expr& e);
  std::optional<ast::Expr> loaded(const ast::Expr& e);

  void go(std::string mnemonic, std::string_view target, const Origin& origin);
  void go(std::string mnemonic, std::vector<ast::Operand> operands, std::string_view target, const Origin& origin);
  void instruction(std::string mnemonic, std::vector<ast::Operand> operands, const Origin& origin);

  StructuredSink& sink_;
  std::vector<Block> blocks_;
  unsigned count_ = 0;
  unsigned skips_ = 0;
};

}  // namespace weft::assembler
