#include "weft/base/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "weft/base/paths.h"

namespace weft {
namespace {

/// Names of files and texts of sources may hold bytes that are not UTF-8.
constexpr auto replace_bad_bytes = nlohmann::json::error_handler_t::replace;

const char* severity_name(Severity s) {
  switch (s) {
    case Severity::note: return "note";
    case Severity::info: return "info";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "error";
}

const char* severity_color(Severity s) {
  switch (s) {
    case Severity::error: return "\033[1;31m";
    case Severity::warning: return "\033[1;35m";
    default: return "\033[1;36m";
  }
}

/// Length of the well-formed UTF-8 character at `at`, or 0.
size_t utf8_length(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u; };
  const unsigned lead = byte(at);
  const size_t length = lead < 0x80                   ? 1
                        : lead >= 0xC2 && lead < 0xE0 ? 2
                        : lead >= 0xE0 && lead < 0xF0 ? 3
                        : lead >= 0xF0 && lead < 0xF5 ? 4
                                                      : 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(at + i) & 0xC0) != 0x80) return 0;
  // Longer than needed, halves of surrogate pairs, beyond the last character.
  const unsigned second = byte(at + 1);
  if ((lead == 0xE0 && second < 0xA0) || (lead == 0xED && second >= 0xA0)) return 0;
  if ((lead == 0xF0 && second < 0x90) || (lead == 0xF4 && second >= 0x90)) return 0;
  return length;
}

/// Length of the character at `at` that a terminal may get as it is, or 0: for control characters, which it would obey,
/// for bytes that are not UTF-8, and for characters that turn the direction of the text after them
/// (Unicode 15.0, 23.2).
size_t harmless_length(std::string_view text, size_t at) {
  const size_t length = utf8_length(text, at);
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[at + i]); };
  if (length == 1 && (byte(0) < 0x20 || byte(0) == 0x7f)) return 0;
  if (length == 2 && byte(0) == 0xC2 && byte(1) < 0xA0) return 0;  // U+0080 to U+009F
  if (length == 3 && byte(0) == 0xE2) {
    const unsigned point = (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu);  // below U+2000
    if (point == 0x0E || point == 0x0F || (point >= 0x28 && point <= 0x2E) || (point >= 0x66 && point <= 0x69))
      return 0;
  }
  return length;
}

/// One character of a source line, which keeps its columns: what a terminal may not get becomes a mark. Advances `at`.
std::string cell_at(std::string_view text, size_t& at) {
  const size_t length = harmless_length(text, at);
  const size_t begin = at;
  at += length != 0 ? length : std::max<size_t>(utf8_length(text, at), 1);
  if (length != 0) return std::string(text.substr(begin, length));
  return text[begin] == '\t' ? "    " : "\xEF\xBF\xBD";
}

/// One character of a name or a message: what a terminal may not get is written as in C. Advances `at`.
std::string escaped_at(std::string_view text, size_t& at) {
  const size_t begin = at;
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[begin + i]); };
  const size_t harmless = harmless_length(text, at), length = utf8_length(text, at);
  at += std::max<size_t>(length, 1);
  if (harmless != 0) return std::string(text.substr(begin, harmless));
  if (length == 2) return fmt::format("\\u{:04x}", (byte(0) & 0x1Fu) << 6 | (byte(1) & 0x3Fu));
  if (length == 3) return fmt::format("\\u{:04x}", (byte(0) & 0xFu) << 12 | (byte(1) & 0x3Fu) << 6 | (byte(2) & 0x3Fu));
  switch (byte(0)) {
    case '\n': return "\\n";
    case '\r': return "\\r";
    case '\t': return "\\t";
    case 0x7f: return "\\u007f";  // as JSON has it, whose texts may so be shown
    default: return fmt::format("\\x{:02x}", byte(0));
  }
}

/// A message as it may be printed: names from the input in it can be long, or no text. After the end of a line in it
/// no other message can seem to begin.
std::string message_text(std::string_view text) {
  constexpr size_t kLongest = 400;
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (out.size() > kLongest) return out + " ...";
    if (text[at] == '\t') {
      out += "    ", ++at;
    } else if (text[at] == '\n') {
      out += ++at < text.size() ? "\n    " : "\n";
    } else {
      out += escaped_at(text, at);
    }
  }
  return out;
}

class TextRenderer {
 public:
  explicit TextRenderer(const TextStyle& style) : style_(style) {}

  void diagnostic(const Diagnostic& d) {
    headline(d.range, severity_name(d.severity), severity_color(d.severity), d.text, d.code);
    snippet(d.range, d.highlights);
    for (const Note& note : d.notes) {
      headline(note.range, "note", severity_color(Severity::note), note.text, "");
      snippet(note.range, {});
    }
    if (!d.remedy.empty()) out_ += fmt::format("  help: {}\n", message_text(d.remedy));
    for (const FixIt& fix : d.fixits) this->fix(fix);
  }
  std::string take() { return std::move(out_); }

 private:
  void headline(const SourceRange& range, const char* kind, const char* color, const std::string& text,
                const std::string& code) {
    std::string place;
    if (range.file) {
      place = printable(range.file->name());
      if (range.begin.line) place += fmt::format(":{}:{}", range.begin.line, range.begin.column);
      place += ": ";
    }
    out_ += paint("\033[1m", place) + paint(color, std::string(kind) + ": ") + paint("\033[1m", message_text(text));
    if (!code.empty()) out_ += fmt::format(" [{}]", code);
    out_ += '\n';
  }

