// The catalogue's text to entries, and entries to what people read.
#include "weft/assembler/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

namespace weft::assembler {

/// Made from assembler/diagnostics/*.txt when building.
std::vector<std::string_view> catalogue_texts();

namespace {

/// Calls `line(text)` for each line; the views of one file are contiguous.
template <class F>
void each_line(std::string_view text, F&& line) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    line(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// `part` with the next line of the same text; line ends between them are kept.
std::string_view grown(std::string_view part, std::string_view line) {
  return part.empty() ? line
                      : std::string_view(part.data(), static_cast<size_t>(line.data() + line.size() - part.data()));
}

std::string_view without_blank_end(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  return text;
}

size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), size_t{0});
  for (size_t i = 0; i < a.size(); ++i) {
    size_t corner = std::exchange(row[0], i + 1);
    for (size_t j = 0; j < b.size(); ++j) {
      const size_t above = row[j + 1];
      row[j + 1] = std::min({above + 1, row[j] + 1, corner + (a[i] == b[j] ? 0 : 1)});
      corner = above;
    }
  }
  return row.back();
}

std::string indented(std::string_view text) {
  std::string out;
  each_line(text, [&](std::string_view line) { out += line.empty() ? "\n" : fmt::format("    {}\n", line); });
  return out;
}

/// Text as Markdown takes it literally.
std::string escaped(std::string_view text) {
  std::string out;
  bool code = false;
  for (const char c : text) {
    if (c == '`') code = !code;
    if (!code && (c == '<' || c == '*' || c == '_')) out += '\\';
    out += c;
  }
  return out;
}

}  // namespace

CatalogueGroup read_catalogue(std::string_view text, std::vector<std::string>& faults) {
  CatalogueGroup group;
  std::string_view CatalogueEntry::*part = nullptr;
  each_line(text, [&](std::string_view line) {
    CatalogueEntry* entry = group.entries.empty() ? nullptr : &group.entries.back();
    if (line.starts_with("== ")) {
      const size_t colon = line.find(": ");
      if (colon == std::string_view::npos) {
        faults.push_back(std::string(line));
        return;
      }
      group.entries.push_back({line.substr(3, colon - 3), line.substr(colon + 2), {}, {}, {}, {}});
      part = &CatalogueEntry::explanation;
    } else if (!entry) {
      if (line.starts_with("# ") && group.title.empty())
        group.title = line.substr(2);
      else if (!line.empty())
        faults.push_back(std::string(line));
    } else if (line == "-- wrong") {
      part = &CatalogueEntry::wrong;
    } else if (line == "-- cured") {
      part = &CatalogueEntry::cured;
    } else if (line.starts_with("-- no example: ")) {
      entry->no_example = line.substr(15);
      part = nullptr;
    } else if (part) {
      if (!(entry->*part).empty() || !line.empty()) entry->*part = grown(entry->*part, line);
    } else if (!line.empty()) {
      faults.push_back(std::string(line));
    }
  });
  for (CatalogueEntry& e : group.entries) {
    e.explanation = without_blank_end(e.explanation);
    e.wrong = without_blank_end(e.wrong);
    e.cured = without_blank_end(e.cured);
  }
  return group;
}

std::vector<CatalogueGroup> catalogue() {
  std::vector<CatalogueGroup> groups;
  std::vector<std::string> faults;
  for (const std::string_view text : catalogue_texts()) groups.push_back(read_catalogue(text, faults));
  return groups;
}

std::vector<std::string> similar_codes(const std::vector<CatalogueGroup>& groups, std::string_view code) {
  std::vector<std::pair<size_t, std::string_view>> found;
  for (const CatalogueGroup& group : groups) {
    for (const CatalogueEntry& e : group.entries) {
      const size_t distance = edit_distance(code, e.code);
      const bool part = code.size() >= 4 && e.code.find(code) != std::string_view::npos;
      if (part || distance <= code.size() / 3 + 1) found.emplace_back(part ? 1 : distance, e.code);
    }
  }
  std::sort(found.begin(), found.end());
  if (found.size() > 5) found.resize(5);
  std::vector<std::string> out;
  for (const auto& [distance, name] : found) out.emplace_back(name);
  return out;
}

std::optional<std::string> code_of_class(const std::vector<CatalogueGroup>& groups, std::string_view name) {
  const std::string full = fmt::format("asm-{}", name);
  for (const CatalogueGroup& group : groups)
    for (const CatalogueEntry& e : group.entries)
      if (e.code == name || e.code == full) return std::string(e.code);
  return std::nullopt;
}

std::string remedy_of_class(const std::vector<CatalogueGroup>& groups, std::string_view name) {
  constexpr size_t kLongest = 64;  // no code has half of it, and comparing takes time with the length
  const auto near = name.size() > kLongest ? std::vector<std::string>{} : similar_codes(groups, name);
  return near.empty() ? "the codes stand in brackets after the messages"
                      : fmt::format("did you mean '{}'?", near.front());
}

std::string explanation(const CatalogueEntry& e) {
  std::string out = fmt::format("{}: {}\n", e.code, e.meaning);
  if (!e.explanation.empty()) out += fmt::format("\n{}\n", e.explanation);
  if (!e.wrong.empty()) out += fmt::format("\nWrong:\n\n{}\nRight:\n\n{}", indented(e.wrong), indented(e.cured));
  return out;
}

std::string catalogue_list(const std::vector<CatalogueGroup>& groups) {
  std::string out;
  for (const CatalogueGroup& group : groups) {
    out += fmt::format("{}{}:\n", out.empty() ? "" : "\n", group.title);
    for (const CatalogueEntry& e : group.entries) out += fmt::format("  {:<28} {}\n", e.code, e.meaning);
  }
  return out;
}

std::string catalogue_markdown(const std::vector<CatalogueGroup>& groups) {
  std::string out =
      "# Diagnostics\n\n"
      "Every message of Weft ends in a code in brackets. `weft explain CODE` prints what stands here. `-Wno-CODE` "
      "silences "
      "a warning,\n`-Werror` makes warnings errors.\n\n"
      "Made from `assembler/diagnostics/`; do not edit.\n";
  for (const CatalogueGroup& group : groups) {
    out += fmt::format("\n## {}\n", group.title);
    for (const CatalogueEntry& e : group.entries) {
      out += fmt::format("\n### {}\n\n{}\n", e.code, escaped(e.meaning));
      if (!e.explanation.empty()) out += fmt::format("\n{}\n", escaped(e.explanation));
      if (!e.wrong.empty())
        out += fmt::format("\nWrong:\n\n```\n{}\n```\n\nRight:\n\n```\n{}\n```\n", e.wrong, e.cured);
    }
  }
  return out;
}

}  // namespace weft::assembler
