#include "line_diff.h"

#include <algorithm>
#include <cstdint>

namespace weft::ide {

namespace {

constexpr size_t kMaxPairs = 4'000'000;  // of lines that are compared: some tens of ms
constexpr size_t kMaxHunks = 200;        // each is an edit of its own

}  // namespace

std::vector<LineHunk> line_hunks(const QStringList& before, const QStringList& after) {
  const int shorter = static_cast<int>(std::min(before.size(), after.size()));
  int head = 0, tail = 0;
  while (head < shorter && before[head] == after[head]) ++head;
  while (tail < shorter - head && before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) ++tail;
  const int rows = static_cast<int>(before.size()) - head - tail,
            columns = static_cast<int>(after.size()) - head - tail;
  if (rows == 0 && columns == 0) return {};
  const std::vector<LineHunk> whole{{head, rows, head, columns}};
  const size_t width = static_cast<size_t>(columns) + 1;
  if (rows == 0 || columns == 0 || (static_cast<size_t>(rows) + 1) * width > kMaxPairs) return whole;

  // How many lines two ends of the texts have in common at most.
  std::vector<uint32_t> common((static_cast<size_t>(rows) + 1) * width, 0);
  const auto cell = [&](int row, int column) -> uint32_t& {
    return common[static_cast<size_t>(row) * width + static_cast<size_t>(column)];
  };
  for (int row = rows - 1; row >= 0; --row)
    for (int column = columns - 1; column >= 0; --column)
      cell(row, column) = before[head + row] == after[head + column]
                              ? cell(row + 1, column + 1) + 1
                              : std::max(cell(row + 1, column), cell(row, column + 1));
  std::vector<LineHunk> out;
  int row = 0, column = 0;
  while (row < rows || column < columns) {
    const bool same = row < rows && column < columns && before[head + row] == after[head + column];
    if (same) {
      ++row;
      ++column;
      continue;
    }
    LineHunk hunk{head + row, 0, head + column, 0};
    while (row < rows || column < columns) {
      if (row < rows && column < columns && before[head + row] == after[head + column]) break;
      if (column == columns || (row < rows && cell(row + 1, column) >= cell(row, column + 1))) {
        ++row;
        ++hunk.gone;
      } else {
        ++column;
        ++hunk.added;
      }
    }
    out.push_back(hunk);
  }
  return out.size() > kMaxHunks ? whole : out;
}

int line_after(const std::vector<LineHunk>& hunks, int line) {
  int moved = 0;
  for (const LineHunk& hunk : hunks) {
    if (line < hunk.first) break;
    if (line < hunk.first + hunk.gone) return hunk.at + std::min(line - hunk.first, hunk.added);
    moved += hunk.added - hunk.gone;
  }
  return line + moved;
}

}  // namespace weft::ide
