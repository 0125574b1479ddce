#include "source/suggest.h"

#include <algorithm>

namespace weft::assembler {
namespace {

/// Letters to insert, drop, replace or swap with their neighbour until one word is the other.
size_t faults(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool same = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (same ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
    }
    std::swap(before, last);
    std::swap(last, row);
  }
  return last[b.size()];
}

bool is_written(const SourceRange& range, std::string_view word) {
  if (!range.file) return false;
  const std::string_view line = range.file->line(range.begin.line);
  return range.begin.column > 0 && range.begin.column - 1 + word.size() <= line.size() &&
         same_name(line.substr(range.begin.column - 1, word.size()), word);
}

}  // namespace

Suggestions suggestions(std::string_view word, const std::vector<std::string>& candidates) {
  const size_t limit = std::max<size_t>(word.size(), 3) / 3;
  std::vector<std::pair<size_t, std::string>> found;
  size_t work = 2'000'000;  // pairs of letters to compare: some milliseconds
  // Under -C case is part of a name, but letters in the wrong case are a lesser fault than a wrong letter.
  const std::string plain = folded(word);
  for (const std::string& candidate : candidates) {
    if (candidate == word) continue;
    const size_t longer = std::max(word.size(), candidate.size());
    if (longer - std::min(word.size(), candidate.size()) > limit) continue;
    const size_t pairs = word.size() * candidate.size();
    if (pairs > work) break;
    work -= pairs;
    const size_t count = faults(plain, folded(candidate));
    if (count > limit || count >= word.size()) continue;
    found.emplace_back(2 * count + (faults(word, candidate) > count ? 1 : 0), candidate);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  // Where a name differs by case alone, no other is meant.
  if (!found.empty() && found[0].first == 1) std::erase_if(found, [](const auto& other) { return other.first > 1; });
  Suggestions out;
  out.certain = found.size() == 1 || (found.size() > 1 && found[0].first < found[1].first);
  for (size_t i = 0; i < found.size() && i < 3; ++i) out.names.push_back(std::move(found[i].second));
  return out;
}

std::string did_you_mean(const Suggestions& near) {
  std::string list;
  for (size_t i = 0; i < near.names.size(); ++i) {
    if (i) list += i + 1 == near.names.size() ? " or " : ", ";
    list += "'" + near.names[i] + "'";
  }
  return "did you mean " + list + "?";
}

void fix_name(Diagnostic& d, const Sources& sources, const Origin& origin, std::string_view word,
              const Suggestions& near) {
  if (!near.certain) return;
  SourceRange range = sources.range(origin);
  if (!is_written(range, word)) return;
  range.end = {range.begin.line, range.begin.column + static_cast<uint32_t>(word.size())};
  d.fixits.push_back({std::move(range), near.names.front()});
}

void fix_insert(Diagnostic& d, const Sources& sources, const Origin& origin, std::string text, bool behind) {
  if (origin.expansion != 0) return;
  SourceRange range = sources.range(origin);
  if (!range.file) return;
  (behind ? range.begin : range.end) = behind ? range.end : range.begin;
  d.fixits.push_back({std::move(range), std::move(text)});
}

}  // namespace weft::assembler
