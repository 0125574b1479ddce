#include "flame_canvas.h"

#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QLocale>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <functional>

namespace weft::ide {

using workbench::FlameNode;
using FlameKind = FlameNode::Kind;

namespace {

constexpr double kMin = 0.6;  // pixels; narrower bars are left out, as nobody sees them

QString kind_text(FlameKind kind) {
  switch (kind) {
    case FlameKind::all: return QObject::tr("all microengines");
    case FlameKind::engine: return QObject::tr("microengine");
    case FlameKind::program: return QObject::tr("program");
    case FlameKind::block: return QObject::tr("block");
    case FlameKind::macro: return QObject::tr("macro");
    case FlameKind::line: return QObject::tr("line");
  }
  return {};
}

/// Whether `node` is `other` or lies in it.
bool lies_in(const FlameNode& node, const FlameNode& other) {
  if (&node == &other) return true;
  return std::ranges::any_of(other.children, [&](const FlameNode& child) { return lies_in(node, child); });
}

}  // namespace

FlameCanvas::FlameCanvas(Theme theme, QWidget* parent) : QAbstractScrollArea(parent), theme_(theme) {
  setAccessibleName(tr("Flame graph"));
  setFocusPolicy(Qt::StrongFocus);
  viewport()->setMouseTracking(true);
  viewport()->setAccessibleName(tr("Bars of the flame graph"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  verticalScrollBar()->setAccessibleName(tr("Depth of the flame graph"));
}

// Dark on pale or pale on dark, in any hue, so that names can be read (WCAG AA).
QColor FlameCanvas::colour_of(FlameKind kind, size_t number, Theme theme) {
  const int hue = kind == FlameKind::all       ? 220
                  : kind == FlameKind::engine  ? 205
                  : kind == FlameKind::program ? 185
                  : kind == FlameKind::block   ? 140
                  : kind == FlameKind::macro   ? 28
                                               : 48;
  const int by = static_cast<int>(number % 5) * 6;
  return theme == Theme::light ? QColor::fromHsv(hue, 70 + by, 238 - by / 2) : QColor::fromHsv(hue, 120 + by, 92 + by);
}

std::vector<const FlameNode*> FlameCanvas::way_to(const std::vector<std::string>& names) const {
  std::vector<const FlameNode*> out;
  const FlameNode* at = root_.get();
  for (const std::string& name : names) {
    if (at == nullptr) break;
    const auto child = std::ranges::find(at->children, name, &FlameNode::name);
    if (child == at->children.end()) break;
    at = &*child;
    out.push_back(at);
  }
  return out;
}

std::vector<std::string> FlameCanvas::names_to(const FlameNode* node) const {
  std::vector<std::string> out;
  for (const FlameNode* at = root_.get(); at != nullptr && node != nullptr && at != node;) {
    const auto child = std::ranges::find_if(at->children, [&](const FlameNode& c) { return lies_in(*node, c); });
    if (child == at->children.end()) break;
    out.push_back(child->name);
    at = &*child;
  }
  return out;
}

void FlameCanvas::show_tree(std::shared_ptr<const FlameNode> root, const workbench::FlameOptions& options) {
  const std::vector<std::string> chosen = names_to(chosen_);
  root_ = std::move(root);
  options_ = options;
  const auto way = way_to(zoomed_);
  zoomed_.resize(way.size());
  const auto to = way_to(chosen);
  chosen_ = !chosen.empty() && to.size() == chosen.size() ? to.back() : nullptr;
  lay_out();
  Q_EMIT chosen_changed();
}

void FlameCanvas::set_theme(Theme theme) {
  theme_ = theme;
  viewport()->update();
}
void FlameCanvas::mark(const QString& text) {
  marked_ = text;
  viewport()->update();
}

void FlameCanvas::add(const FlameNode& node, const FlameNode* parent, double left, double width, int depth) {
  if (width < kMin) return;
  bars_.push_back({QRectF(left, depth * kRow, width, kRow - 1), &node, parent, false});
  const auto all = static_cast<double>(flame_width(node, options_));
  for (const FlameNode& child : node.children) {
    const double share = all > 0 ? static_cast<double>(flame_width(child, options_)) / all : 0;
    add(child, &node, left, width * share, depth + 1);
    left += width * share;
  }
}

// What holds the one that is shown large stands above it, over the whole width.
void FlameCanvas::lay_out() {
  bars_.clear();
  if (root_) {
    const auto way = way_to(zoomed_);
    const double width = viewport()->width();
    const FlameNode* at = root_.get();
    const FlameNode* parent = nullptr;
    int depth = 0;
    for (const FlameNode* next : way) {
      bars_.push_back({QRectF(0, depth * kRow, width, kRow - 1), at, parent, true});
      parent = at;
      at = next;
      ++depth;
    }
    add(*at, parent, 0, width, depth);
  }
  double bottom = 0;
  for (const Bar& bar : bars_) bottom = std::max(bottom, bar.where.bottom());
  verticalScrollBar()->setRange(0, std::max(0, static_cast<int>(bottom) + 2 - viewport()->height()));
  verticalScrollBar()->setPageStep(std::max(viewport()->height(), 1));
  verticalScrollBar()->setSingleStep(kRow);
  viewport()->update();
}

void FlameCanvas::paintEvent(QPaintEvent*) {
  QElapsedTimer timer;
  timer.start();
  QPainter painter(viewport());
  const QPalette colours = palette_of(theme_);
  painter.fillRect(viewport()->rect(), colours.color(QPalette::Base));
  painter.setFont(font());
  const QFontMetrics metrics(font());
  const int scrolled = verticalScrollBar()->value();
  size_t number = 0;
  for (const Bar& bar : bars_) {
    ++number;
    const QRectF where = bar.where.translated(0, -scrolled);
    if (where.bottom() < 0 || where.top() > viewport()->height()) continue;
    const QString name = QString::fromStdString(bar.node->name);
    const bool marked = !marked_.isEmpty() && name.contains(marked_, Qt::CaseInsensitive);
    QColor colour = colour_of(bar.node->kind, number, theme_);
    if (bar.around) colour.setAlpha(120);
    if (marked) colour = match_colour(theme_, true);
    painter.fillRect(where.width() > 2 ? where.adjusted(0, 0, -1, 0) : where, colour);
    if (bar.node == chosen_) {
      painter.setPen(QPen(colours.color(QPalette::Highlight), 2));
      painter.drawRect(where.adjusted(1, 1, -2, -1));
    }
    if (where.width() < 24) continue;
    painter.setPen(colours.color(QPalette::Text));
    painter.drawText(where.adjusted(4, 0, -4, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     metrics.elidedText(name, Qt::ElideRight, static_cast<int>(where.width()) - 8));
  }
  if (hasFocus()) {
    painter.setPen(QPen(colours.color(QPalette::Highlight), 1));
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
  milliseconds_ = static_cast<double>(timer.nsecsElapsed()) / 1e6;
}

const FlameCanvas::Bar* FlameCanvas::bar_at(QPoint at) const {
  const QPointF point(at.x(), at.y() + verticalScrollBar()->value());
  const auto bar = std::ranges::find_if(bars_, [&](const Bar& b) { return b.where.contains(point); });
  return bar == bars_.end() ? nullptr : &*bar;
}
const FlameCanvas::Bar* FlameCanvas::bar_of(const FlameNode* node) const {
  const auto bar = std::ranges::find(bars_, node, &Bar::node);
  return node == nullptr || bar == bars_.end() ? nullptr : &*bar;
}

void FlameCanvas::choose(const FlameNode* node) {
  chosen_ = node;
  viewport()->setAccessibleDescription(node != nullptr ? text_of(*node) : QString());
  if (const Bar* bar = bar_of(node)) {
    QScrollBar* scroll = verticalScrollBar();
    if (bar->where.top() < scroll->value()) scroll->setValue(static_cast<int>(bar->where.top()));
    if (bar->where.bottom() > scroll->value() + viewport()->height())
      scroll->setValue(static_cast<int>(bar->where.bottom()) - viewport()->height() + 1);
  }
  viewport()->update();
  Q_EMIT chosen_changed();
}

void FlameCanvas::zoom_to(const FlameNode* node) {
  zoomed_ = names_to(node);
  lay_out();
  choose(node);
}
void FlameCanvas::zoom_out() {
  if (zoomed_.empty()) return;
  zoomed_.pop_back();
  lay_out();
}

QString FlameCanvas::path_of(const FlameNode& node) const {
  QStringList names;
  for (const std::string& name : names_to(&node)) names << QString::fromStdString(name);
  return names.isEmpty() ? QString::fromStdString(node.name) : names.join(QStringLiteral(" › "));
}

QString FlameCanvas::text_of(const FlameNode& node) const {
  const uint64_t all = root_ ? flame_width(*root_, options_) : 0, own = flame_width(node, options_);
  QString out = tr("%1 %2: %L3 cycles, %4 %")
                    .arg(kind_text(node.kind), QString::fromStdString(node.name))
                    .arg(own)
                    .arg(all == 0 ? 0.0 : 100.0 * static_cast<double>(own) / static_cast<double>(all), 0, 'f', 1);
  const emulator::ProfileCycles& c = node.cycles;
  for (const auto& [name, cycles] :
       {std::pair(tr("executing"), c.executing), std::pair(tr("aborted"), c.aborted),
        std::pair(tr("stalled"), c.stalled), std::pair(tr("asleep"), c.sleep), std::pair(tr("ready"), c.ready)})
    if (cycles > 0) out += tr(", %1 %L2").arg(name).arg(cycles);
  return out;
}

QRect FlameCanvas::rect_of(const QString& name) const {
  const auto bar =
      std::ranges::find_if(bars_, [&](const Bar& b) { return QString::fromStdString(b.node->name) == name; });
  return bar == bars_.end() ? QRect() : bar->where.translated(0, -verticalScrollBar()->value()).toRect();
}

void FlameCanvas::mousePressEvent(QMouseEvent* event) {
  const Bar* bar = bar_at(event->position().toPoint());
  choose(bar != nullptr ? bar->node : nullptr);
}

// A bar that holds what is shown large leads back to itself; another one is shown large.
void FlameCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
  const Bar* bar = bar_at(event->position().toPoint());
  if (bar == nullptr || event->button() != Qt::LeftButton) return;
  if (bar->node->kind == FlameKind::line)
    Q_EMIT activated(bar->node);
  else
    zoom_to(bar->node);
}

void FlameCanvas::keyPressEvent(QKeyEvent* event) {
  const Bar* bar = bar_of(chosen_);
  const auto sibling = [&](int by) {
    if (bar == nullptr || bar->parent == nullptr) return;
    const auto& all = bar->parent->children;
    const auto at = std::ranges::find_if(all, [&](const FlameNode& n) { return &n == chosen_; }) - all.begin() + by;
    if (at >= 0 && at < static_cast<std::ptrdiff_t>(all.size()) && bar_of(&all[static_cast<size_t>(at)]) != nullptr)
      choose(&all[static_cast<size_t>(at)]);
  };
  switch (event->key()) {
    case Qt::Key_Down:
      if (bar == nullptr)
        choose(root_.get());
      else if (!bar->node->children.empty() && bar_of(&bar->node->children.front()) != nullptr)
        choose(&bar->node->children.front());
      return;
    case Qt::Key_Up:
      if (bar != nullptr && bar->parent != nullptr) choose(bar->parent);
      return;
    case Qt::Key_Left: return sibling(-1);
    case Qt::Key_Right: return sibling(1);
    case Qt::Key_Return:
    case Qt::Key_Enter:
      if (chosen_ != nullptr && chosen_->kind == FlameKind::line) return Q_EMIT activated(chosen_);
      return chosen_ != nullptr ? zoom_to(chosen_) : void();
    case Qt::Key_Space:
      if (chosen_ != nullptr) Q_EMIT activated(chosen_);
      return;
    case Qt::Key_Escape:
    case Qt::Key_Backspace: return zoom_out();
    default: QAbstractScrollArea::keyPressEvent(event);
  }
}

void FlameCanvas::contextMenuEvent(QContextMenuEvent* event) {
  if (event->reason() == QContextMenuEvent::Mouse)
    if (const Bar* bar = bar_at(event->pos())) choose(bar->node);
  Q_EMIT menu_requested(event->globalPos());
}

bool FlameCanvas::viewportEvent(QEvent* event) {
  if (event->type() == QEvent::ToolTip) {
    const auto* help = static_cast<QHelpEvent*>(event);
    const Bar* bar = bar_at(help->pos());
    QToolTip::showText(help->globalPos(),
                       bar != nullptr ? path_of(*bar->node) + QLatin1Char('\n') + text_of(*bar->node) : QString(),
                       viewport());
    return true;
  }
  return QAbstractScrollArea::viewportEvent(event);
}

void FlameCanvas::resizeEvent(QResizeEvent*) { lay_out(); }
void FlameCanvas::scrollContentsBy(int, int) { viewport()->update(); }

}  // namespace weft::ide
