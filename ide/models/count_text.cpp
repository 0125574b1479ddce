#include "count_text.h"

#include <QLocale>
#include <QRegularExpression>

namespace weft::ide {

QString counts_with_separators(const QString& text) {
  // A number that the word beside it says to be a count.
  static const QRegularExpression count(QStringLiteral(
      R"((?:\bcycles? \K[0-9]{4,}(?![\w.]))|(?:(?<=\()[0-9]{4,}(?= to [0-9]))|(?:(?<=[0-9] to )[0-9]{4,}(?![\w.]))|(?:(?<![\w.:,#])[0-9]{4,}(?= (?:cycles?|packets?|frames?|bytes|words|times)\b)))"));
  QString out;
  qsizetype from = 0;
  for (auto matches = count.globalMatch(text); matches.hasNext();) {
    const QRegularExpressionMatch match = matches.next();
    bool fits = false;
    const qulonglong number = match.captured().toULongLong(&fits);
    out += text.mid(from, match.capturedStart() - from) + (fits ? QLocale().toString(number) : match.captured());
    from = match.capturedEnd();
  }
  return out + text.mid(from);
}

}  // namespace weft::ide
