// What views share: the project, its target, what the assembler knows of its texts, and the cursor. It has no window; a
// view gets it when it is made, asks the target what it shows, and asks by signals for what only the window can do.
#pragma once

#include <QObject>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "cursor.h"
#include "language.h"
#include "session_target.h"

namespace weft::ide {

class Workspace final : public QObject {
  Q_OBJECT

 public:
  explicit Workspace(QObject* parent = nullptr);
  ~Workspace() override;

  /// A folder with a weft.json, that file, or a recording (docs/recordings.md). Views get project_changed(); the target
  /// begins to build. Diagnostics: those of projects and recordings.
  Result<bool> open(const QString& path);
  /// Null: the project is one that can be changed. Sources of a recording are copies, and go away with it.
  const workbench::Recording* recording() const { return recording_.get(); }

  const workbench::Project& project() const { return project_; }
  const QString& path() const { return path_; }
  /// How its files are named.
  const FileNames& names() const { return names_; }
  Target* target() const { return target_.get(); }  ///< null: no project
  Language& language() { return language_; }
  Cursor& cursor() { return cursor_; }
  const Cursor& cursor() const { return cursor_; }

  /// What the next build is watched for: history, coverage ... A build is needed when it changes.
  const workbench::Observation& observation() const {
    return recording_ ? recording_->info().observation : debugged_ ? case_observation_ : observation_;
  }
  /// A recording shows what was recorded: then this counts for what is opened after it, and the user is told.
  void set_observation(const workbench::Observation& observation);
  /// Calls `then` when another project is open, and whenever the state of its machine changes.
  void on_state(QObject* who, const std::function<void()>& then) const;
  /// This part too.
  void observe_too(bool workbench::Observation::*part);
  /// The machine of a test case instead of the project's, watched with history and packets; none: the project's again.
  void debug_case(std::optional<workbench::TestPlan::Item> item);
  const std::optional<workbench::TestPlan::Item>& debugged_case() const { return debugged_; }

  /// Where the next build leaves moments to go back to. A build is needed when they change; a recording has its own.
  const Checkpoints& checkpoints() const { return checkpoints_; }
  void set_checkpoints(const Checkpoints& checkpoints);

  /// All of the user's breakpoints, as the target knows them. Changes go to the target.
  const std::vector<workbench::Breakpoint>& breakpoints() const { return breakpoints_; }
  void set_breakpoints(std::vector<workbench::Breakpoint> all);
  /// Texts of the programs differ from what runs: their lines are others than those of the machine.
  void set_edited(bool edited) { edited_ = edited; }
  /// Which line that of a breakpoint was in the text that was built; 0: it is newer. Without it every line is what it
  /// was.
  using BuiltLine = std::function<int(const workbench::Breakpoint& at)>;
  void set_built_line(BuiltLine built_line) { built_line_ = std::move(built_line); }
  /// Where a line of the text that was built is now; 0: it is gone. Without it every line is where it was.
  using LineNow = std::function<int(const QString& path, int line)>;
  void set_line_now(LineNow line_now) { line_now_ = std::move(line_now); }
  int line_now(const QString& path, int line) const { return line_now_ ? line_now_(path, line) : line; }
  /// Shows a line as the machine names it: where it is in the text now.
  void request_built_place(const QString& path, int line);
  /// The breakpoint where the program that runs has it. Nothing: its line is newer.
  std::optional<workbench::Breakpoint> in_built_text(workbench::Breakpoint b) const;
  void add_breakpoint(workbench::Breakpoint added);
  /// By their place in breakpoints(); nothing happens when there is none.
  void change_breakpoint(size_t which, workbench::Breakpoint changed);
  void remove_breakpoint(size_t which);
  /// Expressions that are looked at whenever the machine stands (docs/debugging.md).
  const QStringList& watches() const { return watches_; }
  void set_watches(const QStringList& watches);
  /// Nothing happens when it is there already.
  void add_watch(const QString& expression);
  /// As they will be after the next build: lines of texts that are edited.
  void plan_breakpoints(std::vector<workbench::Breakpoint> all);
  /// A file as places of breakpoints name it: with its folder in front when another text of the programs has the same
  /// name.
  QString short_name(const QString& path) const;
  /// At a line of a file: sets one, or takes it away.
  void toggle_breakpoint(const QString& path, int line);

  /// What the assembler, the build and refused requests say, each problem once.
  Diagnostics problems() const;
  /// Of the last build: its texts are others now.
  void forget_build_problems();

 Q_SIGNALS:
  void project_changed();                                      ///< target() is another one
  void project_read_again();                                   ///< weft.json is another one, target() the same
  void wrong_found(const weft::workbench::WrongPlace& wrong);  ///< of a test case that is debugged
  void breakpoints_changed();
  void problems_changed();
  void place_requested(const QString& path, int line, int column);               ///< show it: a line of the text
  void file_requested(const QString& path);                                      ///< open it, where it was left
  void memory_requested(unsigned chip, const QString& memory, quint64 address);  ///< show it in a view of memory
  void origin_requested(const weft::workbench::Holder& what);                    ///< who wrote this, who reads it next
  void trail_changed(const QList<std::pair<quint64, QString>>& places);  ///< what was found of it: cycles and names
  void watches_changed();
  void run_requested();                                             ///< build what has changed, then run
  void run_to_requested(const weft::workbench::Breakpoint& where);  ///< the same, to the first stop there
  void message(const QString& text);                                ///< one line for the user
  void warned(const QString& text);                                 ///< the same, and the log keeps it

 private:
  void make_target();
  void take_build();
  void read_project();
  bool is_overtaken(const SourceFile& file) const;
  void note_overtaken();

  QString path_;
  FileNames names_;
  workbench::Project project_;
  std::shared_ptr<const workbench::Recording> recording_;  ///< the target's thread reads it too
  workbench::Observation observation_, case_observation_;
  std::optional<workbench::TestPlan::Item> debugged_;
  Checkpoints checkpoints_;
  Language language_;
  BuiltFiles built_;  ///< of the last build; none: it has failed
  bool building_ = false, opened_now_ = false;
  Cursor cursor_;
  std::vector<workbench::Breakpoint> breakpoints_;
  Diagnostics target_problems_, breakpoint_problems_;
  /// Files of target_problems_: whether the index has another text of them. Found out once for each index.
  std::map<const SourceFile*, bool> overtaken_;
  bool edited_ = false;
  BuiltLine built_line_;
  LineNow line_now_;
  QStringList watches_;
  std::unique_ptr<SessionTarget> target_;
};

}  // namespace weft::ide
