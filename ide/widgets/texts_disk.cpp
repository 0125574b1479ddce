// Texts and their files: saving, files that change or go while their texts are open, and copies of what is not saved.
#include <QFile>
#include <QFileInfo>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSaveFile>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTabWidget>
#include <QTextDocument>
#include <utility>

#include "code_editor.h"
#include "texts.h"

namespace weft::ide {

namespace {

QString name_of_file(const QString& path) { return QFileInfo(path).fileName(); }

// No state of the text is that of its file any more: undoing does not lead to one that counts as saved.
void part_from_file(QTextDocument& document) {
  {
    const QSignalBlocker quiet(&document);
    document.setModified(false);  // forgets which state was saved
  }
  document.setModified(true);
}

}  // namespace

std::optional<QByteArray> read_octets(const QString& path, QString* why) {
  QFile file(path);
  if (file.open(QIODevice::ReadOnly)) return file.readAll();
  if (why != nullptr) *why = file.errorString();
  return std::nullopt;
}

QByteArray Texts::octets_of(const Text& text) {
  if (!text.editor->document()->isModified()) return text.disk;
  return octets_of_text(*text.editor->document(), text.form);
}

void Texts::keep_copies() {
  for (const Text& text : texts_) {
    if (!text.editor->document()->isModified() || text.copy) continue;
    if (!autosave_.write(text.path, text.editor->toPlainText(), text.disk)) {
      Q_EMIT message(tr("No copy of the changes can be kept in %1: save often").arg(Autosave::default_folder()));
      return;
    }
  }
}

void Texts::forget_copy(const Text& text) const {
  if (!text.copy) autosave_.remove(text.path);
}

bool Texts::save(Text& text, bool also_gone) {
  if (!text.editor->document()->isModified()) return true;
  // The watcher tells of changes a moment late; what is there now counts.
  const auto now = read_octets(text.path);
  if (now && (*now != text.disk || text.question != Text::Question::none)) file_changed(text.path);
  if (!text.editor->document()->isModified()) return true;
  const bool differs = text.question == Text::Question::changed;
  if (differs || (text.question == Text::Question::gone && !also_gone)) {
    open(text.path);
    ask();
    Q_EMIT message(
        (differs ? tr("%1 is not saved: the file has changed on the disk; choose above what to keep")
                 : tr("%1 is not saved: the file is no longer on the disk; choose above what becomes of the text"))
            .arg(name_of_file(text.path)));
    return false;
  }
  const QByteArray octets = octets_of(text);
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
  forget_copy(text);
  ask();
  Q_EMIT saved(path);
  return true;
}

QString Texts::create(const QString& path) {
  if (text_of(path) != nullptr) return tr("%1 is open already").arg(name_of_file(path));
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || !file.commit())
    return tr("%1 cannot be written: %2").arg(path, file.errorString());
  if (CodeEditor* editor = open(path)) editor->setFocus();
  return {};
}

QString Texts::save_as(const CodeEditor* editor, const QString& path) {
  Text* text = text_of(editor);
  if (text == nullptr) return {};
  if (path == text->path) {
    save(*text);
    return {};
  }
  if (text_of(path) != nullptr) return tr("%1 is open already: close it first").arg(name_of_file(path));
  const QByteArray octets = octets_of(*text);
  QSaveFile file(path);
  if (!file.open(QIODevice::WriteOnly) || file.write(octets) != octets.size() || !file.commit())
    return tr("%1 cannot be written: %2").arg(path, file.errorString());
  const int line = editor->current_line_number(), column = static_cast<int>(editor->position().column);
  editor->document()->setModified(false);
  forget_copy(*text);
  activate(tabs_of(editor));
  close(tabs_->indexOf(text->editor));  // `text` is gone
  if (CodeEditor* copy = open(path)) {
    copy->go_to(line, column);
    copy->setFocus();
  }
  Q_EMIT saved(path);
  return {};
}

