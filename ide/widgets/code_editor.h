// A text of microcode: colours (code_colours.h), problems and folds (code_folds.h) from the assembler, and a margin
// (code_gutter.h). What helps while typing is CodeAssist.
#pragma once

#include <QPlainTextEdit>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "code_folds.h"
#include "code_gutter.h"
#include "code_panels.h"
#include "models/brackets.h"
#include "models/line_map.h"
#include "models/text_edit.h"
#include "theme.h"
#include "weft/assembler/index.h"

namespace weft::ide {

class CodeAssist;

class CodeEditor final : public QPlainTextEdit {
  Q_OBJECT

 public:
  explicit CodeEditor(Theme theme, QWidget* parent = nullptr);
  ~CodeEditor() override;

  /// What the program that the text belongs to says of it; null: nothing is known.
  void set_index(std::shared_ptr<const assembler::Index> index, const QString& path);
  void set_problems(const Diagnostics& problems, const QString& path);
  void set_breakpoints(std::map<int, BreakpointMark> marks) { gutter_->set_breakpoints(std::move(marks)); }
  /// Contexts by the line at which they stand, and the line of the one that the run stopped at, or that is looked at
  /// (0: none).
  void set_contexts(std::map<int, ContextMark> lines, int stopped);
  void set_coverage(std::map<int, LineCoverage> lines,
                    const std::optional<workbench::CycleRange>& range = std::nullopt) {
    gutter_->set_coverage(std::move(lines), range);
  }
  void set_theme(Theme theme);
  void set_font_size(int points);
  /// Found stretches: first character and number of characters. `chosen` is shown in another colour; -1: none.
  void set_matches(std::vector<std::pair<int, int>> matches, int chosen);

  /// After the ends of lines, in a quiet colour; nothing of the text.
  void set_line_notes(std::map<int, QString> notes);
  const std::map<int, QString>& line_notes() const { return line_notes_; }

  /// The text is the one that was built: what the machine says of its lines stays with them from now on.
  void take_built_lines();
  /// The text as it is now is being built; it may be typed over until that is done.
  void plan_built_lines();
  /// What was planned then was built.
  void take_planned_lines();
  /// The line of the built text that this one was; 0: it is new. And where a line of the built text is now; 0: it is
  /// gone.
  int built_line(int now) const { return built_.then(now); }
  int line_of_built(int then) const { return built_.now(then); }
  /// Of all lines, for when the same text is opened again.
  const LineMap& built_lines() const { return built_; }
  void set_built_lines(LineMap lines) { built_ = std::move(lines); }
  /// First lines of what is folded.
  std::vector<int> folded_lines() const;

  const QString& path() const { return path_; }
  /// As it is; QPlainTextEdit's own makes blanks of no-break spaces.
  QString toPlainText() const;
  CodeAssist& assist() { return *assist_; }
  CodeGutter& gutter() { return *gutter_; }
  /// Widgets below lines.
  CodePanels& panels() { return *panels_; }
  const CodePanels& panels() const { return *panels_; }
  /// Lines that reach into these pixels of the viewport, from the top.
  std::vector<VisibleLine> visible_lines(int top, int bottom) const;
  int line_at(int y) const;
  bool has_panel(int line) const { return panels_->at(line) != nullptr; }
  /// Where the assembler's file of this text is in its index; nothing when it is not known.
  std::optional<uint32_t> index_file() const;
  const assembler::Index* index() const { return index_.get(); }
  /// The index is of the text as it stands now, not of one that was typed over.
  bool is_current() const;
  Position position() const { return position_of(textCursor().position()); }
  Position position_of(int character) const;
  /// The other way; the end of the line, or of the text, where there is no such column.
  int character_at(Position position) const;
  /// The whole text becomes another in one step that can be undone; lines that stay the same are not touched.
  void replace_all(const QString& text);

  /// Hides what is inside, or shows it again. Nothing happens when no fold begins at the line.
  void toggle_fold(int line);
  void fold_all(bool folded);
  /// The innermost fold around the line; 0: none.
  int fold_around(int line) const { return folds_.around(line); }
  bool is_folded(int line) const { return folds_.is_folded(line); }
  bool can_fold(int line) const { return folds_.begins_at(line); }

  int current_line_number() const { return textCursor().blockNumber() + 1; }
  void go_to(int line, int column = 1);
  /// From the bracket at the cursor to its partner.
  void go_to_bracket();
  /// The problem under a position in the text; null: none.
  const Diagnostic* problem_at(int line, int column) const;

 Q_SIGNALS:
  void breakpoint_toggled(int line);
  void margin_menu_requested(int line, const QPoint& global);
  void run_to_requested(int line);
  void fix_requested(int line);
  void indexed();  ///< a new index has come, of this text as it stands
  /// The pointer rests on a register; show_value() adds what is answered to the tip.
  void value_requested(const QString& name);
  void font_size_changed(int points);

 public:
  void show_value(const QString& name, const QString& value);
  /// Problems of a line that the assembler can repair.
  std::vector<const Diagnostic*> repairable(int line) const;

 protected:
  void resizeEvent(QResizeEvent* event) override;
  bool event(QEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;
  void focusOutEvent(QFocusEvent* event) override;
  void paintEvent(QPaintEvent* event) override;

 private:
  QTextDocument* take_layout();
  void note_lines(int position);
  void place_gutter();
  void colour();
  std::optional<BracketPair> bracket() const;
  void mark_lines();
  QString tip_at(const QPoint& at);
  void take_folds();
  void show_folds();
  void leave_folds();

  Theme theme_;
  CodeGutter* gutter_;
  CodePanels* panels_;
  QString path_;
  std::shared_ptr<const assembler::Index> index_;
  Diagnostics problems_;
  CodeFolds folds_;
  std::map<int, QString> line_notes_;
  LineMap built_, planned_;
  int lines_ = 1;  ///< of the text, before the edit that is told next
  std::unique_ptr<CodeAssist> assist_;
  mutable bool stale_ = false;  ///< typed since the index came
  bool coloured_ = false;       ///< by that index; typing has moved colours since
  std::vector<std::pair<int, int>> matches_;
  int chosen_match_ = -1;
  QString tip_, tip_name_;  ///< the last tip, and the register that it is of
  QPoint tip_place_;
};

}  // namespace weft::ide
