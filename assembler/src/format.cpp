#include "weft/assembler/format.h"

#include <algorithm>
#include <array>

#include "source/lexer.h"

namespace weft::assembler {
namespace {

constexpr size_t kIndent = 4;
/// Blocks inside more of them than these stand no further to the right: the text would grow with the square of its
/// depth.
constexpr size_t kDeepestIndent = 40;
constexpr size_t kCommentColumn = 80;  ///< longer code does not move the comments of its neighbours

bool blank(std::string_view text) { return text.find_first_not_of(" \t\r\f\v") == std::string_view::npos; }

std::string_view trimmed_end(std::string_view text) {
  const size_t last = text.find_last_not_of(" \t\r\f\v");
  return last == std::string_view::npos ? std::string_view() : text.substr(0, last + 1);
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r\f\v");
  return first == std::string_view::npos ? std::string_view() : trimmed_end(text.substr(first));
}

size_t width(std::string_view text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

size_t leading_columns(std::string_view text) {
  size_t column = 0;
  for (const char c : text) {
    if (c == '\t')
      column += kIndent - column % kIndent;
    else if (c == ' ')
      ++column;
    else
      break;
  }
  return column;
}

/// Whether a block comment is open after `gap`, text between tokens; `open` tells it for the beginning.
bool comment_open(std::string_view gap, bool open) {
  for (size_t i = 0; i < gap.size(); ++i) {
    if (open) {
      if (gap.substr(i, 2) == "*/") open = false, ++i;
    } else if (gap.substr(i, 2) == "/*") {
      open = true, ++i;
    } else if (gap[i] == ';' || gap.substr(i, 2) == "//") {
      return false;
    }
  }
  return open;
}

/// What a physical line holds.
struct Row {
  std::string_view raw;
  const Token* begin = nullptr;
  const Token* end = nullptr;
  const LineRef* logical = nullptr;  ///< the logical line of its tokens
  bool first = false;                ///< its first token begins the logical line
  bool in_comment = false;           ///< its beginning is inside a block comment
};

/// A line as it will be printed.
struct Shape {
  std::string code;
  std::string_view comment;  ///< after the code
};

class Formatter {
 public:
  Formatter(const SourceFile& file, const LexedFile& lexed) : file_(file) { rows(lexed); }

  std::string run() {
    std::vector<Shape> shapes;
    for (const Row& row : rows_) shapes.push_back(shape(row));
    std::string out;
    bool gap = false;
    for (size_t i = 0; i < shapes.size();) {
      size_t last = i;  // a run of lines with comments after code
      while (last < shapes.size() && !shapes[last].comment.empty()) ++last;
      if (last == i) {
        if (shapes[i].code.empty()) {
          // An empty line may end a line that a backslash continues: such a one stays.
          gap = true;
        } else {
          if (gap && !out.empty()) out += '\n';
          gap = false;
          out += shapes[i].code + '\n';
        }
        ++i;
        continue;
      }
      if (gap && !out.empty()) out += '\n';
      gap = false;
      size_t column = 0;
      for (size_t k = i; k < last; ++k) {
        const size_t needed = width(shapes[k].code) + 2;
        if (needed <= kCommentColumn) column = std::max(column, needed);
      }
      for (; i < last; ++i) {
        const size_t code = width(shapes[i].code);
        out += shapes[i].code + std::string(std::max(column, code + 2) - code, ' ') + std::string(shapes[i].comment) +
               '\n';
      }
    }
    return out;
  }

 private:
  void rows(const LexedFile& lexed) {
    const uint32_t count = file_.line_count();
    rows_.resize(count);
    for (uint32_t n = 0; n < count; ++n) rows_[n].raw = file_.line(n + 1);
    for (const LineRef& line : lexed.lines) {
      for (const Token* t = line.begin; t != line.end(); ++t) {
        Row& row = rows_[t->origin.line - 1];
        if (!row.begin) {
          row.begin = t;
          row.logical = &line;
          row.first = t == line.begin;
        }
        row.end = t + 1;
      }
    }
    bool open = false;
    for (Row& row : rows_) {
      row.in_comment = open;
      size_t from = 0;
      for (const Token* t = row.begin; t != row.end; ++t) {
        const size_t at = t->origin.column - 1;
        open = comment_open(row.raw.substr(from, at - from), open);
        from = at + t->origin.length;
      }
      open = comment_open(row.raw.substr(std::min(from, row.raw.size())), open);
    }
  }

  Shape shape(const Row& row) {
    if (row.in_comment) return {std::string(trimmed_end(row.raw)), {}};
    if (!row.begin) return {comment_line(row.raw), {}};
    const size_t start = row.begin->origin.column - 1;
    if (!blank(row.raw.substr(0, start))) return {std::string(trimmed_end(row.raw)), {}};  // a comment comes first
    const Token& last = row.end[-1];
    const size_t end = std::min<size_t>(last.origin.column - 1 + last.origin.length, row.raw.size());
    Shape out;
    out.code = row.first ? first_row(row, start) : next_row(row, start);
    const std::string_view rest = trimmed(row.raw.substr(end));
    if (rest.starts_with('\\'))
      out.code += " " + std::string(rest);
    else
      out.comment = rest;
    return out;
  }

  std::string comment_line(std::string_view raw) const {
    const std::string_view text = trimmed(raw);
    if (text.empty()) return {};
    const bool comment = text[0] == ';' || text.starts_with("//") || text.starts_with("/*");
    if (!comment) return std::string(trimmed_end(raw));
    return std::string(leading_columns(raw) == 0 ? 0 : indent(), ' ') + std::string(text);
  }

  std::string first_row(const Row& row, size_t start) {
    moved_ = 0;
    const Directive directive = row.logical->directive;
    const Token* t = row.begin;
    std::string out;
    if (directive != Directive::none) {
      follow(directive);
      out = verbatim(row, t);
      moved_ = -static_cast<long>(leading_columns(row.raw));
      return out;
    }
    // Labels.
    while (row.end - t >= 3 && t[0].kind == TokenKind::name && is_punct(t[1], '#') && !t[1].space_before &&
           is_punct(t[2], ':')) {
      out += (out.empty() ? "" : " ") + std::string(t[0].text) + "#:";
      t += 3;
    }
    if (t == row.end) return out;
    const size_t column = before(*t);
    if (out.empty())
      out = std::string(column, ' ');
    else
      out += std::string(out.size() + 1 <= column ? column - out.size() : 1, ' ');
    moved_ = static_cast<long>(out.size()) -
             static_cast<long>(t == row.begin ? leading_columns(row.raw) : t->origin.column - 1);
    if (t != row.begin && start != 0) moved_ = 0;
    after(*t);
    return out + (keeps_blanks(*t) ? verbatim(row, t) : spaced(row, t));
  }

  /// A line that goes on the one before it.
  std::string next_row(const Row& row, size_t) const {
    const long column = std::max<long>(0, static_cast<long>(leading_columns(row.raw)) + moved_);
    const bool raw = row.logical->directive != Directive::none || keeps_blanks(*row.logical->begin);
    return std::string(static_cast<size_t>(column), ' ') + (raw ? verbatim(row, row.begin) : spaced(row, row.begin));
  }

  static std::string verbatim(const Row& row, const Token* from) {
    const Token& last = row.end[-1];
    const size_t begin = from->origin.column - 1;
    return std::string(row.raw.substr(begin, last.origin.column - 1 + last.origin.length - begin));
  }

  std::string spaced(const Row& row, const Token* from) const {
    if (std::any_of(from, row.end, [](const Token& t) { return is_join(t); })) return verbatim(row, from);
    std::string out;
    for (const Token* t = from; t != row.end; ++t) {
      const size_t at = t->origin.column - 1;
      if (t != from) {
        const size_t end = t[-1].origin.column - 1 + t[-1].origin.length;
        const std::string_view gap = row.raw.substr(end, at - end);
        const Token& left = t[-1];
        const bool inside = !is_punct(*t, ',') && !is_punct(*t, ']') && !is_punct(*t, ')') && !is_punct(left, '[') &&
                            !is_punct(left, '(');
        if (!blank(gap))
          out += gap;
        else if (is_punct(left, ',') || (!gap.empty() && inside))
          out += ' ';
      }
      out += row.raw.substr(at, t->origin.length);
    }
    return out;
  }

  // --- how deep a line stands ---

  size_t indent() const { return kIndent * (1 + std::min(depth_, kDeepestIndent)); }

  static bool one_of(const Token& t, std::initializer_list<std::string_view> names) {
    return std::any_of(names.begin(), names.end(), [&](std::string_view n) { return is_name(t, n); });
  }
  static bool closes(const Token& t) {
    return one_of(t, {".endif", ".endw", ".until", ".until_unsigned", ".end", ".endlocal"});
  }
  static bool goes_on(const Token& t) { return one_of(t, {".else", ".elif", ".elif_unsigned"}); }
  static bool opens(const Token& t) {
    return one_of(t, {".if", ".if_unsigned", ".while", ".while_unsigned", ".repeat", ".begin", ".local"});
  }
  static bool keeps_blanks(const Token& t) { return one_of(t, {".block", ".stage", ".drop", ".exception"}); }

  size_t before(const Token& t) {
    if (closes(t) && depth_ > 0) --depth_;
    return goes_on(t) && depth_ > 0 ? kIndent * std::min(depth_, kDeepestIndent + 1) : indent();
  }
  void after(const Token& t) {
    if (opens(t)) ++depth_;
  }

  /// Each branch of a condition begins as deep as the condition; a macro begins anew.
  void follow(Directive d) {
    switch (d) {
      case Directive::if_:
      case Directive::ifdef:
      case Directive::ifndef:
      case Directive::macro:
        saved_.push_back(depth_);
        if (d == Directive::macro) depth_ = 0;
        break;
      case Directive::elif:
      case Directive::else_:
        if (!saved_.empty()) depth_ = saved_.back();
        break;
      case Directive::endm:
        if (!saved_.empty()) depth_ = saved_.back();
        [[fallthrough]];
      case Directive::endif:
        if (!saved_.empty()) saved_.pop_back();
        break;
      default: break;
    }
  }

  const SourceFile& file_;
  std::vector<Row> rows_;
  size_t depth_ = 0;
  std::vector<size_t> saved_;
  long moved_ = 0;  ///< columns by which the first row of the logical line moved
};

}  // namespace

Result<std::string> format_source(const SourceFilePtr& source) {
  Sources sources;
  LexedFile lexed;
  Diagnostics diagnostics;
  lex_file(sources, sources.add_file(source), lexed, diagnostics);
  if (diagnostics.has_errors()) return tl::unexpected(std::move(diagnostics));
  return Formatter(*source, lexed).run();
}

}  // namespace weft::assembler
