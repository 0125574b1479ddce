#include "main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenuBar>
#include <QStatusBar>
#include <QTabWidget>
#include <QToolBar>
#include <QTreeWidget>
#include <algorithm>

#include "code_commands.h"
#include "code_editor.h"
#include "models/contexts_model.h"
#include "references_view.h"
#include "texts.h"

namespace weft::ide {

namespace {

constexpr int kPathRole = Qt::UserRole;

QString name_of_file(const QString& path) { return QFileInfo(path).fileName(); }

}  // namespace

MainWindow::MainWindow(Theme theme, QWidget* parent) : QMainWindow(parent), theme_(theme) {
  setWindowTitle(tr("Weft"));
  resize(1440, 900);
  setDockNestingEnabled(true);
  texts_ = new Texts(workspace_, theme_);
  setCentralWidget(texts_);
  connect(texts_, &Texts::opened, this, &MainWindow::editor_opened);
  connect(texts_, &Texts::saved, this, [this] { changed_since_build_ = true; });
  connect(texts_, &Texts::message, &workspace_, &Workspace::message);
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
  connect(&workspace_, &Workspace::breakpoints_changed, this, &MainWindow::mark_editors);
  connect(&workspace_, &Workspace::place_asked, this, &MainWindow::show_place);
  connect(&workspace_, &Workspace::run_asked, this, [this] { actions_["run"]->trigger(); });
  connect(&workspace_, &Workspace::message, this, [this](const QString& text) { statusBar()->showMessage(text, 10'000); });
  state_changed();
}

MainWindow::~MainWindow() = default;

void MainWindow::make_actions() {
  auto* bar = addToolBar(tr("Run"));
  bar->setObjectName(QStringLiteral("toolbar"));
  bar->setToolButtonStyle(Qt::ToolButtonTextOnly);
  bar->setMovable(false);
  QMenu* menu = nullptr;
  const auto add = [&](const QString& name, const QString& text, const QKeySequence& key, auto&& what, bool in_bar) {
    auto* action = new QAction(text, this);
    action->setObjectName(name);
    action->setShortcut(key);
    action->setToolTip(key.isEmpty() ? action->iconText() : QStringLiteral("%1 (%2)").arg(action->iconText(), key.toString(QKeySequence::NativeText)));
    connect(action, &QAction::triggered, this, what);
    menu->addAction(action);
    if (in_bar) bar->addAction(action);
    actions_[name] = action;
  };
  menu = menuBar()->addMenu(tr("&File"));
  add("open_project", tr("&Open project..."), QKeySequence::Open, [this] {
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a project"), workspace_.path(), tr("Projects (weft.json)"));
    if (!path.isEmpty()) open_project(path);
  }, false);
  recent_ = menu->addMenu(tr("Open &recent"));
  connect(recent_, &QMenu::aboutToShow, this, &MainWindow::fill_recent);
  menu->addSeparator();
  add("save", tr("&Save"), QKeySequence::Save, [this] { if (Text* text = texts_->current()) texts_->save(*text); }, false);
  add("save_all", tr("Save &all"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { texts_->save_all(); }, false);
  add("close_text", tr("&Close the text"), QKeySequence(Qt::CTRL | Qt::Key_W), [this] { texts_->close(texts_->tabs()->currentIndex()); }, false);
  menu->addSeparator();
  add("quit", tr("&Quit"), QKeySequence::Quit, [this] { close(); }, false);

  menu = menuBar()->addMenu(tr("&Edit"));
  make_edit_menu([&](const QString& name, const QString& text, const QKeySequence& key, const std::function<void()>& what) {
    if (name.isEmpty()) menu->addSeparator();
    else add(name, text, key, what, false);
  });

  menu = menuBar()->addMenu(tr("&Run"));
  add("build", tr("&Build"), QKeySequence(Qt::CTRL | Qt::Key_B), [this] { build_and({}); }, true);
  bar->addSeparator();
  add("run", tr("&Run"), QKeySequence(Qt::Key_F5), [this] { build_and([this] { target()->run(); }); }, true);
  add("pause", tr("&Pause"), QKeySequence(Qt::Key_F6), [this] { target()->pause(); }, true);
  bar->addSeparator();
  const auto step = [this](workbench::Step how) { build_and([this, how] { target()->step(chosen_context(), how); }); };
  add("step", tr("Step &instruction"), QKeySequence(Qt::Key_F9), [step] { step(workbench::Step::instruction); }, true);
  add("step_line", tr("Step &line"), QKeySequence(Qt::Key_F11), [step] { step(workbench::Step::line); }, true);
  add("step_over", tr("Step &over"), QKeySequence(Qt::Key_F10), [step] { step(workbench::Step::over); }, true);
  add("step_out", tr("Step o&ut"), QKeySequence(Qt::SHIFT | Qt::Key_F11), [step] { step(workbench::Step::out); }, true);
  bar->addSeparator();
  add("step_back", tr("Step &back"), QKeySequence(Qt::SHIFT | Qt::Key_F9), [this] { target()->step_back(chosen_context()); }, true);
  add("run_back", tr("Run bac&k"), QKeySequence(Qt::SHIFT | Qt::Key_F5), [this] { target()->run_back(); }, true);
  menu->addSeparator();
  add("breakpoint", tr("&Toggle breakpoint"), QKeySequence(Qt::Key_F8), [this] {
    if (Text* text = texts_->current()) workspace_.toggle_breakpoint(text->path, text->editor->current_line_number());
  }, false);
  add("restart", tr("Build and start a&new"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F5), [this] {
    changed_since_build_ = true;
    build_and({});
  }, false);

  menu = menuBar()->addMenu(tr("&View"));
  for (const auto& [dock, view] : views_) menu->addAction(dock->toggleViewAction());
  menu->addSeparator();
  add("theme", tr("&Dark colours"), QKeySequence(), [this] {
    theme_ = theme_ == Theme::light ? Theme::dark : Theme::light;
    QApplication::setPalette(palette_of(theme_));
    texts_->set_theme(theme_);
    for (const auto& [dock, view] : views_)
      if (view != nullptr) view->set_theme(theme_);
  }, false);
  actions_["theme"]->setCheckable(true);
  actions_["theme"]->setChecked(theme_ == Theme::dark);
}

void MainWindow::make_docks() {
  tree_ = new QTreeWidget;
  tree_->setHeaderHidden(true);
  tree_->setAccessibleName(tr("Project"));
  connect(tree_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    if (const QString path = item->data(0, kPathRole).toString(); !path.isEmpty()) open_file(path);
  });
  const auto add = [this](const char* name, const QString& title, QWidget* content, View* view, Qt::DockWidgetArea area) {
    auto* dock = new QDockWidget(title, this);
    dock->setObjectName(QString::fromLatin1(name));
    dock->setAccessibleName(title);
    dock->setWidget(content);
    const auto same = [&](const auto& known) { return dockWidgetArea(known.first) == area; };
    const auto neighbour = std::find_if(views_.rbegin(), views_.rend(), same);
    addDockWidget(area, dock);
    if (neighbour != views_.rend()) tabifyDockWidget(neighbour->first, dock);
    views_.emplace_back(dock, view);
    return dock;
  };
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  QList<QDockWidget*> docks{add("project", tr("Project"), tree_, nullptr, Qt::LeftDockWidgetArea)};
  std::map<Qt::DockWidgetArea, QDockWidget*> first;
  for (const ViewKind& kind : view_kinds()) {
    View* view = kind.make(workspace_, theme_);
    first.emplace(kind.area, add(kind.name, QCoreApplication::translate("View", kind.title), view, view, kind.area));
  }
  for (const auto& [area, dock] : first) dock->raise();
  resizeDocks({docks[0], first.at(Qt::RightDockWidgetArea)}, {230, 330}, Qt::Horizontal);
  resizeDocks({first.at(Qt::BottomDockWidgetArea)}, {260}, Qt::Vertical);
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
  fill_tree();
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

void MainWindow::fill_tree() {
  const workbench::Project& project = workspace_.project();
  tree_->clear();
  auto* root = new QTreeWidgetItem(tree_, {QString::fromStdString(project.name)});
  auto* json = new QTreeWidgetItem(root, {QStringLiteral("weft.json")});
  json->setData(0, kPathRole, QString::fromStdString((project.folder / "weft.json").string()));
  if (project.control) {
    auto* config = new QTreeWidgetItem(root, {name_of_file(QString::fromStdString(project.control->config.string()))});
    config->setData(0, kPathRole, QString::fromStdString(project.control->config.string()));
  }
  std::map<QString, QTreeWidgetItem*> files;
  for (const workbench::ProgramEntry& program : project.programs) {
    const QString path = QString::fromStdString(program.file.string());
    QTreeWidgetItem*& file = files[path];
    if (file == nullptr) {
      file = new QTreeWidgetItem(root, {name_of_file(path)});
      file->setData(0, kPathRole, path);
    }
    for (const unsigned engine : program.engines) {
      const QString chip = program.chip.name.empty() ? QString() : QString::fromStdString(program.chip.name) + QLatin1Char(' ');
      new QTreeWidgetItem(file, {tr("%1microengine %2").arg(chip).arg(engine)});
    }
  }
  root->setExpanded(true);
}

CodeEditor* MainWindow::open_file(const QString& path) { return texts_->open(path); }

void MainWindow::editor_opened(CodeEditor* editor) {
  connect(editor, &CodeEditor::breakpoint_toggled, this, [this, editor](int line) { workspace_.toggle_breakpoint(editor->path(), line); });
  connect(editor, &CodeEditor::fix_asked, commands_, &CodeCommands::repair);
  connect(editor, &CodeEditor::value_asked, commands_, [this, editor](const QString& name) { commands_->answer_value(editor, name); });
  mark_editors();
  fetch_counts();
}

void MainWindow::show_place(const QString& path, int line, int column) { texts_->show_place(path, line, column); }

void MainWindow::closeEvent(QCloseEvent* event) { event->setAccepted(texts_->may_close()); }

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

ContextId MainWindow::chosen_context() const { return workspace_.cursor().context().value_or(ContextId()); }

void MainWindow::view_changed() {
  where_->setText(target()->reason());
  where_->setToolTip(QString());
  mark_editors();
  const auto view = target()->view();
  if (!view) {
    when_->clear();
    return;
  }
  when_->setText(tr("cycle %L1 · %2 µs · %L3 in · %L4 out · %L5 dropped")
                     .arg(view->cycle).arg(static_cast<double>(view->nanoseconds) / 1000, 0, 'f', 2).arg(view->received).arg(view->transmitted).arg(view->dropped));
  fetch_counts();
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

void MainWindow::mark_editors() {
  const auto view = target() ? target()->view() : nullptr;
  for (const Text& text : texts_->all()) {
    const QString name = name_of_file(text.path);
    std::set<int> enabled, disabled;
    for (const workbench::Breakpoint& b : workspace_.breakpoints()) {
      const QString place = QString::fromStdString(b.target);
      if (b.kind == workbench::Breakpoint::Kind::location && place.section(QLatin1Char(':'), 0, 0) == name)
        (b.enabled ? enabled : disabled).insert(place.section(QLatin1Char(':'), 1, 1).toInt());
    }
    text.editor->set_breakpoints(std::move(enabled), std::move(disabled));
    std::map<int, QString> lines;
    int stopped = 0;
    if (view) {
      for (const workbench::ContextView& c : view->contexts) {
        if (c.line == 0 || QFileInfo(QString::fromStdString(c.file)) != QFileInfo(text.path)) continue;
        const int line = static_cast<int>(c.line);
        QString& who = lines[line];
        who += (who.isEmpty() ? QString() : QStringLiteral(", ")) + context_text(*view, c.id);
        if (target()->state() != Target::State::running && target()->stopped_at() == c.id) stopped = line;
      }
    }
    text.editor->set_contexts(std::move(lines), stopped);
  }
}

void MainWindow::fetch_counts() {
  if (target() == nullptr) return;
  const auto question = [](const Inspector& machine) {
    std::map<std::string, std::map<int, uint64_t>> files;
    for (const workbench::EngineView& e : machine.machine().engines) {
      const image::Image* image = machine.program(e.chip, e.engine);
      const emulator::Coverage* coverage = machine.coverage(e.chip);
      if (image == nullptr || coverage == nullptr) continue;
      const std::vector<emulator::Coverage::Word>& words = coverage->words(e.engine);
      for (size_t pc = 0; pc < words.size() && pc < image->lines.size(); ++pc) {
        const image::Line& at = image->lines[pc].place;
        if (at.line == 0 || at.file >= image->files.size()) continue;
        uint64_t& count = files[image->files[at.file]][static_cast<int>(at.line)];
        count = std::max(count, words[pc].all_executed());
      }
    }
    return files;
  };
  target()->ask(this, question, [this](const std::map<std::string, std::map<int, uint64_t>>& files) {
    for (const Text& text : texts_->all()) {
      const auto known = files.find(text.path.toStdString());
      text.editor->set_counts(known == files.end() ? std::map<int, uint64_t>() : known->second);
    }
  });
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
