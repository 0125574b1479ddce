// What the picture of the coverage consists of: bars, their scale, the strip of what never ran, addresses, labels,
// marks and a legend.
#include <QPainter>
#include <algorithm>

#include "coverage_canvas.h"

namespace weft::ide {

void CoverageCanvas::paint_rows(QPainter& painter) {
  const QRect area = plot();
  if (look_ == CoverageStyle::rows) {
    const int rows = static_cast<int>(std::max(model_.series().contexts, 1u));
    uint64_t largest = 0;
    for (int c = 0; c < rows; ++c) largest = std::max(largest, max(c));
    for (int c = 0; c < rows; ++c) {
      const int top = area.top() + c * area.height() / rows, bottom = area.top() + (c + 1) * area.height() / rows;
      const QRect row(area.left(), top + 2, area.width(), bottom - top - 3);
      paint_counts(painter, row, largest, c == 0);
      painter.setPen(c == cursor_context() ? palette().color(QPalette::Text) : gutter_text(theme_));
      painter.drawText(QRect(2, row.top(), kCounts - 6, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
                       tr("ctx%1").arg(c));
      paint_bars(painter, row, c, largest);
    }
  } else {
    const int context = look_ == CoverageStyle::context ? cursor_context() : -1;
    const uint64_t largest = max(context);
    paint_counts(painter, area, largest, true);
    paint_bars(painter, area, context, largest);
  }
  const int context = look_ == CoverageStyle::context ? cursor_context() : -1;
  paint_strip(painter, coverage_bars(axis_, model_.series().size(),
                                     [&](uint32_t a) { return model_.series().count(a, context); }));
}

void CoverageCanvas::paint_bars(QPainter& painter, const QRect& area, int context, uint64_t max) {
  const CoverageSeries& series = model_.series();
  const bool stack = look_ == CoverageStyle::stacked;
  const bool searching = model_.hits().size() != series.size();
  std::vector<uint64_t> parts(series.contexts);
  const int floor = area.bottom() + 1;
  for (const CoverageBar& bar :
       coverage_bars(axis_, series.size(), [&](uint32_t a) { return series.count(a, context); })) {
    const int height = bar_height(series.count(bar.word, context), max, area.height(), scale_);
    ++work_.bars;
    if (height == 0) continue;
    const int x = area.left() + bar.x;
    bool hit = !searching;
    for (uint32_t a = bar.first; !hit && a < bar.last; ++a) hit = model_.is_hit(a);
    painter.setOpacity(hit ? 1 : 0.25);
    if (!stack) {
      ++work_.parts;
      painter.fillRect(
          x, floor - height, bar.width, height,
          context >= 0 ? context_colour(static_cast<unsigned>(context), theme_) : palette().color(QPalette::Link));
      continue;
    }
    for (unsigned c = 0; c < series.contexts; ++c) parts[c] = series.counts[bar.word].executed[c];
    const std::vector<int> edges = stacked(parts, height);
    for (unsigned c = 0; c < series.contexts; ++c) {
      if (edges[c + 1] == edges[c]) continue;
      ++work_.parts;
      painter.fillRect(x, floor - edges[c + 1], bar.width, edges[c + 1] - edges[c], context_colour(c, theme_));
    }
  }
  painter.setOpacity(1);
}

void CoverageCanvas::paint_differences(QPainter& painter) {
  const QRect area = plot();
  const int middle = area.top() + area.height() / 2, half = area.height() / 2 - 1;
  const uint32_t size = model_.series().size();
  const auto value = [this](uint32_t a) { return static_cast<uint64_t>(std::abs(model_.difference(a).value_or(0))); };
  uint64_t largest = 0;
  for (uint32_t a = 0; a < size; ++a) largest = std::max(largest, value(a));
  painter.setPen(gutter_text(theme_));
  painter.drawLine(area.left(), middle, area.right(), middle);
  for (const CoverageTick& tick : count_ticks(largest, half, scale_, 2 * fontMetrics().height()))
    for (const int sign : {-1, 1}) {
      const int y = middle - sign * tick.height;
      painter.setPen(palette().color(QPalette::Mid));
      painter.drawLine(area.left(), y, area.right(), y);
      painter.setPen(gutter_text(theme_));
      painter.drawText(
          QRect(0, y - 10, kCounts - 4, 20), Qt::AlignRight | Qt::AlignVCenter,
          (sign > 0 ? QStringLiteral("+") : QStringLiteral("−")) + QString::fromStdString(short_count(tick.count)));
    }
  const std::vector<CoverageBar> bars = coverage_bars(axis_, size, value);
  const bool searching = model_.hits().size() != size;
  for (const CoverageBar& bar : bars) {
    ++work_.bars;
    const auto change = model_.difference(bar.word);
    const int x = area.left() + bar.x;
    if (!change) {  // A has no such word
      painter.fillRect(x, middle - 2, bar.width, 5, QBrush(gutter_text(theme_), Qt::Dense4Pattern));
      continue;
    }
    const int height = bar_height(value(bar.word), largest, half, scale_);
    bool hit = !searching;
    for (uint32_t a = bar.first; !hit && a < bar.last; ++a) hit = model_.is_hit(a);
    painter.setOpacity(hit ? 1 : 0.25);
    if (*change > 0)
      painter.fillRect(x, middle - height, bar.width, height, context_colour(1, theme_));
    else if (*change < 0)
      painter.fillRect(x, middle + 1, bar.width, height, context_colour(0, theme_));
    work_.parts += *change != 0;
  }
  painter.setOpacity(1);
  paint_strip(painter, coverage_bars(axis_, size, [this](uint32_t a) { return model_.series().count(a); }));
}

void CoverageCanvas::paint_counts(QPainter& painter, const QRect& area, uint64_t max, bool numbers) {
  for (const CoverageTick& tick : count_ticks(max, area.height(), scale_, 2 * fontMetrics().height())) {
    const int y = area.bottom() + 1 - tick.height;
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(area.left(), y, area.right(), y);
    painter.setPen(gutter_text(theme_));
    if (numbers)
      painter.drawText(QRect(0, y - 10, kCounts - 4, 20), Qt::AlignRight | Qt::AlignVCenter,
                       QString::fromStdString(short_count(tick.count)));
  }
  painter.setPen(gutter_text(theme_));
  painter.drawLine(area.left(), area.bottom() + 1, area.right(), area.bottom() + 1);
}

// What was never executed has no bar to see, so it gets a strip: the lower part of it as much as of the words were not.
void CoverageCanvas::paint_strip(QPainter& painter, const std::vector<CoverageBar>& bars) {
  const int top = plot().bottom() + 2;
  for (const CoverageBar& bar : bars) {
    if (bar.never == 0) continue;
    const int height =
        std::max(2, static_cast<int>(bar.never * static_cast<uint32_t>(kStrip - 1) / (bar.last - bar.first)));
    painter.fillRect(kCounts + bar.x, top + kStrip - 1 - height, bar.width, height, error_colour(theme_));
  }
}

void CoverageCanvas::paint_ruler(QPainter& painter) {
  const QRect area = plot();
  const int top = area.bottom() + 2 + kStrip;
  const int text = fontMetrics().horizontalAdvance(QStringLiteral("0x0000")) + 12;
  uint32_t step = 1;
  while (step / axis_.per_pixel() < text) step *= 2;
  const auto shown = axis_.visible();
  const auto middle = [&](uint64_t address) {
    return area.left() +
           static_cast<int>(axis_.x_of(static_cast<double>(address)) + std::min(0.5 / axis_.per_pixel(), 32.0));
  };
  painter.setPen(gutter_text(theme_));
  for (uint64_t address = (shown.first + step - 1) / step * step; address < shown.second; address += step) {
    const int x = middle(address);
    painter.drawLine(x, top, x, top + 3);
    const QRect place(x - text / 2, top + 2, text, kRuler);
    if (place.left() >= kCounts && place.right() < viewport()->width())
      painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop, QStringLiteral("0x%1").arg(address, 0, 16));
  }
  painter.drawText(QRect(4, top + 2, kCounts - 8, kRuler), Qt::AlignLeft | Qt::AlignTop, tr("address"));
  const int height = fontMetrics().height() + 1;
  const auto width = [this](const std::string& name) { return fontMetrics().horizontalAdvance(label_text(name)) + 10; };
  const auto weight = [this](uint32_t address) {
    return address < model_.series().size() ? model_.series().count(address) : 0;
  };
  const auto& labels = model_.series().program->labels;
  for (const LabelPlace& place : place_labels(axis_, labels, width, weight, kLabelRows)) {
    const int x = area.left() + place.x, y = top + kRuler + 2 + place.row * height;
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(x, top, x, y + height - 3);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(x + 3, y + fontMetrics().ascent(), label_text(labels[place.label].name));
  }
}

// Where contexts stand, what was found, and the chosen word.
void CoverageCanvas::paint_marks(QPainter& painter) {
  const QRect area = plot();
  const CoverageSeries& series = model_.series();
  const bool searching = model_.hits().size() != series.size();
  if (searching && model_.hits().size() < 4000) {
    int last = -10;
    painter.setPen(palette().color(QPalette::Text));
    for (const uint32_t address : model_.hits()) {
      const int x = point_of(address).x();
      if (x < area.left() || x > area.right() || x == last) continue;
      last = x;
      painter.drawLine(x, area.top() - 4, x, area.top() - 1);
    }
  }
  Target* target = model_.workspace().target();
  if (const auto view = target != nullptr ? target->view() : nullptr) {
    const auto id = model_.workspace().cursor().context();
    for (const workbench::ContextView& c : view->contexts) {
      if (!id || c.id != *id || cursor_context() < 0) continue;
      const QPoint at = point_of(c.pc);
      if (at.x() < area.left() || at.x() > area.right()) continue;
      const int top = area.bottom() + 2 + kStrip;
      const QPoint arrow[] = {{at.x() - 5, top + 7}, {at.x() + 5, top + 7}, {at.x(), top - 1}};
      painter.setPen(Qt::NoPen);
      painter.setBrush(warning_colour(theme_));
      painter.drawPolygon(arrow, 3);
    }
  }
  if (chosen_ && *chosen_ < series.size()) {
    const double left = axis_.x_of(*chosen_), right = axis_.x_of(*chosen_ + 1);
    if (right > 0 && left < axis_.width()) {
      const QRectF box(area.left() + std::max(left, 0.0) - 1, area.top(), std::max(2.0, right - left),
                       area.height() + kStrip);
      painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DashLine));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(box);
    }
  }
}

