// The picture of the coverage view: a bar for each word of the program, its labels along the axis.
#pragma once

#include <QAbstractScrollArea>
#include <QImage>
#include <optional>

#include "models/coverage_model.h"
#include "theme.h"

namespace weft::ide {

enum class CoverageStyle {
  sum,      ///< a bar for a word
  stacked,  ///< parts of contexts on each other
  rows,     ///< a row for each context
  context,  ///< only the cursor's context
};

class CoverageCanvas final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  static constexpr int kCounts = 64, kRight = 10, kStrip = 7, kRuler = 16, kLabelRows = 2, kTop = 20;

  CoverageCanvas(CoverageModel& model, Theme theme, QWidget* parent = nullptr);

  const TimeAxis& axis() const { return axis_; }  ///< of addresses
  void set_theme(Theme theme);
  void set_look(CoverageStyle look);
  CoverageStyle look() const { return look_; }
  void set_scale(CoverageScale scale);
  CoverageScale scale() const { return scale_; }
  /// Up and down against what was kept; only when something was.
  void set_difference(bool on);
  bool difference() const { return difference_ && model_.kept() != nullptr; }
  void zoom(double factor, std::optional<double> x = {});
  void pan(double pixels);
  void fit();
  void show_addresses(double begin, double end);
  std::optional<uint32_t> chosen() const { return chosen_; }
  void choose(std::optional<uint32_t> address, bool reveal = true);
  /// Where the bar of an address stands, for tests and for others who point at it.
  QPoint point_of(uint32_t address) const;
  std::optional<uint32_t> address_at(QPoint at) const;
  QString hover_text() const { return hover_text_; }
  /// What the last frame took.
  struct Work {
    uint64_t bars = 0, parts = 0;
    double milliseconds = 0;
  };
  const Work& work() const { return work_; }

 Q_SIGNALS:
  void chosen_changed();
  void menu_requested(const QPoint& global);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseReleaseEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  QRect plot() const;
  void moved();
  void redraw();
  void render();
  void paint_rows(QPainter& painter);
  void paint_bars(QPainter& painter, const QRect& area, int context, uint64_t max);
  void paint_differences(QPainter& painter);
  void paint_counts(QPainter& painter, const QRect& area, uint64_t max, bool numbers);
  void paint_strip(QPainter& painter, const std::vector<CoverageBar>& bars);
  void paint_ruler(QPainter& painter);
  void paint_marks(QPainter& painter);
  void paint_legend(QPainter& painter);
  int cursor_context() const;  ///< of the chosen microengines; -1: none
  uint64_t max(int context) const;

  CoverageModel& model_;
  Theme theme_;
  TimeAxis axis_;
  CoverageStyle look_ = CoverageStyle::stacked;
  CoverageScale scale_ = CoverageScale::linear;
  bool difference_ = true, fitted_ = true, settling_ = false, dirty_ = true;
  QImage image_;
  Work work_;
  std::optional<uint32_t> chosen_;
  std::optional<QPoint> pressed_;
  int dragged_to_ = -1;  ///< x, while a stretch is dragged out
  bool panning_ = false;
  std::optional<QPoint> hover_;
  QString hover_text_;
};

/// One of eight that can be told from each other, by light as well.
QColor context_colour(unsigned context, Theme theme);

}  // namespace weft::ide
