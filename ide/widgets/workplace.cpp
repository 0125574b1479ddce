#include "workplace.h"

#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTabWidget>
#include <algorithm>

#include "code_editor.h"
#include "layouts.h"
#include "texts.h"

namespace weft::ide {

namespace {

QString key_of(const Workspace& workspace) {
  const QByteArray path = QFileInfo(workspace.path()).absoluteFilePath().toUtf8();
  return QStringLiteral("workplaces/") + QString::fromLatin1(Autosave::digest(path).left(24));
}

}  // namespace

Workplace::Workplace(Workspace& workspace, Texts& texts, QObject* parent)
    : QObject(parent), workspace_(workspace), texts_(texts) {
  rest_.setSingleShot(true);
  rest_.setInterval(kRest);
  connect(&rest_, &QTimer::timeout, this, &Workplace::save);
  const auto soon = [this] {
    if (keeps_ && !restoring_ && !rest_.isActive()) rest_.start();
  };
  connect(&texts, &Texts::opened, this, [this, soon](CodeEditor* editor) {
    connect(editor, &QPlainTextEdit::cursorPositionChanged, this, soon);
    soon();
  });
  connect(&texts, &Texts::closed, this, soon);
  connect(&workspace, &Workspace::watches_changed, this, soon);
  connect(&texts, &Texts::current_changed, this, soon);
}

void Workplace::save() {
  rest_.stop();
  if (!keeps_ || workspace_.target() == nullptr || workspace_.recording()) return;
  const std::vector<const Text*> order = texts_.in_order();
  QJsonArray all;
  for (const Text* text : order) {
    QJsonArray folds;
    for (const int line : text->editor->folded_lines()) folds.append(line);
    all.append(QJsonObject{{"path", text->path},
                           {"line", text->editor->current_line_number()},
                           {"column", static_cast<int>(text->editor->position().column)},
                           {"side", texts_.side_of(text->editor)},
                           {"folds", folds}});
  }
  const Text* const current = texts_.current();
  const QJsonObject state{{"texts", all},
                          {"current", current ? current->path : QString()},
                          {"watches", QJsonArray::fromStringList(workspace_.watches())}};
  user_settings().setValue(key_of(workspace_), QJsonDocument(state).toJson(QJsonDocument::Compact));
}

bool Workplace::restore() {
  if (!keeps_ || workspace_.recording()) return false;
  const QJsonObject state = QJsonDocument::fromJson(user_settings().value(key_of(workspace_)).toByteArray()).object();
  QStringList all, watches;
  restoring_ = true;
  for (const QJsonValue one : state["watches"].toArray()) watches << one.toString();
  workspace_.set_watches(watches);
  CodeEditor* lost = nullptr;  // a text with changes that were never saved is what people want to see first
  for (const QJsonValue one : state["texts"].toArray()) {
    const QString path = one["path"].toString();
    if (!QFileInfo::exists(path)) continue;
    CodeEditor* editor = texts_.open(path, false);
    if (editor == nullptr) continue;
    all << path;
    if (one["side"].toInt() == 1) texts_.put_on_side(editor, 1);
    std::vector<int> folds;
    for (const QJsonValue line : one["folds"].toArray()) folds.push_back(line.toInt());
    fold(editor, folds);
    editor->go_to(std::min(std::max(one["line"].toInt(), 1), editor->blockCount()), one["column"].toInt(1));
    const auto text = std::ranges::find(texts_.all(), path, &Text::path);
    if (lost == nullptr && text != texts_.all().end() && text->copy) lost = editor;
  }
  if (lost != nullptr)
    texts_.open(lost->path());
  else if (const QString current = state["current"].toString(); all.contains(current))
    texts_.open(current);
  restoring_ = false;
  return !all.isEmpty();
}

// What can be folded is known when the assembler has read the text.
void Workplace::fold(CodeEditor* editor, const std::vector<int>& lines) {
  if (lines.empty()) return;
  const auto now = [editor, lines] {
    for (const int line : lines)
      if (editor->can_fold(line) && !editor->is_folded(line)) editor->toggle_fold(line);
  };
  if (editor->is_current()) return now();
  auto* once = new QObject(editor);
  connect(editor, &CodeEditor::indexed, once, [now, once] {
    once->deleteLater();
    now();
  });
}

}  // namespace weft::ide
