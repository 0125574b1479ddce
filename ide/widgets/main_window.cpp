#include "main_window.h"

#include <QAction>
#include <QApplication>
#include <QCloseEvent>
#include <QDockWidget>
#include <QFileDialog>
#include <QFileInfo>
#include <QHeaderView>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QLabel>
#include <QMenuBar>
#include <QMessageBox>
#include <QSaveFile>
#include <QStatusBar>
#include <QTabWidget>
#include <QTableView>
#include <QToolBar>
#include <QTreeWidget>
#include <algorithm>

#include "code_editor.h"
#include "weft/workbench/sources.h"

namespace weft::ide {

namespace {

constexpr int kPathRole = Qt::UserRole;
constexpr int kContextRole = Qt::UserRole + 1;

QString name_of_file(const QString& path) { return QFileInfo(path).fileName(); }

QTableView* table(QAbstractItemModel* model, const QString& name) {
  auto* view = new QTableView;
  view->setModel(model);
  view->setAccessibleName(name);
  view->setSelectionBehavior(QAbstractItemView::SelectRows);
  view->setSelectionMode(QAbstractItemView::SingleSelection);
  view->setEditTriggers(QAbstractItemView::NoEditTriggers);
  view->setAlternatingRowColors(true);
  view->setShowGrid(false);
  view->setWordWrap(false);
  view->setTabKeyNavigation(false);
  view->verticalHeader()->hide();
  view->verticalHeader()->setDefaultSectionSize(view->fontMetrics().height() + 6);
  view->horizontalHeader()->setHighlightSections(false);
  view->horizontalHeader()->setStretchLastSection(true);
  return view;
}

}  // namespace

MainWindow::MainWindow(Theme theme, QWidget* parent) : QMainWindow(parent), theme_(theme), language_(std::make_unique<Language>()) {
  setWindowTitle(tr("Weft"));
  resize(1440, 900);
  setDockNestingEnabled(true);
  tabs_ = new QTabWidget;
  tabs_->setTabsClosable(true);
  tabs_->setMovable(true);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Texts"));
  setCentralWidget(tabs_);
  connect(tabs_, &QTabWidget::tabCloseRequested, this, [this](int index) {
    const auto text = std::ranges::find(texts_, tabs_->widget(index), [](const Text& t) -> QWidget* { return t.editor; });
    if (text == texts_.end()) return;
    if (text->editor->document()->isModified()) {
      const auto answer = QMessageBox::question(this, tr("Unsaved changes"), tr("%1 has changes that are not saved.").arg(name_of_file(text->path)),
                                                QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
      if (answer == QMessageBox::Cancel || (answer == QMessageBox::Save && !save(*text))) return;
    }
    language_->set_text(text->path, QString());
    CodeEditor* editor = text->editor;
    texts_.erase(text);
    tabs_->removeTab(index);
    editor->deleteLater();
  });
  make_docks();
  make_actions();
  where_ = new QLabel(tr("No project"));
  when_ = new QLabel;
  statusBar()->addWidget(where_, 1);
  statusBar()->addPermanentWidget(when_);
  connect(language_.get(), &Language::indexed, this, &MainWindow::problems_changed);
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
    const QString path = QFileDialog::getOpenFileName(this, tr("Open a project"), project_path_, tr("Projects (weft.json)"));
    if (!path.isEmpty()) open_project(path);
  }, false);
  add("save", tr("&Save"), QKeySequence::Save, [this] { if (Text* text = current_text()) save(*text); }, false);
  add("save_all", tr("Save &all"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), [this] { save_all(); }, false);
  menu->addSeparator();
  add("quit", tr("&Quit"), QKeySequence::Quit, [this] { close(); }, false);

