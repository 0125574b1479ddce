#include "texts.h"

#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPointer>
#include <QPushButton>
#include <QSplitter>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>
#include <map>
#include <utility>

#include "code_editor.h"

namespace weft::ide {

namespace {

QString name_of_file(const QString& path) { return QFileInfo(path).fileName(); }

}  // namespace

Texts::Texts(Workspace& workspace, Theme theme, QWidget* parent)
    : QWidget(parent), workspace_(workspace), theme_(theme) {
  split_ = new QSplitter;
  split_->setChildrenCollapsible(false);
  for (QTabWidget*& side : sides_) split_->addWidget(side = make_side());
  tabs_ = sides_[0];
  bar_ = new QWidget;
  bar_->setAccessibleName(tr("Question about the text"));
  bar_->setAutoFillBackground(true);
  bar_->setBackgroundRole(QPalette::ToolTipBase);
  question_ = new QLabel;
  question_->setWordWrap(true);
  question_->setForegroundRole(QPalette::ToolTipText);
  first_ = new QPushButton(tr("&Keep mine"));
  second_ = new QPushButton(tr("&Read the file"));
  auto* row = new QHBoxLayout(bar_);
  row->setContentsMargins(8, 3, 8, 3);
  row->addWidget(question_, 1);
  row->addWidget(first_);
  row->addWidget(second_);
  bar_->hide();
  box_ = new QVBoxLayout(this);
  box_->setContentsMargins(0, 0, 0, 0);
  box_->setSpacing(0);
  box_->addWidget(bar_);
  box_->addWidget(split_, 1);
  empty_ = new QLabel(
      tr("No text is open. File, Open... opens a project; Enter on a file in the view Project opens its text."));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setForegroundRole(QPalette::PlaceholderText);
  box_->addWidget(empty_, 1);
  split_->hide();
  connect(qApp, &QApplication::focusChanged, this, [this](QWidget*, const QWidget* now) {
    for (QTabWidget* side : sides_)
      if (now != nullptr && side->isAncestorOf(now)) activate(side);
  });
  connect(first_, &QPushButton::clicked, this, [this] { answered(true); });
  connect(second_, &QPushButton::clicked, this, [this] { answered(false); });
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &Texts::file_changed);
  connect(&watcher_, &QFileSystemWatcher::directoryChanged, this, &Texts::folder_changed);
  copies_.setSingleShot(true);
  copies_.setInterval(3000);
  connect(&copies_, &QTimer::timeout, this, &Texts::keep_copies);
}

Texts::~Texts() = default;

void Texts::add_bar(QWidget* bar) { box_->addWidget(bar); }
void Texts::add_top_bar(QWidget* bar) { box_->insertWidget(0, bar); }

void Texts::set_autosave(const Autosave& autosave, int milliseconds) {
  autosave_ = autosave;
  copies_.setInterval(milliseconds);
}

Text* Texts::text_of(const CodeEditor* editor) {
  const auto text = std::ranges::find(texts_, editor, &Text::editor);
  return text == texts_.end() ? nullptr : &*text;
}

Text* Texts::text_of(const QString& path) {
  const auto text = std::ranges::find(texts_, path, &Text::path);
  return text == texts_.end() ? nullptr : &*text;
}

Text* Texts::current() {
  const auto text =
      std::ranges::find(texts_, tabs_->currentWidget(), [](const Text& t) -> QWidget* { return t.editor; });
  return text == texts_.end() ? nullptr : &*text;
}

CodeEditor* Texts::current_editor() {
  const Text* text = current();
  return text ? text->editor : nullptr;
}

