// The picture of the execution history: an overview of the whole run, a ruler, a row for each chip, microengine and
// context, and the references of contexts below their bars.
#pragma once

#include <QAbstractScrollArea>
#include <QImage>

#include "models/time_axis.h"
#include "models/timeline.h"
#include "theme.h"
#include "timeline_paint.h"

namespace weft::ide {

class TimelineCanvas final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  static constexpr int kNames = 150, kOverview = 26, kRuler = 24;

  TimelineCanvas(Timeline& timeline, Theme theme, QWidget* parent = nullptr);

  const TimeAxis& axis() const { return axis_; }
  void set_theme(Theme theme);
  void set_references(bool on);
  void set_labels(TimelineLabels labels);
  TimelineLabels labels() const { return labels_; }
  bool references() const { return references_; }
  void zoom(double factor, std::optional<double> x = {});
  void pan(double pixels);
  void fit();
  void fit_range();
  void show_cycles(double begin, double end);
  /// What the last frame took: cells, references and labels that were looked at; and its time.
  struct Work {
    uint64_t cells = 0, references = 0, spans = 0;
    uint64_t hits = 0;
    double milliseconds = 0;
  };
  const Work& work() const { return work_; }
  QString hover_text() const { return hover_text_; }
  /// Where things are, for tests and for others who point at them.
  QPoint point_of(int row, uint64_t cycle) const;
  int rows_top() const { return kOverview + kRuler; }
  /// Rows of the history that can be seen.
  int visible_rows() const { return bars().height() / std::max(row_height_, 1); }
  int row_height() const { return row_height_; }
  int legend_height() const { return legend_height_; }
  /// The corners of the arrow of a cause, as painted; empty: none.
  const QPolygonF& cause_arrow() const { return cause_arrow_; }

 Q_SIGNALS:
  void menu_requested(const QPoint& global, quint64 cycle, int row);  ///< row -1: none
  void view_moved();
  void search_requested();  ///< by a key

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void showEvent(QShowEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  enum class Drag { none, press, range, pan, overview };
  void moved();  ///< other cycles or rows are to be seen
  void ask();
  void lay_out();
  void redraw() {
    dirty_ = true;
    viewport()->update();
  }
  void render();
  void paint_overview(QPainter& painter);
  void paint_ruler(QPainter& painter);
  void paint_names(QPainter& painter);
  void paint_spans(QPainter& painter);
  void paint_references(QPainter& painter);
  void paint_lane(QPainter& painter, size_t asked, int top, int height);
  void paint_packet_bars(QPainter& painter, size_t asked, int top, int height);
  void paint_depths(QPainter& painter, const TimelineAnswer& answer, const TimelineLaneAnswer::Row& lane, int top,
                    int height);
  void paint_stages(QPainter& painter);
  void paint_hits(QPainter& painter);
  void paint_hit_density(QPainter& painter);  ///< of the whole run, in the strip
  void paint_cause(QPainter& painter);
  int row_of_inlet(unsigned chip, const workbench::Inlet& inlet) const;
  /// For each column of pixels, or run of columns of the same cell: x, width, first cell, the one after the last.
  template <class Do>
  void for_columns(const TimelineAnswer& answer, Do&& what) const {
    const uint64_t begin = answer.question.begin, end = answer.question.end, count = answer.question.cells;
    if (count == 0 || begin >= end) return;
    const auto cell_of = [&](double cycle) {
      auto cell = static_cast<uint64_t>(std::clamp(
          (cycle - static_cast<double>(begin)) * static_cast<double>(count) / static_cast<double>(end - begin), 0.0,
          static_cast<double>(count - 1)));
      while (cell + 1 < count && static_cast<double>(answer.cell_begin(cell + 1)) <= cycle) ++cell;
      return cell;
    };
    for (int x = 0; x < axis_.width();) {
      const double cycle = axis_.exact_cycle_at(x), next = axis_.exact_cycle_at(x + 1);
      if (next <= static_cast<double>(begin) || cycle >= static_cast<double>(end)) {
        ++x;
        continue;
      }
      const uint64_t from = cell_of(std::floor(cycle)), to = std::max(from + 1, cell_of(next));
      int width = 1;
      while (to == from + 1 && x + width < axis_.width() &&
             axis_.exact_cycle_at(x + width + 1) <= static_cast<double>(answer.cell_begin(to)))
        ++width;
      what(kNames + x, width, from, to);
      x += width;
    }
  }
  const TimelinePacket* packet_at(QPoint at) const;
  QString lane_tip(int row, QPoint at) const;
  void paint_overlays(QPainter& painter);
  /// Gives the lines that it needs in this width; paints when there is a painter.
  int paint_legend(QPainter* painter);
  QRect bars() const;
  int row_top(int row) const;
  int row_at(int y) const;  ///< -1: none
  int bar_height(const TimelineRow& row) const;
  const TimelineReference* reference_at(QPoint at) const;
  void show_tip(QPoint at, QPoint global);
  void drag_overview(int x);
  void show_context(int by);
  QString cycle_text(const emulator::Tick tick) const;

  Timeline& timeline_;
  Theme theme_;
  TimelinePixels pixels_;
  TimeAxis axis_;
  bool sized_ = false;  ///< it was seen once, and what has no room then is folded
  bool fitted_ = true;  ///< it shows all, also when the run grows
  bool references_ = true;
  TimelineLabels labels_ = TimelineLabels::labels;
  int row_height_ = 20, legend_height_ = 20;
  QImage image_;
  bool dirty_ = true;
  Work work_;
  Drag drag_ = Drag::none;
  QPoint pressed_;
  uint64_t pressed_cycle_ = 0;
  uint32_t pressed_packet_ = 0;  ///< under the button when it went down; 0: none
  std::optional<QPoint> hover_;
  QString hover_text_;
  std::vector<std::pair<QRect, size_t>> reference_lines_;  ///< as painted
  std::vector<std::pair<QRect, size_t>> packet_bars_;      ///< as painted
  QPolygonF cause_arrow_;
};

QColor hit_colour(Theme theme);
QColor cause_colour(Theme theme);
QColor verdict_colour(emulator::Verdict verdict, Theme theme);
QColor stage_colour(unsigned place, Theme theme);

}  // namespace weft::ide
