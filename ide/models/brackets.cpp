#include "brackets.h"

#include <vector>

namespace weft::ide {

namespace {

constexpr QLatin1String kOpen("([{"), kClose(")]}");

bool is_bracket(QChar c) { return kOpen.contains(c) || kClose.contains(c); }

/// Calls `see` for each bracket that is code, in order, until it returns false.
template <class See>
void for_brackets(const QString& text, See&& see) {
  enum class In { code, line_comment, comment, string } in = In::code;
  for (int i = 0; i < static_cast<int>(text.size()); ++i) {
    const QChar c = text[i], next = i + 1 < text.size() ? text[i + 1] : QChar();
    switch (in) {
      case In::line_comment:
        if (c == QLatin1Char('\n')) in = In::code;
        break;
      case In::comment:
        if (c == QLatin1Char('*') && next == QLatin1Char('/')) in = In::code, ++i;
        break;
      case In::string:
        if (c == QLatin1Char('"') || c == QLatin1Char('\n')) in = In::code;
        break;
      case In::code:
        if (c == QLatin1Char(';') || (c == QLatin1Char('/') && next == QLatin1Char('/')))
          in = In::line_comment;
        else if (c == QLatin1Char('/') && next == QLatin1Char('*'))
          in = In::comment, ++i;
        else if (c == QLatin1Char('"'))
          in = In::string;
        else if (is_bracket(c) && !see(i, c))
          return;
        break;
    }
  }
}

}  // namespace

std::optional<BracketPair> bracket_at(const QString& text, int position) {
  std::optional<BracketPair> out;
  for (const int at : {position, position - 1}) {
    if (at < 0 || at >= text.size() || !is_bracket(text[at])) continue;
    std::vector<std::pair<int, QChar>> open;
    bool seen = false;  // the one that is asked for is code
    int other = -1;
    for_brackets(text, [&](int i, QChar c) {
      seen = seen || i == at;
      if (kOpen.contains(c)) {
        open.emplace_back(i, c);
        return true;
      }
      const bool fits = !open.empty() && kOpen.indexOf(open.back().second) == kClose.indexOf(c);
      const int partner = open.empty() ? -1 : open.back().first;
      if (i == at) {
        other = fits ? partner : -1;
        return false;
      }
      if (partner == at) {
        other = fits ? i : -1;
        return false;
      }
      if (!open.empty()) open.pop_back();
      return true;
    });
    if (!seen) continue;
    out = BracketPair{at, other};
    break;
  }
  return out;
}

}  // namespace weft::ide