void CoverageCanvas::paint_legend(QPainter& painter) {
  // In a narrow view the numbers of contexts stand alone, so that none is missing.
  const unsigned contexts = look_ == CoverageStyle::stacked && !difference() ? model_.series().contexts : 0;
  const int each = fontMetrics().horizontalAdvance(tr("ctx%1").arg(0)) + 27,
            never = fontMetrics().horizontalAdvance(tr("never executed")) + 27;
  const bool narrow = kCounts + never + static_cast<int>(contexts) * each > viewport()->width();
  const bool tight = kCounts + never + static_cast<int>(contexts) * 36 + 30 > viewport()->width() && contexts > 0;
  int x = tight ? 4 : kCounts;
  const int y = 2, height = fontMetrics().height(), gap = tight ? 0 : 7;
  const auto entry = [&](const QColor& colour, const QString& text, bool bold) {
    const int width = fontMetrics().horizontalAdvance(text) + gap;
    if (x + 8 + width > viewport()->width()) return;
    painter.fillRect(x, y + height / 2 - 4, 9, 9, colour);
    painter.setPen(palette().color(QPalette::Text));
    QFont f = font();
    f.setUnderline(bold);
    painter.setFont(f);
    painter.drawText(x + 13, y + fontMetrics().ascent(), text);
    painter.setFont(font());
    x += 13 + width + (tight ? 5 : 7);
  };
  entry(error_colour(theme_), tight ? tr("never") : tr("never executed"), false);
  if (difference()) {
    QString title = QString::fromStdString(model_.kept()->title);
    if (model_.filter().context >= 0 && !model_.kept()->by_line()) title += tr(", ctx%1").arg(model_.filter().context);
    entry(context_colour(1, theme_), tr("more than A (%1)").arg(title), false);
    entry(context_colour(0, theme_), tr("less than A"), false);
    entry(gutter_text(theme_), tr("A has no such word"), false);
  } else if (look_ == CoverageStyle::stacked) {
    for (unsigned c = 0; c < contexts; ++c)
      entry(context_colour(c, theme_), narrow && c > 0 ? QString::number(c) : tr("ctx%1").arg(c),
            static_cast<int>(c) == cursor_context());
  } else if (look_ == CoverageStyle::context) {
    const int c = cursor_context();
    entry(c < 0 ? palette().color(QPalette::Link) : context_colour(static_cast<unsigned>(c), theme_),
          c < 0 ? tr("all contexts: none of this program is chosen") : tr("ctx%1").arg(c), false);
  } else if (look_ == CoverageStyle::sum) {
    entry(palette().color(QPalette::Link), tr("all contexts"), false);
  }
}

}  // namespace weft::ide
