#include "timeline_canvas.h"

#include <QElapsedTimer>
#include <QLocale>
#include <QPainter>
#include <QScrollBar>
#include <functional>
#include <map>
#include <utility>

#include "models/packets_model.h"

namespace weft::ide {

using emulator::Activity;
using emulator::kNever;

namespace {

constexpr double kLabelsFrom = 12;    // cycles per pixel; with more, nothing is long enough for a label
constexpr int kMinLabel = 48;         // pixels
constexpr int kRowsWithLegend = 5;    // with fewer the legend makes room
constexpr int kRowsWithPackets = 14;  // with fewer packets and queues are folded at first
constexpr std::array kUnits{isa::Unit::sram, isa::Unit::scratch, isa::Unit::dram,
                            isa::Unit::msf,  isa::Unit::hash,    isa::Unit::cap};

QString unit_name(isa::Unit unit) {
  switch (unit) {
    case isa::Unit::sram: return QStringLiteral("sram");
    case isa::Unit::scratch: return QStringLiteral("scratch");
    case isa::Unit::dram: return QStringLiteral("dram");
    case isa::Unit::msf: return QStringLiteral("msf");
    case isa::Unit::hash: return QStringLiteral("hash");
    default: return QStringLiteral("cap");
  }
}

/// 1, 2 or 5 times a power of ten, not less than `min`.
double round_step(double min) {
  double step = 1;
  while (step * 10 < min) step *= 10;
  for (const double times : {1.0, 2.0, 5.0, 10.0})
    if (step * times >= min) return step * times;
  return step * 10;
}

}  // namespace

TimelineCanvas::TimelineCanvas(Timeline& timeline, Theme theme, QWidget* parent)
    : QAbstractScrollArea(parent), timeline_(timeline), theme_(theme), pixels_(theme) {
  setAccessibleName(tr("Execution history"));
  setFocusPolicy(Qt::StrongFocus);
  setFrameShape(QFrame::NoFrame);
  viewport()->setMouseTracking(true);
  viewport()->setAccessibleName(tr("Bars of the execution history"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  verticalScrollBar()->setAccessibleName(tr("Rows of the execution history"));
  connect(&timeline, &Timeline::rows_changed, this, &TimelineCanvas::moved);
  connect(&timeline, &Timeline::answered, this, [this] {
    if (const TimelineAnswer* all = timeline_.overview(); all != nullptr) {
      const bool first = axis_.limits() == std::pair<uint64_t, uint64_t>{0, 1};
      axis_.set_limits(all->from, all->to);
      if (fitted_ || first) axis_.show_all();
      ask();
    }
    redraw();
  });
  connect(&timeline.search(), &TimelineSearch::changed, this, &TimelineCanvas::redraw);
  connect(&timeline.causes(), &SleepCauses::changed, viewport(), qOverload<>(&QWidget::update));
  connect(&timeline, &Timeline::marks_changed, viewport(), qOverload<>(&QWidget::update));
  connect(&timeline, &Timeline::statistics_changed, viewport(), qOverload<>(&QWidget::update));
  const Cursor& cursor = timeline.workspace().cursor();
  connect(&cursor, &Cursor::cycle_changed, this, [this](uint64_t cycle) {
    if (drag_ == Drag::none && !axis_.shows_all()) {
      axis_.reveal(cycle);
      moved();
    }
    viewport()->update();
  });
  connect(&cursor, &Cursor::range_changed, viewport(), qOverload<>(&QWidget::update));
  connect(&cursor, &Cursor::context_changed, viewport(), qOverload<>(&QWidget::update));
  connect(&cursor, &Cursor::packet_changed, this, [this] {
    ask();
    redraw();
  });
}

void TimelineCanvas::set_theme(Theme theme) {
  theme_ = theme;
  pixels_ = TimelinePixels(theme);
  redraw();
}
void TimelineCanvas::set_references(bool on) {
  references_ = on;
  moved();
}
void TimelineCanvas::set_labels(TimelineLabels labels) {
  labels_ = labels;
  moved();
}

QRect TimelineCanvas::bars() const {
  return {kNames, rows_top(), std::max(viewport()->width() - kNames, 1),
          std::max(viewport()->height() - rows_top() - legend_height_, 0)};
}
int TimelineCanvas::row_top(int row) const { return rows_top() + row * row_height_ - verticalScrollBar()->value(); }
int TimelineCanvas::row_at(int y) const {
  if (y < rows_top() || y >= rows_top() + bars().height()) return -1;
  const int row = (y - rows_top() + verticalScrollBar()->value()) / row_height_;
  return row < static_cast<int>(timeline_.rows().size()) ? row : -1;
}
int TimelineCanvas::bar_height(const TimelineRow& row) const {
  if (row.kind != TimelineRow::Kind::context) return row_height_ - 2;
  return references_ && row_height_ >= 16 ? row_height_ - 8 : row_height_ - 2;
}
QPoint TimelineCanvas::point_of(int row, uint64_t cycle) const {
  return {kNames + static_cast<int>(axis_.x_of(static_cast<double>(cycle) + 0.5)), row_top(row) + row_height_ / 3};
}

void TimelineCanvas::lay_out() {
  // In a low view rows matter more than the legend: tips name what bars are.
  const int below = viewport()->height() - rows_top(), wanted = 4 + 16 * paint_legend(nullptr);
  legend_height_ = below - wanted >= kRowsWithLegend * row_height_ ? wanted : 0;
  if (isVisible() && !timeline_.rows().empty() && !std::exchange(sized_, true) &&
      below < kRowsWithPackets * row_height_)
    timeline_.fold_lanes();
  axis_.set_width(bars().width());
  if (fitted_) axis_.show_all();
  const int all = static_cast<int>(timeline_.rows().size()) * row_height_;
  verticalScrollBar()->setRange(0, std::max(0, all - bars().height()));
  verticalScrollBar()->setPageStep(std::max(bars().height(), 1));
  verticalScrollBar()->setSingleStep(row_height_);
}

void TimelineCanvas::moved() {
  lay_out();
  ask();
  redraw();
  Q_EMIT view_moved();
}

// A cell for each pixel, or for each cycle when cycles are wider; only rows that are to be seen.
void TimelineCanvas::ask() {
  if (!isVisible()) return;
  TimelineQuestion question;
  const auto visible = axis_.visible();
  question.begin = visible.first;
  question.end = visible.second;
  question.cells = static_cast<unsigned>(axis_.width());
  const int count = static_cast<int>(timeline_.rows().size());
  const int first = std::clamp(verticalScrollBar()->value() / row_height_, 0, count);
  const int last = std::clamp((verticalScrollBar()->value() + bars().height()) / row_height_ + 1, first, count);
  question.rows.assign(timeline_.rows().begin() + first, timeline_.rows().begin() + last);
  question.references = references_ && row_height_ >= 16;
  if (axis_.per_pixel() <= kLabelsFrom) question.labels = labels_;
  question.lanes = true;
  question.packet = timeline_.workspace().cursor().packet();
  question.least_label = std::max<uint64_t>(1, static_cast<uint64_t>(kMinLabel * axis_.per_pixel()));
  timeline_.look_at(std::move(question));
}

void TimelineCanvas::zoom(double factor, std::optional<double> x) {
  const double cursor = axis_.x_of(static_cast<double>(timeline_.workspace().cursor().cycle()));
  const bool there = cursor >= 0 && cursor <= axis_.width();
  axis_.zoom(factor, x.value_or(there ? cursor : axis_.width() / 2.0));
  fitted_ = axis_.shows_all();
  moved();
}
void TimelineCanvas::pan(double pixels) {
  axis_.pan(pixels);
  fitted_ = axis_.shows_all();
  moved();
}
void TimelineCanvas::fit() {
  fitted_ = true;
  moved();
}
void TimelineCanvas::fit_range() {
  if (const auto range = timeline_.workspace().cursor().range())
    show_cycles(static_cast<double>(range->first), static_cast<double>(range->second));
}
void TimelineCanvas::show_cycles(double begin, double end) {
  axis_.show(begin, end);
  fitted_ = axis_.shows_all();
  moved();
}

// --- painting

void TimelineCanvas::render() {
  QElapsedTimer timer;
  timer.start();
  work_ = {};
  if (image_.size() != viewport()->size()) image_ = QImage(viewport()->size(), QImage::Format_RGB32);
  image_.fill(pixels_.background());
  reference_lines_.clear();
  packet_bars_.clear();
  const TimelineAnswer* answer = timeline_.answer();
  QPainter painter(&image_);
  painter.setFont(font());
  if (answer != nullptr && answer->recorded) {
    const TimelineColumns columns = columns_of(*answer, axis_);
    for (size_t asked = 0; asked < answer->rows.size(); ++asked) {
      const auto at = std::ranges::find(timeline_.rows(), answer->question.rows[asked]);
      if (at == timeline_.rows().end()) continue;
      const int top = row_top(static_cast<int>(at - timeline_.rows().begin()));
      const int height = bar_height(*at);
      if (top + height <= rows_top() || top >= rows_top() + bars().height()) continue;
      if (!shows_activity(*at)) {
        painter.setClipRect(bars());
        paint_lane(painter, asked, top + 1, height - 1);
        painter.setClipping(false);
        continue;
      }
      work_.cells += paint_cells(image_, pixels_, *answer, asked, columns, kNames, top, height);
    }
    painter.setClipRect(bars());
    paint_spans(painter);
    paint_references(painter);
    paint_stages(painter);
    paint_hits(painter);
    painter.setClipping(false);
  }
  paint_overview(painter);
  paint_ruler(painter);
  paint_names(painter);
  if (legend_height_ > 0) paint_legend(&painter);
  work_.milliseconds = static_cast<double>(timer.nsecsElapsed()) / 1e6;
  dirty_ = false;
}

void TimelineCanvas::paint_overview(QPainter& painter) {
  const QPalette colours = palette_of(theme_);
  painter.fillRect(0, 0, image_.width(), kOverview, colours.color(QPalette::Window));
  const TimelineAnswer* all = timeline_.overview();
  painter.setPen(colours.color(QPalette::WindowText));
  painter.drawText(QRect(6, 0, kNames - 12, kOverview), Qt::AlignVCenter | Qt::AlignLeft, tr("whole run"));
  if (all == nullptr || all->rows.empty() || all->to == all->from) return;
  TimeAxis whole;
  whole.set_width(bars().width());
  whole.set_limits(all->from, all->to);
  whole.show_all();
  const int height = (kOverview - 4) / static_cast<int>(all->rows.size());
  painter.end();
  for (size_t row = 0; row < all->rows.size(); ++row)
    work_.cells += paint_cells(image_, pixels_, *all, row, whole, kNames, 2 + static_cast<int>(row) * height, height);
  painter.begin(&image_);
  painter.setFont(font());
  paint_hit_density(painter);
  const int from = kNames + static_cast<int>(whole.x_of(axis_.begin())),
            to = kNames + static_cast<int>(whole.x_of(axis_.end()));
  QColor shade = colours.color(QPalette::Window);
  shade.setAlpha(150);
  painter.fillRect(QRect(QPoint(kNames, 0), QPoint(from - 1, kOverview - 1)), shade);
  painter.fillRect(QRect(QPoint(to + 1, 0), QPoint(image_.width(), kOverview - 1)), shade);
  painter.setPen(colours.color(QPalette::Highlight));
  painter.drawRect(QRect(QPoint(from, 0), QPoint(std::max(to, from + 3) - 1, kOverview - 1)));
}

void TimelineCanvas::paint_ruler(QPainter& painter) {
  const QPalette colours = palette_of(theme_);
  painter.fillRect(0, kOverview, image_.width(), kRuler, colours.color(QPalette::Window));
  painter.setPen(colours.color(QPalette::Mid));
  painter.drawLine(0, rows_top() - 1, image_.width(), rows_top() - 1);
  painter.setPen(colours.color(QPalette::WindowText));
  painter.drawText(QRect(6, kOverview, kNames - 12, kRuler), Qt::AlignVCenter | Qt::AlignLeft, tr("cycle (time)"));
  if (timeline_.answer() == nullptr) return;
  const QFontMetrics metrics(font());
  const double step = round_step(std::max(1.0, 130 * axis_.per_pixel()));
  painter.setClipRect(kNames, kOverview, bars().width(), kRuler);
  for (double cycle = std::ceil(axis_.begin() / step) * step; cycle < axis_.end(); cycle += step) {
    const int x = kNames + static_cast<int>(axis_.x_of(cycle));
    painter.setPen(colours.color(QPalette::Mid));
    painter.drawLine(x, kOverview + kRuler - 7, x, rows_top() - 2);
    const QString number = QLocale().toString(static_cast<qulonglong>(cycle));
    painter.setPen(colours.color(QPalette::WindowText));
    painter.drawText(x + 3, kOverview + kRuler - 8, number);
    const int behind = x + 3 + metrics.horizontalAdvance(number) + 6;
    const QString time = timeline_.time_text(cycle);
    const int room = std::min(x + static_cast<int>(step / axis_.per_pixel()), image_.width());
    if (behind + metrics.horizontalAdvance(time) < room) {
      painter.setPen(colours.color(QPalette::PlaceholderText));
      painter.drawText(behind, kOverview + kRuler - 8, time);
    }
  }
  painter.setClipping(false);
}

void TimelineCanvas::paint_names(QPainter& painter) {
  const QPalette colours = palette_of(theme_);
  const QRect area(0, rows_top(), kNames, bars().height());
  painter.fillRect(area, colours.color(QPalette::Window));
  painter.setClipRect(0, rows_top(), image_.width(), bars().height());
  const auto chosen = timeline_.workspace().cursor().context();
  for (int row = std::max(0, row_at(rows_top())); row < static_cast<int>(timeline_.rows().size()); ++row) {
    const int top = row_top(row);
    if (top >= area.bottom()) break;
    const TimelineRow& r = timeline_.rows()[static_cast<size_t>(row)];
    const bool context = r.kind == TimelineRow::Kind::context;
    if (context && chosen == r.id)
      painter.fillRect(0, top, kNames - 1, row_height_ - 1, colours.color(QPalette::Highlight));
    painter.setPen(colours.color(context && chosen == r.id ? QPalette::HighlightedText : QPalette::WindowText));
    QFont bold = font();
    const bool group = r.kind == TimelineRow::Kind::packets || r.kind == TimelineRow::Kind::queues;
    const bool leaf = context || (!shows_activity(r) && !group);
    bold.setBold(!leaf);
    painter.setFont(bold);
    if (r.kind == TimelineRow::Kind::engine || group) {
      const QPoint middle(10, top + row_height_ / 2 - 1);
      QPolygon arrow;
      if (timeline_.is_open(r))
        arrow << middle + QPoint(-4, -2) << middle + QPoint(4, -2) << middle + QPoint(0, 3);
      else
        arrow << middle + QPoint(-2, -4) << middle + QPoint(-2, 4) << middle + QPoint(3, 0);
      painter.setBrush(colours.color(QPalette::WindowText));
      painter.drawPolygon(arrow);
    }
    const int indent = leaf ? 28 : r.kind == TimelineRow::Kind::chip ? 6 : 20;
    const QRect place(indent, top, kNames - indent - 4, row_height_ - 2);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft,
                     QFontMetrics(bold).elidedText(timeline_.name(r), Qt::ElideRight, place.width()));
    painter.setPen(colours.color(QPalette::Mid));
    if (!leaf) painter.drawLine(0, top - 1, image_.width(), top - 1);
  }
  painter.setFont(font());
  painter.drawLine(kNames - 1, rows_top(), kNames - 1, area.bottom());
  painter.setClipping(false);
}

void TimelineCanvas::paint_spans(QPainter& painter) {
  const TimelineAnswer& answer = *timeline_.answer();
  const bool light = theme_ == Theme::light;
  for (const TimelineSpan& span : answer.spans) {
    const int row = timeline_.row_of(span.id);
    if (row < 0 || row_height_ < 12) continue;
    ++work_.spans;
    const int from = kNames + static_cast<int>(axis_.x_of(static_cast<double>(span.begin))),
              to = kNames + static_cast<int>(axis_.x_of(static_cast<double>(span.end)));
    if (to - from < kMinLabel || to < kNames || from > image_.width()) continue;
    const int left = std::max(from, kNames);
    const int height = bar_height(timeline_.rows()[static_cast<size_t>(row)]);
    QFont small = font();
    small.setPixelSize(std::clamp(height - 2, 7, 11));
    painter.setFont(small);
    const QFontMetrics small_metrics(small);
    const QString text = small_metrics.elidedText(QString::fromStdString(span.text), Qt::ElideRight, to - left - 4);
    if (text.size() < 2) continue;
    const QRect box(left + 1, row_top(row) + 1, small_metrics.horizontalAdvance(text) + 4, height - 2);
    painter.fillRect(box, light ? QColor(255, 255, 255, 180) : QColor(20, 22, 25, 180));
    painter.setPen(light ? QColor(0x1f1f1f) : QColor(0xeeeeee));
    painter.drawText(box.adjusted(2, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
    painter.drawLine(left, row_top(row), left, row_top(row) + height - 1);
  }
  painter.setFont(font());
}

// Thin lines in the lanes below a context's bar: dotted until the unit has it, thin while it is queued, thick while it
// is worked on; an arrow up where the signal comes.
void TimelineCanvas::paint_references(QPainter& painter) {
  const TimelineAnswer& answer = *timeline_.answer();
  if (!references_ || row_height_ < 16) return;
  constexpr int kLanes = 3;
  const double period = static_cast<double>(answer.ticks_per_cycle);
  std::map<ContextId, std::array<double, kLanes>> lanes;
  for (size_t i = 0; i < answer.references.size(); ++i) {
    const TimelineReference& r = answer.references[i];
    const int row = timeline_.row_of(r.id);
    if (row < 0) continue;
    ++work_.references;
    const auto x = [&](emulator::Tick tick) { return kNames + axis_.x_of(static_cast<double>(tick) / period); };
    const double issued = x(r.times.issued), done = r.times.done == kNever ? image_.width() : x(r.times.done);
    auto [at, fresh] = lanes.try_emplace(r.id);
    if (fresh) at->second.fill(-1e18);
    size_t lane = 0;
    while (lane + 1 < kLanes && at->second[lane] > issued) ++lane;
    at->second[lane] = done + 2;
    const int bar_bottom = row_top(row) + bar_height(timeline_.rows()[static_cast<size_t>(row)]);
    const int y = bar_bottom + 1 + static_cast<int>(lane) * 2;
    const QColor colour = reference_colour(isa::info(r.times.op).unit, theme_);
    const auto line = [&](double from, double to, int width, Qt::PenStyle style) {
      from = std::clamp<double>(from, kNames - 4, image_.width() + 4);
      to = std::clamp<double>(to, kNames - 4, image_.width() + 4);
      if (to <= from) return;
      if (style == Qt::SolidLine) {
        painter.fillRect(QRectF(from, y, std::max(to - from, 1.0), width), colour);
      } else {
        for (double dot = from; dot < to; dot += 4)
          painter.fillRect(QRectF(dot, y, std::min(2.0, to - dot), width), colour);
      }
    };
    const double accepted = x(r.times.accepted);
    const double queued = r.times.queued == kNever ? accepted : x(r.times.queued);
    const double served = r.times.served == kNever ? done : x(r.times.served);
    line(issued, queued, 1, Qt::DotLine);
    line(queued, served, 1, Qt::SolidLine);
    line(served, done, 2, Qt::SolidLine);
    painter.fillRect(QRectF(issued, bar_bottom - 3, 1, y - bar_bottom + 4), colour);
    if (r.times.signalled != kNever) {
      const double to = x(r.times.signalled);
      if (to >= kNames && to <= image_.width()) {
        painter.fillRect(QRectF(to - 1, bar_bottom - 2, 1, y - bar_bottom + 3), colour);
        painter.fillRect(QRectF(to - 2, bar_bottom - 2, 3, 1), colour);
      }
    }
    reference_lines_.emplace_back(QRect(QPoint(static_cast<int>(std::max<double>(issued, kNames)), y),
                                        QPoint(static_cast<int>(std::min<double>(done, image_.width())), y + 1)),
                                  i);
  }
}

// As many lines as it takes: nothing is cut off in a narrow window.
int TimelineCanvas::paint_legend(QPainter* painter) {
  constexpr int kLine = 16, kLeft = 6;
  const QPalette colours = palette_of(theme_);
  const int width = viewport()->width(), top = viewport()->height() - legend_height_;
  if (painter != nullptr) {
    painter->fillRect(0, top, width, legend_height_, colours.color(QPalette::Window));
    painter->setPen(colours.color(QPalette::Mid));
    painter->drawLine(0, top, width, top);
  }
  const QFontMetrics metrics(font());
  int x = kLeft, line = 0;
  /// `mark` paints into a box of 18 by 11 pixels; none: text alone.
  const auto item = [&](const QString& what, const std::function<void(int, int)>& mark) {
    const int room = (mark ? 22 : 0) + metrics.horizontalAdvance(what) + 10;
    if (x > kLeft && x + room > width) {
      x = kLeft;
      ++line;
    }
    const int y = top + 2 + line * kLine;
    if (painter != nullptr) {
      if (mark) mark(x, y + 3);
      painter->setPen(colours.color(QPalette::WindowText));
      painter->drawText(x + (mark ? 22 : 0), y + (kLine + metrics.ascent() - metrics.descent()) / 2, what);
    }
    x += room;
  };
  for (const Activity a : {Activity::executing, Activity::aborted, Activity::stalled, Activity::ready, Activity::sleep})
    item(activity_text(a), [this, a](int left, int y) {
      for (int dy = 0; dy < 11; ++dy)
        for (int dx = 0; dx < 18; ++dx)
          if (image_.valid(left + dx, y + dy)) image_.setPixel(left + dx, y + dy, pixels_.at(a, left + dx, dy));
    });
  const TimelineAnswer* answer = timeline_.answer();
  if (references_) {
    if (answer != nullptr && answer->references_left_out)
      item(tr("references: too many for this stretch, zoom in"), {});
    else
      for (const isa::Unit unit : kUnits)
        item(unit_name(unit), [this, painter, unit](int left, int y) {
          painter->fillRect(left, y + 4, 18, 3, reference_colour(unit, theme_));
        });
  }
  const bool packets =
      std::ranges::any_of(timeline_.rows(), [](const TimelineRow& r) { return r.kind == TimelineRow::Kind::packets; });
  if (packets)
    for (const auto verdict : {emulator::Verdict::forwarded, emulator::Verdict::dropped, emulator::Verdict::to_core,
                               emulator::Verdict::lost_in, emulator::Verdict::in_flight})
      item(verdict == emulator::Verdict::lost_in ? tr("lost") : verdict_text(verdict),
           [this, painter, verdict](int left, int y) {
             painter->fillRect(left, y + 1, 18, 9, verdict_colour(verdict, theme_));
           });
  if (timeline_.search().active())
    item(tr("found"), [this, painter](int left, int y) { painter->fillRect(left, y + 3, 18, 5, hit_colour(theme_)); });
  return line + 1;
}

void TimelineCanvas::paint_overlays(QPainter& painter) {
  const QPalette colours = palette_of(theme_);
  const QRect area = bars();
  const Cursor& cursor = timeline_.workspace().cursor();
  painter.setClipRect(kNames, kOverview, area.width(), kRuler + area.height());
  const auto x_of = [&](uint64_t cycle) { return kNames + axis_.x_of(static_cast<double>(cycle)); };
  if (const auto range = cursor.range()) {
    QColor shade = colours.color(QPalette::Highlight);
    shade.setAlpha(45);
    const QRectF where(QPointF(x_of(range->first), kOverview), QPointF(x_of(range->second), area.bottom()));
    painter.fillRect(where, shade);
    painter.setPen(colours.color(QPalette::Highlight));
    painter.drawLine(QLineF(where.topLeft(), where.bottomLeft()));
    painter.drawLine(QLineF(where.topRight(), where.bottomRight()));
  }
  const QColor flag(theme_ == Theme::light ? 0x00695c : 0x4db6ac);
  for (const TimelineMark& mark : timeline_.marks()) {
    const int x = static_cast<int>(x_of(mark.cycle));
    painter.setPen(QPen(flag, 1, Qt::DashDotLine));
    painter.drawLine(x, kOverview, x, area.bottom());
    const int width = QFontMetrics(font()).horizontalAdvance(mark.name) + 6;
    painter.fillRect(x, kOverview, width, 12, flag);
    painter.setPen(theme_ == Theme::light ? Qt::white : Qt::black);
    painter.drawText(QRect(x + 3, kOverview, width, 12), Qt::AlignVCenter | Qt::AlignLeft, mark.name);
  }
  // A trail: where a value was written and read.
  const QColor step(theme_ == Theme::light ? 0x6a1b9a : 0xce93d8);
  int last_end = 0;
  for (const TimelineMark& mark : timeline_.trail()) {
    const int x = static_cast<int>(x_of(mark.cycle));
    painter.setPen(QPen(step, 1, Qt::DotLine));
    painter.drawLine(x, kOverview, x, area.bottom());
    const int width = QFontMetrics(font()).horizontalAdvance(mark.name) + 6;
    if (x < last_end) continue;  // names would lie over each other
    last_end = x + width;
    painter.fillRect(x, kOverview + 12, width, 12, step);
    painter.setPen(theme_ == Theme::light ? Qt::white : Qt::black);
    painter.drawText(QRect(x + 3, kOverview + 12, width, 12), Qt::AlignVCenter | Qt::AlignLeft, mark.name);
  }
  paint_cause(painter);
  if (hover_ && hover_->x() >= kNames) {
    painter.setPen(QPen(colours.color(QPalette::Mid), 1));
    painter.drawLine(hover_->x(), rows_top(), hover_->x(), area.bottom());
  }
  const double x = x_of(cursor.cycle());
  painter.setPen(QPen(colours.color(QPalette::BrightText), 1, Qt::DashLine));
  painter.drawLine(QLineF(x, kOverview, x, area.bottom()));
  const double width = 1 / axis_.per_pixel();
  if (width >= 3) painter.fillRect(QRectF(x, rows_top() - 4, width, 4), colours.color(QPalette::BrightText));
  painter.setClipping(false);
  if (hasFocus()) {
    painter.setPen(QPen(colours.color(QPalette::Highlight), 1));
    painter.drawRect(viewport()->rect().adjusted(0, 0, -1, -1));
  }
}

void TimelineCanvas::paintEvent(QPaintEvent*) {
  if (dirty_ || image_.size() != viewport()->size()) render();
  QPainter painter(viewport());
  painter.setFont(font());
  painter.drawImage(0, 0, image_);
  paint_overlays(painter);
}

void TimelineCanvas::resizeEvent(QResizeEvent*) { moved(); }
void TimelineCanvas::showEvent(QShowEvent*) { moved(); }
void TimelineCanvas::scrollContentsBy(int, int) { moved(); }

}  // namespace weft::ide
