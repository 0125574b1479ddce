// Packets and queues in the picture of the execution history: bars one by one where they have room, else how many there
// were; the way of the chosen packet over the rows of its contexts; how full queues were.
#include <QPainter>
#include <array>

#include "models/packets_model.h"
#include "timeline_canvas.h"

namespace weft::ide {

using emulator::Verdict;

namespace {

/// Counts from the floor up; what went wrong stands on top, where it is seen.
constexpr std::array kOrder{Verdict::forwarded, Verdict::in_flight, Verdict::to_core,
                            Verdict::lost_out,  Verdict::lost_in,   Verdict::dropped};

}  // namespace

QColor verdict_colour(Verdict verdict, Theme theme) {
  const bool light = theme == Theme::light;
  switch (verdict) {
    case Verdict::forwarded: return QColor(light ? 0x5b8dc9 : 0x5f93d1);
    case Verdict::dropped: return QColor(light ? 0xc62828 : 0xef5350);
    case Verdict::to_core: return QColor(light ? 0x8e44ad : 0xba78d6);
    case Verdict::lost_in:
    case Verdict::lost_out: return QColor(light ? 0xd97000 : 0xffb74d);
    case Verdict::in_flight: return QColor(light ? 0x7f929c : 0x607078);
  }
  return {};
}

QColor stage_colour(unsigned place, Theme theme) {
  // Hues that lie far apart one after the other; on white some are seen only when they are darker.
  const QColor base = palette_of(theme).color(QPalette::Base);
  const int hue = static_cast<int>((place * 137 + 20) % 360);
  QColor out = theme == Theme::light ? QColor::fromHsv(hue, 190, 170) : QColor::fromHsv(hue, 150, 225);
  while (theme == Theme::light && contrast(out, base) < 3.1) out.setHsv(hue, 190, out.value() - 4);
  return out;
}

void TimelineCanvas::paint_lane(QPainter& painter, size_t asked, int top, int height) {
  const TimelineAnswer& answer = *timeline_.answer();
  if (asked >= answer.lanes.rows.size()) return;
  const TimelineLaneAnswer::Row& lane = answer.lanes.rows[asked];
  if (!lane.depths.empty()) return paint_depths(painter, answer, lane, top, height);
  if (lane.packets.empty()) return;
  if (lane.lanes > 0) return paint_packet_bars(painter, asked, top, height);
  uint32_t max = 1;
  for (const VerdictCounts& cell : lane.packets) {
    uint32_t all = 0;
    for (const uint32_t n : cell) all += n;
    max = std::max(max, all);
  }
  for_columns(answer, [&](int x, int width, uint64_t from, uint64_t to) {
    VerdictCounts sum{};
    for (uint64_t cell = from; cell < to; ++cell)
      for (size_t v = 0; v < sum.size(); ++v) sum[v] = std::max(sum[v], lane.packets[cell][v]);
    work_.cells += to - from;
    uint32_t so_far = 0;
    int y = top + height;
    for (const Verdict verdict : kOrder) {
      const uint32_t n = sum[static_cast<size_t>(verdict)];
      if (n == 0) continue;
      so_far += n;
      const int until = std::min(
          y - 1, top + height - static_cast<int>(static_cast<uint64_t>(so_far) * static_cast<uint64_t>(height) / max));
      painter.fillRect(x, std::max(until, top), width, y - std::max(until, top), verdict_colour(verdict, theme_));
      y = std::max(until, top);
    }
  });
}

void TimelineCanvas::paint_packet_bars(QPainter& painter, size_t asked, int top, int height) {
  const TimelineAnswer& answer = *timeline_.answer();
  const int lanes = static_cast<int>(answer.lanes.rows[asked].lanes);
  const uint32_t chosen = timeline_.workspace().cursor().packet();
  QFont small = font();
  for (size_t i = 0; i < answer.lanes.packets.size(); ++i) {
    const TimelinePacket& p = answer.lanes.packets[i];
    if (p.row != asked) continue;
    ++work_.spans;
    const int from = std::max(kNames - 1, kNames + static_cast<int>(axis_.x_of(static_cast<double>(p.begin))));
    const int to =
        std::min(image_.width(), std::max(from + 1, kNames + static_cast<int>(axis_.x_of(static_cast<double>(p.end)))));
    if (to <= kNames || from >= image_.width()) continue;
    const int y = top + static_cast<int>(p.lane) * height / lanes,
              bottom = top + (static_cast<int>(p.lane) + 1) * height / lanes;
    const QRect bar(from, y, to - from, std::max(1, bottom - y - (lanes < height / 2 ? 1 : 0)));
    const QColor colour = verdict_colour(p.verdict, theme_);
    painter.fillRect(bar, colour);
    if (p.verdict == Verdict::dropped || p.verdict == Verdict::lost_in || p.verdict == Verdict::lost_out)
      painter.fillRect(
          bar, QBrush(theme_ == Theme::light ? QColor(0, 0, 0, 90) : QColor(255, 255, 255, 90), Qt::BDiagPattern));
    if (p.id == chosen) {
      for (const TimelinePacketStage& stage : answer.lanes.stages) {
        const int left = std::max(from, kNames + static_cast<int>(axis_.x_of(static_cast<double>(stage.begin)))),
                  right = std::min(to, kNames + static_cast<int>(axis_.x_of(static_cast<double>(stage.end))));
        if (right > left)
          painter.fillRect(QRect(left, y, std::max(1, right - left), bar.height()), stage_colour(stage.place, theme_));
      }
      const bool thin = bar.height() < 8;
      painter.setPen(QPen(palette_of(theme_).color(QPalette::Text), thin ? 1 : 2));
      painter.setBrush(Qt::NoBrush);
      painter.drawRect(thin ? bar.adjusted(-1, -1, 0, 0) : bar.adjusted(0, 0, -1, -1));
    }
    packet_bars_.emplace_back(bar.adjusted(-1, 0, 1, 1), i);
    if (bar.width() < 26 || bar.height() < 9) continue;
    small.setPixelSize(std::clamp(bar.height() - 2, 8, 11));
    painter.setFont(small);
    painter.setPen(Qt::white);
    painter.drawText(bar.adjusted(3, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft,
                     QString::number(number_of_packet(p.id)));
  }
  painter.setFont(font());
}

void TimelineCanvas::paint_depths(QPainter& painter, const TimelineAnswer& answer, const TimelineLaneAnswer::Row& lane,
                                  int top, int height) {
  const bool light = theme_ == Theme::light;
  const QColor mean(light ? 0x80a7c9 : 0x4f7396), max(light ? 0x1b4f80 : 0xa9cdf0);
  const double scale = static_cast<double>(height - 1) / std::max(1.0, static_cast<double>(lane.deepest));
  for_columns(answer, [&](int x, int width, uint64_t from, uint64_t to) {
    double sum = 0, peak = 0;
    for (uint64_t cell = from; cell < to; ++cell) {
      sum += static_cast<double>(lane.depths[cell].mean);
      peak = std::max(peak, static_cast<double>(lane.depths[cell].max));
    }
    work_.cells += to - from;
    const double level = sum / static_cast<double>(to - from);
    const int filled = level > 0 ? std::max(1, static_cast<int>(level * scale)) : 0;
    painter.fillRect(x, top + height - filled, width, filled, mean);
    if (peak > 0) painter.fillRect(x, top + height - 1 - static_cast<int>(peak * scale), width, 1, max);
  });
  if (row_height_ < 14) return;
  QFont small = font();
  small.setPixelSize(std::clamp(height - 4, 8, 11));
  painter.setFont(small);
  const QString text = tr("most %1").arg(
      static_cast<double>(lane.deepest), 0, 'f',
      lane.deepest < 10 && lane.deepest != static_cast<float>(static_cast<int>(lane.deepest)) ? 1 : 0);
  const QRect box(kNames + 3, top + 1, QFontMetrics(small).horizontalAdvance(text) + 4, height - 2);
  painter.fillRect(box, light ? QColor(255, 255, 255, 170) : QColor(20, 22, 25, 170));
  painter.setPen(palette_of(theme_).color(QPalette::Text));
  painter.drawText(box.adjusted(2, 0, 0, 0), Qt::AlignVCenter | Qt::AlignLeft, text);
  painter.setFont(font());
}

/// Over the rows of its contexts: a band in the colour of the stage, with its name where there is room.
void TimelineCanvas::paint_stages(QPainter& painter) {
  const TimelineAnswer& answer = *timeline_.answer();
  QFont small = font();
  small.setPixelSize(9);
  for (const TimelinePacketStage& stage : answer.lanes.stages) {
    const int row = timeline_.row_of(stage.who);
    if (row < 0) continue;
    ++work_.spans;
    const int from = std::max(kNames, kNames + static_cast<int>(axis_.x_of(static_cast<double>(stage.begin))));
    const int to = std::min(image_.width(),
                            std::max(from + 2, kNames + static_cast<int>(axis_.x_of(static_cast<double>(stage.end)))));
    if (to <= from) continue;
    const QColor colour = stage_colour(stage.place, theme_);
    const int height = bar_height(timeline_.rows()[static_cast<size_t>(row)]);
    painter.setPen(QPen(colour, 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(from, row_top(row) + 1, to - from - 1, std::max(2, height - 2));
    painter.fillRect(from, row_top(row), to - from, 3, colour);
  }
}

const TimelinePacket* TimelineCanvas::packet_at(QPoint at) const {
  const TimelineAnswer* answer = timeline_.answer();
  if (answer == nullptr) return nullptr;
  for (const auto& bar : packet_bars_)
    if (bar.second < answer->lanes.packets.size() && bar.first.contains(at)) return &answer->lanes.packets[bar.second];
  return nullptr;
}

QString TimelineCanvas::lane_tip(int row, QPoint at) const {
  const TimelineAnswer& answer = *timeline_.answer();
  const TimelineRow& r = timeline_.rows()[static_cast<size_t>(row)];
  const uint64_t cycle = axis_.cycle_at(at.x() - kNames);
  if (const TimelinePacket* p = packet_at(at))
    return tr("packet %1: %2\ncycles %L3 to %L4: %L5 cycles (%6)")
        .arg(number_of_packet(p->id))
        .arg(verdict_text(p->verdict))
        .arg(p->begin)
        .arg(p->end)
        .arg(p->end - p->begin)
        .arg(timeline_.time_text(static_cast<double>(p->end - p->begin)));
  const auto asked = std::ranges::find(answer.question.rows, r);
  if (asked == answer.question.rows.end() || cycle < answer.question.begin || cycle >= answer.question.end) return {};
  const auto index = static_cast<size_t>(asked - answer.question.rows.begin());
  if (index >= answer.lanes.rows.size()) return {};
  const TimelineLaneAnswer::Row& lane = answer.lanes.rows[index];
  size_t cell = 0;
  while (cell + 1 < answer.question.cells && answer.cell_begin(cell + 1) <= cycle) ++cell;
  QString text = tr("%1, cycles %L2 to %L3")
                     .arg(timeline_.name(r))
                     .arg(answer.cell_begin(cell))
                     .arg(answer.cell_begin(cell + 1) - 1);
  if (cell < lane.depths.size())
    return text + tr("\n%1 waiting on the average, %2 at most (of the whole run: %3)")
                      .arg(static_cast<double>(lane.depths[cell].mean), 0, 'f', 2)
                      .arg(static_cast<double>(lane.depths[cell].max), 0, 'f', 1)
                      .arg(static_cast<double>(lane.deepest), 0, 'f', 1);
  if (cell >= lane.packets.size()) return {};
  for (const Verdict verdict : kOrder)
    if (const uint32_t n = lane.packets[cell][static_cast<size_t>(verdict)]; n > 0)
      text += tr("\n%L1 %2").arg(n).arg(verdict_text(verdict));
  return text;
}

}  // namespace weft::ide
