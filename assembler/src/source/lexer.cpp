#include "source/lexer.h"

#include <algorithm>
#include <array>

#include "source/recorder.h"
#include "weft/isa/isa.h"

namespace weft::assembler {
namespace {

enum CharClass : uint8_t { cc_other, cc_blank, cc_letter, cc_digit, cc_punct };

constexpr std::array<uint8_t, 256> make_classes() {
  std::array<uint8_t, 256> c{};
  for (const char x : {' ', '\t', '\r', '\f', '\v'}) c[static_cast<unsigned char>(x)] = cc_blank;
  for (int x = 'a'; x <= 'z'; ++x) c[static_cast<size_t>(x)] = c[static_cast<size_t>(x - 32)] = cc_letter;
  c['_'] = cc_letter;
  for (int x = '0'; x <= '9'; ++x) c[static_cast<size_t>(x)] = cc_digit;
  for (const char x : std::string_view("!#$%&()*+,-./:<=>?@[]^{|}~;\\`")) c[static_cast<unsigned char>(x)] = cc_punct;
  return c;
}
constexpr std::array<uint8_t, 256> classes = make_classes();

bool is_letter(char c) { return classes[static_cast<unsigned char>(c)] == cc_letter; }
bool is_digit(char c) { return classes[static_cast<unsigned char>(c)] == cc_digit; }
bool is_word(char c) { return is_letter(c) || is_digit(c); }
bool is_blank(char c) { return classes[static_cast<unsigned char>(c)] == cc_blank; }

int digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char f = fold(c);
  return f >= 'a' && f <= 'f' ? f - 'a' + 10 : 99;
}

/// A word that begins with a digit: a number, a name such as 24x8_start, or a number that does not fit 64 bits.
TokenKind classify_number(std::string_view word, int64_t& value) {
  unsigned base = 10;
  size_t i = 0;
  if (word.size() > 1 && word[0] == '0' && (fold(word[1]) == 'x' || fold(word[1]) == 'b')) {
    base = fold(word[1]) == 'x' ? 16 : 2;
    i = 2;
    if (word.size() == 2) return TokenKind::name;
  }
  uint64_t n = 0;
  bool fits = true;
  for (; i < word.size(); ++i) {
    const int d = digit_value(word[i]);
    if (d >= static_cast<int>(base)) return TokenKind::name;
    if (n > (UINT64_MAX - static_cast<uint64_t>(d)) / base) fits = false;
    n = n * base + static_cast<uint64_t>(d);
  }
  value = static_cast<int64_t>(n);
  return fits ? TokenKind::number : TokenKind::other;
}

/// Reads one token at `at`, which is not a blank, line end or comment. Text never runs past `end`.
class Scanner {
 public:
  Scanner(std::string_view text, Names& names) : text_(text), names_(names) {}

  size_t token(size_t at, Token& t) {
    const char c = text_[at];
    size_t end = at + 1;
    switch (classes[static_cast<unsigned char>(c)]) {
      case cc_letter: end = name(at); return finish_name(t, at, end);
      case cc_digit:
        end = word(at);
        t.text = text_.substr(at, end - at);
        t.kind = classify_number(t.text, t.value);
        if (t.kind == TokenKind::name) t.value = names_.id(t.text);
        return end;
      case cc_punct: return mark(at, t);
      default: break;
    }
    if (c == '"' || c == '\'') return quoted(at, t);
    // A run of bytes that are not ASCII text is one token.
    while (end < text_.size() && classes[static_cast<unsigned char>(text_[end])] == cc_other && text_[end] != '"' &&
           text_[end] != '\'' && text_[end] != '\n')
      ++end;
    t.kind = TokenKind::other;
    t.text = text_.substr(at, end - at);
    return end;
  }

 private:
  char peek(size_t at) const { return at < text_.size() ? text_[at] : '\0'; }

  size_t word(size_t at) const {
    while (at < text_.size() && is_word(text_[at])) ++at;
    return at;
  }

  size_t name(size_t at) const {
    const size_t end = word(at);
    if (end == at + 1 && peek(end) == '$' && is_word(peek(end + 1))) {
      const char prefix = fold(text_[at]);
      if (prefix == 'n' || prefix == 'i' || prefix == 'l') return word(end + 1);
    }
    return end;
  }

