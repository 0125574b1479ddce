// The picture of a flame graph, the whole at the top: a bar for each microengine, program, block, macro and line, as
// wide as the cycles in it.
#pragma once

#include <QAbstractScrollArea>
#include <memory>
#include <vector>

#include "theme.h"
#include "weft/workbench/flame.h"

namespace weft::ide {

class FlameCanvas final : public QAbstractScrollArea {
  Q_OBJECT

 public:
  static constexpr int kRow = 20;

  explicit FlameCanvas(Theme theme, QWidget* parent = nullptr);
  /// What was shown large stays so while it has its name.
  void show_tree(std::shared_ptr<const workbench::FlameNode> root, const workbench::FlameOptions& options);
  void set_theme(Theme theme);
  /// Bars whose names hold it are marked; empty: none.
  void mark(const QString& text);
  const workbench::FlameNode* chosen() const { return chosen_; }
  /// From the whole to the node, names by names.
  QString path_of(const workbench::FlameNode& node) const;
  void zoom_to(const workbench::FlameNode* node);  ///< null: all
  void zoom_out();
  bool zoomed() const { return !zoomed_.empty(); }
  QString text_of(const workbench::FlameNode& node) const;
  /// Where a bar is, for tests; empty: too small to be seen.
  QRect rect_of(const QString& name) const;
  double frame_milliseconds() const { return milliseconds_; }
  static QColor colour_of(workbench::FlameNode::Kind kind, size_t number, Theme theme);

 Q_SIGNALS:
  void chosen_changed();
  void activated(const weft::workbench::FlameNode* node);  ///< show its place
  void menu_requested(const QPoint& global);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool viewportEvent(QEvent* event) override;
  void scrollContentsBy(int dx, int dy) override;

 private:
  struct Bar {
    QRectF where;  ///< without scrolling
    const workbench::FlameNode* node = nullptr;
    const workbench::FlameNode* parent = nullptr;
    bool around = false;  ///< it holds what is shown large
  };
  void lay_out();
  void add(const workbench::FlameNode& node, const workbench::FlameNode* parent, double left, double width, int depth);
  const Bar* bar_at(QPoint at) const;
  const Bar* bar_of(const workbench::FlameNode* node) const;
  void choose(const workbench::FlameNode* node);
  std::vector<const workbench::FlameNode*> way_to(const std::vector<std::string>& names) const;
  std::vector<std::string> names_to(const workbench::FlameNode* node) const;

  Theme theme_;
  std::shared_ptr<const workbench::FlameNode> root_;
  workbench::FlameOptions options_;
  std::vector<std::string> zoomed_;  ///< names from below the whole to what is shown large
  const workbench::FlameNode* chosen_ = nullptr;
  QString marked_;
  std::vector<Bar> bars_;
  double milliseconds_ = 0;
};

}  // namespace weft::ide
