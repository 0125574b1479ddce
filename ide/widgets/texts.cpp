#include "texts.h"

#include <QFile>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QStringDecoder>
#include <QTabBar>
#include <QTabWidget>
#include <QTextBlock>
#include <QVBoxLayout>
#include <algorithm>
#include <map>

#include "code_editor.h"

namespace weft::ide {

namespace {

QString name_of_file(const QString& path) { return QFileInfo(path).fileName(); }

std::optional<QByteArray> read(const QString& path, QString* why = nullptr) {
  QFile file(path);
  if (file.open(QIODevice::ReadOnly)) return file.readAll();
  if (why != nullptr) *why = file.errorString();
  return std::nullopt;
}

}  // namespace

std::optional<QString> text_of_octets(const QByteArray& octets, bool* crlf) {
  QStringDecoder decoder(QStringConverter::Utf8, QStringConverter::Flag::Stateless);
  QString text = decoder(octets);
  if (decoder.hasError() || text.contains(QChar(0))) return std::nullopt;
  const bool had = text.contains(QStringLiteral("\r\n"));
  if (had) text.replace(QStringLiteral("\r\n"), QStringLiteral("\n"));
  if (crlf != nullptr) *crlf = had;
  return text;
}

Texts::Texts(Workspace& workspace, Theme theme, QWidget* parent) : QWidget(parent), workspace_(workspace), theme_(theme) {
  tabs_ = new QTabWidget;
  tabs_->setTabsClosable(true);
  tabs_->setMovable(true);
  tabs_->setDocumentMode(true);
  tabs_->setAccessibleName(tr("Texts"));
  tabs_->tabBar()->setAccessibleName(tr("Open texts"));
  bar_ = new QWidget;
  bar_->setAccessibleName(tr("Question about the text"));
  bar_->setAutoFillBackground(true);
  bar_->setBackgroundRole(QPalette::ToolTipBase);
  question_ = new QLabel;
  question_->setWordWrap(true);
  question_->setForegroundRole(QPalette::ToolTipText);
  first_ = new QPushButton;
  second_ = new QPushButton;
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
  box_->addWidget(tabs_, 1);
  empty_ = new QLabel(tr("No text is open. File, Open project... opens a project; Enter on a file in the view Project opens its text."));
  empty_->setAlignment(Qt::AlignCenter);
  empty_->setWordWrap(true);
  empty_->setForegroundRole(QPalette::PlaceholderText);
  box_->addWidget(empty_, 1);
  tabs_->hide();
  connect(first_, &QPushButton::clicked, this, [this] { answered(true); });
  connect(second_, &QPushButton::clicked, this, [this] { answered(false); });
  connect(tabs_, &QTabWidget::tabCloseRequested, this, &Texts::close);
  connect(tabs_, &QTabWidget::currentChanged, this, [this] {
    ask();
    Q_EMIT current_changed();
  });
  connect(&watcher_, &QFileSystemWatcher::fileChanged, this, &Texts::file_changed);
  copies_.setSingleShot(true);
  copies_.setInterval(3000);
  connect(&copies_, &QTimer::timeout, this, &Texts::keep_copies);
}

Texts::~Texts() = default;

void Texts::add_bar(QWidget* bar) { box_->addWidget(bar); }

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
  const auto text = std::ranges::find(texts_, tabs_->currentWidget(), [](const Text& t) -> QWidget* { return t.editor; });
  return text == texts_.end() ? nullptr : &*text;
}

CodeEditor* Texts::current_editor() {
  const Text* text = current();
  return text ? text->editor : nullptr;
}

