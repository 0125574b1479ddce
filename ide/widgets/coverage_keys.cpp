// What hands do to the picture of the coverage: wheel, keys, clicks, drags, and what lies under the mouse.
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "canvas_moves.h"
#include "coverage_canvas.h"

namespace weft::ide {

namespace {

constexpr int kMinDrag = 5;  // pixels; less is a click

}  // namespace

// It zooms about the mouse; with Shift, or sideways, it moves along the program.
void CoverageCanvas::wheelEvent(QWheelEvent* event) {
  const double turned = notches(*event);
  event->accept();
  if (wheel_pans(*event))
    pan(-turned * axis_.width() / 10);
  else
    zoom(std::pow(kZoomStep, turned), event->position().x() - kCounts);
}

void CoverageCanvas::keyPressEvent(QKeyEvent* event) {
  if (move_by_key(*this, event->key())) return;
  const uint32_t size = model_.series().size();
  const auto step = [&](int by) {
    if (size == 0) return;
    const int from = chosen_ ? static_cast<int>(*chosen_) : by > 0 ? -1 : static_cast<int>(size);
    choose(static_cast<uint32_t>(std::clamp(from + by, 0, static_cast<int>(size) - 1)));
  };
  const int far = (event->modifiers() & Qt::ShiftModifier) != 0 ? 16 : 1;
  switch (event->key()) {
    case Qt::Key_Left: return step(-far);
    case Qt::Key_Right: return step(far);
    case Qt::Key_F:
    case Qt::Key_Home: return fit();
    case Qt::Key_N:
      if (const auto hit = model_.next_hit(chosen_, far == 1)) choose(hit);
      return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (chosen_) model_.jump_to(*chosen_);
      return;
    case Qt::Key_Escape: return choose(std::nullopt);
    default: QAbstractScrollArea::keyPressEvent(event);
  }
}

void CoverageCanvas::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton && event->button() != Qt::MiddleButton) return;
  pressed_ = event->position().toPoint();
  panning_ = event->button() == Qt::MiddleButton;
  dragged_to_ = -1;
}

void CoverageCanvas::mouseMoveEvent(QMouseEvent* event) {
  const QPoint at = event->position().toPoint();
  hover_ = at;
  if (pressed_ && panning_) {
    pan(pressed_->x() - at.x());
    pressed_ = at;
  } else if (pressed_ && std::abs(at.x() - pressed_->x()) >= kMinDrag) {
    dragged_to_ = at.x();
  }
  viewport()->update();
}

// A click chooses a word and shows its line; a drag shows the stretch larger.
void CoverageCanvas::mouseReleaseEvent(QMouseEvent* event) {
  const auto pressed = std::exchange(pressed_, std::nullopt);
  const int dragged_to = std::exchange(dragged_to_, -1);
  if (!pressed || panning_) return;
  if (dragged_to >= 0) {
    const double a = axis_.exact_cycle_at(pressed->x() - kCounts), b = axis_.exact_cycle_at(dragged_to - kCounts);
    return show_addresses(std::floor(std::max(std::min(a, b), 0.0)), std::ceil(std::max(a, b)));
  }
  if (const auto address = address_at(event->position().toPoint())) {
    choose(address, false);
    model_.jump_to(*address);
  }
}

void CoverageCanvas::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Mouse)
    if (const auto address = address_at(event->pos())) choose(address, false);
  Q_EMIT menu_requested(event->globalPos());
}

bool CoverageCanvas::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const auto address = address_at(help->pos());
    hover_text_ = address ? model_.tip(*address) : QString();
    if (hover_text_.isEmpty())
      QToolTip::hideText();
    else
      QToolTip::showText(help->globalPos(), hover_text_, viewport());
    return true;
  }
  if (event->type() == QEvent::Leave) {
    hover_ = std::nullopt;
    viewport()->update();
  }
  return QAbstractScrollArea::viewportEvent(event);
}

}  // namespace weft::ide
