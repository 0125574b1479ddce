// The state of one resolver run; private to this folder.
#pragma once

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "resolver/resolver.h"
#include "resolver/scopes.h"
#include "resolver/structured.h"
#include "source/names.h"

namespace weft::assembler {

/// An operand as far as it is known: a physical place, a symbol of a kind, or a constant that comes late.
struct ResolvedOperand {
  isa::Operand operand;
  VregId vreg = -1;
  std::optional<LateExpr> late;
};

/// A number, or an expression that becomes one.
using Constant = LateExpr;
inline bool is_known(const Constant& c) { return c.op == LateExpr::Op::number; }

/// A name whose value only the linker knows: an import variable, or the number of the microengine.
inline bool is_import_name(std::string_view name) {
  return (name.size() > 1 && fold(name[0]) == 'i' && name[1] == '$') || same_name(name, "__uengine_id") ||
         same_name(name, "__meid");
}

class Resolver final : private StructuredSink {
 public:
  Resolver(const TokenProgram& tokens, const Sources& sources, const Options& options, Diagnostics& diagnostics);
  Program run(const ast::Program& ast);

 private:
  // resolver.cpp
  void line(const ast::Line& line);
  void wrong_directive(const ast::Directive& d);
  void finish();
  void finish_groups();
  /// Bit 0 the read registers, bit 1 the write registers.
  static uint8_t sides(XferGroup::Side side) {
    return side == XferGroup::Side::both ? 3 : side == XferGroup::Side::read ? 1 : 2;
  }
  void check_labels();
  Diagnostic& error(std::string code, const Origin& origin, std::string text, std::string remedy = {});
  Diagnostic& warning(std::string code, const Origin& origin, std::string text, std::string remedy = {});
  uint32_t here() const { return static_cast<uint32_t>(program_.insns.size()); }

  // resolver.cpp: what structured blocks ask for
  void emit(const ast::Instruction& instruction) override;
  std::string_view new_label(std::string text, const Origin& origin) override;
  void place_label(std::string_view name) override;
  std::optional<int64_t> constant_value(const ast::Expr& expr) override;
  bool is_import(const ast::Expr& expr) override;
  bool is_register(const ast::Expr& expr) override;
  std::optional<std::string_view> new_temporary(const Origin& origin) override;
  void report(std::string code, const Origin& origin, std::string text, std::string remedy) override;

  // directives.cpp
  void directive(const ast::Directive& d);
  void scope_directive(const ast::Directive& d);
  void declare_registers(const ast::Directive& d);
  void declare_signals(const ast::Directive& d);
  void xfer_order(const ast::Directive& d, XferGroup::Side side);
  void hint(const ast::Directive& d, Hint::Kind kind);
  void unit_completed(const ast::Directive& d);
  void address(const ast::Directive& d);
  void subroutine(const ast::Directive& d);
  void initialise(const ast::Directive& d);
  void initialise_context(const ast::Directive& d);
  void memory(const ast::Directive& d);
  /// Makes the name known whose declaration is wrong, so that its uses are no further mistakes.
  void stand_in_block(const ast::DirectiveArg& name);
  void mode(const ast::Directive& d);
  void mark(const ast::Directive& d);
  void raw_word(const ast::Directive& d);
  bool takes(const ast::Directive& d, size_t least, size_t most, std::string_view form);
  std::optional<int64_t> number(const ast::DirectiveArg& arg, int64_t min, int64_t max, std::string_view what);
  void end_symbols(const std::vector<Symbol>& symbols);
  std::optional<VregClass> class_of(std::string_view name) const;

  // operands.cpp
  std::optional<Constant> constant(const ast::Expr& expr);
  std::optional<Constant> name_constant(const ast::Expr& expr);
  std::optional<Constant> address_constant(const ast::Expr& expr);
  std::optional<Constant> call_constant(const ast::Expr& expr);
  std::optional<Constant> fold(LateExpr::Op op, std::vector<Constant> args, const Origin& origin);
  /// `whole`: the name of an array stands for its first register (commands).
  std::optional<ResolvedOperand> operand(const ast::Operand& o, std::string_view where, bool whole = false);
  std::optional<ResolvedOperand> register_operand(const ast::Expr& e, std::string_view where, bool whole);
  std::optional<ResolvedOperand> indexed_operand(const ast::Expr& e);
  /// The memory block of this name, or null.
  const image::MemoryBlock* block(std::string_view name) const;
  void add_block(image::MemoryBlock block);
  /// What a name of the program is found by.
  std::string key(std::string_view name) const { return sources_.names().key(name); }
  /// The remedy where two names differ by case alone, and `remedy` otherwise.
  std::string_view written_at(const Origin& origin) const;
  std::string case_remedy(std::string_view a, std::string_view b, std::string remedy = {}) const;
  std::optional<isa::Operand> physical_register(std::string_view name) const;
  const Symbol* find_symbol(std::string_view name, Symbol::Kind kind, const Origin& origin, std::string_view where);
  /// A symbol that keeps an undeclared name from being reported again in this scope.
  const Symbol* stand_in(std::string_view name, Symbol::Kind kind, const Origin& origin);
  std::optional<VregId> element(const Symbol& symbol, const std::optional<int64_t>& index, const Origin& origin);
  std::optional<SignalRef> signal(const ast::Operand& o, std::string_view where);
  std::optional<LabelId> label(std::string_view name, const Origin& origin);
  bool names_register(const ast::Expr& e) const;