CodeEditor* Texts::open(const QString& path, bool raise) {
  if (const Text* known = text_of(path)) {
    if (raise) tabs_->setCurrentWidget(known->editor);
    return known->editor;
  }
  QString why;
  const auto octets = read(path, &why);
  if (!octets) {
    Q_EMIT message(tr("%1 cannot be read: %2").arg(path, why));
    return nullptr;
  }
  Text text;
  text.path = path;
  text.disk = *octets;
  const auto content = text_of_octets(*octets, &text.crlf);
  if (!content) {
    Q_EMIT message(tr("%1 is no text in UTF-8, and is not opened: saving would change it").arg(path));
    return nullptr;
  }
  auto* editor = new CodeEditor(theme_);
  text.editor = editor;
  editor->set_font_size(font_size_);
  editor->setPlainText(*content);
  editor->document()->setModified(false);
  editor->setReadOnly(workspace_.recording() != nullptr);  // a copy: changes would be lost with it
  if (const auto copy = autosave_.read(path)) {
    if (copy->text == *content) {
      autosave_.remove(path);
    } else {
      text.question = Text::Question::copy;
      text.copy = copy->text;
    }
  }
  texts_.push_back(text);
  watcher_.addPath(path);
  const QWidget* before = tabs_->currentWidget();
  tabs_->setTabToolTip(tabs_->addTab(editor, name_of_file(path)), path);
  if (raise || before == nullptr) tabs_->setCurrentWidget(editor);
  connect(editor, &QPlainTextEdit::textChanged, this, [this, editor] { changed(editor); });
  connect(editor->document(), &QTextDocument::modificationChanged, this, [this, editor, path](bool modified) {
    tabs_->setTabText(tabs_->indexOf(editor), modified ? name_of_file(path) + QStringLiteral(" •") : name_of_file(path));
    // Back at the saved text by undoing: there is nothing to keep.
    if (!modified) autosave_.remove(path);
    changed(editor);
  });
  connect(editor, &CodeEditor::font_size_changed, this, &Texts::set_font_size);
  editor->set_index(workspace_.language().index_of(path), path);
  editor->set_problems(workspace_.problems(), path);
  Q_EMIT opened(editor);
  ask();
  return editor;
}

void Texts::changed(CodeEditor* editor) {
  const Text* text = text_of(editor);
  if (text == nullptr) return;
  const bool modified = editor->document()->isModified();
  workspace_.language().set_text(text->path, modified ? editor->toPlainText() : QString());
  if (modified && !copies_.isActive()) copies_.start();
}

void Texts::keep_copies() {
  for (const Text& text : texts_) {
    if (!text.editor->document()->isModified() || text.question == Text::Question::copy) continue;
    if (!autosave_.write(text.path, text.editor->toPlainText(), text.disk)) {
      Q_EMIT message(tr("No copy of the changes can be kept in %1: save often").arg(Autosave::default_folder()));
      return;
    }
  }
}

bool Texts::save(Text& text) {
  if (!text.editor->document()->isModified()) return true;
  // The watcher tells of changes a moment late; what stands there now counts.
  const auto now = read(text.path);
  if (now && *now != text.disk && text.question == Text::Question::none) file_changed(text.path);
  if (text.question == Text::Question::changed) {
    tabs_->setCurrentWidget(text.editor);
    ask();
    Q_EMIT message(tr("%1 is not saved: the file has changed on the disk; choose above what to keep").arg(name_of_file(text.path)));
    return false;
  }
  QString content = text.editor->toPlainText();
  if (text.crlf) content.replace(QLatin1Char('\n'), QStringLiteral("\r\n"));
  const QByteArray octets = content.toUtf8();
  QSaveFile file(text.path);
  if (!file.open(QIODevice::WriteOnly) || file.write(octets) != octets.size() || !file.commit()) {
    QMessageBox::warning(this, tr("Not saved"), tr("%1 cannot be written: %2").arg(text.path, file.errorString()));
    return false;
  }
  text.disk = octets;
  if (text.question == Text::Question::gone) text.question = Text::Question::none;
  if (!watcher_.files().contains(text.path)) watcher_.addPath(text.path);
  const QString path = text.path;
  text.editor->document()->setModified(false);
  workspace_.language().read_again();
  if (text.question == Text::Question::none) autosave_.remove(path);
  ask();
  Q_EMIT saved(path);
  return true;
}

