#include "coverage_canvas.h"

#include <QElapsedTimer>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <array>

namespace weft::ide {

QColor context_colour(unsigned context, Theme theme) {
  static constexpr std::array<QRgb, 8> light{0x1f4e9c, 0xd0781f, 0x1b6b3f, 0xb0306a,
                                             0x4f8ccf, 0x8a5a00, 0x45a070, 0xd070a0};
  static constexpr std::array<QRgb, 8> dark{0x6aa5ff, 0xf0a858, 0x5fd08f, 0xf06aa5,
                                            0x3a6fb0, 0xc8952f, 0x3a8f60, 0xa84a78};
  return QColor((theme == Theme::light ? light : dark)[context % 8]);
}

CoverageCanvas::CoverageCanvas(CoverageModel& model, Theme theme, QWidget* parent)
    : QAbstractScrollArea(parent), model_(model), theme_(theme) {
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
void CoverageCanvas::set_look(CoverageStyle look) {
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
  return {kCounts, kTop, std::max(1, viewport()->width() - kCounts - kRight),
          std::max(10, viewport()->height() - kTop - below)};
}

QPoint CoverageCanvas::point_of(uint32_t address) const {
  return {kCounts + static_cast<int>(axis_.x_of(address) + std::min(0.5 / axis_.per_pixel(), 2.0)),
          plot().bottom() - 2};
}

std::optional<uint32_t> CoverageCanvas::address_at(QPoint at) const {
  const QRect area = plot();
  if (at.x() < area.left() || at.x() > area.right() || at.y() < area.top() || model_.series().size() == 0)
    return std::nullopt;
  const int x = at.x() - area.left();
  const auto value = [this](uint32_t a) {
    if (!difference()) return model_.series().count(a, look_ == CoverageStyle::context ? cursor_context() : -1);
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
  if (!id || id->chip != choice.chip || std::ranges::find(choice.engines, id->engine) == choice.engines.end())
    return -1;
  return static_cast<int>(id->context);
}

uint64_t CoverageCanvas::max(int context) const {
  uint64_t max = 0;
  for (uint32_t a = 0; a < model_.series().size(); ++a) max = std::max(max, model_.series().count(a, context));
  return max;
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
    if (difference())
      paint_differences(painter);
    else
      paint_rows(painter);
    paint_ruler(painter);
    paint_marks(painter);
    paint_legend(painter);
  }
  work_.milliseconds = static_cast<double>(time.nsecsElapsed()) / 1e6;
}

void CoverageCanvas::paintEvent(QPaintEvent*) {
  if (dirty_ || image_.size() != viewport()->size() * devicePixelRatioF()) render();
  QPainter painter(viewport());
  painter.drawImage(0, 0, image_);
  const QRect area = plot();
  if (pressed_ && dragged_to_ >= 0) {
    const int left = std::clamp(std::min(pressed_->x(), dragged_to_), area.left(), area.right()),
              right = std::clamp(std::max(pressed_->x(), dragged_to_), area.left(), area.right());
    QColor shade = palette().color(QPalette::Highlight);
    shade.setAlpha(60);
    painter.fillRect(left, area.top(), right - left, area.height(), shade);
  } else if (hover_ && area.contains(*hover_)) {
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawLine(hover_->x(), area.top(), hover_->x(), area.bottom());
  }
}

}  // namespace weft::ide
