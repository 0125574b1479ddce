#include "code_marks.h"

#include <QTextBlock>
#include <algorithm>

namespace weft::ide {

QList<QTextEdit::ExtraSelection> code_marks(QTextDocument& document, const CodeMarks& what, Theme theme) {
  QList<QTextEdit::ExtraSelection> marks;
  const auto whole_line = [&](const QTextCursor& cursor, const QColor& colour) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = cursor;
    mark.cursor.clearSelection();
    mark.format.setBackground(colour);
    mark.format.setProperty(QTextFormat::FullWidthSelection, true);
    marks.append(mark);
  };
  whole_line(what.cursor, current_line(theme));
  if (what.stopped > 0) whole_line(QTextCursor(document.findBlockByNumber(what.stopped - 1)), stopped_line(theme));
  for (const Diagnostic& d : *what.problems) {
    const QTextBlock begin = document.findBlockByNumber(static_cast<int>(d.range.begin.line) - 1);
    const QTextBlock end = document.findBlockByNumber(static_cast<int>(d.range.end.line) - 1);
    if (!begin.isValid() || !end.isValid()) continue;  // the text has become shorter since
    QTextEdit::ExtraSelection mark;
    const auto at = [](const QTextBlock& block, uint32_t column) {
      return block.position() + std::min<int>(std::max<int>(static_cast<int>(column) - 1, 0), block.length() - 1);
    };
    mark.cursor = QTextCursor(begin);
    mark.cursor.setPosition(at(begin, d.range.begin.column));
    mark.cursor.setPosition(std::max(at(end, d.range.end.column), at(begin, d.range.begin.column)),
                            QTextCursor::KeepAnchor);
    if (!mark.cursor.hasSelection()) mark.cursor.movePosition(QTextCursor::EndOfWord, QTextCursor::KeepAnchor);
    mark.format.setUnderlineStyle(QTextCharFormat::WaveUnderline);
    mark.format.setUnderlineColor(d.severity == Severity::error ? error_colour(theme) : warning_colour(theme));
    marks.append(mark);
  }
  if (what.bracket)
    for (const int at : {what.bracket->at, what.bracket->other}) {
      if (at < 0 || at >= document.characterCount() - 1) continue;
      QTextEdit::ExtraSelection mark;
      mark.cursor = QTextCursor(&document);
      mark.cursor.setPosition(at);
      mark.cursor.setPosition(at + 1, QTextCursor::KeepAnchor);
      mark.format.setBackground(bracket_colour(theme, what.bracket->other >= 0));
      mark.format.setFontWeight(QFont::Bold);
      marks.append(mark);
    }
  for (size_t i = 0; i < what.matches->size(); ++i) {
    QTextEdit::ExtraSelection mark;
    mark.cursor = QTextCursor(&document);
    const int end = document.characterCount() - 1;
    mark.cursor.setPosition(std::min(what.matches->at(i).first, end));
    mark.cursor.setPosition(std::min(what.matches->at(i).first + what.matches->at(i).second, end),
                            QTextCursor::KeepAnchor);
    mark.format.setBackground(match_colour(theme, static_cast<int>(i) == what.chosen));
    marks.append(mark);
  }
  return marks;
}

}  // namespace weft::ide