bool Texts::save_all() {
  return std::ranges::all_of(texts_, [this](Text& text) { return save(text); });
}

bool Texts::close(int index) {
  const auto text = std::ranges::find(texts_, tabs_->widget(index), [](const Text& t) -> QWidget* { return t.editor; });
  if (text == texts_.end()) return false;
  if (text->editor->document()->isModified()) {
    const auto answer = QMessageBox::question(this, tr("Unsaved changes"), tr("%1 has changes that are not saved.").arg(name_of_file(text->path)),
                                              QMessageBox::Save | QMessageBox::Discard | QMessageBox::Cancel);
    if ((answer != QMessageBox::Save && answer != QMessageBox::Discard) || (answer == QMessageBox::Save && !save(*text))) return false;
    if (answer == QMessageBox::Discard) autosave_.remove(text->path);
  }
  const QString path = text->path;
  CodeEditor* editor = text->editor;
  watcher_.removePath(path);
  texts_.erase(text);
  tabs_->removeTab(index);
  editor->deleteLater();
  workspace_.language().set_text(path, QString());
  return true;
}

void Texts::close_all() {
  std::vector<Text> gone;
  gone.swap(texts_);
  for (const Text& text : gone) {
    watcher_.removePath(text.path);
    tabs_->removeTab(tabs_->indexOf(text.editor));
    if (text.editor->document()->isModified()) autosave_.remove(text.path);
    workspace_.language().set_text(text.path, QString());
    text.editor->deleteLater();
  }
  places_.clear();
  here_ = 0;
  ask();
  Q_EMIT places_changed();
}

bool Texts::may_close() {
  QStringList names;
  for (const Text& text : texts_)
    if (text.editor->document()->isModified()) names << name_of_file(text.path);
  if (names.isEmpty()) return true;
  const auto answer = QMessageBox::question(this, tr("Unsaved changes"), tr("These have changes that are not saved: %1").arg(names.join(QStringLiteral(", "))),
                                            QMessageBox::SaveAll | QMessageBox::Discard | QMessageBox::Cancel);
  if (answer == QMessageBox::SaveAll) return save_all();
  if (answer != QMessageBox::Discard) return false;
  for (const Text& text : texts_)
    if (text.editor->document()->isModified()) autosave_.remove(text.path);
  copies_.stop();
  return true;
}

void Texts::file_changed(const QString& path) {
  Text* text = text_of(path);
  if (text == nullptr) return;
  const auto octets = read(path);
  if (!octets) {
    // Editors replace files: it may be back in a moment.
    if (text->question != Text::Question::gone) {
      QTimer::singleShot(300, this, [this, path] {
        Text* still = text_of(path);
        if (still == nullptr) return;
        if (QFileInfo::exists(path)) {
          watcher_.addPath(path);
          return file_changed(path);
        }
        still->question = Text::Question::gone;
        still->editor->document()->setModified(true);
        ask();
      });
    }
    return;
  }
  if (!watcher_.files().contains(path)) watcher_.addPath(path);
  if (*octets == text->disk) {
    if (text->question == Text::Question::changed) text->question = Text::Question::none;
    return ask();
  }
  QString mine = text->editor->toPlainText();
  if (text->crlf) mine.replace(QLatin1Char('\n'), QStringLiteral("\r\n"));
  if (mine.toUtf8() == *octets) {  // the same change was made here
    text->disk = *octets;
    text->question = Text::Question::none;
    text->editor->document()->setModified(false);
  } else if (text->editor->document()->isModified()) {
    text->question = Text::Question::changed;
    text->disk_now = *octets;
  } else {
    reload(*text, *octets);
    Q_EMIT message(tr("%1 has changed on the disk and was read again; undo brings the text before back").arg(name_of_file(path)));
  }
  workspace_.language().read_again();
  ask();
}

