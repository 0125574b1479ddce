#include "weft/control/route_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace weft::control {

namespace {

struct Row {
  Prefix prefix;
  IpAddress via;
  bool named = false;  ///< the row itself names the next hop
};

std::optional<Row> read_row(const SourceFilePtr& file, uint32_t line, const std::vector<Word>& words,
                            const std::vector<IpAddress>& hops, Diagnostics& out) {
  const SourceRange first = range_of(file, line, words[0]);
  if (words.size() < 2 || words.size() > 3) {
    out.error("control-routes-row", first, "a row needs a prefix and a next hop, and nothing else",
              "write: 198.51.100.0/24 192.0.2.2, or: 198.51.100.0 24 192.0.2.2");
    return std::nullopt;
  }
  const auto prefix = checked_prefix(
      words.size() == 3 ? parse_prefix(words[0].text, words[1].text) : parse_prefix(words[0].text), first, out);
  if (!prefix) return std::nullopt;
  const Word& hop = words.back();
  const SourceRange place = range_of(file, line, hop);
  const Family family = prefix->address.family;
  if (const auto via = parse_address(hop.text)) {
    if (via->family == family) return Row{*prefix, *via, true};
    out.error("control-family", place,
              fmt::format("the next hop {} of {} is of the other family", hop.text, to_text(*prefix)),
              fmt::format("name an {} next hop", family_name(family)));
    return std::nullopt;
  }
  uint64_t n = 0;
  const auto [end, error] = std::from_chars(hop.text.data(), hop.text.data() + hop.text.size(), n);
  if (error != std::errc{} || end != hop.text.data() + hop.text.size()) {
    out.error("control-routes-row", place,
              fmt::format("the next hop '{}' is neither an address nor a number", hop.text), "write an address");
    return std::nullopt;
  }
  std::vector<IpAddress> of_family;
  std::ranges::copy_if(hops, std::back_inserter(of_family), [&](const IpAddress& a) { return a.family == family; });
  if (of_family.empty()) {
    out.error(
        "control-routes-row", place,
        fmt::format("the next hop is a number, but the routes-from line names no {} next hops", family_name(family)),
        "add them: routes-from FILE via ADDRESS ...");
    return std::nullopt;
  }
  return Row{*prefix, of_family[n % of_family.size()], false};
}

}  // namespace

std::vector<Word> split_words(std::string_view line) {
  std::vector<Word> words;
  size_t i = 0;
  while (i < line.size() && line[i] != '#') {
    if (line[i] == ' ' || line[i] == '\t' || line[i] == '\r') {
      ++i;
      continue;
    }
    const size_t end = std::min(line.find_first_of(" \t\r#", i), line.size());
    words.push_back({line.substr(i, end - i), static_cast<uint32_t>(i + 1)});
    i = end;
  }
  return words;
}

SourceRange range_of(const SourceFilePtr& file, uint32_t line, const Word& word) {
  const auto end = word.column + static_cast<uint32_t>(word.text.size());
  return {file, {line, word.column}, {line, end}};
}

std::optional<Prefix> checked_prefix(const ParsedPrefix& parsed, const SourceRange& range, Diagnostics& out) {
  if (!parsed.value) {
    out.error("control-prefix", range, parsed.problem, parsed.remedy);
    return std::nullopt;
  }
  const Prefix p = *parsed.value;
  if (p.network() == p) return p;
  out.error("control-prefix-bits", range, fmt::format("the prefix {} has bits set beyond its mask", to_text(p)),
            fmt::format("write {} for the network, or {}/{} for one host", to_text(p.network()), to_text(p.address),
                        p.address.bits()));
  return std::nullopt;
}

RouteRows read_route_rows(const SourceFilePtr& file, const std::vector<IpAddress>& hops, Diagnostics& out) {
  constexpr size_t kEnough = 20;  // a file of the wrong kind is told by its first rows
  RouteRows rows;
  size_t problems = 0;
  for (uint32_t line = 1; line <= file->line_count() && problems < kEnough; ++line) {
    const std::string_view text = file->line(line);
    if (text.empty() || text[0] == ';') continue;
    const std::vector<Word> words = split_words(text);
    if (words.empty()) continue;
    const auto row = read_row(file, line, words, hops, out);
    if (!row) {
      ++problems;
      continue;
    }
    if (row->named && (rows.hops.empty() || rows.hops.back().address != row->via)) {
      rows.hops.push_back({row->via, range_of(file, line, words.back())});
    }
    rows.routes.push_back({row->prefix, row->via, false});
  }
  return rows;
}

}  // namespace weft::control