  menu = menuBar()->addMenu(tr("&Run"));
  add("build", tr("&Build"), QKeySequence(Qt::CTRL | Qt::Key_B), [this] { build_and({}); }, true);
  bar->addSeparator();
  add("run", tr("&Run"), QKeySequence(Qt::Key_F5), [this] { build_and([this] { target_->run(); }); }, true);
  add("pause", tr("&Pause"), QKeySequence(Qt::Key_F6), [this] { target_->pause(); }, true);
  bar->addSeparator();
  const auto step = [this](workbench::Step how) { build_and([this, how] { target_->step(chosen_context(), how); }); };
  add("step", tr("Step &instruction"), QKeySequence(Qt::Key_F9), [step] { step(workbench::Step::instruction); }, true);
  add("step_line", tr("Step &line"), QKeySequence(Qt::Key_F11), [step] { step(workbench::Step::line); }, true);
  add("step_over", tr("Step &over"), QKeySequence(Qt::Key_F10), [step] { step(workbench::Step::over); }, true);
  add("step_out", tr("Step o&ut"), QKeySequence(Qt::SHIFT | Qt::Key_F11), [step] { step(workbench::Step::out); }, true);
  bar->addSeparator();
  add("step_back", tr("Step &back"), QKeySequence(Qt::SHIFT | Qt::Key_F9), [this] { target_->step_back(chosen_context()); }, true);
  add("run_back", tr("Run bac&k"), QKeySequence(Qt::SHIFT | Qt::Key_F5), [this] { target_->run_back(); }, true);
  menu->addSeparator();
  add("breakpoint", tr("&Toggle breakpoint"), QKeySequence(Qt::Key_F8), [this] {
    if (Text* text = current_text()) toggle_breakpoint(text->path, text->editor->current_line_number());
  }, false);
  add("restart", tr("Build and start a&new"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_F5), [this] {
    built_texts_changed_ = true;
    build_and({});
  }, false);

  menu = menuBar()->addMenu(tr("&View"));
  for (QDockWidget* dock : docks_) menu->addAction(dock->toggleViewAction());
  menu->addSeparator();
  add("theme", tr("&Dark colours"), QKeySequence(), [this] {
    theme_ = theme_ == Theme::light ? Theme::dark : Theme::light;
    QApplication::setPalette(palette_of(theme_));
    for (Text& text : texts_) text.editor->set_theme(theme_);
  }, false);
  actions_["theme"]->setCheckable(true);
  actions_["theme"]->setChecked(theme_ == Theme::dark);
}

QDockWidget* MainWindow::add_dock(const QString& name, const QString& title, QWidget* content, Qt::DockWidgetArea area) {
  auto* dock = new QDockWidget(title, this);
  dock->setObjectName(name);
  dock->setAccessibleName(title);
  content->setObjectName(name + QStringLiteral("_view"));
  dock->setWidget(content);
  addDockWidget(area, dock);
  docks_.push_back(dock);
  return dock;
}

void MainWindow::make_docks() {
  tree_ = new QTreeWidget;
  tree_->setHeaderHidden(true);
  tree_->setAccessibleName(tr("Project"));
  connect(tree_, &QTreeWidget::itemActivated, this, [this](QTreeWidgetItem* item) {
    if (const QString path = item->data(0, kPathRole).toString(); !path.isEmpty()) open_file(path);
  });
  auto* project = add_dock("project", tr("Project"), tree_, Qt::LeftDockWidgetArea);

  problems_ = new ProblemsModel(this);
  problems_view_ = table(problems_, tr("Problems"));
  connect(problems_view_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const Diagnostic* d = problems_->at(index.row());
    if (d != nullptr && d->range.file) show_place(QString::fromStdString(d->range.file->name()), static_cast<int>(d->range.begin.line), static_cast<int>(d->range.begin.column));
  });
  log_ = new QPlainTextEdit;
  log_->setReadOnly(true);
  log_->setMaximumBlockCount(10'000);
  log_->setAccessibleName(tr("Log"));
  log_->setPlaceholderText(tr("What breakpoints and commands say stands here."));

  contexts_view_ = table(nullptr, tr("Contexts"));
  registers_view_ = table(nullptr, tr("Registers"));
  auto* contexts = add_dock("contexts", tr("Contexts"), contexts_view_, Qt::BottomDockWidgetArea);
  auto* problems = add_dock("problems", tr("Problems"), problems_view_, Qt::BottomDockWidgetArea);
  auto* log = add_dock("log", tr("Log"), log_, Qt::BottomDockWidgetArea);
  tabifyDockWidget(contexts, problems);
  tabifyDockWidget(problems, log);
  contexts->raise();
  auto* registers = add_dock("registers", tr("Registers"), registers_view_, Qt::RightDockWidgetArea);
  setCorner(Qt::BottomRightCorner, Qt::RightDockWidgetArea);
  resizeDocks({project, registers}, {230, 330}, Qt::Horizontal);
  resizeDocks({contexts}, {260}, Qt::Vertical);
}

