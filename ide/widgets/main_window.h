// The window: texts in the middle, views in docks around them. It joins what the user does to the target and to the
// texts; what views show they ask themselves.
#pragma once

#include <QElapsedTimer>
#include <QMainWindow>
#include <functional>
#include <map>
#include <memory>
#include <tuple>
#include <vector>

#include "layouts.h"
#include "views.h"

class QDockWidget;
class QLabel;
class QMenu;
class QPushButton;
class QToolBar;

namespace weft::ide {

class CodeCommands;
class CodeEditor;
class CodeFollow;
class Finder;
class FollowCursor;
class HelpWindow;
class RebuildBar;
class TextMarks;
class Texts;
class TourBar;
class WelcomePage;
class Workplace;
struct FinderItem;
struct Text;

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Theme theme, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// A folder with a weft.json, or that file. False when it cannot be read, or the user wants to go on editing.
  bool open_project(const QString& asked);
  Workspace& workspace() { return workspace_; }
  /// The editor of a file, which is opened when it is not yet; null when it cannot be read.
  CodeEditor* open_file(const QString& path);
  void show_place(const QString& path, int line, int column = 1);
  Texts& texts() { return *texts_; }
  /// For --screenshot: "window", "editor", or the name of a view.
  QWidget* view(const QString& name) const;
  QStringList view_names() const;
  /// Of the last open_project() that could not read one.
  const Diagnostics& not_opened() const { return not_opened_; }
  /// Why the machine stands, or what could not be done: as the status bar has it.
  QString reason() const;
  /// What the views show.
  QByteArray state_json() const;
  /// What the user has chosen is taken from the settings now, and kept there from now on: layout, colours, what runs
  /// are watched for.
  void keep();
  /// Breakpoints of the projects that will be opened are those that were kept with them; keep() does so too, and keeps
  /// changes.
  void read_breakpoints() { reads_breakpoints_ = true; }
  Layouts& layouts() { return *layouts_; }
  QAction* action(const QString& name) const { return actions_.at(name); }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void childEvent(QChildEvent* event) override;

 private:
  void make_actions();
  void make_file_menu(QMenu* menu);
  void make_run_menu(QMenu* menu);
  void make_watch_menu(QMenu* menu);
  void make_view_menu(QMenu* menu);
  void make_help_menu(QMenu* menu);
  void show_help(const QString& view);
  void make_welcome();
  void show_recent();
  void begin_tour(int number);
  void make_finder(QMenu* menu);
  void open_finder(const QString& text);
  void go_to_found(const FinderItem& item);
  std::vector<FinderItem> all_to_find();
  void go_to_view(const QString& name);
  QString focused_view() const;
  void edit_focused(const char* what);
  void new_text();
  void new_project();
  void save_text_as();
  QString folder_for_files();
  void add_view(QMenu* menu, QDockWidget* dock);
  QAction* add_action(QMenu* menu, const QString& name, const QString& text, const QKeySequence& key,
                      const std::function<void()>& what, bool in_bar = false);
  void set_theme(Theme theme);
  void make_docks();
  void attach();
  void show_title();
  void raise_view(const char* name);
  using AddAction = std::function<void(const QString& name, const QString& text, const QKeySequence& key,
                                       std::function<void()> what)>;
  void make_edit_menu(const AddAction& add);
  void editor_opened(CodeEditor* editor);
  /// When the user changes a text that is not in the project's folder.
  void warn_of_outside(const Text& text);
  void fill_recent();
  void remember_recent(const QString& path);
  void make_rebuild_bar();
  /// Saves and builds what has changed; `then` is done when it could be built. A machine that has run is not thrown
  /// away by that: it goes on with the text that it was built from, and the bar over the texts asks.
  void build_and(const std::function<void()>& then);
  /// Because the user wants it, whatever the machine has run.
  void rebuild(bool replay);
  bool has_run() const;
  /// The machine is another one than a build would make now.
  bool build_needed() const;
  /// What has changed on the disk since the build and is in no tab.
  void note_disk();
  /// A build of the open texts as they are now is about to be asked for.
  void plan_build();
  void note_text(const Text& text);
  /// Whether lines are others than those of the machine: a text differs, not only a capture or a configuration.
  void update_edited();
  void note_all_texts();
  void show_rebuild_bar();
  void run();
  void run_to(const workbench::Breakpoint& target);
  void run_until();
  void line_menu(const QString& path, int line, const QPoint& at);
  void keep_breakpoints();
  void restore_breakpoints();
  void state_changed();
  void view_changed();
  /// In the status bar: why the machine stands, or how far a long move is.
  void say_where();
  void show_state();
  /// The editor at the instruction at which the machine has stopped.
  void show_stop();
  /// A moment ago a text was typed into, and the keyboard is still there: nothing is to move under the keys.
  bool types_now() const;
  void problems_changed();
  ContextId chosen_context() const;
  Target* target() const { return workspace_.target(); }

  Theme theme_;
  Workspace workspace_;
  std::function<void()> after_build_;
  Diagnostics not_opened_;
  bool opening_ = false;                                      ///< another project, so other texts
  std::tuple<ContextId, uint64_t, QString, int> shown_stop_;  ///< context, cycle, file, line
  std::map<QString, QString> stale_;                          ///< what differs from what runs: path and name
  QElapsedTimer typed_;                                       ///< since the last change of the text with the keyboard
  bool saved_others_ = false;  ///< files were saved of which the last build does not know whether it needs them
  bool going_on_ = false;      ///< with the text that runs; until the next edit
  Target::Sources planned_;    ///< texts as they were when a build was asked for; until it is done

  Texts* texts_ = nullptr;
  CodeCommands* commands_ = nullptr;
  TextMarks* marks_ = nullptr;
  FollowCursor* follow_ = nullptr;
  CodeFollow* code_follow_ = nullptr;
  Workplace* workplace_ = nullptr;
  RebuildBar* rebuild_bar_ = nullptr;
  QPushButton* past_ = nullptr;              ///< shown while the machine stands in the past
  std::vector<workbench::Breakpoint> kept_;  ///< as the project's file has them
  bool understood_ = true;                   ///< that file; another one is not written over
  std::unique_ptr<Layouts> layouts_;
  bool reads_breakpoints_ = false;
  bool keeps_ = false;  ///< the user's settings are read and written
  QToolBar* bar_ = nullptr;
  QMenu* recent_ = nullptr;
  WelcomePage* welcome_ = nullptr;
  TourBar* tour_ = nullptr;
  Finder* finder_ = nullptr;
  HelpWindow* help_ = nullptr;  ///< once it was asked for
  QLabel *state_ = nullptr, *where_ = nullptr, *when_ = nullptr;
  std::map<QString, QAction*> actions_;
  std::vector<std::pair<QDockWidget*, View*>> views_;
};

}  // namespace weft::ide
