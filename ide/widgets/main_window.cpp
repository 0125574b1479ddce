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
#include <QPushButton>
#include <QStatusBar>
#include <QTabBar>
#include <QTextDocument>
#include <algorithm>

#include "code_commands.h"
#include "code_editor.h"
#include "code_follow.h"
#include "layouts.h"
#include "line_values.h"
#include "models/breakpoint_store.h"
#include "models/count_text.h"
#include "models/follow_cursor.h"
#include "outline_view.h"
#include "rebuild_bar.h"
#include "references_view.h"
#include "tests_view.h"
#include "text_marks.h"
#include "texts.h"
#include "value_menu.h"
#include "workplace.h"

namespace weft::ide {

namespace {

constexpr int kTypingPause = 2000;  // ms; longer than people think between two words
// Property of an editor: its text is not in the project's folder, and the user has not changed it yet.
constexpr const char* kOutside = "outside";

bool is_below(const QString& file, const QString& folder) {
  return QFileInfo(file).canonicalFilePath().startsWith(QFileInfo(folder).canonicalFilePath() + QLatin1Char('/'));
}

}  // namespace

MainWindow::MainWindow(Theme theme, QWidget* parent) : QMainWindow(parent), theme_(theme) {
  setWindowTitle(tr("Weft"));
  resize(1440, 900);
  setDockNestingEnabled(true);
  texts_ = new Texts(workspace_, theme_);
  setCentralWidget(texts_);
  connect(texts_, &Texts::opened, this, &MainWindow::editor_opened);
  connect(texts_, &Texts::message, &workspace_, &Workspace::message);
  connect(texts_, &Texts::edited, this, &MainWindow::warn_of_outside);
  connect(texts_, &Texts::read_again, this, [this] { typed_.invalidate(); });
  marks_ = new TextMarks(workspace_, *texts_, this);
  connect(texts_, &Texts::current_changed, this, [this] {
    if (auto* outline = findChild<OutlineView*>()) outline->set_editor(texts_->current_editor());
  });
  follow_ = new FollowCursor(workspace_, this);
  new LineValues(workspace_, *texts_, this);
  code_follow_ = new CodeFollow(workspace_, *texts_, *follow_, this);
  code_follow_->keep_still_while([this] { return types_now(); });
  workplace_ = new Workplace(workspace_, *texts_, this);
  make_rebuild_bar();
  for (const auto answer :
       {&RebuildBar::replay_requested, &RebuildBar::rebuild_requested, &RebuildBar::go_on_requested})
    connect(rebuild_bar_, answer, this, [this] { typed_.invalidate(); });
  make_docks();
  if (auto* tests = findChild<TestsView*>())
    connect(tests, &TestsView::coverage_changed, this,
            [this, tests](bool shown) { marks_->show_tests(shown ? &tests->model().coverage() : nullptr); });
  commands_ = new CodeCommands(workspace_, *texts_, *findChild<ReferencesView*>());
  commands_->setParent(this);
  connect(commands_, &CodeCommands::message, &workspace_, &Workspace::message);
  connect(commands_, &CodeCommands::references_found, this, [this] { raise_view("references"); });
  make_actions();
  make_welcome();
  where_ = new QLabel(tr("No project is open: File, Open..."));
  when_ = new QLabel;
  past_ = new QPushButton;
  past_->setObjectName(QStringLiteral("past"));
  past_->setFlat(true);
  past_->setAccessibleName(tr("Back to the present"));
  past_->hide();
  connect(past_, &QPushButton::clicked, this, [this] { actions_["present"]->trigger(); });
  state_ = new QLabel;
  state_->setObjectName(QStringLiteral("run_state"));
  state_->setAccessibleName(tr("State of the machine"));
  statusBar()->addWidget(where_, 1);
  statusBar()->addPermanentWidget(state_);  // a message for some seconds does not cover it
  statusBar()->addPermanentWidget(past_);
  statusBar()->addPermanentWidget(when_);
  connect(&workspace_, &Workspace::project_changed, this, &MainWindow::attach);
  connect(&workspace_, &Workspace::problems_changed, this, &MainWindow::problems_changed);
  connect(&workspace_, &Workspace::place_requested, this, &MainWindow::show_place);
  connect(&workspace_, &Workspace::file_requested, this, &MainWindow::open_file);
  connect(&workspace_, &Workspace::run_requested, this, [this] { actions_["run"]->trigger(); });
  for (const auto said : {&Workspace::message, &Workspace::warned})
    connect(&workspace_, said, this, [this](const QString& text) {
      statusBar()->showMessage(counts_with_separators(workspace_.names().shortened(text)), 10'000);
    });
  connect(&workspace_, &Workspace::run_to_requested, this, &MainWindow::run_to);
  state_changed();
  colour_tool_bars(*this, theme_);
}

// Views are told that they are hidden while what they look at is still there.
MainWindow::~MainWindow() { hide(); }

void MainWindow::make_docks() {
  const auto add = [this](const char* name, const QString& title, QWidget* content, View* view,
                          Qt::DockWidgetArea area) {
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
  keeps_ = reads_breakpoints_ = true;
  workplace_->keep();
  connect(&workspace_, &Workspace::breakpoints_changed, this, &MainWindow::keep_breakpoints);
  layouts_->restore();
  const QSettings kept = user_settings();
  if (kept.value(QStringLiteral("window/dark")).toBool()) set_theme(Theme::dark);
  workbench::Observation o = workspace_.observation();
  const auto chosen = [&](const char* name, bool by_default) {
    return kept.value(QLatin1String("observe/") + QLatin1String(name), by_default).toBool();
  };
  o.history = chosen("watch_history", o.history);
  o.coverage = chosen("watch_coverage", o.coverage);
  o.statistics = chosen("watch_statistics", o.statistics);
  o.profile = chosen("watch_profile", o.profile);
  o.packets = chosen("watch_packets", o.packets);
  workspace_.set_observation(o);
  Checkpoints checkpoints = workspace_.checkpoints();
  checkpoints.cycles = std::max<uint64_t>(
      kept.value(QStringLiteral("observe/checkpoint_cycles"), qulonglong{checkpoints.cycles}).toULongLong(),
      kMinCheckpointCycles);
  checkpoints.max = std::max<size_t>(
      kept.value(QStringLiteral("observe/checkpoints"), qulonglong{checkpoints.max}).toULongLong(), kMinCheckpoints);
  workspace_.set_checkpoints(checkpoints);
  if (!kept.value(QStringLiteral("window/line_values"), true).toBool()) actions_.at("line_values")->trigger();
  follow_->set_on(kept.value(QStringLiteral("window/follow"), true).toBool());
  actions_.at("follow")->setChecked(follow_->on());
  code_follow_->set_on(kept.value(QStringLiteral("window/text_follows"), true).toBool());
  actions_.at("text_follows")->setChecked(code_follow_->on());
}

// What hits say is not kept, so that a run writes nothing.
void MainWindow::keep_breakpoints() {
  if (opening_ || !workspace_.target() || workspace_.recording()) return;
  auto now = workspace_.breakpoints();
  for (workbench::Breakpoint& b : now) {
    b.id = 0;
    b.hits = 0;
    b.words.clear();
    b.chips.clear();
    b.problem.clear();
  }
  if (now == kept_) return;
  kept_ = std::move(now);
  if (!understood_)
    return Q_EMIT workspace_.message(
        tr("The breakpoints are not kept: .weft/ide.json cannot be understood, and is left as it is"));
  const QString why = BreakpointStore(QString::fromStdString(workspace_.project().folder.string())).save(kept_);
  if (!why.isEmpty()) Q_EMIT workspace_.message(tr("The breakpoints are not kept: %1").arg(why));
}

void MainWindow::restore_breakpoints() {
  kept_.clear();
  understood_ = true;
  if (workspace_.recording()) return;
  auto known = BreakpointStore(QString::fromStdString(workspace_.project().folder.string())).load();
  if (!known) {
    understood_ = false;
    const Diagnostic& why = known.error().list().front();
    Q_EMIT workspace_.warned(QString::fromStdString(why.text + "; " + why.remedy));
    return;
  }
  kept_ = *known;
  if (!known->empty()) workspace_.set_breakpoints(std::move(*known));
}

bool MainWindow::open_project(const QString& asked) {
  if (!texts_->may_close()) return false;
  workplace_->save();
  const QString path =
      QFileInfo(asked).absoluteFilePath();  // texts, indices and places then name files in the same way
  // Texts of the old project are closed before their language is gone.
  opening_ = true;
  const auto opened = workspace_.open(path);
  opening_ = false;
  if (opened) {
    remember_recent(path);
    if (reads_breakpoints_) restore_breakpoints();
    return true;
  }
  not_opened_ = opened.error();
  const Diagnostic& why = not_opened_.list().front();
  QString place = why.range.file ? QString::fromStdString(why.range.file->name()) : QString();
  if (why.range.begin.line > 0) place += QStringLiteral(":%1").arg(why.range.begin.line);
  where_->setText((place.isEmpty() ? QString() : place + QStringLiteral(": ")) + QString::fromStdString(why.text) +
                  (why.remedy.empty() ? QString() : QStringLiteral("; ") + QString::fromStdString(why.remedy)));
  where_->setToolTip(QString::fromStdString(why.remedy));
  return false;
}

void MainWindow::attach() {
  // Another target for the same project, watched for other things, is no reason to close texts.
  const bool opened = opening_ || texts_->all().empty();
  if (opened) texts_->close_all();
  connect(target(), &Target::state_changed, this, &MainWindow::state_changed);
  connect(target(), &Target::view_changed, this, &MainWindow::view_changed);
  connect(target(), &Target::moving_changed, this, [this] {
    say_where();
    state_changed();
  });
  const auto say = [this](const Diagnostics& problems) {
    if (!problems.has_errors()) return;
    // What was refused is said where the user looks; a build has more to say. Breakpoints that are nowhere say so
    // themselves, in their view.
    const Diagnostic& why = problems.list().front();
    const bool building = target()->state() == Target::State::building || target()->state() == Target::State::empty;
    const bool of_breakpoints = std::ranges::all_of(problems.list(), [](const Diagnostic& d) {
      return d.severity != Severity::error || d.code.starts_with("breakpoint-");
    });
    if (building && !of_breakpoints)
      raise_view("problems");
    else if (!building && problems.error_count() == 1)
      Q_EMIT workspace_.message(QString::fromStdString(why.remedy.empty() ? why.text : why.text + ": " + why.remedy));
  };
  connect(target(), &Target::problems_changed, this, say);
  connect(target(), &Target::breakpoint_problems_changed, this, say);
  stale_.clear();
  saved_others_ = going_on_ = false;
  show_title();
  const workbench::Project& project = workspace_.project();
  if (opened && !workplace_->restore() && !project.programs.empty())
    open_file(QString::fromStdString(project.programs.front().file.string()));
  problems_changed();
  state_changed();
}

void MainWindow::show_title() {
  setWindowTitle((workspace_.recording() ? tr("%1 (recording) – Weft") : tr("%1 – Weft"))
                     .arg(QString::fromStdString(workspace_.project().name)));
}

void MainWindow::raise_view(const char* name) {
  for (const auto& [dock, view] : views_)
    if (dock->objectName() == dock_name(QString::fromLatin1(name))) {
      dock->show();
      dock->raise();
    }
}

CodeEditor* MainWindow::open_file(const QString& path) { return texts_->open(path); }

void MainWindow::editor_opened(CodeEditor* editor) {
  marks_->follow(editor);
  new CodeValues(workspace_, *editor);
  connect(editor, &CodeEditor::margin_menu_requested, this,
          [this, editor](int line, const QPoint& at) { line_menu(editor->path(), line, at); });
  connect(editor, &CodeEditor::breakpoint_toggled, this,
          [this, editor](int line) { workspace_.toggle_breakpoint(editor->path(), line); });
  connect(editor, &QPlainTextEdit::textChanged, this, [this, editor] {
    if (editor->hasFocus()) typed_.start();
  });
  if (!workspace_.recording() &&
      !is_below(editor->path(), QString::fromStdString(workspace_.project().folder.string())))
    editor->setProperty(kOutside, true);
  connect(editor, &CodeEditor::fix_requested, commands_, &CodeCommands::repair);
  connect(editor, &CodeEditor::value_requested, commands_,
          [this, editor](const QString& name) { commands_->answer_value(editor, name); });
  marks_->all();
  note_all_texts();
  show_rebuild_bar();
}

// A stop opens such texts too, and every changed text is saved before a build. Once for each; not when its file has
// changed, or is gone.
void MainWindow::warn_of_outside(const Text& text) {
  if (text.question != Text::Question::none || !text.editor->document()->isModified() ||
      !text.editor->property(kOutside).toBool())
    return;
  text.editor->setProperty(kOutside, false);
  Q_EMIT workspace_.warned(
      tr("%1 is outside of the project's folder: a change, once saved, is one for all that use it").arg(text.path));
}

void MainWindow::show_place(const QString& path, int line, int column) { texts_->show_place(path, line, column); }

// Qt makes the bar of tabs of docks that lie after each other when it needs one.
void MainWindow::childEvent(QChildEvent* event) {
  QMainWindow::childEvent(event);
  auto* tabs = event->polished() ? qobject_cast<QTabBar*>(event->child()) : nullptr;
  if (tabs == nullptr) return;
  tabs->setAccessibleName(tr("Views"));
  tabs->setElideMode(Qt::ElideNone);  // on a small screen names that can be read, and arrows to the others
  tabs->setUsesScrollButtons(true);
}

void MainWindow::closeEvent(QCloseEvent* event) {
  event->setAccepted(texts_->may_close());
  if (!event->isAccepted() || !keeps_) return;
  layouts_->save();
  workplace_->save();
}

// A mark that differs by its form too, and the word.
void MainWindow::show_state() {
  struct Shown {
    RunState state;
    const char* mark;
    QString word;
  };
  const Shown shown = [this]() -> Shown {
    using State = Target::State;
    if (target() == nullptr) return {RunState::nothing, "", {}};
    switch (target()->state()) {
      case State::empty: return {RunState::faulted, "✖", tr("not built")};
      case State::building: return {RunState::building, "◌", tr("building")};
      case State::running: return {RunState::running, "▶", tr("running")};
      case State::stopped: return {RunState::stopped, "❚❚", target()->in_past() ? tr("in the past") : tr("stopped")};
      case State::ended: return {RunState::ended, "■", target()->in_past() ? tr("in the past") : tr("ended")};
      case State::faulted: return {RunState::faulted, "✖", tr("fault")};
    }
    return {RunState::nothing, "", {}};
  }();
  state_->setText(QStringLiteral("<span style='color:%1'>%2</span> %3")
                      .arg(state_colour(shown.state, theme_).name(), QString::fromUtf8(shown.mark), shown.word));
  state_->setVisible(shown.state != RunState::nothing);
}

void MainWindow::say_where() {
  show_state();
  where_->setToolTip(QString());
  if (const auto moving = target()->moving()) {
    const QString far =
        moving->to ? tr("cycle %L1 of %L2").arg(moving->now).arg(*moving->to) : tr("cycle %L1").arg(moving->now);
    where_->setText(
        tr("%1 · %2 · Pause (F6) stops it there, Esc goes back to cycle %L3").arg(moving->what, far).arg(moving->from));
    return;
  }
  where_->setText(counts_with_separators(workspace_.names().shortened(target()->reason())));
}

void MainWindow::view_changed() {
  say_where();
  show_rebuild_bar();
  show_stop();
  marks_->contexts();
  past_->setVisible(target()->in_past());
  past_->setText(
      tr("%L1 cycles back: to the present")
          .arg(target()->view() ? target()->present() - std::min(target()->present(), target()->view()->cycle) : 0));
  past_->setToolTip(tr("The machine stands in the past, with all state as it was then; it has been as far as cycle %L1")
                        .arg(target()->present()));
  actions_["present"]->setEnabled(target()->in_past());
  actions_["rebuild_replay"]->setEnabled(has_run() && !workspace_.recording());
  const auto view = target()->view();
  if (!view) {
    when_->clear();
    return;
  }
  when_->setText(tr("cycle %L1 · %2 µs · %L3 in · %L4 out · %L5 dropped")
                     .arg(view->cycle)
                     .arg(static_cast<double>(view->nanoseconds) / 1000, 0, 'f', 3)
                     .arg(view->received)
                     .arg(view->transmitted)
                     .arg(view->dropped));
  marks_->counts();
}

void MainWindow::show_stop() {
  const auto view = target()->view();
  const auto id = target()->stopped_at();
  if (!view || !id || target()->state() == Target::State::running || target()->state() == Target::State::building)
    return;
  const auto context = std::ranges::find(view->contexts, *id, &workbench::ContextView::id);
  if (context == view->contexts.end() || context->line == 0) return;
  const QString file = QString::fromStdString(context->file);
  const int line = static_cast<int>(context->line);
  std::tuple stop(*id, view->cycle, file, line);
  if (stop == shown_stop_ || !QFileInfo::exists(file)) return;
  shown_stop_ = std::move(stop);
  const int now = texts_->line_of_built(file, line);
  if (types_now())
    return Q_EMIT workspace_.message(tr("Stopped at %1; the text stays where you type, Enter in Contexts goes there")
                                         .arg(workspace_.names().place(context->file, static_cast<uint32_t>(now))));
  QWidget* had = focusWidget();
  show_place(file, now);
  if (had != nullptr && !texts_->isAncestorOf(had)) had->setFocus();  // who works in a view goes on there
}

bool MainWindow::types_now() const {
  return typed_.isValid() && typed_.elapsed() < kTypingPause && qobject_cast<CodeEditor*>(focusWidget()) != nullptr;
}

void MainWindow::problems_changed() {
  const Diagnostics all = workspace_.problems();
  for (const Text& text : texts_->all()) {
    text.editor->set_index(workspace_.language().index_of(text.path), text.path);
    text.editor->set_problems(all, text.path);
  }
  for (const auto& [dock, view] : views_)
    if (dock->objectName() == QStringLiteral("problems"))
      dock->setWindowTitle(all.empty() ? tr("Problems") : tr("Problems (%1)").arg(all.size()));
}

QWidget* MainWindow::view(const QString& name) const {
  if (name == QStringLiteral("window")) return const_cast<MainWindow*>(this);
  if (name == QStringLiteral("editor")) return texts_->current_editor();
  for (const auto& [dock, view] : views_)
    if (dock->objectName() == dock_name(name)) return dock;
  return nullptr;
}

QStringList MainWindow::view_names() const {
  QStringList names{QStringLiteral("window"), QStringLiteral("editor")};
  for (const auto& [dock, view] : views_) names << view_name(dock->objectName());
  return names;
}

QString MainWindow::reason() const { return where_->text(); }

QByteArray MainWindow::state_json() const {
  QJsonObject state;
  state["name"] = QString::fromStdString(workspace_.project().name);  // "project" is the view with its tree
  state["reason"] = reason();
  state["time"] = when_->text();
  for (const auto& [dock, view] : views_)
    if (view != nullptr) {
      const QJsonValue shown = view->state();
      state[dock->objectName()] = shown;
      state[view_name(dock->objectName())] = shown;
    }
  QJsonArray texts;
  for (const Text& text : texts_->all()) texts.append(text.path);
  state["texts"] = texts;
  return QJsonDocument(state).toJson();
}

}  // namespace weft::ide
