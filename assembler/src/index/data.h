// What an Index holds; private to src/index.
#pragma once

#include <algorithm>
#include <array>
#include <deque>
#include <map>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "source/lexer.h"
#include "weft/assembler/index.h"

namespace weft::assembler {

/// A file with its tokens. `tokens` and `comments` are the lexer's; `out` has both, in order.
struct IndexFile {
  SourceFilePtr source;
  LexedFile lexed;
  std::vector<IndexToken> out;
  std::vector<uint32_t> out_of;       ///< by token of `lexed`: index into `out`
  std::vector<bool> known;            ///< by token of `lexed`: its class is settled
  std::vector<uint32_t> first_token;  ///< by line: the first token on it or after it
  std::vector<uint32_t> first_line;   ///< by line: the logical line that begins on it or after it
  std::vector<uint8_t> state;         ///< by logical line: kReached, kSkipped
  static constexpr uint8_t kReached = 1, kSkipped = 2;

  const Token* token(uint32_t line, uint32_t column) const;
  size_t index(const Token* t) const { return static_cast<size_t>(t - lexed.tokens.data()); }
  /// The logical line whose first token stands on this line; null if there is none.
  const LineRef* line(uint32_t line) const;
};

/// #macro ... #endm in a file.
struct MacroBody {
  uint32_t file = 0;
  uint32_t name = 0;         ///< index into names
  size_t head = 0, end = 0;  ///< logical lines: of #macro; of #endm, or where it was cut off
  std::vector<std::pair<std::string_view, uint32_t>> parameters;  ///< as written, index into names
  uint32_t first_line() const { return first; }
  uint32_t first = 0, last = 0;  ///< lines of the file, both included
};

/// Where a statement of the program stood, and the scope it left.
struct ScopeMark {
  uint32_t file = 0, line = 0, column = 0;
  uint32_t scope = 0;
};

struct Index::Data {
  Sources sources;
  isa::Profile profile = isa::Profile::me2;
  std::optional<LostCycles> lost;  ///< of the chip, when the options say them
  Diagnostics diagnostics;
  std::vector<std::string> paths;
  std::deque<IndexFile> files;
  std::vector<uint32_t> file_of;  ///< by file of `sources`
  std::vector<IndexName> names;
  std::vector<IndexReference> references;
  std::vector<IndexScope> scopes{1};
  std::vector<MacroBody> macros;
  /// Macros of one file, in the order of their first lines.
  struct MacroOrder {
    uint32_t macro;  ///< index into macros
    uint32_t last;   ///< the greatest last line of this one and of those before it
  };
  std::vector<std::vector<MacroOrder>> macros_of;                  ///< by file
  std::vector<ScopeMark> marks;                                    ///< sorted by place
  std::unordered_map<std::string, std::vector<uint32_t>> by_name;  ///< by key() of what is written: index into names
  std::map<std::array<uint32_t, 3>, std::vector<uint32_t>> calls;  ///< expansions of macro calls by file, line, column
  std::vector<std::vector<uint32_t>> by_line;                      ///< by file: references sorted by place

  /// What a name of the program is found by.
  std::string key(std::string_view name) const { return sources.names().key(name); }
  std::optional<IndexPlace> place(const Origin& origin) const;
  void add(MacroBody macro);
  /// Asks about the macros that have the line, the innermost first, until `is_it` says true.
  template <class IsIt>
  bool any_macro_at(uint32_t file, uint32_t line, IsIt is_it) const {
    if (file >= macros_of.size()) return false;
    const std::vector<MacroOrder>& order = macros_of[file];
    auto at = std::upper_bound(order.begin(), order.end(), line,
                               [&](uint32_t l, const MacroOrder& m) { return l < macros[m.macro].first; });
    while (at != order.begin() && (--at)->last >= line)
      if (macros[at->macro].last >= line && is_it(macros[at->macro])) return true;
    return false;
  }
  const MacroBody* macro_at(uint32_t file, uint32_t line) const;
  std::string_view text(const IndexPlace& place) const;
  const IndexName* find(std::string_view written, NameKind kind) const;
  bool in_scope(const IndexName& name, uint32_t scope) const;
};

/// How the register classes and places of arguments are called in contexts and signatures.
std::string_view class_name(isa::ArgClass cls);

}  // namespace weft::assembler