  /// The line as it would be, with a mark under what is new.
  void fix(const FixIt& fix) {
    constexpr size_t kLongest = 110;
    const SourceRange& range = fix.range;
    const std::string_view line =
        range.file && range.begin.line ? range.file->line(range.begin.line) : std::string_view();
    const size_t first = line.find_first_not_of(" \t");
    const bool shown =
        range.begin.line == range.end.line && range.begin.column >= 1 && range.begin.column <= range.end.column &&
        range.end.column <= line.size() + 1 && first < range.begin.column && !fix.replacement.empty() &&
        line.size() + fix.replacement.size() <= kLongest && fix.replacement.find('\n') == std::string::npos;
    if (!shown) {
      out_ += fmt::format("  fix: write '{}'\n", message_text(fix.replacement));
      return;
    }
    const auto cells = [](std::string_view text) {
      std::pair<std::string, size_t> out;
      for (size_t at = 0; at < text.size();) {
        const std::string cell = cell_at(text, at);
        out.first += cell;
        out.second += cell == "    " ? 4 : 1;
      }
      return out;
    };
    const auto [before, indent] = cells(line.substr(first, range.begin.column - 1 - first));
    const auto [added, width] = cells(fix.replacement);
    const auto [after, rest] = cells(line.substr(range.end.column - 1));
    out_ += fmt::format("  fix: {}{}{}\n", before, added, after);
    out_ += fmt::format("       {}{}\n", std::string(indent, ' '), paint("\033[1;32m", std::string(width, '+')));
  }

  void snippet(const SourceRange& range, const std::vector<SourceRange>& highlights) {
    if (!range.file || range.begin.line == 0) return;
    const std::string_view raw = range.file->line(range.begin.line);
    if (raw.empty()) return;
    // Of a long line, the part around the place.
    constexpr size_t kBefore = 80, kShown = 160;
    size_t begin = 0, end = raw.size();
    if (raw.size() > kShown + 20) {
      const size_t at = std::min<size_t>(range.begin.column - 1, raw.size());
      begin = at > kBefore ? at - kBefore : 0;
      end = std::min(raw.size(), begin + kShown);
      while (begin > 0 && (static_cast<unsigned char>(raw[begin]) & 0xC0) == 0x80) --begin;
    }
    std::string line = begin ? "... " : "", marks = begin ? "    " : "";
    for (size_t i = begin; i < end;) {
      const uint32_t column = static_cast<uint32_t>(i + 1);
      const std::string cell = cell_at(raw, i);
      line += cell;
      char mark = ' ';
      for (const SourceRange& h : highlights)
        if (h.begin.line == range.begin.line && column >= h.begin.column && column < h.end.column) mark = '~';
      if (inside(range, column)) mark = column == range.begin.column ? '^' : '~';
      // A character of several bytes takes one column on the screen.
      marks += std::string(cell == "    " ? 4 : 1, mark);
    }
    if (end < raw.size()) line += " ...";
    if (range.begin.column > raw.size()) marks += std::string(range.begin.column - raw.size() - 1, ' ') + '^';
    while (!marks.empty() && marks.back() == ' ') marks.pop_back();
    const std::string number = fmt::format("{:>5}", range.begin.line);
    out_ += fmt::format("{} | {}\n", number, line);
    if (!marks.empty()) out_ += fmt::format("      | {}\n", paint("\033[1;32m", marks));
  }

  static bool inside(const SourceRange& range, uint32_t column) {
    if (column < range.begin.column) return false;
    if (range.end.line > range.begin.line) return true;
    return column < std::max(range.end.column, range.begin.column + 1);
  }

  std::string paint(const char* color, const std::string& text) const {
    return style_.color && !text.empty() ? color + text + "\033[0m" : text;
  }

  TextStyle style_;
  std::string out_;
};

nlohmann::json range_json(const SourceRange& range) {
  if (!range.file) return nullptr;
  return {{"file", range.file->name()},
          {"begin", {{"line", range.begin.line}, {"column", range.begin.column}}},
          {"end", {{"line", range.end.line}, {"column", range.end.column}}}};
}

}  // namespace

std::string printable(std::string_view text) {
  const auto plain = [](char c) { return c >= ' ' && c <= '~'; };
  if (std::all_of(text.begin(), text.end(), plain)) return std::string(text);
  std::string out;
  for (size_t at = 0; at < text.size();) out += escaped_at(text, at);
  return out;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (size_t at = 0; at < text.size();) {
    if (text[at] == '\n' || text[at] == '\t')
      out += text[at++];
    else
      out += escaped_at(text, at);
  }
  return out;
}

std::string render_text(const Diagnostics& diagnostics, const TextStyle& style) {
  TextRenderer renderer(style);
  for (const Diagnostic& d : diagnostics) renderer.diagnostic(d);
  return renderer.take();
}

std::string render_json(const Diagnostics& diagnostics) {
  nlohmann::json list = nlohmann::json::array();
  for (const Diagnostic& d : diagnostics) {
    nlohmann::json row = {
        {"code", d.code}, {"severity", severity_name(d.severity)}, {"text", d.text}, {"range", range_json(d.range)}};
    if (!d.remedy.empty()) row["remedy"] = d.remedy;
    for (const SourceRange& h : d.highlights) row["highlights"].push_back(range_json(h));
    for (const Note& n : d.notes) row["notes"].push_back({{"range", range_json(n.range)}, {"text", n.text}});
    for (const FixIt& f : d.fixits)
      row["fixits"].push_back({{"range", range_json(f.range)}, {"replacement", f.replacement}});
    list.push_back(std::move(row));
  }
  return nlohmann::json{{"version", 1}, {"diagnostics", std::move(list)}}.dump(1, ' ', false, replace_bad_bytes) + "\n";
}

}  // namespace weft
