// Tokens with their whole story: where a token was written, and through which macro calls and includes it came.
//
// Stages hand these on by value. Nothing here owns text: token text points into a SourceFile or into the Sources' own
// string arena, both of which live as long as the Sources object of the assembly.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

#include "source/names.h"
#include "weft/assembler/cancellation.h"
#include "weft/base/diagnostic.h"
#include "weft/base/source.h"

namespace weft::assembler {

/// A place in a file and the macro expansion that brought the text there (0 = none). 20 bytes: it sits in every token.
struct Origin {
  uint32_t file = 0;       ///< index into Sources::file()
  uint32_t line = 0;       ///< from 1
  uint32_t column = 0;     ///< from 1, bytes
  uint32_t length = 0;     ///< bytes
  uint32_t expansion = 0;  ///< index into Sources::expansion(); 0 = written where it stands
};

/// One call of a macro, one pass of a loop, one use of a #define, or one use of a macro parameter: the frame that a
/// token's expansion points to. A token from a #define stands where the #define was used; a token from a macro argument
/// stands where the argument was written.
struct Expansion {
  enum class Kind : uint8_t { macro, loop, define, argument } kind = Kind::macro;
  std::string_view name;  ///< source or kept text
  Origin call;            ///< where it was called (its own `expansion` is the caller: the chain)
  Origin definition;      ///< where the body begins; argument: the place and expansion in which it was written
  std::vector<std::string> arguments;
  uint32_t serial = 0;  ///< counts macro calls of an assembly from 1: makes labels unique
};

class Recorder;

/// Thrown by checkpoint() alone and caught by those who begin an assembly or an index: the one way out of all
/// stages at once, with nothing half done left behind.
struct Cancelled {};
inline void checkpoint(const Cancellation* cancellation) {
  if (cancellation != nullptr && cancellation->requested()) throw Cancelled{};
}
/// Of the arguments of an expansion so many are kept, each so long: enough for a message.
constexpr size_t max_shown_arguments = 64, max_shown_argument = 80;

/// Files, includes and expansions of one assembly. Not global: one per assembly.
class Sources {
 public:
  Sources();
  uint32_t add_file(SourceFilePtr file, Origin included_from = {});
  const SourceFilePtr& file(uint32_t index) const { return files_[index].file; }
  Origin included_from(uint32_t index) const { return files_[index].included_from; }
  size_t file_count() const { return files_.size(); }
  size_t expansion_count() const { return expansions_.size(); }
  uint32_t add_expansion(Expansion e);
  const Expansion& expansion(uint32_t index) const { return expansions_[index]; }
  /// Keeps generated text (pasted names, evaluated numbers) alive.
  std::string_view keep(std::string text);
  /// The numbers of names; Token::value of a name is its number.
  Names& names() { return names_; }
  const Names& names() const { return names_; }

  SourceRange range(const Origin& origin) const;
  /// A diagnostic at an origin, with notes for each macro expansion and include on the way.
  Diagnostic diagnostic(Severity severity, std::string code, const Origin& origin, std::string text,
                        std::string remedy = {}) const;

  /// Both must outlive the work; null = nobody.
  void set_cancellation(const Cancellation* cancellation) { cancellation_ = cancellation; }
  void set_recorder(Recorder* recorder) { recorder_ = recorder; }
  Recorder* recorder() const { return recorder_; }
  /// Ends the work (with Cancelled) if that was asked for. Loops come by at least every few milliseconds.
  void checkpoint() const { assembler::checkpoint(cancellation_); }

 private:
  struct File {
    SourceFilePtr file;
    Origin included_from;
  };
  std::vector<File> files_;
  std::vector<Expansion> expansions_;
  std::deque<std::string> arena_;
  Names names_;
  const Cancellation* cancellation_ = nullptr;
  Recorder* recorder_ = nullptr;
};

enum class TokenKind : uint8_t {
  name,    ///< identifier; also mnemonics, directives (".reg"), registers ("$x", "$$x", "@x", "n$x", "i$x"), labels
           ///< ("x#")
  number,  ///< 10, 0x1f, 0b101; value in Token::value
  string,  ///< "text", quotes included
  quoted,  ///< 'text', quotes included
  punct,   ///< one operator or punctuation mark, longest first: << >> <= >= == != && || and single characters
  other,   ///< a character that belongs nowhere; reported by whoever meets it
};

struct Token {
  TokenKind kind = TokenKind::other;
  bool space_before = false;
  std::string_view text;  ///< as written (case kept); compare with the case-insensitive helpers of lexer.h
  int64_t value = 0;      ///< numbers: the value; names of the source: the low 32 bits are its number in Names
  Origin origin;
};

/// One logical line of expanded source: continuations joined, comments gone, macros expanded. Never empty.
struct TokenLine {
  std::vector<Token> tokens;
  bool optimize = true;  ///< false under #pragma optimize("...", off)
  /// The line as a person should see it in a listing: the outermost call line when it came from a macro.
  Origin origin;
};

/// The preprocessed program: what the parser reads and `-E` prints.
struct TokenProgram {
  std::vector<TokenLine> lines;
  std::vector<std::string> macro_names;  ///< to suggest for an unknown instruction
  std::vector<std::string> lost_names;   ///< of defines with a fault: what is missing was said
};

}  // namespace weft::assembler
