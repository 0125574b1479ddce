#include "figure_cells.h"

#include <QApplication>
#include <QPainter>
#include <cmath>
#include <utility>

#include "models/figures_table.h"

namespace weft::ide {

namespace {

constexpr int kBar = 5, kHistogram = 110;  // pixels: of a column, and of a histogram with the text beside it

}  // namespace

void FigureCells::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
  // The bar lies between the background and the text.
  QStyleOptionViewItem cell = option;
  initStyleOption(&cell, index);
  const QString text = std::exchange(cell.text, QString());
  const QStyle* style = cell.widget != nullptr ? cell.widget->style() : QApplication::style();
  style->drawControl(QStyle::CE_ItemViewItem, &cell, painter, cell.widget);
  painter->save();
  QColor colour = heat(0.6, theme_);
  if (const QVariant share = index.data(FiguresModel::kShareRole); share.isValid()) {
    const int width = static_cast<int>(std::lround(std::clamp(share.toDouble(), 0.0, 1.0) * (option.rect.width() - 4)));
    // What nobody uses is not a hot place.
    if (index.data(FiguresModel::kIdleRole).toBool()) colour = gutter_text(theme_);
    colour.setAlpha(index.data(FiguresModel::kIdleRole).toBool() ? 60 : 110);
    painter->fillRect(QRect(option.rect.left() + 2, option.rect.top() + 2,
                            share.toDouble() > 0 ? std::max(width, 1) : 0, option.rect.height() - 4),
                      colour);
  }
  if (const QVariantList parts = index.data(FiguresModel::kHistogramRole).toList(); !parts.isEmpty()) {
    const int text_width = option.fontMetrics.horizontalAdvance(QStringLiteral("at most 000")) + 8;
    const int room = (option.rect.width() - text_width - 4) / kBar;
    const int height = option.rect.height() - 5, floor = option.rect.bottom() - 2;
    int x = option.rect.left() + text_width;  // n commands stand at the same place in each row
    painter->fillRect(x - 1, floor, room * kBar, 1, gutter_text(theme_));
    for (int n = 0; n < std::min(room, static_cast<int>(parts.size())); ++n, x += kBar) {
      const double share = parts[n].toDouble();
      const int high = share > 0 ? std::max(1, static_cast<int>(std::lround(share * height))) : 0;
      painter->fillRect(x, floor - high, kBar - 1, high, colour);
    }
  }
  painter->restore();
  const bool chosen = (cell.state & QStyle::State_Selected) != 0;
  const QRect place = option.rect.adjusted(3, 0, -3, 0);
  style->drawItemText(painter, place, static_cast<int>(cell.displayAlignment), cell.palette, true,
                      option.fontMetrics.elidedText(text, Qt::ElideRight, place.width()),
                      chosen ? QPalette::HighlightedText : QPalette::Text);
}

QSize FigureCells::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
  QSize size = QStyledItemDelegate::sizeHint(option, index);
  size.rwidth() += 4;
  if (index.data(FiguresModel::kHistogramRole).isValid()) size.rwidth() += kHistogram;
  if (index.data(FiguresModel::kShareRole).isValid()) size.rwidth() = std::max(size.width(), 84);
  return size;
}

}  // namespace weft::ide
