#include "weft/base/render.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace weft {
namespace {

/// Names of files and texts of sources may hold bytes that are no UTF-8.
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
    if (!d.remedy.empty()) out_ += fmt::format("  help: {}\n", d.remedy);
    for (const FixIt& fix : d.fixits) out_ += fmt::format("  fix: write '{}'\n", fix.replacement);
  }
  std::string take() { return std::move(out_); }

 private:
  void headline(const SourceRange& range, const char* kind, const char* color, const std::string& text,
                const std::string& code) {
    std::string place;
    if (range.file) {
      place = range.file->name();
      if (range.begin.line) place += fmt::format(":{}:{}", range.begin.line, range.begin.column);
      place += ": ";
    }
    out_ += paint("\033[1m", place) + paint(color, std::string(kind) + ": ") + paint("\033[1m", text);
    if (!code.empty()) out_ += fmt::format(" [{}]", code);
    out_ += '\n';
  }

  void snippet(const SourceRange& range, const std::vector<SourceRange>& highlights) {
    if (!range.file || range.begin.line == 0) return;
    const std::string_view raw = range.file->line(range.begin.line);
    if (raw.empty()) return;
    std::string line, marks;
    for (size_t i = 0; i < raw.size(); ++i) {
      const bool tab = raw[i] == '\t';
      const std::string cell = tab ? "    " : std::string(1, raw[i]);
      line += cell;
      const uint32_t column = static_cast<uint32_t>(i + 1);
      char mark = ' ';
      for (const SourceRange& h : highlights)
        if (h.begin.line == range.begin.line && column >= h.begin.column && column < h.end.column) mark = '~';
      if (inside(range, column)) mark = column == range.begin.column ? '^' : '~';
      // Continuation bytes of UTF-8 take no column on the screen.
      if ((static_cast<unsigned char>(raw[i]) & 0xC0) != 0x80) marks += std::string(cell.size(), mark);
    }
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

nlohmann::json sarif_location(const SourceRange& range, const std::string& text = {}) {
  nlohmann::json location = nlohmann::json::object();
  if (range.file) {
    location["physicalLocation"]["artifactLocation"]["uri"] = range.file->name();
    if (range.begin.line) {
      auto& region = location["physicalLocation"]["region"];
      region["startLine"] = range.begin.line;
      region["startColumn"] = range.begin.column;
      if (range.end.line) {
        region["endLine"] = range.end.line;
        region["endColumn"] = range.end.column;
      }
    }
  }
  if (!text.empty()) location["message"]["text"] = text;
  return location;
}

}  // namespace

std::string render_text(const Diagnostics& diagnostics, const TextStyle& style) {
  TextRenderer renderer(style);
  for (const Diagnostic& d : diagnostics) renderer.diagnostic(d);
  return renderer.take();
}

std::string render_json(const Diagnostics& diagnostics) {
  nlohmann::json list = nlohmann::json::array();
  for (const Diagnostic& d : diagnostics) {
    nlohmann::json row = {{"code", d.code}, {"severity", severity_name(d.severity)}, {"text", d.text},
                          {"range", range_json(d.range)}};
    if (!d.remedy.empty()) row["remedy"] = d.remedy;
    for (const SourceRange& h : d.highlights) row["highlights"].push_back(range_json(h));
    for (const Note& n : d.notes) row["notes"].push_back({{"range", range_json(n.range)}, {"text", n.text}});
    for (const FixIt& f : d.fixits)
      row["fixits"].push_back({{"range", range_json(f.range)}, {"replacement", f.replacement}});
    list.push_back(std::move(row));
  }
  return nlohmann::json{{"version", 1}, {"diagnostics", std::move(list)}}.dump(1, ' ', false, replace_bad_bytes) + "\n";
}

std::string render_sarif(const Diagnostics& diagnostics) {
  nlohmann::json results = nlohmann::json::array();
  for (const Diagnostic& d : diagnostics) {
    const std::string text = d.remedy.empty() ? d.text : d.text + " (" + d.remedy + ")";
    nlohmann::json row = {{"ruleId", d.code},
                          {"level", d.severity == Severity::info ? "note" : severity_name(d.severity)},
                          {"message", {{"text", text}}},
                          {"locations", {sarif_location(d.range)}}};
    int id = 0;
    for (const Note& n : d.notes) {
      nlohmann::json location = sarif_location(n.range, n.text);
      location["id"] = id++;
      row["relatedLocations"].push_back(std::move(location));
    }
    for (const FixIt& f : d.fixits) {
      if (!f.range.file) continue;
      const nlohmann::json place = sarif_location(f.range)["physicalLocation"];
      row["fixes"].push_back(
          {{"artifactChanges",
            {{{"artifactLocation", place["artifactLocation"]},
              {"replacements",
               {{{"deletedRegion", place.value("region", nlohmann::json::object())},
                 {"insertedContent", {{"text", f.replacement}}}}}}}}}});
    }
    results.push_back(std::move(row));
  }
  const nlohmann::json log = {
      {"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs", {{{"tool", {{"driver", {{"name", "weft"}}}}}, {"results", std::move(results)}}}}};
  return log.dump(1, ' ', false, replace_bad_bytes) + "\n";
}

}  // namespace weft
