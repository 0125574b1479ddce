#include "text_search.h"

#include <algorithm>

#include "text_edit.h"

namespace weft::ide {

TextSearch::TextSearch(const SearchOptions& options) : empty_(options.text.isEmpty()), captures_(options.expression) {
  QString pattern = options.expression ? options.text : QRegularExpression::escape(options.text);
  if (options.whole_words) pattern = QStringLiteral("(?<![\\w])(?:%1)(?![\\w])").arg(pattern);
  QRegularExpression::PatternOptions how = QRegularExpression::MultilineOption;
  if (!options.match_case) how |= QRegularExpression::CaseInsensitiveOption;
  expression_ = QRegularExpression(pattern, how);
  if (!empty_ && !expression_.isValid()) {
    error_ = expression_.errorString();
    empty_ = true;
  }
}

std::vector<SearchMatch> TextSearch::matches(const QString& text) const {
  std::vector<SearchMatch> out;
  if (empty_) return out;
  QRegularExpressionMatchIterator all = expression_.globalMatch(text);
  while (all.hasNext()) {
    const QRegularExpressionMatch match = all.next();
    if (match.capturedLength() > 0)
      out.push_back({static_cast<int>(match.capturedStart()), static_cast<int>(match.capturedLength())});
  }
  return out;
}

QString TextSearch::replacement(const QString& text, const SearchMatch& match, const QString& with) const {
  if (!captures_) return with;
  const QRegularExpressionMatch caught = expression_.match(text, match.begin, QRegularExpression::NormalMatch,
                                                           QRegularExpression::AnchorAtOffsetMatchOption);
  QString out;
  for (qsizetype i = 0; i < with.size(); ++i) {
    if (with[i] != QLatin1Char('\\') || i + 1 == with.size()) {
      out += with[i];
      continue;
    }
    const QChar next = with[++i];
    if (next.isDigit())
      out += caught.captured(next.digitValue());
    else if (next == QLatin1Char('n'))
      out += QLatin1Char('\n');
    else if (next == QLatin1Char('t'))
      out += QLatin1Char('\t');
    else
      out += next;
  }
  return out;
}

std::vector<FoundPlace> TextSearch::places(const QString& path, const QString& text, size_t limit) const {
  std::vector<FoundPlace> out;
  int line = 1;
  qsizetype start = 0;
  for (const SearchMatch& match : matches(text)) {
    if (out.size() == limit) break;
    for (qsizetype end = text.indexOf(QLatin1Char('\n'), start); end >= 0 && end < match.begin;
         end = text.indexOf(QLatin1Char('\n'), start)) {
      start = end + 1;
      ++line;
    }
    qsizetype end = text.indexOf(QLatin1Char('\n'), start);
    if (end < 0) end = text.size();
    FoundPlace place;
    place.path = path;
    place.line = line;
    place.text = text.mid(start, end - start);
    place.begin = match.begin - static_cast<int>(start);
    place.size = match.length;
    place.column = static_cast<int>(column_of(place.text, place.begin));
    place.length = static_cast<int>(text.mid(match.begin, match.length).toUtf8().size());
    out.push_back(std::move(place));
  }
  return out;
}

}  // namespace weft::ide