CodeEditor* Texts::open(const QString& path, bool raise) {
  if (const Text* known = text_of(path)) {
    if (raise) {
      tabs_of(known->editor)->setCurrentWidget(known->editor);
      activate(tabs_of(known->editor));
    }
    return known->editor;
  }
  QString why;
  const auto octets = read_octets(path, &why);
  if (!octets) {
    Q_EMIT message(tr("%1 cannot be read: %2").arg(path, why));
    return nullptr;
  }
  Text text;
  text.path = path;
  text.disk = *octets;
  const auto content = text_of_octets(*octets, &text.form);
  if (!content) {
    Q_EMIT message(tr("%1 is not text in UTF-8, and is not opened: saving would change it").arg(path));
    return nullptr;
  }
  auto* editor = new CodeEditor(theme_);
  text.editor = editor;
  editor->set_font_size(font_size_);
  editor->setTabChangesFocus(tab_moves_);
  editor->setPlainText(*content);
  if (set_line_ends(*editor->document(), text.form)) editor->document()->clearUndoRedoStacks();
  editor->document()->setModified(false);
  editor->take_built_lines();
  if (auto left = left_lines_.extract(path); left && left.mapped().first == *octets)
    editor->set_built_lines(std::move(left.mapped().second));
  editor->setReadOnly(workspace_.recording() != nullptr);  // a copy: changes would be lost with it
  if (const auto copy = autosave_.read(path)) {
    if (copy->text == *content)
      autosave_.remove(path);
    else
      text.copy = copy->text;
  }
  texts_.push_back(text);
  watcher_.addPath(path);
  const QWidget* before = tabs_->currentWidget();
  tabs_->setTabToolTip(tabs_->addTab(editor, name_of_file(path)), path);
  name_tabs();
  if (raise || before == nullptr) tabs_->setCurrentWidget(editor);
  connect(editor, &QPlainTextEdit::textChanged, this, [this, editor] { changed(editor); });
  connect(editor->document(), &QTextDocument::modificationChanged, this, [this, editor](bool modified) {
    name_tabs();
    // Back at the saved text by undoing: there is nothing to keep.
    const Text* now = text_of(editor);
    if (!modified && now != nullptr) forget_copy(*now);
    changed(editor);
  });
  connect(editor, &CodeEditor::font_size_changed, this, &Texts::set_font_size);
  editor->set_index(workspace_.language().index_of(path), path);
  editor->set_problems(workspace_.problems(), path);
  Q_EMIT opened(editor);
  ask();
  return editor;
}

// Texts of one name get their folder in front.
void Texts::name_tabs() {
  for (const Text& text : texts_) {
    const QFileInfo info(text.path);
    const auto same = std::ranges::count_if(
        texts_, [&](const Text& other) { return QFileInfo(other.path).fileName() == info.fileName(); });
    QString name = info.fileName();
    if (same > 1) name = info.dir().dirName() + QLatin1Char('/') + name;
    if (text.editor->document()->isModified()) name += QStringLiteral(" •");
    QTabWidget* tabs = tabs_of(text.editor);
    tabs->setTabText(tabs->indexOf(text.editor), name);
  }
}

void Texts::changed(CodeEditor* editor) {
  if (reading_) return;  // once, at its end
  const Text* text = text_of(editor);
  if (text == nullptr) return;
  const bool modified = editor->document()->isModified();
  workspace_.language().set_text(text->path, modified ? editor->toPlainText() : QString());
  if (modified && !copies_.isActive()) copies_.start();
  Q_EMIT edited(*text);
}

bool Texts::save_all() {
  return std::ranges::all_of(texts_, [this](Text& text) { return save(text, false); });
}

