// Bars of tools that stand beside each other while there is room, and below each other when there is not: what a bar
// holds is then seen, and not after the arrow at its end.
#pragma once

#include <QLayout>
#include <vector>

namespace weft::ide {

class WrappingRow final : public QLayout {
 public:
  using QLayout::QLayout;
  ~WrappingRow() override;

  /// After the others. `min`: pixels that it wants beside others; 0: as much as its size hint. What is left of a
  /// line goes to the one that `grows`, else to the last.
  void add(QWidget* widget, int min = 0, bool grows = false);

  void addItem(QLayoutItem* item) override;
  int count() const override { return static_cast<int>(parts_.size()); }
  QLayoutItem* itemAt(int index) const override;
  QLayoutItem* takeAt(int index) override;
  Qt::Orientations expandingDirections() const override { return {}; }
  bool hasHeightForWidth() const override { return true; }
  int heightForWidth(int width) const override { return arrange(QRect(0, 0, width, 0), false); }
  QSize sizeHint() const override;
  QSize minimumSize() const override;
  void setGeometry(const QRect& area) override;

 private:
  struct Part {
    QLayoutItem* item;
    int min;
    bool grows = false;
    int width() const { return min > 0 ? min : item->sizeHint().width(); }
  };
  /// Gives the height that it takes; moves the parts when they are to be placed.
  int arrange(const QRect& area, bool place) const;
  std::vector<Part> parts_;
};

}  // namespace weft::ide
