// A text of microcode: colours and problems from the assembler, and a margin with line numbers, breakpoints, the places where contexts
// stand, and how often each line was executed.
#pragma once

#include <QPlainTextEdit>
#include <map>
#include <memory>
#include <set>

#include "theme.h"
#include "weft/assembler/index.h"

namespace weft::ide {

class CodeEditor final : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit CodeEditor(Theme theme, QWidget* parent = nullptr);

  /// What the program that the text belongs to says of it; null: nothing is known.
  void set_index(std::shared_ptr<const assembler::Index> index, const QString& path);
  void set_problems(const Diagnostics& problems, const QString& path);
  void set_breakpoints(std::set<int> enabled, std::set<int> disabled);
  /// Contexts by the line at which they stand ("me2.3, me2.5"), and the line of the one that the run stopped at (0: none).
  void set_contexts(std::map<int, QString> lines, int stopped);
  void set_counts(std::map<int, uint64_t> counts);
  void set_theme(Theme theme);

  int current_line_number() const { return textCursor().blockNumber() + 1; }
  void go_to(int line, int column = 1);
  /// The problem under a position in the text; null: none.
  const Diagnostic* problem_at(int line, int column) const;

 Q_SIGNALS:
  void breakpoint_toggled(int line);
  void run_to_asked(int line);

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;

 private:
  class Margin;
  friend class Margin;
  int margin_width() const;
  void place_margin();
  void paint_margin(QPaintEvent* event);
  void margin_pressed(QMouseEvent* event);
  void colour_text();
  void mark_lines();
  QString tip_at(const QPoint& at) const;

  Theme theme_;
  Margin* margin_;
  QString path_;
  std::shared_ptr<const assembler::Index> index_;
  Diagnostics problems_;
  std::set<int> enabled_, disabled_;
  std::map<int, QString> contexts_;
  int stopped_ = 0;
  std::map<int, uint64_t> counts_;
  uint64_t most_ = 0;
};

}  // namespace weft::ide