  size_t finish_name(Token& t, size_t at, size_t end) {
    t.kind = TokenKind::name;
    t.text = text_.substr(at, end - at);
    t.value = names_.id(t.text);
    return end;
  }

  size_t mark(size_t at, Token& t) {
    const char c = text_[at], next = peek(at + 1);
    if (c == '.' && is_letter(next)) return finish_name(t, at, word(at + 1));
    if (c == '@' && is_word(next)) return finish_name(t, at, word(at + 1));
    if (c == '$') {
      if (is_word(next)) return finish_name(t, at, word(at + 1));
      if (next == '$' && is_word(peek(at + 2))) return finish_name(t, at, word(at + 2));
    }
    t.kind = TokenKind::punct;
    size_t length = 1;
    if (next == c && (c == '<' || c == '>' || c == '=' || c == '&' || c == '|')) length = 2;
    if (next == '=' && (c == '<' || c == '>' || c == '!')) length = 2;
    if (c == '/' && text_.compare(at, 4, "/**/") == 0) length = 4;
    if (c == '\\' || c == '`' || c == '{' || c == '}') t.kind = TokenKind::other;
    t.text = text_.substr(at, length);
    return at + length;
  }

  size_t quoted(size_t at, Token& t) {
    const char quote = text_[at];
    size_t i = at + 1;
    for (; i < text_.size() && text_[i] != '\n'; ++i) {
      if (text_[i] == quote) {
        t.kind = quote == '"' ? TokenKind::string : TokenKind::quoted;
        t.text = text_.substr(at, i + 1 - at);
        return i + 1;
      }
      if (quote == '"' && text_[i] == '\\' && i + 1 < text_.size()) {
        ++i;  // keeps \" inside, and a line end after a backslash
        if (text_[i] == '\r' && peek(i + 1) == '\n') ++i;
      }
    }
    // Unterminated: the rest of the line.
    i = std::min(i, text_.size());
    while (i > at + 1 && is_blank(text_[i - 1])) --i;
    t.kind = TokenKind::other;
    t.text = text_.substr(at, i - at);
    return i;
  }

  std::string_view text_;
  Names& names_;
};

class FileLexer {
 public:
  FileLexer(Sources& sources, uint32_t file, LexedFile& out, Diagnostics& diagnostics)
      : sources_(sources),
        file_(file),
        text_(sources.file(file)->text()),
        scanner_(text_, sources.names()),
        out_(out),
        diagnostics_(diagnostics) {}

  void run() {
    out_.tokens.reserve(text_.size() / 4);
    while (at_ < text_.size()) {
      if (!skip_blanks()) continue;
      if (text_[at_] == '\n') {
        if (!continues_after_newline()) end_line();
        ++at_;
        begin_physical_line();
        continue;
      }
      if (out_.tokens.size() % 512 == 0) sources_.checkpoint();
      Token t;
      t.space_before = space_;
      t.origin = {file_, line_, static_cast<uint32_t>(at_ - line_start_ + 1), 0, 0};
      const size_t end = scanner_.token(at_, t);
      t.origin.length = static_cast<uint32_t>(t.text.size());
      track(t);
      out_.tokens.push_back(t);
      space_ = false;
      // A string may hold line ends after backslashes.
      if (t.kind == TokenKind::string || t.kind == TokenKind::other) {
        for (size_t i = at_; i < end; ++i)
          if (text_[i] == '\n') ++line_, line_start_ = i + 1;
      }
      at_ = end;
    }
    end_line();
    // The tokens stay where they are from now on.
    const Token* base = out_.tokens.data();
    for (size_t i = 0; i < starts_.size(); ++i) {
      const size_t first = starts_[i], last = i + 1 < starts_.size() ? starts_[i + 1] : out_.tokens.size();
      out_.lines.push_back({base + first, static_cast<uint32_t>(last - first), directives_[i]});
    }
  }

 private:
  void begin_physical_line() {
    ++line_;
    line_start_ = at_;
    space_ = true;
  }

