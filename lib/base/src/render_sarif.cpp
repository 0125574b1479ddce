// SARIF 2.1.0. Numbers in parentheses are sections of the standard.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "weft/base/render.h"

namespace weft {
namespace {

using nlohmann::json;

const char* level_of(Severity s) {  // 3.27.10
  switch (s) {
    case Severity::error: return "error";
    case Severity::warning: return "warning";
    case Severity::note:
    case Severity::info: return "note";
  }
  return "error";
}

/// A file name as a URI reference (3.4.3, RFC 3986 4.2): what is not unreserved is escaped, also a colon, which in the
/// first segment would end a scheme. Two slashes at the start would name a host.
std::string uri_of(const std::string& name) {
  std::string out;
  const size_t slashes = std::min(name.find_first_not_of('/'), name.size());
  for (const char c : std::string_view(name).substr(slashes < 2 ? 0 : slashes - 1)) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~/!$&'()*+,;=@").find(c) != std::string_view::npos;
    out += plain ? std::string(1, c) : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  }
  return out;
}

/// Columns count characters from 1 (3.14.17, 3.30.6); ours count bytes.
uint32_t character_column(const SourceFile& file, const Position& at) {
  const std::string_view line = file.line(at.line);
  if (at.column == 0) return 1;
  const size_t bytes = at.column - 1;
  const size_t inside = std::min(bytes, line.size());
  const auto characters = std::count_if(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(inside),
                                        [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; });
  return static_cast<uint32_t>(1 + static_cast<size_t>(characters) + (bytes - inside));
}

json physical_location(const SourceRange& range) {
  json out;
  out["artifactLocation"]["uri"] = uri_of(range.file->name());
  if (range.begin.line == 0) return out;  // the file as a whole
  json& region = out["region"];
  region["startLine"] = range.begin.line;
  region["startColumn"] = character_column(*range.file, range.begin);
  const bool ends = range.end.line > range.begin.line ||
                    (range.end.line == range.begin.line && range.end.column >= range.begin.column);
  if (ends) {
    region["endLine"] = range.end.line;
    region["endColumn"] = character_column(*range.file, range.end);
  }
  return out;
}

json location(const SourceRange& range) {
  json out = json::object();
  if (range.file) out["physicalLocation"] = physical_location(range);
  return out;
}

/// One fix (3.55) of all places that change: they belong together.
json fix_of(const Diagnostic& d) {
  json changes = json::array();
  for (const FixIt& f : d.fixits) {
    if (!f.range.file || f.range.begin.line == 0) continue;
    const json place = physical_location(f.range);
    json change = {
        {"artifactLocation", place["artifactLocation"]},
        {"replacements", {{{"deletedRegion", place["region"]}, {"insertedContent", {{"text", f.replacement}}}}}}};
    if (std::find(changes.begin(), changes.end(), change) == changes.end()) changes.push_back(std::move(change));
  }
  return changes;
}

json rule_of(const std::string& code, const SarifTool& tool) {  // 3.49
  json rule = {{"id", code}};
  const auto described = tool.rule ? tool.rule(code) : std::nullopt;
  if (!described) return rule;
  if (!described->summary.empty()) rule["shortDescription"]["text"] = described->summary;
  if (!described->help.empty()) rule["help"]["text"] = described->help;
  return rule;
}

}  // namespace

std::string render_sarif(const Diagnostics& diagnostics, const SarifTool& tool) {
  json results = json::array(), rules = json::array();
  std::map<std::string, size_t> known;
  for (const Diagnostic& d : diagnostics) {
    const auto [rule, fresh] = known.try_emplace(d.code, rules.size());
    if (fresh) rules.push_back(rule_of(d.code, tool));
    const std::string text = d.remedy.empty() ? d.text : d.text + " (" + d.remedy + ")";
    json row = {{"ruleId", d.code},
                {"ruleIndex", rule->second},
                {"level", level_of(d.severity)},
                {"message", {{"text", text}}},
                {"locations", json::array()}};
    if (d.range.file) row["locations"].push_back(location(d.range));
    int id = 0;
    for (const Note& n : d.notes) {
      json related = location(n.range);
      related["message"]["text"] = n.text;
      related["id"] = id++;
      row["relatedLocations"].push_back(std::move(related));
    }
    if (json changes = fix_of(d); !changes.empty()) row["fixes"] = {{{"artifactChanges", std::move(changes)}}};
    results.push_back(std::move(row));
  }
  json driver = {{"name", "weft"}, {"rules", std::move(rules)}};
  if (!tool.version.empty()) driver["version"] = tool.version;
  const json log = {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
                    {"version", "2.1.0"},
                    {"runs",
                     {{{"tool", {{"driver", std::move(driver)}}},
                       {"columnKind", "unicodeCodePoints"},
                       {"results", std::move(results)}}}}};
  // Names of files and texts of sources may hold bytes that are not UTF-8.
  return log.dump(1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace weft
