// How wheel and keys move through a picture whose axis can be zoomed.
#pragma once

#include <QWheelEvent>
#include <cmath>

namespace weft::ide {

constexpr double kZoomStep = 1.25;  ///< one notch of the wheel, half a key

/// How far the wheel was turned, in notches, up and down or sideways.
inline double notches(const QWheelEvent& event) {
  const QPoint turned = event.angleDelta();
  return (turned.y() != 0 ? turned.y() : turned.x()) / 120.0;
}
/// With Shift, or sideways, the wheel moves along the axis instead of zooming.
inline bool wheel_pans(const QWheelEvent& event) {
  return (event.modifiers() & Qt::ShiftModifier) != 0 || event.angleDelta().y() == 0;
}

/// + and - or W and S zoom, A and D move. False: another key.
template <class Canvas>
bool move_by_key(Canvas& canvas, int key) {
  switch (key) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
    case Qt::Key_W: canvas.zoom(kZoomStep * kZoomStep); return true;
    case Qt::Key_Minus:
    case Qt::Key_S: canvas.zoom(1 / kZoomStep / kZoomStep); return true;
    case Qt::Key_A: canvas.pan(-canvas.axis().width() / 8.0); return true;
    case Qt::Key_D: canvas.pan(canvas.axis().width() / 8.0); return true;
    default: return false;
  }
}

}  // namespace weft::ide
