// The window: texts in the middle, views in docks around them. It joins what the user does to the target and to the texts; what views
// show they ask themselves.
#pragma once

#include <QMainWindow>
#include <map>
#include <memory>
#include <vector>

#include "models/contexts_model.h"
#include "models/language.h"
#include "models/problems_model.h"
#include "models/registers_model.h"
#include "models/session_target.h"
#include "theme.h"

class QLabel;
class QPlainTextEdit;
class QTabWidget;
class QTableView;
class QTreeWidget;

namespace weft::ide {

class CodeEditor;

class MainWindow final : public QMainWindow {
  Q_OBJECT

 public:
  explicit MainWindow(Theme theme, QWidget* parent = nullptr);
  ~MainWindow() override;

  /// A folder with a weft.json, or that file. False when it cannot be read; the problems say why.
  bool open_project(const QString& path);
  Target* target() const { return target_.get(); }
  /// The editor of a file, which is opened when it is not yet; null when it cannot be read.
  CodeEditor* open_file(const QString& path);
  void show_place(const QString& path, int line, int column = 1);
  /// Names of views for --screenshot: "window", or the object name of a dock.
  QWidget* view(const QString& name) const;
  QStringList view_names() const;
  /// What the views show, for tests.
  QByteArray state_json() const;

 protected:
  void closeEvent(QCloseEvent* event) override;

 private:
  struct Text {
    QString path;
    CodeEditor* editor = nullptr;
  };
  void make_actions();
  void make_docks();
  QDockWidget* add_dock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area);
  void project_is_open();
  void fill_tree();
  bool save(Text& text);
  bool save_all();
  /// False: the user wants to go on editing.
  bool may_close();
  void build_and(const std::function<void()>& then);
  void state_changed();
  void view_changed();
  void problems_changed();
  void text_changed(CodeEditor* editor);
  void toggle_breakpoint(const QString& path, int line);
  void mark_editors();
  void fetch_counts();
  ContextId chosen_context() const;
  Text* current_text();

  Theme theme_;
  QString project_path_;
  workbench::Project project_;
  std::unique_ptr<Language> language_;
  std::unique_ptr<SessionTarget> target_;
  std::unique_ptr<ContextsModel> contexts_;
  std::unique_ptr<RegistersModel> registers_;
  ProblemsModel* problems_ = nullptr;
  Diagnostics build_problems_;
  std::vector<workbench::Breakpoint> breakpoints_;
  std::vector<Text> texts_;
  std::function<void()> after_build_;
  bool built_texts_changed_ = false;  ///< a text was saved since the last build

  QTabWidget* tabs_ = nullptr;
  QTreeWidget* tree_ = nullptr;
  QTableView *contexts_view_ = nullptr, *registers_view_ = nullptr, *problems_view_ = nullptr;
  QPlainTextEdit* log_ = nullptr;
  QLabel *where_ = nullptr, *when_ = nullptr;
  std::map<QString, QAction*> actions_;
  std::vector<QDockWidget*> docks_;
};

}  // namespace weft::ide
