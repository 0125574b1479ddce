// Which line of a text was which before it was edited: what is known of lines of the text that was built stays with
// them while it is typed over.
#pragma once

#include <vector>

namespace weft::ide {

/// Lines `first` to first + gone - 1, from 1, have become `added` new ones.
struct LineEdit {
  int first = 1, gone = 0, added = 0;
};

class LineMap {
 public:
  /// All lines are now what they were; as long as nothing is said, that is so.
  void reset(int lines);
  void edit(const LineEdit& edit);
  bool empty() const { return then_.empty(); }
  /// The line that this one was; 0: it is new.
  int then(int now) const;
  /// Where a line is now; 0: it is gone.
  int now(int then) const;

 private:
  std::vector<int> then_;  ///< by line, from 0; empty: every line is what it was
};

}  // namespace weft::ide
