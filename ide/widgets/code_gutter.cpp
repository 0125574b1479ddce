#include "code_gutter.h"

#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPaintEvent>
#include <QPainter>
#include <QToolTip>
#include <cmath>

#include "code_editor.h"

namespace weft::ide {

namespace {

constexpr int kMarker = 14;  // pixels of a column of marks

}  // namespace

CodeGutter::CodeGutter(CodeEditor& editor, Theme theme) : QWidget(&editor), editor_(editor), theme_(theme) {
  setAccessibleName(tr("Margin: line numbers and breakpoints"));
  setCursor(Qt::ArrowCursor);
}

void CodeGutter::set_breakpoints(std::map<int, BreakpointMark> marks) {
  if (marks == breakpoints_) return;
  breakpoints_ = std::move(marks);
  update();
}

void CodeGutter::set_contexts(std::map<int, ContextMark> lines, int stopped) {
  contexts_ = std::move(lines);
  stopped_ = stopped;
  update();
}

void CodeGutter::set_coverage(std::map<int, LineCoverage> lines, const std::optional<workbench::CycleRange>& range) {
  coverage_range_ = range;
  const int width = heat_width();
  coverage_ = std::move(lines);
  max_ = 0;
  branches_ = false;
  for (const auto& [line, of] : coverage_) {
    max_ = std::max(max_, of.executed);
    branches_ |= !of.branches.empty();
  }
  if (width != heat_width()) Q_EMIT width_changed();
  update();
}

void CodeGutter::set_foldable(bool some) {
  if (std::exchange(foldable_, some) != some) Q_EMIT width_changed();
  update();
}

void CodeGutter::set_generated(std::set<int> lines) {
  const bool had = !generated_.empty();
  generated_ = std::move(lines);
  if (had != !generated_.empty()) Q_EMIT width_changed();
  update();
}

void CodeGutter::set_theme(Theme theme) {
  theme_ = theme;
  update();
}

// From left to right: breakpoint, number, state (context or lamp), generated instructions, fold, heat.
int CodeGutter::numbers_width() const {
  const int digits = std::max(3, static_cast<int>(std::log10(std::max(1, editor_.blockCount()))) + 1);
  return fontMetrics().horizontalAdvance(QLatin1Char('9')) * digits;
}
int CodeGutter::generated_width() const { return generated_.empty() ? 0 : 13; }
int CodeGutter::fold_width() const { return foldable_ ? 13 : 0; }
int CodeGutter::heat_width() const { return coverage_.empty() ? 0 : heat_cell_width(fontMetrics(), branches_); }
int CodeGutter::generated_left() const { return width() - heat_width() - fold_width() - generated_width(); }
int CodeGutter::wanted_width() const {
  return kMarker + numbers_width() + kMarker + 6 + generated_width() + fold_width() + heat_width();
}

bool CodeGutter::has_generated(int line) const { return generated_.contains(editor_.built_line(line)); }
std::optional<uint64_t> CodeGutter::executed(int line) const {
  const auto of = coverage_.find(editor_.built_line(line));
  return of == coverage_.end() ? std::nullopt : std::optional(of->second.executed);
}

const ContextMark* CodeGutter::contexts_at(int line) const {
  const auto who = contexts_.find(editor_.built_line(line));
  return who == contexts_.end() ? nullptr : &who->second;
}

bool CodeGutter::has_lamp(int line) const { return contexts_at(line) == nullptr && !editor_.repairable(line).empty(); }

void CodeGutter::paint_breakpoint(QPainter& painter, const VisibleLine& at) const {
  const auto mark = breakpoints_.find(at.line);
  if (mark != breakpoints_.end())
    paint_mark(painter, QPointF(kMarker / 2.0 + 1, at.top + at.height / 2.0), mark->second);
}

void CodeGutter::paint_state(QPainter& painter, const VisibleLine& at, int left) const {
  const double middle = at.top + at.height / 2.0;
  if (const ContextMark* who = contexts_at(at.line)) {
    paint_context_mark(painter, QPointF(left, middle), *who, theme_);
  } else if (has_lamp(at.line)) {
    const QPointF centre(left + 5, middle - 1);
    painter.setPen(QPen(gutter_text(theme_), 1));
    painter.setBrush(QColor(0xff, 0xca, 0x28));
    painter.drawEllipse(centre, 4, 4);
    painter.drawLine(centre + QPointF(-2, 5.5), centre + QPointF(2, 5.5));
  }
}

void CodeGutter::paint_fold(QPainter& painter, const VisibleLine& at, int left) const {
  if (!editor_.can_fold(at.line)) return;
  const double x = left + 3, y = at.top + at.height / 2.0;
  const QPointF down[] = {{x, y - 2}, {x + 7, y - 2}, {x + 3.5, y + 3}},
                right[] = {{x + 1, y - 4}, {x + 6, y}, {x + 1, y + 4}};
  painter.setPen(Qt::NoPen);
  painter.setBrush(gutter_text(theme_));
  painter.drawPolygon(editor_.is_folded(at.line) ? right : down, 3);
}

// A box with a plus, or with a minus while the instructions are shown.
void CodeGutter::paint_generated(QPainter& painter, const VisibleLine& at, int left) const {
  const bool shown = editor_.has_panel(at.line);
  if (!shown && !has_generated(at.line)) return;
  const QRectF box(left + 2.5, std::floor(at.top + at.height / 2.0) - 4.5, 9, 9);
  painter.setPen(QPen(gutter_text(theme_), 1));
  painter.setBrush(Qt::NoBrush);
  painter.drawRect(box);
  const QPointF middle = box.center();
  painter.drawLine(middle + QPointF(-2, 0), middle + QPointF(2, 0));
  if (!shown) painter.drawLine(middle + QPointF(0, -2), middle + QPointF(0, 2));
}

void CodeGutter::paint_heat(QPainter& painter, const VisibleLine& at, int left) const {
  const auto line = coverage_.find(editor_.built_line(at.line));
  if (line != coverage_.end())
    paint_heat_cell(painter, QRect(left, at.top, heat_width(), at.height), line->second, max_, branches_, theme_,
                    palette().color(QPalette::Text));
}

void CodeGutter::paintEvent(QPaintEvent* event) {
  QPainter painter(this);
  painter.fillRect(event->rect(), gutter_background(theme_));
  painter.setFont(editor_.font());
  painter.setRenderHint(QPainter::Antialiasing);
  const int heat_left = width() - heat_width(), fold_left = heat_left - fold_width(),
            numbers_right = generated_left() - kMarker - 4;
  for (const VisibleLine& at : editor_.visible_lines(event->rect().top(), event->rect().bottom())) {
    paint_breakpoint(painter, at);
    painter.setPen(at.line == editor_.current_line_number() ? palette().color(QPalette::Text) : gutter_text(theme_));
    painter.drawText(QRect(kMarker, at.top, numbers_right - kMarker, at.height), Qt::AlignRight | Qt::AlignVCenter,
                     QString::number(at.line));
    paint_state(painter, at, numbers_right + 4);
    paint_generated(painter, at, generated_left());
    paint_fold(painter, at, fold_left);
    paint_heat(painter, at, heat_left);
  }
}

void CodeGutter::mousePressEvent(QMouseEvent* event) {
  if (event->button() != Qt::LeftButton) return;
  const int line = editor_.line_at(event->position().toPoint().y());
  const int x = event->position().toPoint().x(), fold_left = width() - heat_width() - fold_width();
  const auto in = [x](int left, int wide) { return x >= left && x < left + wide; };
  if (in(fold_left, fold_width()) && editor_.can_fold(line))
    Q_EMIT fold_requested(line);
  else if (in(generated_left(), generated_width()) && (has_generated(line) || editor_.has_panel(line)))
    Q_EMIT generated_requested(line);
  else if (in(generated_left() - kMarker - 2, kMarker + 2) && has_lamp(line))
    Q_EMIT fix_requested(line);
  else
    Q_EMIT breakpoint_requested(line);
}

void CodeGutter::contextMenuEvent(QContextMenuEvent* event) {
  Q_EMIT menu_requested(editor_.line_at(event->pos().y()), event->globalPos());
}

// What a mark in the margin stands for.
QString CodeGutter::tip_of(int line) const {
  QStringList parts;
  if (const auto mark = breakpoints_.find(line); mark != breakpoints_.end()) parts << mark->second.text;
  if (const ContextMark* who = contexts_at(line))
    parts << who->text;
  else if (has_lamp(line))
    parts << tr("Can be repaired: click, or Alt+Enter");
  if (editor_.has_panel(line))
    parts << tr("Its instructions are shown below");
  else if (has_generated(line))
    parts << tr("Shows the generated instructions (Ctrl+Shift+G)");
  if (const auto of = coverage_.find(editor_.built_line(line)); of != coverage_.end())
    parts << coverage_tip(of->second, coverage_range_);
  return parts.join(QLatin1Char('\n'));
}

bool CodeGutter::event(QEvent* event) {
  if (event->type() != QEvent::ToolTip) return QWidget::event(event);
  const auto* help = static_cast<QHelpEvent*>(event);
  const QString tip = tip_of(editor_.line_at(help->pos().y()));
  if (tip.isEmpty())
    QToolTip::hideText();
  else
    QToolTip::showText(help->globalPos(), tip, this);
  return true;
}

}  // namespace weft::ide
