#include "icons.h"

#include <QPainter>
#include <QPainterPath>
#include <functional>
#include <map>

namespace weft::ide {

namespace {

constexpr int kSide = 16, kSharp = 2;  // pixels, and so many on screens of twice the density

struct Brushes {
  QColor go, stop, plain;
};

using Paint = std::function<void(QPainter&, const Brushes&)>;

void triangle(QPainter& p, const QColor& colour, double left, double right) {
  p.setPen(Qt::NoPen);
  p.setBrush(colour);
  p.drawPolygon(QPolygonF{{left, 3}, {right, 8}, {left, 13}});
}

void pen(QPainter& p, const QColor& colour, double width = 1.8) {
  p.setPen(QPen(colour, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
  p.setBrush(Qt::NoBrush);
}

void dot(QPainter& p, const QColor& colour, double x, double y) {
  p.setPen(Qt::NoPen);
  p.setBrush(colour);
  p.drawEllipse(QPointF(x, y), 2, 2);
}

/// An arrow head at the end of a line; the other ends of its strokes are given from there.
void head(QPainter& p, QPointF at, QPointF one, QPointF other) { p.drawPolyline(QPolygonF{at + one, at, at + other}); }

const std::map<QString, Paint>& paints() {
  static const std::map<QString, Paint> all{
      {QStringLiteral("build"),
       [](QPainter& p, const Brushes& b) {
         pen(p, b.plain);
         p.drawRect(QRectF(3, 9, 10, 4));
         p.drawLine(QPointF(8, 2), QPointF(8, 7));
         head(p, {8, 7}, {-3, -3}, {3, -3});
       }},
      {QStringLiteral("run"), [](QPainter& p, const Brushes& b) { triangle(p, b.go, 4, 13); }},
      {QStringLiteral("pause"),
       [](QPainter& p, const Brushes& b) {
         p.fillRect(QRectF(4, 3, 3, 10), b.stop);
         p.fillRect(QRectF(9, 3, 3, 10), b.stop);
       }},
      {QStringLiteral("restart"),
       [](QPainter& p, const Brushes& b) {
         pen(p, b.go);
         p.drawArc(QRectF(3, 3, 10, 10), 60 * 16, 290 * 16);
         head(p, {10.5, 3.7}, {-0.5, -3}, {-3.5, 1.2});
       }},
      {QStringLiteral("step"),
       [](QPainter& p, const Brushes& b) {
         dot(p, b.plain, 4, 8);
         pen(p, b.plain);
         p.drawLine(QPointF(7, 8), QPointF(13, 8));
         head(p, {13, 8}, {-3, -3}, {-3, 3});
       }},
      {QStringLiteral("step_line"),
       [](QPainter& p, const Brushes& b) {
         pen(p, b.plain);
         p.drawLine(QPointF(2, 3), QPointF(14, 3));
         p.drawLine(QPointF(2, 13), QPointF(14, 13));
         p.drawLine(QPointF(8, 5), QPointF(8, 10.5));
         head(p, {8, 10.5}, {-2.5, -2.5}, {2.5, -2.5});
       }},
      {QStringLiteral("step_over"),
       [](QPainter& p, const Brushes& b) {
         dot(p, b.plain, 8, 12);
         pen(p, b.plain);
         p.drawArc(QRectF(2.5, 4, 11, 10), 0, 180 * 16);
         head(p, {13.5, 9}, {-3, -1.5}, {1.2, -3});
       }},
      {QStringLiteral("step_out"),
       [](QPainter& p, const Brushes& b) {
         dot(p, b.plain, 8, 13);
         pen(p, b.plain);
         p.drawLine(QPointF(8, 9.5), QPointF(8, 2.5));
         head(p, {8, 2.5}, {-3, 3}, {3, 3});
       }},
      {QStringLiteral("step_swap"),
       [](QPainter& p, const Brushes& b) {
         pen(p, b.plain);
         p.drawLine(QPointF(2, 5), QPointF(13, 5));
         head(p, {13, 5}, {-3, -3}, {-3, 3});
         p.drawLine(QPointF(3, 11), QPointF(14, 11));
         head(p, {3, 11}, {3, -3}, {3, 3});
       }},
      {QStringLiteral("step_back"),
       [](QPainter& p, const Brushes& b) {
         dot(p, b.plain, 12, 8);
         pen(p, b.plain);
         p.drawLine(QPointF(9, 8), QPointF(3, 8));
         head(p, {3, 8}, {3, -3}, {3, 3});
       }},
      {QStringLiteral("run_back"), [](QPainter& p, const Brushes& b) { triangle(p, b.go, 12, 3); }},
      {QStringLiteral("text_follows"), [](QPainter& p, const Brushes& b) {
         pen(p, b.plain, 1.4);
         for (const int y : {3, 6, 10, 13}) p.drawLine(QPointF(7, y), QPointF(14, y));
         triangle(p, b.go, 1, 5);
       }}};
  return all;
}

QPixmap painted(const Paint& paint, const Brushes& brushes) {
  QPixmap out(kSide * kSharp, kSide * kSharp);
  out.setDevicePixelRatio(kSharp);
  out.fill(Qt::transparent);
  QPainter painter(&out);
  painter.setRenderHint(QPainter::Antialiasing);
  paint(painter, brushes);
  return out;
}

}  // namespace

QIcon tool_icon(const QString& action, Theme theme) {
  const auto known = paints().find(action);
  if (known == paints().end()) return {};
  const QPalette p = palette_of(theme);
  const QColor plain = p.color(QPalette::ButtonText), pale = p.color(QPalette::Disabled, QPalette::ButtonText);
  const Brushes brushes{state_colour(RunState::running, theme), state_colour(RunState::stopped, theme), plain};
  QIcon out(painted(known->second, brushes));
  out.addPixmap(painted(known->second, {pale, pale, pale}), QIcon::Disabled);
  return out;
}

}  // namespace weft::ide
