#include "breakpoint_mark.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include "models/breakpoint_text.h"
#include "theme.h"

namespace weft::ide {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("BreakpointMark", text); }

}  // namespace

BreakpointMark mark_of(const workbench::Breakpoint& b) {
  BreakpointMark out;
  out.enabled = b.enabled;
  out.logs = !b.log.empty();
  out.conditional = !b.condition.empty() || b.from_hit > 1;
  out.some = !b.engines.empty() || (b.contexts & 0xff) != 0xff;
  out.found = b.problem.empty();
  QStringList parts{b.enabled ? tr("Breakpoint: %1").arg(action_text(b))
                              : tr("Breakpoint, switched off: %1").arg(action_text(b))};
  if (out.some) parts << tr("for %1").arg(who_text(b));
  if (!b.condition.empty()) parts << tr("if %1").arg(QString::fromStdString(b.condition));
  if (b.from_hit > 1) parts << tr("from hit %1 on").arg(b.from_hit);
  if (b.id != 0) parts << tr("hit %1 times").arg(b.hits);
  if (!out.found) parts << QString::fromStdString(b.problem);
  out.text = parts.join(QLatin1Char('\n'));
  return out;
}

void paint_mark(QPainter& painter, const QPointF& c, const BreakpointMark& mark) {
  constexpr double r = 4.5;
  QPainterPath shape;
  if (mark.logs) {
    shape.moveTo(c.x(), c.y() - r - 1);
    shape.lineTo(c.x() + r + 1, c.y());
    shape.lineTo(c.x(), c.y() + r + 1);
    shape.lineTo(c.x() - r - 1, c.y());
    shape.closeSubpath();
  } else {
    shape.addEllipse(c, r, r);
  }
  if (mark.some) shape.addEllipse(c, 1.8, 1.8);
  painter.setPen(QPen(breakpoint_colour(), 1.2));
  painter.setBrush(mark.enabled ? QBrush(breakpoint_colour()) : Qt::NoBrush);
  painter.drawPath(shape);
  if (mark.conditional) {
    painter.setPen(QPen(mark.enabled ? QColor(Qt::white) : breakpoint_colour(), 1.6));
    painter.drawLine(c + QPointF(-2.6, 0), c + QPointF(2.6, 0));
  }
  if (mark.found) return;
  painter.setPen(QPen(mark.enabled ? QColor(Qt::white) : breakpoint_colour(), 1.4));
  painter.drawLine(c + QPointF(-2.5, -2.5), c + QPointF(2.5, 2.5));
  painter.drawLine(c + QPointF(-2.5, 2.5), c + QPointF(2.5, -2.5));
}

}  // namespace weft::ide
