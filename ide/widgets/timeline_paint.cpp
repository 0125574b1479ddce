#include "timeline_paint.h"

#include <cmath>

namespace weft::ide {

using emulator::Activity;

namespace {

QRgb mixed(QColor a, QColor b, double share) {
  const auto mix = [share](int x, int y) { return static_cast<int>(x * share + y * (1 - share)); };
  return qRgb(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

}  // namespace

TimelinePixels::TimelinePixels(Theme theme) : background_(palette_of(theme).color(QPalette::Base).rgb()) {
  for (size_t a = 0; a < kActivities; ++a) {
    const QBrush brush = activity_brush(static_cast<Activity>(a), theme);
    const Qt::BrushStyle style = brush.style();
    const QRgb colour = style == Qt::NoBrush ? background_ : brush.color().rgb();
    const QRgb between = mixed(brush.color(), QColor(background_), style == Qt::Dense4Pattern ? 0.55 : 0.3);
    for (unsigned y = 0; y < 4; ++y)
      for (unsigned x = 0; x < 4; ++x) {
        const bool stripe = style == Qt::BDiagPattern    ? (x + y) % 4 < 2
                            : style == Qt::Dense4Pattern ? ((x ^ y) & 1) != 0
                                                         : true;
        looks_[a][y * 4 + x] = stripe ? colour : between;
      }
  }
}

TimelineColumns columns_of(const TimelineAnswer& answer, const TimeAxis& axis) {
  const uint64_t begin = answer.question.begin, span = answer.question.end - begin, count = answer.question.cells;
  TimelineColumns out(static_cast<size_t>(axis.width()));
  if (count == 0 || span == 0) return out;
  // The cell that a cycle lies in: cell_begin() the other way round.
  const auto cell_of = [&](uint64_t cycle) {
    uint64_t cell = (cycle - begin) * count / span;
    while (cell + 1 < count && answer.cell_begin(cell + 1) <= cycle) ++cell;
    return cell;
  };
  for (int x = 0; x < axis.width(); ++x) {
    const double cycle = axis.exact_cycle_at(x), next = axis.exact_cycle_at(x + 1);
    if (next <= static_cast<double>(begin) || cycle >= static_cast<double>(begin + span)) continue;
    const uint64_t from = cell_of(std::max(begin, static_cast<uint64_t>(std::max(cycle, 0.0))));
    const uint64_t to = std::max(from + 1, cell_of(std::min(begin + span - 1, static_cast<uint64_t>(next))));
    out[static_cast<size_t>(x)] = {static_cast<uint32_t>(from), static_cast<uint32_t>(to)};
  }
  return out;
}

uint64_t paint_cells(QImage& image, const TimelinePixels& pixels, const TimelineAnswer& answer, size_t row,
                     const TimelineColumns& shown, int left, int top, int height) {
  const std::vector<ActivityCycles>& cells = answer.rows[row];
  const int first = std::max(top, 0), last = std::min(top + height, image.height()),
            width = static_cast<int>(shown.size());
  if (cells.empty() || first >= last) return 0;
  uint64_t touched = 0;
  QRgb* const bits = reinterpret_cast<QRgb*>(image.bits());
  const qsizetype stride = image.bytesPerLine() / static_cast<qsizetype>(sizeof(QRgb));
  struct Column {
    std::array<int16_t, kActivities + 1> edges{};  // of the stack, from the floor
    int8_t part = -1;                              // that of the present line; -1: nothing is known
  };
  std::vector<Column> columns(shown.size());
  for (size_t x = 0; x < shown.size(); ++x) {
    const auto [from, to] = shown[x];
    if (from == to) continue;
    ActivityCycles sum = cells[from];
    for (uint32_t cell = from + 1; cell < to; ++cell)
      for (size_t a = 0; a < kActivities; ++a) sum[a] += cells[cell][a];
    uint64_t total = 0;
    for (const uint64_t part : sum) total += part;
    touched += to - from;
    // What there was at all gets a pixel, as long as the bar has room.
    Column& column = columns[x];
    column.part = static_cast<int8_t>(kStack.size());
    uint64_t so_far = 0;
    for (size_t i = 0; i < kStack.size(); ++i) {
      const uint64_t part = sum[static_cast<size_t>(kStack[i])];
      column.edges[i + 1] = column.edges[i];
      if (part == 0) continue;
      so_far += part;
      const int edge = static_cast<int>(std::lround(static_cast<double>(so_far) * height / static_cast<double>(total)));
      column.edges[i + 1] = static_cast<int16_t>(std::min(height, std::max(edge, column.edges[i] + 1)));
    }
  }
  // Line by line, as the image lies in memory.
  for (int y = first; y < last; ++y) {
    const int above_floor = top + height - 1 - y;
    QRgb* const line = bits + y * stride + left;
    for (int x = 0; x < width; ++x) {
      Column& column = columns[static_cast<size_t>(x)];
      if (column.part < 0) continue;
      while (column.part > 0 && column.edges[static_cast<size_t>(column.part) - 1] > above_floor) --column.part;
      const auto part = static_cast<size_t>(column.part);
      if (part > 0 && above_floor < column.edges[part]) line[x] = pixels.at(kStack[part - 1], x, y);
    }
  }
  return touched;
}

QColor reference_colour(isa::Unit unit, Theme theme) {
  const bool light = theme == Theme::light;
  switch (unit) {
    case isa::Unit::sram: return QColor(light ? 0x1565c0 : 0x64b5f6);
    case isa::Unit::scratch: return QColor(light ? 0x6a1b9a : 0xce93d8);
    case isa::Unit::dram: return QColor(light ? 0x00796b : 0x4db6ac);
    case isa::Unit::msf: return QColor(light ? 0xad1457 : 0xf48fb1);
    case isa::Unit::hash: return QColor(light ? 0x795548 : 0xbcaaa4);
    default: return QColor(light ? 0x546e7a : 0xb0bec5);
  }
}

}  // namespace weft::ide
