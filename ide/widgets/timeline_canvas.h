// The picture of the execution history: an overview of the whole run, a ruler, a row for each chip, microengine and context, and the
// references of contexts below their bars.
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
  static constexpr int kNames = 150, kOverview = 26, kRuler = 24, kLegend = 20;

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
    double milliseconds = 0;
  };
  const Work& work() const { return work_; }
  QString hover_text() const { return hover_text_; }
  /// Where things are, for tests and for others who point at them.
  QPoint point_of(int row, uint64_t cycle) const;
  int rows_top() const { return kOverview + kRuler; }
  int row_height() const { return row_height_; }

 Q_SIGNALS:
  void menu_asked(const QPoint& global, quint64 cycle);
  void view_moved();

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
  void moved();   ///< other cycles or rows are to be seen
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
  void paint_overlays(QPainter& painter);
  void paint_legend(QPainter& painter);
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
  bool fitted_ = true;  ///< it shows all, also when the run grows
  bool references_ = true;
  TimelineLabels labels_ = TimelineLabels::labels;
  int row_height_ = 20;
  QImage image_;
  bool dirty_ = true;
  Work work_;
  Drag drag_ = Drag::none;
  QPoint pressed_;
  uint64_t pressed_cycle_ = 0;
  std::optional<QPoint> hover_;
  QString hover_text_;
  std::vector<std::pair<QRect, size_t>> reference_lines_;  ///< as painted
};

}  // namespace weft::ide
