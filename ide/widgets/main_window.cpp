#include "main_window.h"

#include <QAction>
#include <QCloseEvent>
#include <QCoreApplication>
#include <QDockWidget>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QStatusBar>

#include "code_commands.h"
#include "code_editor.h"
#include "layouts.h"
#include "references_view.h"
#include "text_marks.h"
#include "texts.h"

namespace weft::ide {

MainWindow::MainWindow(Theme theme, QWidget* parent) : QMainWindow(parent), theme_(theme) {
  setWindowTitle(tr("Weft"));
  resize(1440, 900);
  setDockNestingEnabled(true);
  texts_ = new Texts(workspace_, theme_);
  setCentralWidget(texts_);
  connect(texts_, &Texts::opened, this, &MainWindow::editor_opened);
  connect(texts_, &Texts::saved, this, [this] { changed_since_build_ = true; });
  connect(texts_, &Texts::message, &workspace_, &Workspace::message);
  marks_ = new TextMarks(workspace_, *texts_, this);
  make_docks();
  commands_ = new CodeCommands(workspace_, *texts_, *findChild<ReferencesView*>());
  commands_->setParent(this);
  connect(commands_, &CodeCommands::message, &workspace_, &Workspace::message);
  connect(commands_, &CodeCommands::references_found, this, [this] { raise_view("references"); });
  make_actions();
  where_ = new QLabel(tr("No project is open: File, Open project"));
  when_ = new QLabel;
  statusBar()->addWidget(where_, 1);
  statusBar()->addPermanentWidget(when_);
  connect(&workspace_, &Workspace::project_changed, this, &MainWindow::attach);
  connect(&workspace_, &Workspace::problems_changed, this, &MainWindow::problems_changed);
  connect(&workspace_, &Workspace::place_asked, this, &MainWindow::show_place);
  connect(&workspace_, &Workspace::file_asked, this, &MainWindow::open_file);
  connect(&workspace_, &Workspace::run_asked, this, [this] { actions_["run"]->trigger(); });
  connect(&workspace_, &Workspace::message, this, [this](const QString& text) { statusBar()->showMessage(text, 10'000); });
  state_changed();
}

MainWindow::~MainWindow() = default;

void MainWindow::make_docks() {
  const auto add = [this](const char* name, const QString& title, QWidget* content, View* view, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QString::fromLatin1(name));
    dock->setAccessibleName(title);
    dock->setWidget(content);
    dock->setProperty("area", static_cast<int>(area));
    views_.emplace_back(dock, view);
  };
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  for (const ViewKind& kind : view_kinds()) {
    View* view = kind.make(workspace_, theme_);
    add(kind.name, QCoreApplication::translate("View", kind.title), view, view, kind.area);
  }
  std::vector<QDockWidget*> docks;
  for (const auto& [dock, view] : views_) docks.push_back(dock);
  layouts_ = std::make_unique<Layouts>(*this, std::move(docks));
  layouts_->reset();
}

void MainWindow::keep() {
  keeps_ = true;
  layouts_->restore();
  const QSettings kept = user_settings();
  if (kept.value(QStringLiteral("window/dark")).toBool()) set_theme(Theme::dark);
  workbench::Observation o = workspace_.observation();
  const auto chosen = [&](const char* name, bool by_default) { return kept.value(QLatin1String("observe/") + QLatin1String(name), by_default).toBool(); };
  o.history = chosen("watch_history", o.history);
  o.coverage = chosen("watch_coverage", o.coverage);
  o.statistics = chosen("watch_statistics", o.statistics);
  o.profile = chosen("watch_profile", o.profile);
  o.packets = chosen("watch_packets", o.packets);
  workspace_.set_observation(o);
}

bool MainWindow::open_project(const QString& path) {
  if (!texts_->may_close()) return false;
  // Texts of the old project are closed before their language is gone.
  opening_ = true;
  const auto opened = workspace_.open(path);
  opening_ = false;
  if (opened) {
    remember_recent(path);
    return true;
  }
  const Diagnostic& why = opened.error().list().front();
  where_->setText(why.range.file ? QStringLiteral("%1:%2: %3").arg(QString::fromStdString(why.range.file->name())).arg(why.range.begin.line).arg(QString::fromStdString(why.text))
                                 : QString::fromStdString(why.text));
  where_->setToolTip(QString::fromStdString(why.remedy));
  return false;
}

void MainWindow::attach() {
  // Another target for the same project, watched for other things, is no reason to close texts.
  const bool opened = opening_ || texts_->all().empty();
  if (opened) texts_->close_all();
  connect(target(), &Target::state_changed, this, &MainWindow::state_changed);
  connect(target(), &Target::view_changed, this, &MainWindow::view_changed);
  connect(target(), &Target::problems_changed, this, [this](const Diagnostics& problems) {
    if (problems.has_errors()) raise_view("problems");
  });
  changed_since_build_ = false;
  const workbench::Project& project = workspace_.project();
  setWindowTitle(tr("%1 – Weft").arg(QString::fromStdString(project.name)));
  if (opened && !project.programs.empty()) open_file(QString::fromStdString(project.programs.front().file.string()));
  problems_changed();
  state_changed();
}

void MainWindow::raise_view(const char* name) {
  for (const auto& [dock, view] : views_)
    if (dock->objectName() == QLatin1String(name)) {
      dock->show();
      dock->raise();
    }
}

CodeEditor* MainWindow::open_file(const QString& path) { return texts_->open(path); }

void MainWindow::editor_opened(CodeEditor* editor) {
  connect(editor, &CodeEditor::breakpoint_toggled, this, [this, editor](int line) { workspace_.toggle_breakpoint(editor->path(), line); });
  connect(editor, &CodeEditor::fix_asked, commands_, &CodeCommands::repair);
  connect(editor, &CodeEditor::value_asked, commands_, [this, editor](const QString& name) { commands_->answer_value(editor, name); });
  marks_->all();
}

void MainWindow::show_place(const QString& path, int line, int column) { texts_->show_place(path, line, column); }

void MainWindow::closeEvent(QCloseEvent* event) {
  event->setAccepted(texts_->may_close());
  if (event->isAccepted() && keeps_) layouts_->save();
}

// A run is of the texts as they stand on the screen: they are saved, and built when something has changed.
void MainWindow::build_and(const std::function<void()>& then) {
  if (target() == nullptr || !texts_->save_all()) return;
  if (target()->state() != Target::State::empty && !changed_since_build_) {
    if (then) then();
    return;
  }
  changed_since_build_ = false;
  after_build_ = then;
  target()->build();
}

void MainWindow::state_changed() {
  using State = Target::State;
  const State state = target() ? target()->state() : State::empty;
  const bool still = state == State::stopped || state == State::ended || state == State::faulted;
  for (const char* name : {"step", "step_line", "step_over", "step_out", "run"}) actions_[name]->setEnabled(target() && (still || state == State::empty));
  for (const char* name : {"step_back", "run_back"}) actions_[name]->setEnabled(still);
  for (const char* name : {"build", "restart"}) actions_[name]->setEnabled(target() && state != State::building);
  actions_["pause"]->setEnabled(state == State::running);
  if (state == State::building) return;
  const auto then = std::exchange(after_build_, {});
  if (then && state == State::stopped) then();
}

ContextId MainWindow::chosen_context() const {
  if (const auto chosen = workspace_.cursor().context()) return *chosen;
  const auto view = target()->view();
  return view && !view->contexts.empty() ? view->contexts.front().id : ContextId();
}

void MainWindow::view_changed() {
  where_->setText(target()->reason());
  where_->setToolTip(QString());
  marks_->contexts();
  const auto view = target()->view();
  if (!view) {
    when_->clear();
    return;
  }
  when_->setText(tr("cycle %L1 · %2 µs · %L3 in · %L4 out · %L5 dropped")
                     .arg(view->cycle).arg(static_cast<double>(view->nanoseconds) / 1000, 0, 'f', 2).arg(view->received).arg(view->transmitted).arg(view->dropped));
  marks_->counts();
}

void MainWindow::problems_changed() {
  const Diagnostics all = workspace_.problems();
  for (const Text& text : texts_->all()) {
    text.editor->set_index(workspace_.language().index_of(text.path), text.path);
    text.editor->set_problems(all, text.path);
  }
  for (const auto& [dock, view] : views_)
    if (dock->objectName() == QStringLiteral("problems")) dock->setWindowTitle(all.empty() ? tr("Problems") : tr("Problems (%1)").arg(all.size()));
}

QWidget* MainWindow::view(const QString& name) const {
  if (name == QStringLiteral("window")) return const_cast<MainWindow*>(this);
  if (name == QStringLiteral("editor")) return texts_->current_editor();
  for (const auto& [dock, view] : views_)
    if (dock->objectName() == name) return dock;
  return nullptr;
}

QStringList MainWindow::view_names() const {
  QStringList names{QStringLiteral("window"), QStringLiteral("editor")};
  for (const auto& [dock, view] : views_) names << dock->objectName();
  return names;
}

QByteArray MainWindow::state_json() const {
  QJsonObject state;
  state["project"] = QString::fromStdString(workspace_.project().name);
  state["reason"] = where_->text();
  state["time"] = when_->text();
  for (const auto& [dock, view] : views_)
    if (view != nullptr) state[dock->objectName()] = view->state();
  QJsonArray texts;
  for (const Text& text : texts_->all()) texts.append(text.path);
  state["texts"] = texts;
  return QJsonDocument(state).toJson();
}

}  // namespace weft::ide
