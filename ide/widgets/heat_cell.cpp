#include "heat_cell.h"

#include <QFontMetrics>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace weft::ide {

namespace {

QString short_number(uint64_t n) {
  return n < 10'000       ? QStringLiteral("%L1").arg(n)
         : n < 10'000'000 ? QStringLiteral("%L1k").arg(n / 1000)
                          : QStringLiteral("%L1M").arg(n / 1'000'000);
}
int mark_width(const QFontMetrics& metrics) { return metrics.horizontalAdvance(QStringLiteral("TN")) + 6; }

}  // namespace

int heat_cell_width(const QFontMetrics& metrics, bool branches) {
  return metrics.horizontalAdvance(QStringLiteral("9,999k")) + 8 + (branches ? mark_width(metrics) : 0);
}

void paint_heat_cell(QPainter& painter, const QRect& cell, const LineCoverage& line, uint64_t max, bool branches,
                     Theme theme, const QColor& text) {
  const double share =
      line.executed == 0
          ? 0.0
          : std::max(0.08, std::log1p(static_cast<double>(line.executed)) / std::log1p(static_cast<double>(max)));
  const QRect numbers = branches ? cell.adjusted(mark_width(painter.fontMetrics()), 0, 0, 0) : cell;
  painter.fillRect(numbers, heat(share, theme));
  painter.setPen(line.executed == 0 ? error_colour(theme) : text);
  painter.drawText(numbers.adjusted(0, 0, -4, 0), Qt::AlignRight | Qt::AlignVCenter, short_number(line.executed));
  const QString mark = outcome_mark(line);
  if (mark.isEmpty()) return;
  // What no packet has gone yet stands out; the text says it without colour.
  const QRect place(cell.left(), cell.top(), mark_width(painter.fontMetrics()), cell.height());
  const QFont font = painter.font();
  QFont smaller = font;
  smaller.setBold(line.ways_seen() < line.ways());
  if (mark.size() > 2) smaller.setPointSizeF(std::max(5.0, font.pointSizeF() * 0.75));
  painter.setFont(smaller);
  painter.setPen(line.ways_seen() == 0            ? error_colour(theme)
                 : line.ways_seen() < line.ways() ? warning_colour(theme)
                                                  : gutter_text(theme));
  painter.drawText(place, Qt::AlignCenter, mark);
  painter.setFont(font);
}

}  // namespace weft::ide