void Texts::reload(Text& text, const QByteArray& octets) {
  const auto content = text_of_octets(octets, &text.crlf);
  if (!content) {
    Q_EMIT message(tr("%1 is no longer a text in UTF-8; the text here stays as it is").arg(text.path));
    return;
  }
  text.disk = octets;
  text.question = Text::Question::none;
  CodeEditor* editor = text.editor;
  editor->replace_all(*content);
  editor->document()->setModified(false);
  workspace_.language().read_again();
}

QString Texts::question() const { return bar_->isVisible() ? question_->text() : QString(); }

void Texts::ask() {
  tabs_->setVisible(tabs_->count() > 0);
  empty_->setVisible(tabs_->count() == 0);
  const Text* text = current();
  const auto show = [this](const QString& what, const QString& first, const QString& second) {
    question_->setText(what);
    first_->setText(first);
    second_->setText(second);
    bar_->show();
  };
  switch (text ? text->question : Text::Question::none) {
    case Text::Question::none: bar_->hide(); break;
    case Text::Question::changed:
      show(tr("%1 has changed on the disk, and has changes here that are not saved.").arg(name_of_file(text->path)), tr("&Keep mine"), tr("&Read the file"));
      break;
    case Text::Question::gone: show(tr("%1 is no longer on the disk.").arg(name_of_file(text->path)), tr("&Keep it here"), tr("&Save it again")); break;
    case Text::Question::copy:
      show(tr("There is a copy of changes to %1 that were never saved.").arg(name_of_file(text->path)), tr("&Bring them back"), tr("&Throw them away"));
      break;
  }
}

void Texts::answered(bool first) {
  Text* text = current();
  if (text == nullptr) return;
  switch (std::exchange(text->question, Text::Question::none)) {
    case Text::Question::none: break;
    case Text::Question::changed:
      if (first) text->disk = text->disk_now;  // it may be written over now
      else reload(*text, text->disk_now);      // in one step: undo brings the edits back
      break;
    case Text::Question::gone:
      if (!first) save(*text);
      break;
    case Text::Question::copy:
      if (first) text->editor->replace_all(text->copy);
      else autosave_.remove(text->path);
      break;
  }
  ask();
  if (CodeEditor* editor = current_editor()) editor->setFocus();
}

QString Texts::apply(const std::vector<TextEdit>& edits) {
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
        return tr("%1:%2 has changed meanwhile: '%3' stands where '%4' was").arg(name_of_file(edit.path)).arg(edit.begin.line).arg(there.selectedText(), edit.expected);
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

void Texts::remember() {
  const Text* text = current();
  if (text == nullptr || going_) return;
  const Place place{text->path, text->editor->current_line_number(), text->editor->textCursor().positionInBlock()};
  if (here_ < places_.size()) places_.resize(here_);
  places_.push_back(place);
  if (places_.size() > 200) places_.erase(places_.begin());
  here_ = places_.size();
}

void Texts::show_place(const QString& path, int line, int column) {
  remember();
  CodeEditor* editor = open(path);
  if (editor == nullptr) return;
  editor->go_to(line, column);
  editor->setFocus();
  // Where one goes is the last place; going back and forward moves between them.
  places_.resize(here_);
  places_.push_back({path, line, editor->textCursor().positionInBlock()});
  here_ = places_.size() - 1;
  Q_EMIT places_changed();
}

void Texts::go(const Place& place) {
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
  if (here_ == 0 || places_.empty()) return;
  --here_;
  const Place place = places_[here_];
  go(place);
}

void Texts::forward() {
  if (here_ + 1 >= places_.size()) return;
  ++here_;
  const Place place = places_[here_];
  go(place);
}

void Texts::set_theme(Theme theme) {
  theme_ = theme;
  for (const Text& text : texts_) text.editor->set_theme(theme);
}

void Texts::set_font_size(int points) {
  font_size_ = std::clamp(points, 5, 40);
  for (const Text& text : texts_) text.editor->set_font_size(font_size_);
}

}  // namespace weft::ide
