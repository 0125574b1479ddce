// What is folded in a text. A fold is a mark of its first block (its user state), which moves with the text; what is
// hidden follows from the marks and the folds of the latest index.
#pragma once

#include <QTextDocument>
#include <map>
#include <vector>

#include "models/line_map.h"
#include "weft/assembler/index.h"

namespace weft::ide {

class CodeFolds {
 public:
  explicit CodeFolds(QTextDocument* document) : document_(document) {}

  void take(const std::vector<assembler::IndexFold>& folds);
  /// Until the next index comes, folds go with their lines.
  void edit(const LineEdit& edit);
  bool empty() const { return folds_.empty(); }
  bool begins_at(int line) const { return folds_.contains(line); }
  bool is_folded(int line) const;
  /// The innermost fold around the line; 0: none.
  int around(int line) const;
  /// False: no fold begins there. Blocks are hidden by show().
  bool toggle(int line);
  void set_all(bool folded);
  /// The first line of the outermost folded fold that hides the line; 0: none.
  int hidden_by(int line) const;
  /// Hides and shows blocks; true when something has changed.
  bool show();

 private:
  QTextDocument* document_;
  std::map<int, int> folds_;  ///< first line to last line
};

}  // namespace weft::ide
