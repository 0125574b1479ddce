// Where somebody was in the texts, to go back and forward.
#pragma once

#include <QString>
#include <vector>

namespace weft::ide {

struct TextPlace {
  QString path;
  int line = 1, column = 0;  ///< character in the line, from 0
};

class TextPlaces {
 public:
  /// After the place where one is; what was ahead of it is forgotten.
  void leave(const TextPlace& place);
  /// Where one goes is the last place; back() and forward() move between them.
  void arrive(const TextPlace& place);
  bool can_go_back() const { return here_ > 0; }
  bool can_go_forward() const { return here_ + 1 < places_.size(); }
  /// Null: there is none.
  const TextPlace* back();
  const TextPlace* forward();
  void clear();

 private:
  std::vector<TextPlace> places_;
  size_t here_ = 0;
};

}  // namespace weft::ide
