// Coverage as static HTML pages that need nothing beside them: no script, no font, no other file.
#include <fmt/format.h>

#include <filesystem>
#include <set>

#include "testing/source_lines.h"
#include "weft/base/files.h"
#include "weft/base/markup.h"
#include "weft/workbench/source_coverage.h"

namespace weft::workbench {
namespace {

namespace fs = std::filesystem;
using testing::lines_of;

constexpr const char* kStyle =
    "body{font-family:sans-serif;margin:1.5em;color:#222;background:#fff}"
    "table{border-collapse:collapse}"
    ".files td,.files th{padding:.2em .8em;text-align:right;border-bottom:1px solid #ddd}"
    ".files td:first-child,.files th:first-child{text-align:left}"
    ".source{font-family:monospace;white-space:pre;font-size:13px}"
    ".source td{padding:0 .6em}"
    ".source td.n{text-align:right;color:#666}"
    "tr.hit td.t{background:#e2f5e2}tr.part td.t{background:#fdf3cf}tr.miss td.t{background:#fbdcdc}"
    ".low{color:#b00020}";

std::string page(const std::string& title, const std::string& body) {
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>{0}</title><style>{1}</style></head>\n<body>\n{2}</body></html>\n",
      escaped_markup(title), kStyle, body);
}

/// "lib/a/b.uc" is "lib_a_b.uc.html"; names that become the same get numbers.
std::string page_name(const std::string& file, std::set<std::string>& taken) {
  std::string base;
  for (const char c : file) base += c == '/' ? '_' : c;
  std::string name = base + ".html";
  for (unsigned n = 2; name == "index.html" || !taken.insert(name).second; ++n)
    name = fmt::format("{}-{}.html", base, n);
  return name;
}

std::string cells(const FileCoverage& c) {
  std::string text;
  const auto cell = [&](double percent, size_t hit, size_t all) {
    text += all == 0 ? "<td>-</td><td></td>"
                     : fmt::format("<td{}>{:.1f} %</td><td>{} of {}</td>", hit < all ? " class=\"low\"" : "", percent,
                                   hit, all);
  };
  cell(c.line_percent(), c.lines_hit, c.lines);
  cell(c.word_percent(), c.words_hit, c.words);
  cell(c.outcome_percent(), c.outcomes_hit, c.outcomes);
  return text;
}

constexpr const char* kHeads =
    "<th colspan=\"2\">lines</th><th colspan=\"2\">instructions</th><th colspan=\"2\">branch outcomes</th>";

std::string file_page(const std::string& name, const SourceCoverage::File& file, const FileCoverage& figures) {
  const std::set<unsigned> missed(figures.missed.begin(), figures.missed.end());
  std::string body = fmt::format(
      "<p><a href=\"index.html\">all files</a></p>\n<h1>{}</h1>\n<table "
      "class=\"files\"><tr><th></th>{}</tr><tr><td></td>{}</tr></table>\n",
      escaped_markup(name), kHeads, cells(figures));
  for (const std::string& macro : figures.unused)
    body += fmt::format("<p class=\"low\">no test calls {}</p>\n", escaped_markup(macro));
  body +=
      "<table class=\"source\">\n<tr><th>line</th><th>executed</th><th>instructions</th><th>branches: taken / not "
      "taken</th><th></th></tr>\n";
  unsigned number = 0;
  for (const std::string& line : lines_of(name)) {
    ++number;
    const auto count = file.lines.find(number);
    size_t words = 0, hit = 0;
    bool one_way = false;
    std::string branches;
    for (auto word = file.words.lower_bound({number, 0}); word != file.words.end() && word->first.first == number;
         ++word) {
      ++words;
      hit += word->second.executed > 0;
      if (!word->second.conditional) continue;
      branches += fmt::format("{}{} / {}", branches.empty() ? "" : ", ", word->second.taken, word->second.not_taken);
      one_way = one_way || word->second.taken == 0 || word->second.not_taken == 0;
    }
    const char* sort = missed.contains(number)     ? "miss"
                       : count == file.lines.end() ? ""
                       : hit < words || one_way    ? "part"
                                                   : "hit";
    body += fmt::format(
        "<tr class=\"{}\" id=\"l{}\"><td class=\"n\">{}</td><td class=\"n\">{}</td><td class=\"n\">{}</td><td "
        "class=\"n\">{}</td><td class=\"t\">{}</td></tr>\n",
        sort, number, number, count == file.lines.end() ? "" : std::to_string(count->second),
        words == 0 ? "" : fmt::format("{} of {}", hit, words), branches, escaped_markup(line));
  }
  return page(name, body + "</table>\n");
}

}  // namespace

Result<bool> write_coverage_pages(const SourceCoverage& coverage, const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder, error))
    return fail("file-unwritable", whole_file(folder), "this folder cannot be made", "name a folder for the pages");
  FileCoverage all;
  std::set<std::string> taken;
  std::string rows;
  for (const auto& [name, file] : coverage.files) {
    const FileCoverage figures = file_coverage(coverage, name);
    const std::string html = page_name(name, taken);
    rows += fmt::format("<tr><td><a href=\"{}\">{}</a></td>{}</tr>\n", escaped_markup(html), escaped_markup(name),
                        cells(figures));
    all.lines += figures.lines, all.lines_hit += figures.lines_hit;
    all.words += figures.words, all.words_hit += figures.words_hit;
    all.outcomes += figures.outcomes, all.outcomes_hit += figures.outcomes_hit;
    const auto written = write_file((fs::path(folder) / html).string(), file_page(name, file, figures));
    if (!written) return written;
  }
  const std::string body = fmt::format(
      "<h1>Coverage</h1>\n<table "
      "class=\"files\">\n<tr><th>file</th>{}</tr>\n{}<tr><td>together</td>{}</tr>\n</table>\n",
      kHeads, rows, cells(all));
  return write_file((fs::path(folder) / "index.html").string(), page("Coverage", body));
}

}  // namespace weft::workbench
