// How well a few letters fit a name: letters in their order with others between them, as people type what they remember
// of a name.
#pragma once

#include <QString>
#include <optional>
#include <vector>

namespace weft::ide {

struct FuzzyMatch {
  int score = 0;               ///< more is better
  std::vector<int> positions;  ///< of the letters in the text, rising
};

/// Whatever case; blanks in the pattern separate parts that may come in any order. Nothing: it does not fit. An empty
/// pattern fits everything.
std::optional<FuzzyMatch> fuzzy_match(const QString& pattern, const QString& text);

}  // namespace weft::ide
