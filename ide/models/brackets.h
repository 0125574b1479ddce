// Which bracket belongs to which, in a text of microcode: what is in comments and strings does not count.
#pragma once

#include <QString>
#include <optional>

namespace weft::ide {

struct BracketPair {
  int at = 0;      ///< character of the bracket beside the cursor
  int other = -1;  ///< of its partner; -1: it has none, or one of another kind
};

/// Of the bracket after a position, else of the one before it; nothing: there is none.
std::optional<BracketPair> bracket_at(const QString& text, int position);

}  // namespace weft::ide
