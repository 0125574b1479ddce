// Registers and signals of the program: declared ones, and those that stand for names that nobody declared.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "resolver/reporter.h"
#include "resolver/scopes.h"

namespace weft::assembler {

/// The class of register that a name's prefix says; nothing for import variables.
std::optional<VregClass> class_of(std::string_view name);
/// A name whose value only the linker knows: an import variable, or the number of the microengine.
bool is_import_name(std::string_view name);
/// l<number>_...: so structured blocks name their labels and registers.
bool is_reserved_name(std::string_view name);

class Symbols {
 public:
  Symbols(Program& program, const Sources& sources, Reporter& report, const std::vector<std::string>& lost_names)
      : program_(program), sources_(sources), report_(report), lost_names_(lost_names) {}

  const Scopes& scopes() const { return scopes_; }
  void open_scope(const Origin& origin, bool local);
  /// False when only the outermost scope is open or the innermost one is of the other kind.
  bool close_scope(bool local, const Origin& origin);
  /// Ends all scopes; those that are still open are reported.
  void finish();

  /// False when its scope has a name of this kind already; `previous` is then that symbol.
  bool add(Symbol symbol, const Symbol** previous) { return scopes_.add(std::move(symbol), previous); }
  /// A register of that name whose life starts here, without a symbol.
  VregId new_register(std::string name, Vreg attributes, const Origin& origin);
  SignalId new_signal(std::string name, Signal attributes, const Origin& origin);
  /// A register for a part of a condition.
  std::string new_temporary(const Origin& origin);
  /// A symbol that keeps an undeclared name from being reported again in this scope.
  const Symbol* stand_in(std::string_view name, Symbol::Kind kind, const Origin& origin);

  /// The symbol that is used at `origin`; an undeclared one is reported and gets a stand-in. Nothing when the name is
  /// of the other kind.
  const Symbol* find(std::string_view name, Symbol::Kind kind, const Origin& origin, std::string_view where);
  /// The register of a symbol, or that of an element of an array.
  std::optional<VregId> element(const Symbol& symbol, const std::optional<int64_t>& index, const Origin& origin);
  /// An import variable or a memory block.
  bool is_linked(std::string_view name) const;
  /// The memory block of this name, or null.
  const image::MemoryBlock* block(std::string_view name) const;
  void add_block(image::MemoryBlock block);

 private:
  void end(const std::vector<Symbol>& symbols);

  Program& program_;
  const Sources& sources_;
  Reporter& report_;
  const std::vector<std::string>& lost_names_;  ///< whose declaration was lost with a part of the text
  Scopes scopes_;
  std::map<std::string, size_t, std::less<>> blocks_;  ///< of program_.memory
  uint32_t temporaries_ = 0;
};

}  // namespace weft::assembler
