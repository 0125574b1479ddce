// What was found and what woke a context, in the picture of the execution history: marks over bars and in the strip,
// and an arrow from the sleep through the command and the queue of its unit to the signal.
#include <QPainter>
#include <QPainterPath>
#include <cmath>

#include "timeline_canvas.h"

namespace weft::ide {

using workbench::HistoryHit;
using workbench::SleepCause;

namespace {

constexpr size_t kMaxHits = 4000;  // that are painted one by one
constexpr int kHead = 5;           // pixels of the arrow's head

}  // namespace

QColor hit_colour(Theme theme) { return QColor(theme == Theme::light ? 0xc2185b : 0xff80ab); }
QColor cause_colour(Theme theme) { return QColor(theme == Theme::light ? 0x4a148c : 0xfff176); }

void TimelineCanvas::paint_hits(QPainter& painter) {
  const TimelineSearch& search = timeline_.search();
  const auto& hits = search.hits().hits;
  if (hits.empty()) return;
  const auto [begin, end] = axis_.visible();
  const uint64_t from = begin > search.longest() ? begin - search.longest() : 0;
  const auto first = std::ranges::lower_bound(hits, from, {}, &HistoryHit::begin);
  const auto last = std::ranges::lower_bound(first, hits.end(), end, {}, &HistoryHit::begin);
  const QColor colour = hit_colour(theme_);
  // With more than can be told apart, every so many-th: the strip has all of them.
  const auto count = static_cast<size_t>(last - first), step = std::max<size_t>(1, count / kMaxHits);
  for (size_t i = 0; i < count; i += step) {
    const HistoryHit& hit = first[static_cast<std::ptrdiff_t>(i)];
    const int row = timeline_.row_of(hit.id());
    if (row < 0 || hit.end() <= begin) continue;
    ++work_.hits;
    const double left = kNames + axis_.x_of(static_cast<double>(hit.begin)),
                 right = kNames + axis_.x_of(static_cast<double>(hit.end()));
    const bool here = search.chosen() == hit;
    const QRectF bar(left, row_top(row), std::max(right - left, 2.0),
                     here ? bar_height(timeline_.rows()[static_cast<size_t>(row)]) : 3);
    if (here) {
      painter.setPen(QPen(colour, 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(bar.adjusted(0, 1, 0, -1));
    } else {
      painter.fillRect(bar, colour);
    }
  }
}

void TimelineCanvas::paint_hit_density(QPainter& painter) {
  const TimelineAnswer* all = timeline_.overview();
  const workbench::HistoryHits& found = timeline_.search().hits();
  if (all == nullptr || found.density.empty() || all->to <= all->from) return;
  TimeAxis whole;
  whole.set_width(bars().width());
  whole.set_limits(all->from, all->to);
  whole.show_all();
  const QColor colour = hit_colour(theme_);
  uint32_t max = 1;
  for (const uint32_t n : found.density) max = std::max(max, n);
  for (size_t i = 0; i < found.density.size(); ++i) {
    if (found.density[i] == 0) continue;
    const double left = whole.x_of(static_cast<double>(i * found.bucket)),
                 right = whole.x_of(static_cast<double>((i + 1) * found.bucket));
    if (right < 0 || left > whole.width()) continue;
    // One hit is seen as well as many; more of them are higher.
    const int height =
        3 + static_cast<int>(std::lround((kOverview - 8) * std::log2(1.0 + found.density[i]) / std::log2(2.0 + max)));
    painter.fillRect(QRectF(kNames + left, kOverview - height, std::max(right - left, 1.0), height), colour);
  }
}

/// The row that shows how full the queue of a unit is; -1: it is folded, or there is none.
int TimelineCanvas::row_of_inlet(unsigned chip, const workbench::Inlet& inlet) const {
  const TimelineRow row{TimelineRow::Kind::unit, {chip, static_cast<unsigned>(inlet.unit), inlet.channel}};
  const auto at = std::ranges::find(timeline_.rows(), row);
  return at == timeline_.rows().end() ? -1 : static_cast<int>(at - timeline_.rows().begin());
}

// From the sleep to the command, through the queue of its unit (its own row where that is shown, else below the bar of
// who sent it), and up to the moment in which the context could go on.
void TimelineCanvas::paint_cause(QPainter& painter) {
  cause_arrow_.clear();
  const auto& cause = timeline_.causes().cause();
  const TimelineAnswer* answer = timeline_.answer();
  if (!cause || answer == nullptr) return;
  const int sleeper = timeline_.row_of(cause->who);
  if (sleeper < 0) return;
  const double period = static_cast<double>(std::max<uint64_t>(answer->ticks_per_cycle, 1));
  const auto x = [&](double cycle) { return kNames + axis_.x_of(cycle); };
  const auto middle = [&](int row) {
    return row_top(row) + bar_height(timeline_.rows()[static_cast<size_t>(row)]) / 2.0;
  };
  const auto below = [&](int row) { return row_top(row) + row_height_ - 2.0; };
  QString unit;
  double queued = 0, served = 0, lane = 0;
  cause_arrow_ << QPointF(x(static_cast<double>(cause->begin)), middle(sleeper));
  const int from = timeline_.row_of(cause->from);
  if (cause->command) {
    const emulator::Reference& r = *cause->command;
    if (from >= 0) cause_arrow_ << QPointF(x(static_cast<double>(r.accepted) / period), middle(from));
    const workbench::Inlet inlet = workbench::inlet_of(r);
    unit = QString::fromStdString(to_text(inlet));
    const int row = row_of_inlet(cause->from.chip, inlet);
    // Its own row only where that can be seen: an arrow that leaves the picture leads nowhere.
    const bool seen = row >= 0 && middle(row) > bars().top() && middle(row) < bars().bottom();
    lane = seen ? middle(row) : from >= 0 ? below(from) : below(sleeper);
    queued = x(static_cast<double>(r.queued == emulator::kNever ? r.accepted : r.queued) / period);
    served =
        r.served == emulator::kNever ? x(static_cast<double>(cause->end)) : x(static_cast<double>(r.served) / period);
    cause_arrow_ << QPointF(queued, lane) << QPointF(served, lane);
  } else if (cause->by == SleepCause::By::engine && from >= 0) {
    cause_arrow_ << QPointF(x(static_cast<double>(cause->end)), middle(from));
  }
  const bool lasts = cause->by == SleepCause::By::lasts;
  if (!lasts) cause_arrow_ << QPointF(x(static_cast<double>(cause->end)), middle(sleeper));

  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const QColor colour = cause_colour(theme_), halo = palette_of(theme_).color(QPalette::Base);
  for (const bool wide : {true, false}) {
    painter.setPen(QPen(wide ? halo : colour, wide ? 4.5 : 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(cause_arrow_);
    if (unit.isEmpty()) continue;
    painter.setPen(QPen(wide ? halo : colour, wide ? 7 : 5, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(queued, lane), QPointF(std::max(served, queued + 1), lane));
  }
  if (!lasts) {
    // Onto the end of the sleep, from where the last line comes.
    const QPointF tip = cause_arrow_.last(), before = cause_arrow_[cause_arrow_.size() - 2];
    const double angle = std::atan2(tip.y() - before.y(), tip.x() - before.x());
    QPolygonF head;
    head << tip << tip - QPointF(std::cos(angle - 0.5), std::sin(angle - 0.5)) * 2 * kHead
         << tip - QPointF(std::cos(angle + 0.5), std::sin(angle + 0.5)) * 2 * kHead;
    painter.setPen(QPen(halo, 1));
    painter.setBrush(colour);
    painter.drawPolygon(head);
  }
  if (!unit.isEmpty()) {
    QFont small = font();
    small.setPixelSize(10);
    painter.setFont(small);
    const QString text = cause->before_count > 0 ? tr("%1: behind %L2").arg(unit).arg(cause->before_count) : unit;
    QRectF box(std::max<double>(queued, kNames) + 4, lane + 3, QFontMetrics(small).horizontalAdvance(text) + 6, 13);
    if (box.right() > image_.width()) box.moveRight(image_.width() - 2);
    painter.fillRect(box, halo);
    painter.setPen(palette_of(theme_).color(QPalette::Text));
    painter.drawText(box, Qt::AlignCenter, text);
  }
  painter.restore();
}

}  // namespace weft::ide
