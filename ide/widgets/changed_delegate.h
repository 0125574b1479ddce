// Cells whose value has changed since the last stop, in the colour that the palette has for what must be seen: legible
// in both themes.
#pragma once

#include "number_cells.h"

namespace weft::ide {

class ChangedDelegate final : public NumberCells {
 public:
  /// `role`: true of cells that have changed.
  ChangedDelegate(int role, QObject* parent) : NumberCells(parent), role_(role) {}
  void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override {
    NumberCells::initStyleOption(option, index);
    if (index.data(role_).toBool())
      option->palette.setBrush(QPalette::Text, option->palette.brush(QPalette::BrightText));
  }

 private:
  int role_;
};

}  // namespace weft::ide