  /// Skips blanks, comments and continued line ends. False if it stopped at the end of the text.
  bool skip_blanks() {
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (is_blank(c)) {
        space_ = true;
        ++at_;
      } else if (c == ';' || (c == '/' && next() == '/')) {
        const size_t begin = at_;
        skip_to_newline();
        note_comment(begin, at_, line_, line_start_);
        space_ = true;
      } else if (c == '/' && next() == '*') {
        if (text_.compare(at_, 4, "/**/") == 0) return true;
        block_comment();
      } else if (c == '\\' && joins_line()) {
        continue;
      } else {
        return true;
      }
    }
    return false;
  }

  char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }
  void skip_to_newline() {
    at_ = text_.find('\n', at_);
    if (at_ == std::string_view::npos) at_ = text_.size();
  }

  void block_comment() {
    const size_t end = text_.find("*/", at_ + 2);
    const size_t stop = end == std::string_view::npos ? text_.size() : end + 2;
    if (end == std::string_view::npos) {
      diagnostics_.add(sources_.diagnostic(Severity::error, "pp-unterminated-comment",
                                           {file_, line_, static_cast<uint32_t>(at_ - line_start_ + 1), 2, 0},
                                           "this comment has no end", "close it with */"));
    }
    note_comment(at_, stop, line_, line_start_);
    for (size_t i = at_; i < stop; ++i)
      if (text_[i] == '\n') ++line_, line_start_ = i + 1;
    at_ = stop;
    space_ = true;
  }

  void note_comment(size_t begin, size_t end, uint32_t line, size_t line_start) {
    if (sources_.recorder() == nullptr) return;
    while (end > begin && text_[end - 1] == '\r') --end;
    Token t;
    t.text = text_.substr(begin, end - begin);
    t.origin = {file_, line, static_cast<uint32_t>(begin - line_start + 1), static_cast<uint32_t>(end - begin), 0};
    out_.comments.push_back(t);
  }

  /// At a backslash: true, and past the line end, if nothing but blanks and a comment follows on the line.
  bool joins_line() {
    size_t i = at_ + 1;
    while (i < text_.size() && is_blank(text_[i])) ++i;
    if (i < text_.size() && (text_[i] == ';' || text_.compare(i, 2, "//") == 0)) {
      const size_t begin = i;
      i = text_.find('\n', i);
      if (i == std::string_view::npos) i = text_.size();
      note_comment(begin, i, line_, line_start_);
    }
    if (i < text_.size() && text_[i] != '\n') return false;
    at_ = std::min(i + 1, text_.size());
    if (i < text_.size()) begin_physical_line();
    return true;
  }

  void track(const Token& t) {
    if (t.kind != TokenKind::punct || t.text.size() != 1) return;
    if (t.text[0] == '(' || t.text[0] == '[') ++depth_, open_ += t.text[0];
    if ((t.text[0] == ')' || t.text[0] == ']') && depth_ > 0) --depth_, open_.pop_back();
  }

  bool continues_after_newline() {
    if (out_.tokens.size() == line_first_) return false;
    const Token& first = out_.tokens[line_first_];
    if (is_punct(first, '#')) {
      // Only the parameter list of a macro may run over several lines without backslashes.
      if (depth_ == 0 || out_.tokens.size() < line_first_ + 2 || !is_name(out_.tokens[line_first_ + 1], "macro"))
        return false;
    }
    const Token& last = out_.tokens.back();
    const bool comma = is_punct(last, ',');
    if (!comma && depth_ == 0) return false;
    const size_t next = next_line_begins();
    const char begins = next < text_.size() ? text_[next] : '\0';
    if (begins == '#' || begins == '\0') return false;
    // A bracket that was forgotten must not swallow the program, nor one that is not written yet (index).
    if ((depth_ > 0 || sources_.recorder() != nullptr) && begins_statement(next)) return false;
    return true;
  }

  /// A directive, a label or a mnemonic with its bracket continues nothing; nor does a word like nop, alone in its
  /// line, continue operands.
  bool begins_statement(size_t at) const {
    if (text_[at] == '.' && at + 1 < text_.size() && is_letter(text_[at + 1])) return true;
    size_t end = at;
    while (end < text_.size() && (is_word(text_[end]) || text_[end] == '=' || text_[end] == '!')) ++end;
    if (end == at || end >= text_.size()) return false;
    if (text_.compare(end, 2, "#:") == 0) return true;
    const std::string word = folded(text_.substr(at, end - at));
    if (open_.ends_with('[') && ends_line(end) && (word == "nop" || word == "nop_volatile")) return true;
    if (text_[end] != '[') return false;
    return !isa::by_mnemonic(isa::Profile::me2, word).empty() || !isa::by_mnemonic(isa::Profile::me1, word).empty();
  }

  bool ends_line(size_t at) const {
    while (at < text_.size() && is_blank(text_[at])) ++at;
    return at >= text_.size() || text_[at] == '\n' || text_[at] == ';' || text_.compare(at, 2, "//") == 0;
  }

  /// First character of the next line that holds more than blanks and comments.
  size_t next_line_begins() const {
    size_t i = at_ + 1;
    while (i < text_.size()) {
      if (is_blank(text_[i]) || text_[i] == '\n') {
        ++i;
      } else if (text_[i] == ';' || text_.compare(i, 2, "//") == 0) {
        i = text_.find('\n', i);
      } else if (text_.compare(i, 2, "/*") == 0 && text_.compare(i, 4, "/**/") != 0) {
        i = text_.find("*/", i + 2);
        if (i != std::string_view::npos) i += 2;
      } else {
        return i;
      }
    }
    return text_.size();
  }

  void end_line() {
    depth_ = 0;
    open_.clear();
    const size_t first = line_first_;
    const size_t count = out_.tokens.size() - first;
    line_first_ = out_.tokens.size();
    if (count == 0) return;
    Directive d = Directive::none;
    if (is_punct(out_.tokens[first], '#')) {
      d = count > 1 && out_.tokens[first + 1].kind == TokenKind::name ? directive(out_.tokens[first + 1].text)
                                                                      : Directive::unknown;
    }
    starts_.push_back(first);
    directives_.push_back(d);
  }

  Sources& sources_;
  uint32_t file_;
  std::string_view text_;
  Scanner scanner_;
  LexedFile& out_;
  Diagnostics& diagnostics_;
  std::vector<size_t> starts_;
  std::vector<Directive> directives_;
  size_t at_ = 0, line_start_ = 0, line_first_ = 0;
  uint32_t line_ = 1;
  int depth_ = 0;
  std::string open_;  ///< the brackets that are open
  bool space_ = true;
};

