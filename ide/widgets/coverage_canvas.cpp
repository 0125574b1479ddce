#include "coverage_canvas.h"

#include <QElapsedTimer>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <array>

namespace weft::ide {

QColor context_colour(unsigned context, Theme theme) {
  static constexpr std::array<QRgb, 8> light{0x1f4e9c, 0xd9822b, 0x2e8b57, 0xb0306a, 0x6a9fd8, 0x8a5a00, 0x7fc29b, 0xd98cb3};
  static constexpr std::array<QRgb, 8> dark{0x6aa5ff, 0xf0a858, 0x5fd08f, 0xf06aa5, 0x3a6fb0, 0xc8952f, 0x3a8f60, 0xa84a78};
  return QColor((theme == Theme::light ? light : dark)[context % 8]);
}

CoverageCanvas::CoverageCanvas(CoverageModel& model, Theme theme, QWidget* parent) : QAbstractScrollArea(parent), model_(model), theme_(theme) {
  setAccessibleName(tr("Execution coverage"));
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  viewport()->setAccessibleName(tr("Bars of the execution coverage"));
  horizontalScrollBar()->setAccessibleName(tr("Addresses of the execution coverage"));
  setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOn);
  connect(&model, &CoverageModel::changed, this, [this] {
    const uint64_t size = model_.series().size();
    if (axis_.limits() != std::pair<uint64_t, uint64_t>{0, std::max<uint64_t>(size, 1)}) {
      axis_.set_limits(0, size);
      fitted_ = true;
      chosen_ = std::nullopt;
      Q_EMIT chosen_changed();
    }
    moved();
  });
  connect(&model, &CoverageModel::hits_changed, this, &CoverageCanvas::redraw);
  connect(&model.workspace().cursor(), &Cursor::context_changed, this, &CoverageCanvas::redraw);
}

void CoverageCanvas::set_theme(Theme theme) {
  theme_ = theme;
  redraw();
}
void CoverageCanvas::set_look(CoverageLook look) {
  look_ = look;
  redraw();
}
void CoverageCanvas::set_scale(CoverageScale scale) {
  scale_ = scale;
  redraw();
}
void CoverageCanvas::set_difference(bool on) {
  difference_ = on;
  redraw();
}

QRect CoverageCanvas::plot() const {
  const int below = kStrip + kRuler + kLabelRows * (fontMetrics().height() + 1) + 4;
  return {kCounts, kTop, std::max(1, viewport()->width() - kCounts - kRight), std::max(10, viewport()->height() - kTop - below)};
}

QPoint CoverageCanvas::point_of(uint32_t address) const {
  return {kCounts + static_cast<int>(axis_.x_of(address) + std::min(0.5 / axis_.per_pixel(), 2.0)), plot().bottom() - 2};
}

std::optional<uint32_t> CoverageCanvas::address_at(QPoint at) const {
  const QRect area = plot();
  if (at.x() < area.left() || at.x() > area.right() || at.y() < area.top() || model_.series().size() == 0) return std::nullopt;
  const int x = at.x() - area.left();
  const auto value = [this](uint32_t a) {
    if (!difference()) return model_.series().count(a, look_ == CoverageLook::context ? cursor_context() : -1);
    return static_cast<uint64_t>(std::abs(model_.difference(a).value_or(0)));
  };
  // Under a pixel that stands for several words it is the one whose bar is seen.
  for (const CoverageBar& bar : coverage_bars(axis_, model_.series().size(), value))
    if (x >= bar.x && x <= bar.x + bar.width) return bar.word;
  return std::nullopt;
}

void CoverageCanvas::moved() {
  axis_.set_width(plot().width());
  if (fitted_) axis_.show_all();
  const auto limits = axis_.limits();
  settling_ = true;
  const int span = static_cast<int>(axis_.end() - axis_.begin());
  horizontalScrollBar()->setRange(0, std::max(0, static_cast<int>(limits.second) - span));
  horizontalScrollBar()->setPageStep(std::max(1, span));
  horizontalScrollBar()->setSingleStep(std::max(1, span / 20));
  horizontalScrollBar()->setValue(static_cast<int>(axis_.begin()));
  settling_ = false;
  redraw();
}
void CoverageCanvas::redraw() {
  dirty_ = true;
  viewport()->update();
}
void CoverageCanvas::scrollContentsBy(int, int) {
  if (settling_) return;
  axis_.pan((horizontalScrollBar()->value() - axis_.begin()) / axis_.per_pixel());
  fitted_ = axis_.shows_all();
  redraw();
}
void CoverageCanvas::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  moved();
}

