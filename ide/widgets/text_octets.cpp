#include "text_octets.h"

#include <QByteArrayView>
#include <QStringDecoder>
#include <QTextBlock>
#include <QTextBlockFormat>
#include <QTextCursor>
#include <QTextDocument>
#include <QTextFormat>
#include <algorithm>
#include <utility>

namespace weft::ide {

namespace {

constexpr const char* kMark = "\xEF\xBB\xBF";
constexpr int kMarkOctets = 3;
constexpr int kEndProperty = QTextFormat::UserProperty + 1;

QString written(LineEnd end) {
  switch (end) {
    case LineEnd::lf: return QStringLiteral("\n");
    case LineEnd::crlf: return QStringLiteral("\r\n");
    case LineEnd::cr: return QStringLiteral("\r");
    case LineEnd::paragraph: return QString(QChar(QChar::ParagraphSeparator));
  }
  return QStringLiteral("\n");
}

LineEnd end_of(const QTextBlock& block, LineEnd usual) {
  const QTextBlockFormat format = block.blockFormat();
  return format.hasProperty(kEndProperty) ? static_cast<LineEnd>(format.intProperty(kEndProperty)) : usual;
}

}  // namespace

std::optional<QString> text_of_octets(const QByteArray& octets, TextForm* form) {
  TextForm found;
  found.mark = octets.startsWith(kMark);
  QByteArrayView rest(octets);
  if (found.mark) rest = rest.sliced(kMarkOctets);
  QStringDecoder decoder(QStringConverter::Utf8,
                         QStringConverter::Flag::Stateless | QStringConverter::Flag::ConvertInitialBom);
  const QString raw = decoder(rest);
  if (decoder.hasError() || raw.contains(QChar(0))) return std::nullopt;
  QString text;
  text.reserve(raw.size());
  for (qsizetype at = 0; at < raw.size(); ++at) {
    const QChar c = raw.at(at);
    const bool cr = c == QLatin1Char('\r'), paragraph = c == QChar(QChar::ParagraphSeparator);
    if (!cr && !paragraph && c != QLatin1Char('\n')) {
      text += c;
      continue;
    }
    const bool crlf = cr && at + 1 < raw.size() && raw.at(at + 1) == QLatin1Char('\n');
    if (crlf) ++at;
    text += QLatin1Char('\n');
    found.lines.push_back(crlf ? LineEnd::crlf : cr ? LineEnd::cr : paragraph ? LineEnd::paragraph : LineEnd::lf);
  }
  const auto crlfs = static_cast<size_t>(std::ranges::count(found.lines, LineEnd::crlf));
  if (2 * crlfs > found.lines.size()) found.end = LineEnd::crlf;
  if (form != nullptr) *form = std::move(found);
  return text;
}

bool set_line_ends(QTextDocument& document, const TextForm& form) {
  QTextCursor cursor(&document);
  bool changes = false;
  QTextBlock block = document.firstBlock();
  for (const LineEnd end : form.lines) {
    if (!block.isValid()) break;
    if (end_of(block, form.end) != end) {
      if (!std::exchange(changes, true)) cursor.joinPreviousEditBlock();
      QTextBlockFormat format;
      format.setProperty(kEndProperty, static_cast<int>(end));
      cursor.setPosition(block.position());
      cursor.mergeBlockFormat(format);
    }
    block = block.next();
  }
  if (changes) cursor.endEditBlock();
  return changes;
}

QByteArray octets_of_text(const QTextDocument& document, const TextForm& form) {
  QString text;
  for (QTextBlock block = document.firstBlock(); block.isValid(); block = block.next()) {
    text += block.text();
    if (block.next().isValid()) text += written(end_of(block, form.end));
  }
  return (form.mark ? QByteArray(kMark) : QByteArray()) + text.toUtf8();
}

}  // namespace weft::ide
