// Cells of tables of figures: percents with a bar after the number, depths of queues as a small histogram.
#pragma once

#include <QStyledItemDelegate>

#include "theme.h"

namespace weft::ide {

class FigureCells final : public QStyledItemDelegate {
  Q_OBJECT

 public:
  FigureCells(Theme theme, QObject* parent) : QStyledItemDelegate(parent), theme_(theme) {}
  void set_theme(Theme theme) { theme_ = theme; }
  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
  QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;

 private:
  Theme theme_;
};

}  // namespace weft::ide
