#include "wrapping_row.h"

#include <QWidget>
#include <algorithm>

namespace weft::ide {

WrappingRow::~WrappingRow() {
  for (const Part& part : parts_) delete part.item;
}

void WrappingRow::add(QWidget* widget, int min, bool grows) {
  addWidget(widget);
  parts_.back().min = min;
  parts_.back().grows = grows;
}

void WrappingRow::addItem(QLayoutItem* item) { parts_.push_back({item, 0}); }

QLayoutItem* WrappingRow::itemAt(int index) const {
  return index >= 0 && index < count() ? parts_[static_cast<size_t>(index)].item : nullptr;
}

QLayoutItem* WrappingRow::takeAt(int index) {
  QLayoutItem* item = itemAt(index);
  if (item != nullptr) parts_.erase(parts_.begin() + index);
  return item;
}

int WrappingRow::arrange(const QRect& area, bool place) const {
  const QMargins margins = contentsMargins();
  const QRect inner = area.marginsRemoved(margins);
  const int gap = std::max(spacing(), 0);
  int y = inner.top();
  for (size_t first = 0; first < parts_.size();) {
    size_t last = first;
    int width = 0, height = 0;
    bool grows = false;
    for (; last < parts_.size(); ++last) {
      if (parts_[last].item->isEmpty()) continue;
      const int more = (width > 0 ? gap : 0) + parts_[last].width();
      if (width > 0 && width + more > inner.width()) break;
      width += more;
      grows = grows || parts_[last].grows;
    }
    const int left_over = std::max(inner.width() - width, 0);
    const auto width_of = [&](size_t part) {
      const bool takes = grows ? parts_[part].grows : part + 1 == last;
      return std::min(parts_[part].width() + (takes ? left_over : 0), inner.width());
    };
    for (size_t part = first; part < last; ++part) {
      const QLayoutItem& item = *parts_[part].item;
      if (item.isEmpty()) continue;
      height =
          std::max(height, item.hasHeightForWidth() ? item.heightForWidth(width_of(part)) : item.sizeHint().height());
    }
    if (place) {
      int x = inner.left();
      for (size_t part = first; part < last; ++part) {
        if (parts_[part].item->isEmpty()) continue;
        const int wide = std::min(width_of(part), inner.right() + 1 - x);
        parts_[part].item->setGeometry(QRect(x, y, wide, height));
        x += wide + gap;
      }
    }
    if (height > 0) y += height + gap;
    first = last;
  }
  return std::max(y - gap - inner.top(), 0) + margins.top() + margins.bottom();
}

QSize WrappingRow::sizeHint() const {
  int width = 0, height = 0;
  for (const Part& part : parts_) {
    width += part.width() + std::max(spacing(), 0);
    height = std::max(height, part.item->sizeHint().height());
  }
  const QMargins margins = contentsMargins();
  return {width + margins.left() + margins.right(), height + margins.top() + margins.bottom()};
}

// No wider than the widest of its parts must be: it does not hold a window open.
QSize WrappingRow::minimumSize() const {
  QSize size(0, 0);
  for (const Part& part : parts_) size = size.expandedTo(part.item->minimumSize());
  const QMargins margins = contentsMargins();
  return size.grownBy(margins);
}

void WrappingRow::setGeometry(const QRect& area) {
  QLayout::setGeometry(area);
  arrange(area, true);
}

}  // namespace weft::ide
