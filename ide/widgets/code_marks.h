// What lies over a text beside its colours: the line of the cursor, the line where the run stands, problems, and what
// was searched.
#pragma once

#include <QTextCursor>
#include <QTextEdit>
#include <utility>
#include <vector>

#include "models/brackets.h"
#include "theme.h"
#include "weft/base/diagnostic.h"

namespace weft::ide {

struct CodeMarks {
  QTextCursor cursor;
  int stopped = 0;  ///< line; 0: none
  const Diagnostics* problems = nullptr;
  const std::vector<std::pair<int, int>>* matches = nullptr;  ///< first character and number of characters
  int chosen = -1;                                            ///< of the matches
  std::optional<BracketPair> bracket;
};
QList<QTextEdit::ExtraSelection> code_marks(QTextDocument& document, const CodeMarks& what, Theme theme);

}  // namespace weft::ide
