// Places in texts as the assembler counts them (lines and columns from 1, columns in bytes), and changes to several
// texts.
#pragma once

#include <QString>
#include <vector>

#include "weft/base/source.h"

namespace weft::ide {

/// A stretch of a text becomes another.
struct TextEdit {
  QString path;
  Position begin, end;
  QString replacement;
  QString expected;  ///< what must stand there, or nothing is changed; null: anything
};

/// Characters before a column of a line; after the end of the line: all of it.
int character_of(const QString& line, uint32_t column);
/// The column after so many characters.
uint32_t column_of(const QString& line, int character);

/// Whether a word of the language goes on with this character.
bool is_word(QChar c);

}  // namespace weft::ide
