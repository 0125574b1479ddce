// The index of a program: every name with its definition and uses, a class for every token, and what an editor asks at
// a position. It is made by the assembler's own preprocessor, parser and resolver, so it says what they would say; on
// text that is being written it holds everything that can be known.
//
// Lines and columns count from 1, columns in bytes; ranges are half open. Names are without case in the language:
// `name` is lower case where the program compares it, `written` is the text of the file. A file that is included twice
// has one number. An Index does not change after build(); any number of threads may ask it.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "weft/assembler/assembler.h"

namespace weft::assembler {

enum class NameKind : uint8_t {
  reg,
  signal,
  label,
  macro,
  define,
  parameter,
  import_variable,
  memory,
  mark,  ///< .block, .stage, .drop, .exception
  file,  ///< an included file: its definition is its first line
};
std::string_view name_of(NameKind kind);  ///< "register", "signal" ...

/// A stretch of one line of a file.
struct IndexPlace {
  uint32_t file = 0;  ///< Index::files()
  uint32_t line = 0, column = 0;
  uint32_t length = 0;  ///< bytes
  auto operator<=>(const IndexPlace&) const = default;
};

/// One step of the way a token took into the program, innermost first.
struct IndexFrame {
  enum class Kind : uint8_t { macro, loop, define, argument, include } kind = Kind::macro;
  std::string name;  ///< of the macro, define or parameter; of the loop directive; of the including file
  IndexPlace call;   ///< where it was called, used or included
  std::optional<IndexPlace> definition;  ///< where the body begins; argument: where it was written
  std::vector<std::string> arguments;    ///< of a macro as given, of a loop "i = 3"
};

/// A name as it stands somewhere.
struct IndexReference {
  uint32_t name = 0;  ///< index into Index::names()
  IndexPlace place;   ///< the token in the file: in a macro's body, not at its call
  bool definition = false;
  bool reads = false, writes = false;  ///< registers
  /// The text at the place is not the name: it is a define that stands for it, or the name was joined from pieces.
  bool made = false;
  bool through_define = false;  ///< made, by a define whose text holds the name, where it has another reference
  /// Seen in text that was not expanded: a macro that nobody calls, a branch that is not taken.
  bool unexpanded = false;
  uint32_t expansion = 0;  ///< for Index::chain(); 0 = written where it stands
};

struct IndexName {
  NameKind kind = NameKind::reg;
  std::string name;       ///< as the program knows it: lower case, with prefix; labels "x#", of macros "m001_x#"
  std::string written;    ///< at its first definition
  std::string detail;     ///< attributes, parameters or text: ".reg volatile read", "(out, value)", "0x1f"
  uint32_t scope = 0;     ///< index into Index::scopes()
  uint32_t elements = 1;  ///< of an array
  int32_t id = -1;        ///< number of the register, signal or label in the program
  std::vector<uint32_t>
      references;  ///< index into Index::references(), definitions among them, in order of the program
  std::vector<std::string> allocated;  ///< "a3", "$7", "s4": each live range, if the program was allocated
};

/// From .begin to .end (or .local to .endlocal). Number 0 is the whole program.
struct IndexScope {
  uint32_t parent = 0;
  IndexPlace begin, end;  ///< of the directives; line 0: the program, or never closed
  uint32_t expansion = 0;
};

enum class TokenClass : uint8_t {
  directive,    ///< "#if", ".reg", ".while" and the words that belong to it alone
  attribute,    ///< volatile, read, sram, self: words of directives
  instruction,  ///< a mnemonic, also of several tokens ("br=byte")
  command,      ///< the "read" of sram[read, ...]
  option,       ///< ctx_swap, sig_done, defer ... after the operands
  operation,    ///< an operator of the language or of an instruction: + AND << B
  punctuation,
  number,
  string,
  quoted,
  function,  ///< log2, mask, streq, defined ...
  constant,  ///< a word with a fixed meaning: a CSR, an input state, rot8, voluntary, l$index0
  reg,
  signal,
  label,
  macro,
  define,
  parameter,
  import_variable,
  memory,
  mark,
  file,
  name,  ///< a name that means nothing (yet)
  comment,
  error,  ///< characters that belong nowhere, text without its closing quote
};
std::string_view name_of(TokenClass kind);

struct IndexToken {
  uint32_t line = 0, column = 0, length = 0;  ///< comments of several lines: length over all of them
  TokenClass kind = TokenClass::name;
  bool definition = false;
  bool reads = false, writes = false;  ///< registers, as far as an instruction said so
  bool inactive = false;               ///< in a branch of #if that is taken nowhere
  bool in_macro = false;               ///< in the body of a macro
  bool unresolved = false;             ///< a register, signal or label that is not declared
};

/// What may stand at a place.
struct IndexCompletion {
  std::string text;
  std::string kind;  ///< name_of(NameKind), or "instruction", "command", "option", "constant", "directive", "operation"
  std::string detail;
};

struct IndexContext {
  enum class Kind : uint8_t { none, statement, directive, argument, option, macro_argument } kind = Kind::none;
  std::string head;                  ///< mnemonic, macro or directive
  uint32_t argument = 0;             ///< from 0; of an instruction the command counts
  std::vector<std::string> classes;  ///< what the forms of the instruction take here: "source", "label", "signal" ...
  std::string prefix;                ///< what is already written of the word
  uint32_t scope = 0;
};

struct IndexSignature {
  std::string text;  ///< "saturate(io, other, limit)"
  std::vector<std::string> parameters;
  uint32_t active = 0;
  std::string doc;
};

struct IndexOutline {
  std::string kind;  ///< "macro", "label", "scope", "block", "stage", "register" ...
  std::string name;
  IndexPlace place;
  uint32_t last_line = 0;
  std::vector<IndexOutline> inside;
};

struct IndexFold {
  uint32_t first = 0, last = 0;  ///< lines
  std::string kind;              ///< "macro", "condition", "loop", "scope", "block", "comment"
};

/// The places whose text changes with a name, or why a change would not be safe.
struct IndexRename {
  std::vector<IndexPlace> places;  ///< sorted, each once; without the '#' of labels
  std::string obstacle;            ///< empty = safe
  std::optional<IndexPlace> obstacle_place;
};

class Index {
 public:
  struct Settings {
    /// Texts that stand for files, by the path as the program finds it: what an editor has not saved.
    std::map<std::string, std::string> buffers;
    bool allocate = false;  ///< also allocate registers, if there are no errors
  };
  /// Nothing when it was cancelled (options.cancellation) .
  static std::optional<Index> build(SourceFilePtr main, const Options& options, const Settings& settings);
  static std::optional<Index> build(SourceFilePtr main, const Options& options) {
    return build(std::move(main), options, Settings());
  }

