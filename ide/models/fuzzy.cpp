#include "fuzzy.h"

#include <QStringList>
#include <algorithm>

namespace weft::ide {

namespace {

constexpr int kLetter = 1, kFollows = 6, kWordBegins = 8, kFirst = 6, kWhole = 20;
constexpr int kLongest = 256;  // characters of a text that are looked at

bool begins_word(const QString& text, int at) {
  if (at == 0) return true;
  const QChar before = text[at - 1], here = text[at];
  return (!before.isLetterOrNumber() && here.isLetterOrNumber()) || (before.isLower() && here.isUpper());
}

// The best way to find the letters in their order: best[i][j] is the score with letter i at position j.
std::optional<FuzzyMatch> match_part(const QString& part, const QString& text) {
  const int letters = static_cast<int>(part.size()), length = std::min<int>(static_cast<int>(text.size()), kLongest);
  if (letters > length) return std::nullopt;
  constexpr int kNone = -1'000'000;
  const auto width = static_cast<size_t>(length);
  std::vector<int> best(static_cast<size_t>(letters) * width, kNone), from(best.size(), -1);
  for (int i = 0; i < letters; ++i) {
    int before = kNone, before_at = -1;  // the best of letter i - 1 at a position in front
    for (int j = 0; j < length; ++j) {
      const size_t cell = static_cast<size_t>(i) * width + static_cast<size_t>(j);
      if (i > 0 && j > 0 && best[cell - width - 1] > before) {
        before = best[cell - width - 1];
        before_at = j - 1;
      }
      if (part[i].toLower() != text[j].toLower()) continue;
      int score = kLetter + (begins_word(text, j) ? kWordBegins : 0) + (i == 0 && j == 0 ? kFirst : 0);
      if (i == 0) {
        best[cell] = score - std::min(j, 10);
        continue;
      }
      if (before == kNone) continue;
      const int next_to = best[cell - width - 1] == kNone || j == 0 ? kNone : best[cell - width - 1] + kFollows;
      const bool follows = next_to >= before;
      best[cell] = score + std::max(next_to, before);
      from[cell] = follows ? j - 1 : before_at;
    }
  }
  const auto last = best.end() - static_cast<std::ptrdiff_t>(width);
  const auto top = std::max_element(last, best.end());
  if (*top == kNone) return std::nullopt;
  FuzzyMatch out;
  out.score = *top;
  int at = static_cast<int>(top - last);
  for (int i = letters - 1; i >= 0; --i) {
    out.positions.push_back(at);
    at = from[static_cast<size_t>(i) * width + static_cast<size_t>(at)];
  }
  std::ranges::reverse(out.positions);
  return out;
}

}  // namespace

std::optional<FuzzyMatch> fuzzy_match(const QString& pattern, const QString& text) {
  FuzzyMatch out;
  for (const QString& part : pattern.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
    const auto found = match_part(part, text);
    if (!found) return std::nullopt;
    out.score += found->score;
    out.positions.insert(out.positions.end(), found->positions.begin(), found->positions.end());
  }
  if (!pattern.isEmpty() && text.compare(pattern, Qt::CaseInsensitive) == 0) out.score += kWhole;
  out.score -= static_cast<int>(text.size()) / 8;  // of two that fit alike the shorter one
  std::ranges::sort(out.positions);
  out.positions.erase(std::unique(out.positions.begin(), out.positions.end()), out.positions.end());
  return out;
}

}  // namespace weft::ide
