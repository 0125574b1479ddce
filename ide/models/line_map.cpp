#include "line_map.h"

#include <algorithm>

namespace weft::ide {

void LineMap::reset(int lines) {
  then_.resize(static_cast<size_t>(std::max(lines, 0)));
  for (size_t i = 0; i < then_.size(); ++i) then_[i] = static_cast<int>(i) + 1;
}

void LineMap::edit(const LineEdit& edit) {
  const auto size = static_cast<std::ptrdiff_t>(then_.size());
  const std::ptrdiff_t first = std::clamp<std::ptrdiff_t>(edit.first - 1, 0, size);
  const std::ptrdiff_t last = std::clamp<std::ptrdiff_t>(first + edit.gone, first, size);
  then_.erase(then_.begin() + first, then_.begin() + last);
  then_.insert(then_.begin() + first, static_cast<size_t>(std::max(edit.added, 0)), 0);
}

int LineMap::then(int now) const {
  if (then_.empty()) return now;
  return now >= 1 && now <= static_cast<int>(then_.size()) ? then_[static_cast<size_t>(now) - 1] : 0;
}

int LineMap::now(int then) const {
  if (then_.empty() || then <= 0) return then;
  const auto at = std::ranges::find(then_, then);
  return at == then_.end() ? 0 : static_cast<int>(at - then_.begin()) + 1;
}

}  // namespace weft::ide
