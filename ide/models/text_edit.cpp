#include "text_edit.h"

#include <algorithm>

namespace weft::ide {

namespace {

int octets_of(QChar c) {
  if (c.unicode() < 0x80) return 1;
  if (c.unicode() < 0x800 || c.isSurrogate()) return 2;  // a pair of surrogates is four
  return 3;
}

}  // namespace

int character_of(const QString& line, uint32_t column) {
  uint32_t at = 1;
  int character = 0;
  while (character < line.size() && at < column) at += static_cast<uint32_t>(octets_of(line[character++]));
  return character;
}

uint32_t column_of(const QString& line, int character) {
  uint32_t column = 1;
  for (int i = 0; i < std::min<int>(character, static_cast<int>(line.size())); ++i)
    column += static_cast<uint32_t>(octets_of(line[i]));
  return column;
}

bool is_word(QChar c) { return c == QLatin1Char('_') || (c.unicode() < 0x80 && c.isLetterOrNumber()); }

}  // namespace weft::ide