// While it asks, the machine runs on, and a stop may open another text: what is known of texts and tabs is looked up
// again after the answer.
bool Texts::close(int index) {
  const QPointer<CodeEditor> editor = qobject_cast<CodeEditor*>(tabs_->widget(index));
  const Text* text = text_of(editor.data());
  if (text == nullptr) return false;
  if (editor->document()->isModified()) {
    const auto answer = QMessageBox::question(this, tr("Unsaved changes"),
                                              tr("%1 has changes that are not saved.").arg(name_of_file(text->path)),
                                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    if (answer != QMessageBox::Save && answer != QMessageBox::Discard) return false;
    Text* now = text_of(editor.data());
    if (now == nullptr) return true;  // it was closed meanwhile
    if (answer == QMessageBox::Save && !save(*now)) return false;
    if (answer == QMessageBox::Discard) forget_copy(*now);
  }
  const auto closing = std::ranges::find(texts_, editor.data(), &Text::editor);
  if (closing == texts_.end()) return true;
  const QString path = closing->path;
  watcher_.removePath(path);
  // Changes that are thrown away have moved lines which the file does not have.
  if (octets_of_text(*editor->document(), closing->form) == closing->disk)
    left_lines_.insert_or_assign(path, std::pair(closing->disk, editor->built_lines()));
  else
    left_lines_.erase(path);
  texts_.erase(closing);
  QTabWidget* side = tabs_of(editor);
  side->removeTab(side->indexOf(editor));
  editor->deleteLater();
  tidy_sides();
  name_tabs();
  ask();  // it may have been the last one of the side without the keyboard
  workspace_.language().set_text(path, QString());
  Q_EMIT closed(path);
  return true;
}

void Texts::close_all() {
  std::vector<Text> gone;
  gone.swap(texts_);
  for (const Text& text : gone) {
    watcher_.removePath(text.path);
    tabs_of(text.editor)->removeTab(tabs_of(text.editor)->indexOf(text.editor));
    if (text.editor->document()->isModified()) forget_copy(text);
    workspace_.language().set_text(text.path, QString());
    text.editor->deleteLater();
  }
  left_lines_.clear();
  places_.clear();
  tidy_sides();
  ask();
  Q_EMIT places_changed();
}

bool Texts::may_close() {
  QStringList names;
  for (const Text& text : texts_)
    if (text.editor->document()->isModified()) names << name_of_file(text.path);
  if (names.isEmpty()) return true;
  const auto answer =
      QMessageBox::question(this, tr("Unsaved changes"),
                            tr("These have changes that are not saved: %1").arg(names.join(QStringLiteral(", "))),
                            QMessageBox::SaveAll | QMessageBox::Discard | QMessageBox::Cancel);
  if (answer == QMessageBox::SaveAll) return save_all();
  if (answer != QMessageBox::Discard) return false;
  for (const Text& text : texts_)
    if (text.editor->document()->isModified()) forget_copy(text);
  copies_.stop();
  return true;
}

QString Texts::apply(const std::vector<TextEdit>& edits) {
  if (workspace_.recording() != nullptr)
    return tr("the texts of a recording are copies: open the project to change them");
  struct Change {
    int begin, end;
    QString text;
  };
  std::map<QString, std::vector<Change>> files;
  for (const TextEdit& edit : edits) {
    const CodeEditor* editor = open(edit.path, false);
    if (editor == nullptr) return tr("%1 cannot be opened").arg(edit.path);
    Change change{editor->character_at(edit.begin), editor->character_at(edit.end), edit.replacement};
    if (change.end < change.begin) return tr("the place in %1 is no longer there").arg(edit.path);
    if (!edit.expected.isNull()) {
      QTextCursor there(editor->document());
      there.setPosition(change.begin);
      there.setPosition(change.end, QTextCursor::KeepAnchor);
      if (there.selectedText() != edit.expected)
        return tr("%1:%2 has changed meanwhile: '%3' stands where '%4' was")
            .arg(name_of_file(edit.path))
            .arg(edit.begin.line)
            .arg(there.selectedText(), edit.expected);
    }
    files[edit.path].push_back(std::move(change));
  }
  for (auto& [path, changes] : files) {
    std::ranges::stable_sort(changes, std::greater(), &Change::begin);
    const auto text = text_of(path);
    QTextCursor cursor(text->editor->document());
    cursor.beginEditBlock();
    for (const Change& change : changes) {
      cursor.setPosition(change.begin);
      cursor.setPosition(change.end, QTextCursor::KeepAnchor);
      cursor.insertText(change.text);
    }
    cursor.endEditBlock();
  }
  return {};
}

void Texts::show_place(const QString& path, int line, int column) {
  if (const Text* text = current())
    places_.leave({text->path, text->editor->current_line_number(), text->editor->textCursor().positionInBlock()});
  CodeEditor* editor = open(path);
  if (editor == nullptr) return;
  editor->go_to(line, column);
  editor->setFocus();
  places_.arrive({path, line, editor->textCursor().positionInBlock()});
  Q_EMIT places_changed();
}

int Texts::line_of_built(const QString& path, int line) {
  const Text* text = text_of(path);
  const int now = text ? text->editor->line_of_built(line) : line;
  return now > 0 ? now : line;
}

void Texts::reveal(const QString& path, int line) {
  QWidget* const had = window()->focusWidget();
  CodeEditor* editor = open(path);
  if (editor == nullptr) return;
  editor->go_to(line);
  if (had != nullptr && had != window()->focusWidget() && !isAncestorOf(had)) had->setFocus();
}

void Texts::go(const TextPlace& place) {
  CodeEditor* editor = open(place.path);
  if (editor == nullptr) return;
  editor->go_to(place.line);
  QTextCursor cursor = editor->textCursor();
  cursor.setPosition(cursor.block().position() + std::min(place.column, cursor.block().length() - 1));
  editor->setTextCursor(cursor);
  editor->setFocus();
  Q_EMIT places_changed();
}

void Texts::back() {
  if (const TextPlace* place = places_.back()) go(TextPlace(*place));
}

void Texts::forward() {
  if (const TextPlace* place = places_.forward()) go(TextPlace(*place));
}

void Texts::set_theme(Theme theme) {
  theme_ = theme;
  for (const Text& text : texts_) text.editor->set_theme(theme);
}

void Texts::set_tab_moves(bool moves) {
  tab_moves_ = moves;
  for (const Text& text : texts_) text.editor->setTabChangesFocus(moves);
}

void Texts::set_font_size(int points) {
  font_size_ = std::clamp(points, 5, 40);
  for (const Text& text : texts_) text.editor->set_font_size(font_size_);
}

}  // namespace weft::ide