  struct Data;  ///< not for users
  Index(Index&&) noexcept;
  Index& operator=(Index&&) noexcept;
  ~Index();

  /// What preprocessor, parser and resolver (and allocator) said.
  const Diagnostics& diagnostics() const;
  const std::vector<std::string>& files() const;  ///< the main file is number 0
  std::optional<uint32_t> file(std::string_view path) const;
  bool is_built_in(uint32_t file) const;  ///< text of ours: predefined names, and what -D said
  std::string_view text(uint32_t file) const;
  const std::vector<IndexName>& names() const;
  const std::vector<IndexReference>& references() const;
  const std::vector<IndexScope>& scopes() const;
  /// Of a file, in order; together with blanks they are its whole text.
  const std::vector<IndexToken>& tokens(uint32_t file) const;
  /// How a reference came into the program: calls of macros with their arguments, then includes.
  std::vector<IndexFrame> chain(const IndexReference& reference) const;

  /// The references whose token covers the position (or ends there); several if a macro's body means several things.
  std::vector<const IndexReference*> at(uint32_t file, Position position) const;
  uint32_t scope_at(uint32_t file, Position position) const;
  IndexContext context_at(uint32_t file, Position position) const;
  std::vector<IndexCompletion> completions_at(uint32_t file, Position position) const;
  std::string hover_at(uint32_t file, Position position) const;  ///< Markdown; empty = nothing to say
  std::vector<IndexSignature> signatures_at(uint32_t file, Position position) const;
  std::vector<IndexOutline> outline(uint32_t file) const;
  std::vector<IndexFold> folds(uint32_t file) const;
  /// `to` may be empty: then only whether the name can be changed at all.
  IndexRename rename_at(uint32_t file, Position position, std::string_view to) const;

 private:
  explicit Index(std::unique_ptr<Data> data);
  std::unique_ptr<Data> data_;
  friend class IndexBuilder;
};

/// What the reference says of an instruction ("alu", "sram[read]", "sram_read"), a CSR, an input state or an event;
/// empty: there is no such name.
std::string explain_word(std::string_view text);

/// The whole index of a program as JSON (docs/index.md), with a version field.
std::string to_json(const Index& index);
/// What is at one position, as JSON.
std::string to_json(const Index& index, uint32_t file, Position position);

}  // namespace weft::assembler
