// The instructions under a line of a text, in a table that can be used by keys: breakpoints on one instruction, where
// it is written, and which one a step executes next. It asks the target anew whenever the machine has moved.
#pragma once

#include <QFrame>
#include <vector>

#include "models/generated_model.h"
#include "models/refresh_request.h"
#include "models/workspace.h"

class QComboBox;
class QLabel;
class QTableView;

namespace weft::ide {

class GeneratedPanel final : public QFrame {
  Q_OBJECT

 public:
  /// `line` as the last build has it.
  GeneratedPanel(Workspace& workspace, const QString& path, int line);

  /// Another build: the line is another one now.
  void set_line(int line);
  void set_stale(bool stale);  ///< the text was changed since it was built
  int wanted_height() const;
  const GeneratedModel& model() const { return model_; }
  QTableView* table() const { return table_; }
  void take_focus();

 Q_SIGNALS:
  void height_changed();
  void close_requested();
  void leave_requested();  ///< Esc: back to the text

 protected:
  bool eventFilter(QObject* watched, QEvent* event) override;
  void changeEvent(QEvent* event) override;

 private:
  /// Microengines that run one Image.
  struct Program {
    unsigned chip = 0;
    std::vector<unsigned> engines;
    QString name;
  };
  struct Answer {
    std::vector<Program> programs;
    size_t chosen = 0;
    std::vector<GeneratedRow> rows;
    unsigned word_bytes = 5;
  };
  static Answer answer(const Inspector& machine, const std::string& path, uint32_t line,
                       std::optional<workbench::ContextId> wanted);
  void attach();
  void ask();
  void take(const Answer& answer);
  void mark();
  void paint_next();
  void say();
  void show_source(const QModelIndex& index);
  void toggle_breakpoint();
  const Program* program() const { return chosen_ < programs_.size() ? &programs_[chosen_] : nullptr; }

  Workspace& workspace_;
  const QString path_;
  int line_;
  RefreshRequest request_;
  bool stale_ = false;
  GeneratedModel model_;
  QLabel* what_;
  QComboBox* choice_;
  QTableView* table_;
  std::vector<Program> programs_;
  size_t chosen_ = 0;
  std::optional<workbench::ContextId> pinned_;  ///< somebody chose a program
};

}  // namespace weft::ide