bool MainWindow::open_project(const QString& path) {
  if (!may_close()) return false;
  auto project = workbench::load_project(path.toStdString());
  if (!project) {
    build_problems_ = std::move(project.error());
    problems_changed();
    where_->setText(tr("%1 is no project that can be read: see Problems").arg(path));
    docks_[2]->raise();
    return false;
  }
  project_ = std::move(*project);
  project_path_ = path;
  project_is_open();
  return true;
}

void MainWindow::project_is_open() {
  while (tabs_->count() > 0) {
    QWidget* editor = tabs_->widget(0);
    tabs_->removeTab(0);
    editor->deleteLater();
  }
  texts_.clear();
  build_problems_ = {};
  contexts_view_->setModel(nullptr);
  registers_view_->setModel(nullptr);
  contexts_ = nullptr;
  registers_ = nullptr;
  SessionSettings settings;
  settings.project = project_path_.toStdString();
  settings.observation.coverage = true;
  target_ = std::make_unique<SessionTarget>(std::move(settings));
  contexts_ = std::make_unique<ContextsModel>(*target_);
  registers_ = std::make_unique<RegistersModel>(*target_);
  contexts_view_->setModel(contexts_.get());
  registers_view_->setModel(registers_.get());
  connect(contexts_view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this](const QModelIndex& row) {
    registers_->show(contexts_->id(row.row()));
    actions_["step"]->setStatusTip(contexts_->index(row.row(), 0).data().toString());
  });
  connect(contexts_view_, &QTableView::activated, this, [this](const QModelIndex& index) {
    const QStringList place = contexts_->index(index.row(), ContextsModel::kPlace).data().toString().split(QLatin1Char(':'));
    if (place.size() != 2) return;
    for (const workbench::ProgramEntry& program : project_.programs)
      if (name_of_file(QString::fromStdString(program.file.string())) == place[0]) return show_place(QString::fromStdString(program.file.string()), place[1].toInt());
  });
  connect(target_.get(), &Target::state_changed, this, &MainWindow::state_changed);
  connect(target_.get(), &Target::view_changed, this, &MainWindow::view_changed);
  connect(target_.get(), &Target::said, log_, &QPlainTextEdit::appendPlainText);
  connect(target_.get(), &Target::problems_changed, this, [this](const Diagnostics& problems) {
    build_problems_ = problems;
    problems_changed();
    if (problems.has_errors()) docks_[2]->raise();
  });
  connect(target_.get(), &Target::breakpoints_changed, this, [this](const std::vector<workbench::Breakpoint>& all) {
    breakpoints_ = all;
    mark_editors();
  });
  if (auto sources = workbench::program_sources(project_)) language_->set_programs(std::move(*sources));
  else build_problems_ = std::move(sources.error());
  setWindowTitle(tr("%1 – Weft").arg(QString::fromStdString(project_.name)));
  fill_tree();
  if (!project_.programs.empty()) open_file(QString::fromStdString(project_.programs.front().file.string()));
  problems_changed();
  target_->build();
}