void CoverageCanvas::zoom(double factor, std::optional<double> x) {
  const double at = chosen_ ? axis_.x_of(*chosen_ + 0.5) : -1;
  axis_.zoom(factor, x.value_or(at >= 0 && at <= axis_.width() ? at : axis_.width() / 2.0));
  fitted_ = axis_.shows_all();
  moved();
}
void CoverageCanvas::pan(double pixels) {
  axis_.pan(pixels);
  fitted_ = axis_.shows_all();
  moved();
}
void CoverageCanvas::fit() {
  fitted_ = true;
  moved();
}
void CoverageCanvas::show_addresses(double begin, double end) {
  axis_.show(begin, end);
  fitted_ = axis_.shows_all();
  moved();
}

void CoverageCanvas::choose(std::optional<uint32_t> address, bool reveal) {
  if (address == chosen_) return;
  chosen_ = address;
  if (address && reveal) {
    axis_.reveal(*address);
    moved();
  }
  redraw();
  Q_EMIT chosen_changed();
}

int CoverageCanvas::cursor_context() const {
  const auto id = model_.workspace().cursor().context();
  const CoverageChoice& choice = model_.series().choice;
  if (!id || id->chip != choice.chip || std::ranges::find(choice.engines, id->engine) == choice.engines.end()) return -1;
  return static_cast<int>(id->context);
}

uint64_t CoverageCanvas::most(int context) const {
  uint64_t most = 0;
  for (uint32_t a = 0; a < model_.series().size(); ++a) most = std::max(most, model_.series().count(a, context));
  return most;
}

void CoverageCanvas::render() {
  QElapsedTimer time;
  time.start();
  work_ = {};
  dirty_ = false;
  const qreal ratio = devicePixelRatioF();
  image_ = QImage(viewport()->size() * ratio, QImage::Format_RGB32);
  image_.setDevicePixelRatio(ratio);
  image_.fill(palette().color(QPalette::Base));
  QPainter painter(&image_);
  painter.setFont(font());
  if (model_.series().size() > 0) {
    if (difference()) paint_differences(painter);
    else paint_rows(painter);
    paint_ruler(painter);
    paint_marks(painter);
    paint_legend(painter);
  }
  work_.milliseconds = static_cast<double>(time.nsecsElapsed()) / 1e6;
}

void CoverageCanvas::paint_rows(QPainter& painter) {
  const QRect area = plot();
  if (look_ == CoverageLook::rows) {
    const int rows = static_cast<int>(std::max(model_.series().contexts, 1u));
    uint64_t largest = 0;
    for (int c = 0; c < rows; ++c) largest = std::max(largest, most(c));
    for (int c = 0; c < rows; ++c) {
      const int top = area.top() + c * area.height() / rows, bottom = area.top() + (c + 1) * area.height() / rows;
      const QRect row(area.left(), top + 2, area.width(), bottom - top - 3);
      paint_counts(painter, row, largest, c == 0);
      painter.setPen(c == cursor_context() ? palette().color(QPalette::Text) : gutter_text(theme_));
      painter.drawText(QRect(2, row.top(), kCounts - 6, row.height()), Qt::AlignLeft | Qt::AlignVCenter, tr("ctx%1").arg(c));
      paint_bars(painter, row, c, largest);
    }
  } else {
    const int context = look_ == CoverageLook::context ? cursor_context() : -1;
    const uint64_t largest = most(context);
    paint_counts(painter, area, largest, true);
    paint_bars(painter, area, context, largest);
  }
  const int context = look_ == CoverageLook::context ? cursor_context() : -1;
  paint_strip(painter, coverage_bars(axis_, model_.series().size(), [&](uint32_t a) { return model_.series().count(a, context); }));
}

