// The margin of an editor: line numbers, breakpoints, places where contexts stand, what can be repaired or folded, and
// how often each line was executed. The editor tells which lines are on the screen; what stands in the columns is the
// margin's own.
#pragma once

#include <QString>
#include <QWidget>
#include <cstdint>
#include <map>
#include <optional>
#include <set>

#include "breakpoint_mark.h"
#include "context_mark.h"
#include "heat_cell.h"

namespace weft::ide {

class CodeEditor;

/// A line of the text on the screen: numbers from 1, pixels of the viewport.
struct VisibleLine {
  int line = 0, top = 0, height = 0;
};

class CodeGutter final : public QWidget {
  Q_OBJECT

 public:
  CodeGutter(CodeEditor& editor, Theme theme);

  void set_breakpoints(std::map<int, BreakpointMark> marks);
  /// Contexts by the line at which they stand, and the line of the one that the run stopped at (0: none).
  void set_contexts(std::map<int, ContextMark> lines, int stopped);
  /// Executions and branches by line; empty: none were counted, and there is no column for them.
  /// `range`: that they are of; none: the run, or tests.
  void set_coverage(std::map<int, LineCoverage> lines, const std::optional<workbench::CycleRange>& range);
  /// Lines that something can be folded at, so that there is a column for it.
  void set_foldable(bool some);
  /// Lines that stand for more instructions than are written there.
  void set_generated(std::set<int> lines);
  void set_theme(Theme theme);
  int stopped_line() const { return stopped_; }
  /// Null: no context stands there.
  const ContextMark* contexts_at(int line) const;
  // Lines of the text as it stands; what set_...() gets is of the text that was built (CodeEditor::built_line).
  bool has_generated(int line) const;
  /// How often the line was executed; nothing: it makes no instruction, or nobody has counted.
  std::optional<uint64_t> executed(int line) const;
  int generated_left() const;  ///< pixels, of the column of their marks
  /// Pixels that the columns take together, for a text of so many lines.
  int wanted_width() const;

 Q_SIGNALS:
  void width_changed();  ///< wanted_width() is another one
  void breakpoint_requested(int line);
  void menu_requested(int line, const QPoint& global);
  void fold_requested(int line);
  void fix_requested(int line);
  void generated_requested(int line);

 protected:
  void paintEvent(QPaintEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void contextMenuEvent(QContextMenuEvent* event) override;
  bool event(QEvent* event) override;

 private:
  int numbers_width() const;
  int fold_width() const;
  int generated_width() const;
  int heat_width() const;
  bool has_lamp(int line) const;
  void paint_breakpoint(QPainter& painter, const VisibleLine& at) const;
  void paint_state(QPainter& painter, const VisibleLine& at, int left) const;
  void paint_fold(QPainter& painter, const VisibleLine& at, int left) const;
  void paint_generated(QPainter& painter, const VisibleLine& at, int left) const;
  void paint_heat(QPainter& painter, const VisibleLine& at, int left) const;
  QString tip_of(int line) const;

  CodeEditor& editor_;
  Theme theme_;
  std::map<int, BreakpointMark> breakpoints_;
  std::map<int, ContextMark> contexts_;
  int stopped_ = 0;
  std::map<int, LineCoverage> coverage_;
  std::optional<workbench::CycleRange> coverage_range_;
  uint64_t max_ = 0;
  bool branches_ = false;
  bool foldable_ = false;
  std::set<int> generated_;
};

}  // namespace weft::ide