void MainWindow::fill_tree() {
  tree_->clear();
  auto* root = new QTreeWidgetItem(tree_, {QString::fromStdString(project_.name)});
  auto* json = new QTreeWidgetItem(root, {QStringLiteral("weft.json")});
  json->setData(0, kPathRole, QString::fromStdString((project_.folder / "weft.json").string()));
  if (project_.control) {
    auto* config = new QTreeWidgetItem(root, {name_of_file(QString::fromStdString(project_.control->config.string()))});
    config->setData(0, kPathRole, QString::fromStdString(project_.control->config.string()));
  }
  std::map<QString, QTreeWidgetItem*> files;
  for (const workbench::ProgramEntry& program : project_.programs) {
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

CodeEditor* MainWindow::open_file(const QString& path) {
  const auto known = std::ranges::find(texts_, path, &Text::path);
  if (known != texts_.end()) {
    tabs_->setCurrentWidget(known->editor);
    return known->editor;
  }
  QFile file(path);
  if (!file.open(QIODevice::ReadOnly)) {
    statusBar()->showMessage(tr("%1 cannot be read: %2").arg(path, file.errorString()), 10'000);
    return nullptr;
  }
  auto* editor = new CodeEditor(theme_);
  editor->setPlainText(QString::fromUtf8(file.readAll()));
  editor->document()->setModified(false);
  texts_.push_back({path, editor});
  tabs_->setTabToolTip(tabs_->addTab(editor, name_of_file(path)), path);
  tabs_->setCurrentWidget(editor);
  connect(editor, &QPlainTextEdit::textChanged, this, [this, editor] { text_changed(editor); });
  connect(editor->document(), &QTextDocument::modificationChanged, this, [this, editor, path](bool modified) {
    tabs_->setTabText(tabs_->indexOf(editor), modified ? name_of_file(path) + QStringLiteral(" •") : name_of_file(path));
  });
  connect(editor, &CodeEditor::breakpoint_toggled, this, [this, path](int line) { toggle_breakpoint(path, line); });
  editor->set_index(language_->index_of(path), path);
  editor->set_problems(language_->problems(), path);
  mark_editors();
  fetch_counts();
  return editor;
}

void MainWindow::show_place(const QString& path, int line, int column) {
  if (CodeEditor* editor = open_file(path)) {
    editor->go_to(line, column);
    editor->setFocus();
  }
}

MainWindow::Text* MainWindow::current_text() {
  const auto text = std::ranges::find(texts_, tabs_->currentWidget(), [](const Text& t) -> QWidget* { return t.editor; });
  return text == texts_.end() ? nullptr : &*text;
}

void MainWindow::text_changed(CodeEditor* editor) {
  const auto text = std::ranges::find(texts_, editor, &Text::editor);
  if (text != texts_.end()) language_->set_text(text->path, editor->document()->isModified() ? editor->toPlainText() : QString());
}

bool MainWindow::save(Text& text) {
  if (!text.editor->document()->isModified()) return true;
  QSaveFile file(text.path);
  if (!file.open(QIODevice::WriteOnly) || file.write(text.editor->toPlainText().toUtf8()) < 0 || !file.commit()) {
    QMessageBox::warning(this, tr("Not saved"), tr("%1 cannot be written: %2").arg(text.path, file.errorString()));
    return false;
  }
  text.editor->document()->setModified(false);
  language_->set_text(text.path, QString());
  built_texts_changed_ = true;
  return true;
}

bool MainWindow::save_all() {
  return std::ranges::all_of(texts_, [this](Text& text) { return save(text); });
}

bool MainWindow::may_close() {
  QStringList changed;
  for (const Text& text : texts_)
    if (text.editor->document()->isModified()) changed << name_of_file(text.path);
  if (changed.isEmpty()) return true;
  const auto answer = QMessageBox::question(this, tr("Unsaved changes"), tr("These have changes that are not saved: %1").arg(changed.join(QStringLiteral(", "))),
                                            QMessageBox::SaveAll | QMessageBox::Discard | QMessageBox::Cancel);
  return answer == QMessageBox::Discard || (answer == QMessageBox::SaveAll && save_all());
}

void MainWindow::closeEvent(QCloseEvent* event) { event->setAccepted(may_close()); }

// A run is of the texts as they stand on the screen: they are saved, and built when something has changed.
void MainWindow::build_and(const std::function<void()>& then) {
  if (!target_ || !save_all()) return;
  if (target_->state() != Target::State::empty && !built_texts_changed_) {
    if (then) then();
    return;
  }
  built_texts_changed_ = false;
  after_build_ = then;
  target_->build();
}

void MainWindow::state_changed() {
  using State = Target::State;
  const State state = target_ ? target_->state() : State::empty;
  const bool still = state == State::stopped || state == State::ended || state == State::faulted;
  for (const char* name : {"step", "step_line", "step_over", "step_out", "run"}) actions_[name]->setEnabled(target_ && (still || state == State::empty));
  for (const char* name : {"step_back", "run_back"}) actions_[name]->setEnabled(still);
  actions_["pause"]->setEnabled(state == State::running);
  actions_["build"]->setEnabled(target_ && state != State::building);
  if (state == State::building) return;
  const auto then = std::exchange(after_build_, {});
  if (then && state == State::stopped) then();
}

ContextId MainWindow::chosen_context() const {
  if (contexts_)
    if (const auto id = contexts_->id(contexts_view_->currentIndex().row())) return *id;
  if (target_ && target_->stopped_at()) return *target_->stopped_at();
  if (contexts_)
    if (const auto id = contexts_->id(0)) return *id;
  return {};
}

void MainWindow::view_changed() {
  where_->setText(target_->reason());
  const auto view = target_->view();
  if (!view) {
    when_->clear();
    return;
  }
  when_->setText(tr("cycle %L1 · %2 µs · %L3 in · %L4 out · %L5 dropped")
                     .arg(view->cycle).arg(static_cast<double>(view->nanoseconds) / 1000, 0, 'f', 2).arg(view->received).arg(view->transmitted).arg(view->dropped));
  if (target_->state() != Target::State::running)
    if (const auto id = target_->stopped_at()) contexts_view_->selectRow(contexts_->row_of(*id));
  if (!contexts_view_->currentIndex().isValid() && contexts_->rowCount() > 0) contexts_view_->selectRow(0);
  contexts_view_->resizeColumnsToContents();
  mark_editors();
  fetch_counts();
}

void MainWindow::problems_changed() {
  Diagnostics all = language_->problems();
  for (const Diagnostic& d : build_problems_) {
    const bool known = std::any_of(all.begin(), all.end(), [&](const Diagnostic& k) { return k.code == d.code && k.text == d.text && k.range.begin == d.range.begin; });
    if (!known) all.add(d);
  }
  for (const Text& text : texts_) {
    text.editor->set_index(language_->index_of(text.path), text.path);
    text.editor->set_problems(all, text.path);
  }
  problems_->set(std::move(all));
  problems_view_->resizeColumnsToContents();
  docks_[2]->setWindowTitle(problems_->rowCount() == 0 ? tr("Problems") : tr("Problems (%1)").arg(problems_->rowCount()));
}

void MainWindow::toggle_breakpoint(const QString& path, int line) {
  const std::string target = QStringLiteral("%1:%2").arg(name_of_file(path)).arg(line).toStdString();
  const auto known = std::ranges::find_if(breakpoints_, [&](const workbench::Breakpoint& b) { return b.kind == workbench::Breakpoint::Kind::location && b.target == target; });
  auto all = breakpoints_;
  if (known != breakpoints_.end()) {
    all.erase(all.begin() + (known - breakpoints_.begin()));
  } else {
    workbench::Breakpoint added;
    added.target = target;
    all.push_back(std::move(added));
  }
  if (target_) target_->set_breakpoints(std::move(all));
}

void MainWindow::mark_editors() {
  const auto view = target_ ? target_->view() : nullptr;
  for (const Text& text : texts_) {
    const QString name = name_of_file(text.path);
    std::set<int> enabled, disabled;
    for (const workbench::Breakpoint& b : breakpoints_) {
      const QString place = QString::fromStdString(b.target);
      if (b.kind == workbench::Breakpoint::Kind::location && place.section(QLatin1Char(':'), 0, 0) == name)
        (b.enabled ? enabled : disabled).insert(place.section(QLatin1Char(':'), 1, 1).toInt());
    }
    text.editor->set_breakpoints(std::move(enabled), std::move(disabled));
    std::map<int, QString> lines;
    int stopped = 0;
    if (view) {
      for (const workbench::ContextView& c : view->contexts) {
        const QString place = QString::fromStdString(c.place);
        if (place.section(QLatin1Char(':'), 0, 0) != name) continue;
        const int line = place.section(QLatin1Char(':'), 1, 1).toInt();
        QString& who = lines[line];
        who += (who.isEmpty() ? QString() : QStringLiteral(", ")) + context_text(*view, c.id);
        if (target_->state() != Target::State::running && target_->stopped_at() == c.id) stopped = line;
      }
    }
    text.editor->set_contexts(std::move(lines), stopped);
  }
}

void MainWindow::fetch_counts() {
  if (!target_) return;
  const auto question = [](const Inspector& machine) {
    std::map<std::string, std::map<int, uint64_t>> files;
    for (const workbench::EngineView& e : machine.machine().engines) {
      const image::Image* image = machine.program(e.chip, e.engine);
      const std::vector<uint64_t> counts = machine.executed(e.chip, e.engine);
      if (image == nullptr) continue;
      for (size_t pc = 0; pc < counts.size() && pc < image->lines.size(); ++pc) {
        const image::Line& at = image->lines[pc].place;
        if (at.line == 0 || at.file >= image->files.size()) continue;
        uint64_t& count = files[image->files[at.file]][static_cast<int>(at.line)];
        count = std::max(count, counts[pc]);
      }
    }
    return files;
  };
  target_->ask(this, question, [this](const std::map<std::string, std::map<int, uint64_t>>& files) {
    for (const Text& text : texts_) {
      const auto known = files.find(text.path.toStdString());
      text.editor->set_counts(known == files.end() ? std::map<int, uint64_t>() : known->second);
    }
  });
}

QWidget* MainWindow::view(const QString& name) const {
  if (name == QStringLiteral("window")) return const_cast<MainWindow*>(this);
  if (name == QStringLiteral("editor")) return tabs_->currentWidget();
  const auto dock = std::ranges::find_if(docks_, [&](const QDockWidget* d) { return d->objectName() == name; });
  return dock == docks_.end() ? nullptr : *dock;
}

QStringList MainWindow::view_names() const {
  QStringList names{QStringLiteral("window"), QStringLiteral("editor")};
  for (const QDockWidget* dock : docks_) names << dock->objectName();
  return names;
}

QByteArray MainWindow::state_json() const {
  const auto rows = [](const QAbstractItemModel* model) {
    QJsonArray out;
    for (int row = 0; model != nullptr && row < model->rowCount(); ++row) {
      QJsonObject fields;
      for (int column = 0; column < model->columnCount(); ++column)
        fields[model->headerData(column, Qt::Horizontal).toString()] = QJsonValue::fromVariant(model->index(row, column).data());
      out.append(fields);
    }
    return out;
  };
  QJsonObject state;
  state["project"] = QString::fromStdString(project_.name);
  state["reason"] = where_->text();
  state["time"] = when_->text();
  state["contexts"] = rows(contexts_.get());
  state["registers"] = rows(registers_.get());
  state["problems"] = rows(problems_);
  QJsonArray texts;
  for (const Text& text : texts_) texts.append(text.path);
  state["texts"] = texts;
  return QJsonDocument(state).toJson();
}

}  // namespace weft::ide
