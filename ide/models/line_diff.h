// Which stretches of lines differ between two texts: what is known of the others stays with them.
#pragma once

#include <QStringList>
#include <vector>

namespace weft::ide {

/// Lines `first` to first + gone - 1, from 0, have become `at` to at + added - 1 of the other text.
struct LineHunk {
  int first = 0, gone = 0, at = 0, added = 0;
  bool operator==(const LineHunk&) const = default;
};

/// In order. As few lines as possible, unless the texts differ in so much that to find them takes too long: then one
/// stretch from the first difference to the last.
std::vector<LineHunk> line_hunks(const QStringList& before, const QStringList& after);
/// Where a line is after that, from 0; one that is gone is where the next one is.
int line_after(const std::vector<LineHunk>& hunks, int line);

}  // namespace weft::ide
