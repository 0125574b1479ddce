// Directives that say something of the program: scopes, declarations, hints, memory, modes, marks.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resolver/instructions.h"

namespace weft::assembler {

/// Every directive with a point, for suggestions.
const std::vector<std::string>& assembler_directives();

class Directives {
 public:
  Directives(const Instructions::Uses& uses, Instructions& instructions)
      : program_(uses.program),
        sources_(uses.sources),
        report_(uses.report),
        symbols_(uses.symbols),
        labels_(uses.labels),
        transfers_(uses.transfers),
        operands_(uses.operands),
        instructions_(instructions) {}

  void resolve(const ast::Directive& d);
  /// A directive that could not be read.
  void wrong(const ast::Directive& d);
  void finish();

 private:
  // directives.cpp
  void mode(const ast::Directive& d);
  void mark(const ast::Directive& d);
  void raw_word(const ast::Directive& d);
  bool takes(const ast::Directive& d, size_t min, size_t max, std::string_view form);
  std::optional<int64_t> number(const ast::DirectiveArg& arg, int64_t min, int64_t max, std::string_view what);

  /// False, and said, when the program set this mode to another value before.
  bool settles(const ast::Directive& d, int64_t value);

  // declarations.cpp
  void scope(const ast::Directive& d);
  void declare_registers(const ast::Directive& d);
  void declare_signals(const ast::Directive& d);
  bool is_reserved(const ast::DirectiveArg& name, Symbol::Kind kind);
  void redeclared(const ast::DirectiveArg& name, const Symbol& first);
  void xfer_order(const ast::Directive& d, XferGroup::Side side);

  // hints.cpp
  void hint(const ast::Directive& d, Hint::Kind kind);
  void unit_completed(const ast::Directive& d);
  void address(const ast::Directive& d);
  /// False, and said, when more than an index stands at the name.
  bool has_only_index(const ast::DirectiveArg& name, std::string_view directive);
  /// The element that the index says, or without index all that the name stands for. Nothing after an error.
  std::optional<std::vector<VregId>> registers_of(const Symbol& symbol, const ast::DirectiveArg& name);
  void subroutine(const ast::Directive& d);

  // memory.cpp
  void initialise(const ast::Directive& d);
  void initialise_block(const ast::Directive& d, const image::MemoryBlock& block, image::Init init);
  void initialise_registers(const ast::Directive& d, const image::Init& init);
  void initialise_context(const ast::Directive& d);
  /// Whether the name is that of a register by number, which then takes the values.
  bool initialise_physical(const ast::Directive& d, const ast::DirectiveArg& name, const image::Init& init);
  void memory(const ast::Directive& d);
  std::optional<image::Region> region_of(const ast::DirectiveArg& name);
  /// Makes the name known whose declaration is wrong, so that its uses are not further mistakes.
  void stand_in_block(const ast::DirectiveArg& name);

  Program& program_;
  const Sources& sources_;
  Reporter& report_;
  Symbols& symbols_;
  Labels& labels_;
  Transfers& transfers_;
  Operands& operands_;
  Instructions& instructions_;
  struct OpenSubroutine {
    uint32_t begin;
    Origin origin;
  };
  std::optional<OpenSubroutine> subroutine_;
  struct SaidMode {
    int64_t value;
    Origin origin;
  };
  std::map<std::string, SaidMode> modes_;
};

}  // namespace weft::assembler