void Texts::file_changed(const QString& path) {
  Text* text = text_of(path);
  if (text == nullptr) return;
  const auto octets = read_octets(path);
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
        part_from_file(*still->editor->document());
        watcher_.addPath(QFileInfo(path).absolutePath());  // only its folder tells when it is back
        ask();
      });
    }
    return;
  }
  if (!watcher_.files().contains(path)) watcher_.addPath(path);
  const bool as_before = *octets == text->disk;
  const QByteArray here = octets_of(*text);
  if (as_before || here == *octets) {
    text->disk = *octets;
    text->question = Text::Question::none;
    if (here == *octets) text->editor->document()->setModified(false);  // the same change was made here, or none
    if (as_before) return ask();
  } else if (here != text->disk || !text_of_octets(*octets)) {
    text->question = Text::Question::changed;
    text->disk_now = *octets;
    part_from_file(*text->editor->document());
  } else {
    reload(*text, *octets);
    Q_EMIT message(
        tr("%1 has changed on the disk and was read again; undo brings the text before back").arg(name_of_file(path)));
  }
  workspace_.language().read_again();
  ask();
}

void Texts::folder_changed(const QString& folder) {
  QStringList back;
  bool misses = false;
  for (const Text& text : texts_) {
    if (QFileInfo(text.path).absolutePath() != folder || watcher_.files().contains(text.path)) continue;
    if (QFileInfo::exists(text.path))
      back << text.path;
    else
      misses = true;
  }
  if (!misses) watcher_.removePath(folder);
  for (const QString& path : back) file_changed(path);
}

void Texts::reload(Text& text, const QByteArray& octets) {
  const auto content = text_of_octets(octets, &text.form);
  if (!content) {
    Q_EMIT message(tr("%1 is no longer a text in UTF-8; the text here stays as it is").arg(text.path));
    return;
  }
  text.disk = octets;
  text.question = Text::Question::none;
  CodeEditor* editor = text.editor;
  reading_ = true;  // an edit for each stretch, and nobody works on those between
  editor->replace_all(*content);
  set_line_ends(*editor->document(), text.form);
  editor->document()->setModified(false);
  reading_ = false;
  changed(editor);
  Q_EMIT read_again(editor);
  workspace_.language().read_again();
}

QString Texts::question() const { return bar_->isVisible() ? question_->text() : QString(); }

void Texts::ask() {
  for (QTabWidget* side : sides_) side->setVisible(side->count() > 0);
  split_->setVisible(!texts_.empty());
  const bool welcome = welcome_ != nullptr && texts_.empty() && workspace_.target() == nullptr;
  if (welcome_ != nullptr) welcome_->setVisible(welcome);
  empty_->setVisible(texts_.empty() && !welcome);
  const Text* text = current();
  const auto show = [this](const QString& what, const QString& first, const QString& second) {
    question_->setText(what);
    first_->setText(first);
    second_->setText(second);
    bar_->show();
  };
  if (text == nullptr) return bar_->hide();
  switch (text->question) {
    case Text::Question::none:
      if (!text->copy) return bar_->hide();
      show(tr("There is a copy of changes to %1 that were never saved.").arg(name_of_file(text->path)),
           tr("&Bring them back"), tr("&Throw them away"));
      break;
    case Text::Question::changed:
      show(tr("%1 has changed on the disk, and has changes here that are not saved.").arg(name_of_file(text->path)),
           tr("&Keep mine"), tr("&Read the file"));
      break;
    case Text::Question::gone:
      show(tr("%1 is no longer on the disk.").arg(name_of_file(text->path)), tr("&Keep it here"), tr("&Save it again"));
      break;
  }
}

void Texts::answered(bool first) {
  Text* text = current();
  if (text == nullptr) return;
  switch (std::exchange(text->question, Text::Question::none)) {
    case Text::Question::none:
      if (const auto copy = std::exchange(text->copy, std::nullopt)) {
        if (first)
          text->editor->replace_all(*copy);
        else
          autosave_.remove(text->path);
        if (text->editor->document()->isModified()) copies_.start();  // of what was typed while it asked
      }
      break;
    case Text::Question::changed:
      if (first)
        text->disk = text->disk_now;  // it may be written over now
      else
        reload(*text, text->disk_now);  // in one step: undo brings the edits back
      break;
    case Text::Question::gone:
      if (first)
        text->disk = QByteArray();  // when a file is there again it is another one, and a question
      else
        save(*text);
      break;
  }
  ask();
  if (CodeEditor* editor = current_editor()) editor->setFocus();
}

}  // namespace weft::ide