void CoverageCanvas::paint_bars(QPainter& painter, const QRect& area, int context, uint64_t most) {
  const CoverageSeries& series = model_.series();
  const bool stack = look_ == CoverageLook::stacked;
  const bool searching = model_.hits().size() != series.size();
  std::vector<uint64_t> parts(series.contexts);
  const int floor = area.bottom() + 1;
  for (const CoverageBar& bar : coverage_bars(axis_, series.size(), [&](uint32_t a) { return series.count(a, context); })) {
    const int height = bar_height(series.count(bar.word, context), most, area.height(), scale_);
    ++work_.bars;
    if (height == 0) continue;
    const int x = area.left() + bar.x;
    bool hit = !searching;
    for (uint32_t a = bar.first; !hit && a < bar.last; ++a) hit = model_.is_hit(a);
    painter.setOpacity(hit ? 1 : 0.25);
    if (!stack) {
      ++work_.parts;
      painter.fillRect(x, floor - height, bar.width, height, context >= 0 ? context_colour(static_cast<unsigned>(context), theme_) : palette().color(QPalette::Link));
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
  for (const CoverageTick& tick : count_ticks(largest, half, scale_, fontMetrics().height() + 6))
    for (const int sign : {-1, 1}) {
      const int y = middle - sign * tick.height;
      painter.setPen(palette().color(QPalette::Mid));
      painter.drawLine(area.left(), y, area.right(), y);
      painter.setPen(gutter_text(theme_));
      painter.drawText(QRect(0, y - 10, kCounts - 4, 20), Qt::AlignRight | Qt::AlignVCenter, (sign > 0 ? QStringLiteral("+") : QStringLiteral("−")) + QString::fromStdString(short_count(tick.count)));
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
    if (*change > 0) painter.fillRect(x, middle - height, bar.width, height, context_colour(1, theme_));
    else if (*change < 0) painter.fillRect(x, middle + 1, bar.width, height, context_colour(0, theme_));
    work_.parts += *change != 0;
  }
  painter.setOpacity(1);
  paint_strip(painter, coverage_bars(axis_, size, [this](uint32_t a) { return model_.series().count(a); }));
}

void CoverageCanvas::paint_counts(QPainter& painter, const QRect& area, uint64_t most, bool numbers) {
  for (const CoverageTick& tick : count_ticks(most, area.height(), scale_, fontMetrics().height() + 6)) {
    const int y = area.bottom() + 1 - tick.height;
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(area.left(), y, area.right(), y);
    painter.setPen(gutter_text(theme_));
    if (numbers) painter.drawText(QRect(0, y - 10, kCounts - 4, 20), Qt::AlignRight | Qt::AlignVCenter, QString::fromStdString(short_count(tick.count)));
  }
  painter.setPen(gutter_text(theme_));
  painter.drawLine(area.left(), area.bottom() + 1, area.right(), area.bottom() + 1);
}

// What was never executed has no bar to see, so it gets a strip: the lower part of it as much as of the words were not.
void CoverageCanvas::paint_strip(QPainter& painter, const std::vector<CoverageBar>& bars) {
  const int top = plot().bottom() + 2;
  for (const CoverageBar& bar : bars) {
    if (bar.never == 0) continue;
    const int height = std::max(2, static_cast<int>(bar.never * static_cast<uint32_t>(kStrip - 1) / (bar.last - bar.first)));
    painter.fillRect(kCounts + bar.x, top + kStrip - 1 - height, bar.width, height, error_colour());
  }
}

void CoverageCanvas::paint_ruler(QPainter& painter) {
  const QRect area = plot();
  const int top = area.bottom() + 2 + kStrip;
  const int text = fontMetrics().horizontalAdvance(QStringLiteral("0x0000")) + 12;
  uint32_t step = 1;
  while (step / axis_.per_pixel() < text) step *= 2;
  const auto shown = axis_.visible();
  const auto middle = [&](uint64_t address) { return area.left() + static_cast<int>(axis_.x_of(static_cast<double>(address)) + std::min(0.5 / axis_.per_pixel(), 32.0)); };
  painter.setPen(gutter_text(theme_));
  for (uint64_t address = (shown.first + step - 1) / step * step; address < shown.second; address += step) {
    const int x = middle(address);
    painter.drawLine(x, top, x, top + 3);
    const QRect place(x - text / 2, top + 2, text, kRuler);
    if (place.left() >= kCounts && place.right() < viewport()->width()) painter.drawText(place, Qt::AlignHCenter | Qt::AlignTop, QStringLiteral("0x%1").arg(address, 0, 16));
  }
  painter.drawText(QRect(4, top + 2, kCounts - 8, kRuler), Qt::AlignLeft | Qt::AlignTop, tr("address"));
  const int height = fontMetrics().height() + 1;
  const auto width = [this](const std::string& name) { return fontMetrics().horizontalAdvance(QString::fromStdString(name)) + 10; };
  const auto weight = [this](uint32_t address) { return address < model_.series().size() ? model_.series().count(address) : 0; };
  const auto& labels = model_.series().program->labels;
  for (const LabelPlace& place : place_labels(axis_, labels, width, weight, kLabelRows)) {
    const int x = area.left() + place.x, y = top + kRuler + 2 + place.row * height;
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(x, top, x, y + height - 3);
    painter.setPen(palette().color(QPalette::Text));
    painter.drawText(x + 3, y + fontMetrics().ascent(), QString::fromStdString(labels[place.label].name));
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
      painter.setBrush(QColor(0xc7, 0x7c, 0x02));
      painter.drawPolygon(arrow, 3);
    }
  }
  if (chosen_ && *chosen_ < series.size()) {
    const double left = axis_.x_of(*chosen_), right = axis_.x_of(*chosen_ + 1);
    if (right > 0 && left < axis_.width()) {
      const QRectF box(area.left() + std::max(left, 0.0) - 1, area.top(), std::max(2.0, right - left), area.height() + kStrip);
      painter.setPen(QPen(palette().color(QPalette::Text), 1, Qt::DashLine));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(box);
    }
  }
}

void CoverageCanvas::paint_legend(QPainter& painter) {
  int x = kCounts;
  const int y = 2, height = fontMetrics().height();
  const auto entry = [&](const QColor& colour, const QString& text, bool bold) {
    const int width = fontMetrics().horizontalAdvance(text) + 6;
    if (x + 14 + width > viewport()->width()) return;
    painter.fillRect(x, y + height / 2 - 4, 9, 9, colour);
    painter.setPen(palette().color(QPalette::Text));
    QFont f = font();
    f.setUnderline(bold);
    painter.setFont(f);
    painter.drawText(x + 13, y + fontMetrics().ascent(), text);
    painter.setFont(font());
    x += 13 + width + 8;
  };
  entry(error_colour(), tr("never executed"), false);
  if (difference()) {
    const QString title = QString::fromStdString(model_.kept()->title);
    entry(context_colour(1, theme_), tr("more than A (%1)").arg(title), false);
    entry(context_colour(0, theme_), tr("less than A"), false);
    entry(gutter_text(theme_), tr("A has no such word"), false);
  } else if (look_ == CoverageLook::stacked) {
    for (unsigned c = 0; c < model_.series().contexts; ++c) entry(context_colour(c, theme_), tr("ctx%1").arg(c), static_cast<int>(c) == cursor_context());
  } else if (look_ == CoverageLook::context) {
    const int c = cursor_context();
    entry(c < 0 ? palette().color(QPalette::Link) : context_colour(static_cast<unsigned>(c), theme_), c < 0 ? tr("all contexts: none of this program is chosen") : tr("ctx%1").arg(c), false);
  } else if (look_ == CoverageLook::sum) {
    entry(palette().color(QPalette::Link), tr("all contexts"), false);
  }
}

void CoverageCanvas::paintEvent(QPaintEvent*) {
  if (dirty_ || image_.size() != viewport()->size() * devicePixelRatioF()) render();
  QPainter painter(viewport());
  painter.drawImage(0, 0, image_);
  const QRect area = plot();
  if (pressed_ && dragged_to_ >= 0) {
    const int left = std::clamp(std::min(pressed_->x(), dragged_to_), area.left(), area.right()), right = std::clamp(std::max(pressed_->x(), dragged_to_), area.left(), area.right());
    QColor shade = palette().color(QPalette::Highlight);
    shade.setAlpha(60);
    painter.fillRect(left, area.top(), right - left, area.height(), shade);
  } else if (hover_ && area.contains(*hover_)) {
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(hover_->x(), area.top(), hover_->x(), area.bottom());
  }
}

}  // namespace weft::ide
