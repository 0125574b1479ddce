#include "context_mark.h"

#include <QPainter>
#include <algorithm>

#include "models/contexts_model.h"

namespace weft::ide {

namespace {

using emulator::ContextState;

int weight(ContextState state) {
  switch (state) {
    case ContextState::executing: return 3;
    case ContextState::ready: return 2;
    case ContextState::sleep: return 1;
    case ContextState::inactive: break;
  }
  return 0;
}

}  // namespace

void ContextMark::add(const QString& name, ContextState of, bool is_looked_at) {
  const bool first = text.isEmpty();
  if (!first) text += QStringLiteral(", ");
  text += QObject::tr("%1 (%2)").arg(name, state_text(of));
  if (is_looked_at || first || (!looked_at && weight(of) > weight(state))) state = of;
  looked_at = looked_at || is_looked_at;
}

QColor context_colour(ContextState state, Theme theme) {
  const bool light = theme == Theme::light;
  switch (state) {
    case ContextState::executing: return activity_brush(emulator::Activity::executing, theme).color();
    case ContextState::ready: return light ? QColor(0x1e, 0x73, 0xc8) : QColor(0x6c, 0xb2, 0xf2);
    case ContextState::sleep: return light ? QColor(0x6b, 0x6f, 0x76) : QColor(0xa2, 0xa7, 0xae);
    case ContextState::inactive: break;
  }
  return light ? QColor(0x86, 0x86, 0x86) : QColor(0x6f, 0x73, 0x78);
}

void paint_context_mark(QPainter& painter, QPointF at, const ContextMark& mark, Theme theme) {
  const QColor colour = context_colour(mark.state, theme);
  const double half = mark.looked_at ? 5.5 : 3.5, long_side = mark.looked_at ? 10 : 7;
  const QPointF arrow[] = {at + QPointF(0.5, -half), at + QPointF(long_side, 0), at + QPointF(0.5, half)};
  const bool filled = mark.state == ContextState::executing || mark.state == ContextState::ready;
  painter.setPen(QPen(colour, 1.4));
  painter.setBrush(filled ? QBrush(colour) : QBrush(Qt::NoBrush));
  painter.drawPolygon(arrow, 3);
}

}  // namespace weft::ide