constexpr std::string_view directive_table[] = {
    "include", "define",  "define_eval", "undef",   "if",   "ifdef",  "ifndef",
    "elif",    "else",    "endif",       "macro",   "endm", "repeat", "while",
    "for",     "endloop", "error",       "warning", "info", "pragma", "protect_macro_locals"};

}  // namespace

Directive directive(std::string_view name) {
  for (size_t i = 0; i < std::size(directive_table); ++i) {
    if (same_name(name, directive_table[i])) return static_cast<Directive>(i + 2);
  }
  return Directive::unknown;
}

const std::vector<std::string>& directive_names() {
  static const std::vector<std::string> names(std::begin(directive_table), std::end(directive_table));
  return names;
}

void lex_file(Sources& sources, uint32_t file, LexedFile& out, Diagnostics& diagnostics) {
  FileLexer(sources, file, out, diagnostics).run();
}

void lex_text(Sources& sources, std::string_view text, const Origin& origin, bool space_before,
              std::vector<Token>& out) {
  Scanner scanner(text, sources.names());
  bool space = space_before;
  for (size_t at = 0; at < text.size();) {
    if (is_blank(text[at]) || text[at] == '\n') {
      space = true;
      ++at;
      continue;
    }
    Token t;
    t.space_before = space;
    t.origin = origin;
    at = scanner.token(at, t);
    out.push_back(t);
    space = false;
  }
}

std::string spelling(const Token* begin, const Token* end, size_t max) {
  std::string text;
  for (const Token* t = begin; t != end && text.size() < max; ++t) {
    if (t != begin && t->space_before) text += ' ';
    text += t->text.substr(0, max);
  }
  return text;
}

}  // namespace weft::assembler