  // instructions.cpp
  void instruction(const ast::Instruction& i);
  struct Candidate {
    isa::InsnId id;
    const isa::Form* form;
    size_t skip;  ///< operands before the form's: 1 for the command name
  };
  std::optional<Candidate> choose(const ast::Instruction& i, std::span<const isa::InsnId> ids);
  bool fits(const isa::Arg& arg, const ast::Operand& o) const;
  bool match(const ast::Instruction& i, const Candidate& c, IrInsn& out);
  bool argument(const ast::Instruction& i, const isa::InsnInfo& info, const isa::Arg& arg, size_t position,
                const ast::Operand& o, IrInsn& out);
  bool place_operand(const isa::InsnInfo& info, const isa::Arg& arg, const ast::Operand& o, std::string_view where,
                     IrInsn& out);
  bool number_argument(const isa::InsnInfo& info, const isa::Arg& arg, const ast::Operand& o, std::string_view where,
                       IrInsn& out);
  bool name_argument(const isa::Arg& arg, const ast::Operand& o, std::string_view where, IrInsn& out);
  bool operation(const isa::Arg& arg, const ast::Operand& o, IrInsn& out);
  bool shift(const isa::Arg& arg, const ast::Operand& o, IrInsn& out);
  bool immediate(const ast::Instruction& i, IrInsn& out, const ast::Operand& o);
  bool signal_list(const ast::Instruction& i, IrInsn& out);
  bool mul_step_name(const ast::Modifier& m, IrInsn& out);
  bool modifiers(const ast::Instruction& i, const isa::InsnInfo& info, bool has_mul_step, IrInsn& out);
  bool modifier(const ast::Modifier& m, const isa::InsnInfo& info, IrInsn& out);
  bool modifier_number(const ast::Modifier& m, int64_t max, uint32_t& out);
  bool check_pair(const ast::Instruction& i, const IrInsn& insn);
  bool check_sequence(const ast::Instruction& i, const isa::InsnInfo& info, const IrInsn& insn);
  void use_transfers(const ast::Instruction& i, const isa::InsnInfo& info, const IrInsn& insn);
  void add(IrInsn insn, const Origin& origin);

  size_t faults_ = 0;
  bool given_up_ = false;
  const TokenProgram& tokens_;
  const Sources& sources_;
  const Options& options_;
  Diagnostics& diagnostics_;
  Program program_;
  Scopes scopes_;
  Structured structured_;
  std::map<std::string, LabelId, std::less<>> labels_;
  std::map<std::string, size_t, std::less<>> blocks_;  ///< of program_.memory
  std::vector<bool> label_placed_;
  std::vector<std::optional<Origin>> label_used_;             ///< first reference
  std::set<std::string, std::less<>> reported_;               ///< undeclared names without a symbol of their own
  std::vector<bool> read_used_, write_used_, declared_side_;  ///< by VregId
  std::vector<std::pair<size_t, Symbol>> arrays_;             ///< transfer arrays: VregIds that must be consecutive
  struct OpenSubroutine {
    uint32_t begin;
    Origin origin;
  };
  std::optional<OpenSubroutine> subroutine_;
  struct LateCheck {
    VregId first;
    uint32_t longwords;
    bool read;
    Origin origin;
  };
  std::vector<LateCheck>
      order_checks_;               ///< commands over several transfer registers: checked when all orders are known
  std::vector<uint8_t> ordered_;   ///< by VregId: the sides that stand in an .xfer_order
  std::deque<std::string> words_;  ///< names made by structured blocks
  bool physical_ = false;
  bool blocks_closed_ = true;
  uint32_t line_ = 0;  ///< index into tokens_.lines of the line being resolved
  uint32_t generated_ = 0;
};

}  // namespace weft::assembler
