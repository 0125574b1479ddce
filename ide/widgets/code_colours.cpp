#include "code_colours.h"

#include <QTextBlock>
#include <QTextLayout>
#include <algorithm>
#include <array>

#include "models/text_edit.h"

namespace weft::ide {

void colour_text(QTextDocument& document, const std::vector<assembler::IndexToken>& tokens, Theme theme) {
  std::array<std::array<QTextCharFormat, 4>, static_cast<size_t>(assembler::TokenClass::error) + 1>
      formats;  // inactive, definition
  for (size_t kind = 0; kind < formats.size(); ++kind)
    for (unsigned how = 0; how < 4; ++how) {
      QTextCharFormat& format = formats[kind][how];
      const auto cls = static_cast<assembler::TokenClass>(kind);
      format = format_of(cls, theme);
      if ((how & 1) != 0) format.setForeground(gutter_text(theme));
      if ((how & 2) != 0)
        format.setFontUnderline(cls != assembler::TokenClass::comment && cls != assembler::TokenClass::label);
    }
  auto token = tokens.begin();
  QTextCharFormat going_on;  // of a comment that began on a line before
  int left = 0;
  int line = 1;
  for (QTextBlock block = document.firstBlock(); block.isValid(); block = block.next(), ++line) {
    QList<QTextLayout::FormatRange> ranges;
    const QString text = block.text();
    const int octets = static_cast<int>(column_of(text, static_cast<int>(text.size()))) - 1;
    const bool plain = octets == text.size();
    const auto add = [&](int column, int length, const QTextCharFormat& format) {  // column from 0, both in octets
      const int here = std::min(length, octets - column);
      if (here <= 0) return;
      const int begin = plain ? column : character_of(text, static_cast<uint32_t>(column) + 1);
      const int end = plain ? column + here : character_of(text, static_cast<uint32_t>(column + here) + 1);
      ranges.append({begin, end - begin, format});
    };
    if (left > 0) {
      add(0, left, going_on);
      left -= octets + 1;
    }
    for (; token != tokens.end() && static_cast<int>(token->line) <= line; ++token) {
      if (static_cast<int>(token->line) < line) continue;
      const QTextCharFormat& format =
          formats[static_cast<size_t>(token->kind)][(token->inactive ? 1u : 0u) | (token->definition ? 2u : 0u)];
      const int column = static_cast<int>(token->column) - 1, length = static_cast<int>(token->length);
      add(column, length, format);
      if (token->kind == assembler::TokenClass::comment) {
        left = length - (octets - column) - 1;
        going_on = format;
      }
    }
    if (block.layout()->formats() == ranges) continue;
    block.layout()->setFormats(ranges);
    document.markContentsDirty(block.position(), block.length());
  }
}

void shift_colours(const QTextDocument& document, int position, int removed, int added) {
  const QTextBlock block = document.findBlock(position);
  if (!block.isValid() || removed + added > block.length()) return;
  const int at = position - block.position();
  QList<QTextLayout::FormatRange> ranges = block.layout()->formats();
  if (ranges.isEmpty()) return;
  for (QTextLayout::FormatRange& r : ranges) {
    const int end = r.start + r.length;
    const auto moved = [&](int where) { return where <= at ? where : std::max(at, where - removed) + added; };
    const int to =
        end == at && removed == 0 && added == 1 && is_word(block.text().size() > at ? block.text().at(at) : QChar())
            ? end + 1
            : moved(end);
    r.start = r.start < at                                                 ? r.start
              : moved(r.start) == r.start && r.start == at && removed == 0 ? r.start + added
                                                                           : moved(r.start);
    r.length = std::max(0, std::min(to, block.length()) - r.start);
  }
  ranges.removeIf([](const QTextLayout::FormatRange& r) { return r.length == 0; });
  block.layout()->setFormats(ranges);
}

}  // namespace weft::ide
