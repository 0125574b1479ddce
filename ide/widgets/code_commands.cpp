#include "code_commands.h"

#include <QApplication>
#include <QFileInfo>
#include <QKeyEvent>
#include <QMenu>
#include <QTextBlock>
#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "code_assist.h"
#include "code_editor.h"
#include "code_generated.h"
#include "references_view.h"
#include "weft/assembler/format.h"

namespace weft::ide {

namespace {

using assembler::Index;
using assembler::IndexPlace;

QString line_of(const Index& index, const IndexPlace& place) {
  std::string_view text = index.text(place.file);
  for (uint32_t line = 1; line < place.line; ++line) {
    const size_t end = text.find('\n');
    if (end == std::string_view::npos) return {};
    text.remove_prefix(end + 1);
  }
  QString line = QString::fromStdString(std::string(text.substr(0, text.find('\n'))));
  if (line.endsWith(QLatin1Char('\r'))) line.chop(1);
  return line;
}

QString path_of(const Index& index, const IndexPlace& place) {
  return QString::fromStdString(index.files()[place.file]);
}

// What the index has at a place. Never null, which would allow anything there.
QString written_at(const Index& index, const IndexPlace& place) {
  const QString line = line_of(index, place);
  const int begin = character_of(line, place.column), end = character_of(line, place.column + place.length);
  return QStringLiteral("") + line.mid(begin, end - begin);
}

// A file whose text is another one than the programs were read from; empty: none. Nobody watches files that are not
// open.
QString changed_file(const Language& language) {
  const auto lines = [](std::string text) {
    std::erase(text, '\r');
    return text;
  };
  for (const ProgramIndex& program : language.programs())
    for (uint32_t file = 0; file < program.index->files().size(); ++file) {
      if (program.index->is_built_in(file)) continue;
      const QString path = QString::fromStdString(program.index->files()[file]);
      auto now = language.text(path);
      if (now && lines(std::move(*now)) != lines(std::string(program.index->text(file)))) return path;
    }
  return {};
}

class NameField final : public QLineEdit {
 public:
  using QLineEdit::QLineEdit;

 protected:
  void keyPressEvent(QKeyEvent* event) override {
    if (event->key() == Qt::Key_Escape) {
      QWidget* editor = parentWidget()->parentWidget();
      deleteLater();
      hide();
      if (editor) editor->setFocus();
      return;
    }
    QLineEdit::keyPressEvent(event);
    event->accept();  // it is not for the text below
  }
  void focusOutEvent(QFocusEvent* event) override {
    QLineEdit::focusOutEvent(event);
    hide();
    deleteLater();
  }
};

}  // namespace

CodeCommands::CodeCommands(Workspace& workspace, Texts& texts, ReferencesView& references)
    : workspace_(workspace), texts_(texts), references_(references), generated_(new CodeGenerated(workspace, texts)) {
  generated_->setParent(this);
  connect(generated_, &CodeGenerated::message, this, &CodeCommands::message);
}

CodeEditor* CodeCommands::known_editor() {
  CodeEditor* editor = texts_.current_editor();
  if (editor == nullptr) return nullptr;
  if (!editor->index_file()) {
    Q_EMIT message(tr("No program of the project holds this text"));
    return nullptr;
  }
  if (!editor->is_current()) {
    Q_EMIT message(tr("The assembler has not caught up with the text yet; try again in a moment"));
    return nullptr;
  }
  return editor;
}

CodeEditor* CodeCommands::changeable_editor() {
  CodeEditor* editor = texts_.current_editor();
  if (editor == nullptr || !editor->isReadOnly()) return editor;
  Q_EMIT message(tr("The texts of a recording are copies: open the project to change them"));
  return nullptr;
}

void CodeCommands::complete() {
  if (CodeEditor* editor = changeable_editor()) editor->assist().complete();
}

void CodeCommands::signature() {
  if (CodeEditor* editor = texts_.current_editor()) editor->assist().show_signature();
}

void CodeCommands::definition() {
  CodeEditor* editor = known_editor();
  if (editor == nullptr) return;
  const Index& index = *editor->index();
  const uint32_t file = *editor->index_file();
  const Position here = editor->position();
  std::vector<IndexPlace> places;
  bool built_in = false, any = false;
  for (const assembler::IndexReference* r : index.at(file, here)) {
    any = true;
    for (const uint32_t number : index.names()[r->name].references) {
      const assembler::IndexReference& other = index.references()[number];
      if (!other.definition) continue;
      if (index.is_built_in(other.place.file))
        built_in = true;
      else if (std::ranges::find(places, other.place) == places.end())
        places.push_back(other.place);
    }
  }
  if (places.empty()) {
    Q_EMIT message(built_in ? tr("This name is built in, or comes from the project's options")
                   : any    ? tr("This name is declared nowhere")
                            : tr("No name stands here"));
    return;
  }
  // At one definition of several: the next.
  const auto at = std::ranges::find_if(places, [&](const IndexPlace& p) {
    return p.file == file && p.line == here.line && p.column <= here.column && here.column <= p.column + p.length;
  });
  const IndexPlace to = at == places.end() || at + 1 == places.end() ? places.front() : *(at + 1);
  texts_.show_place(path_of(index, to), static_cast<int>(std::max(to.line, 1u)),
                    static_cast<int>(std::max(to.column, 1u)));
}

void CodeCommands::references() {
  CodeEditor* editor = known_editor();
  if (editor == nullptr) return;
  // One place may both read and write, and be seen by several programs.
  struct Use {
    FoundPlace place;
    bool definition = false, reads = false, writes = false, expanded = false;
  };
  std::map<std::tuple<QString, uint32_t, uint32_t>, Use> found;
  QString what;
  for (const ProgramIndex& program : workspace_.language().programs()) {
    const Index& index = *program.index;
    const auto file = index.file(editor->path().toStdString());
    if (!file) continue;
    for (const assembler::IndexReference* r : index.at(*file, editor->position())) {
      const assembler::IndexName& name = index.names()[r->name];
      if (what.isEmpty())
        what = tr("%1 %2").arg(QString::fromStdString(std::string(name_of(name.kind))),
                               QString::fromStdString(name.written));
      for (const uint32_t number : name.references) {
        const assembler::IndexReference& other = index.references()[number];
        if (index.is_built_in(other.place.file)) continue;
        Use& use = found[{path_of(index, other.place), other.place.line, other.place.column}];
        use.definition = use.definition || other.definition;
        use.reads = use.reads || other.reads;
        use.writes = use.writes || other.writes;
        use.expanded = use.expanded || !other.unexpanded;
        if (!use.place.path.isEmpty()) continue;
        use.place.path = path_of(index, other.place);
        use.place.line = static_cast<int>(other.place.line);
        use.place.column = static_cast<int>(other.place.column);
        use.place.length = static_cast<int>(other.place.length);
        use.place.text = line_of(index, other.place);
      }
    }
  }
  if (found.empty()) {
    Q_EMIT message(tr("No name stands here"));
    return;
  }
  std::vector<FoundPlace> places;
  for (auto& [where, use] : found) {
    use.place.kind = use.definition            ? tr("declaration")
                     : use.reads && use.writes ? tr("reads, writes")
                     : use.writes              ? tr("writes")
                     : use.reads               ? tr("reads")
                                               : tr("use");
    if (!use.expanded) use.place.kind += tr(" (not assembled)");
    places.push_back(std::move(use.place));
  }
  const QString title =
      places.size() == 1 ? tr("%1: one place").arg(what) : tr("%1: %2 places").arg(what).arg(places.size());
  references_.show_references(title, std::move(places));
  Q_EMIT references_found();
}

void CodeCommands::rename() {
  CodeEditor* editor = changeable_editor() ? known_editor() : nullptr;
  if (editor == nullptr) return;
  const Index& index = *editor->index();
  const uint32_t file = *editor->index_file();
  const Position here = editor->position();
  const assembler::IndexRename can = index.rename_at(file, here, {});
  if (!can.obstacle.empty()) {
    Q_EMIT message(tr("This cannot be renamed: %1").arg(QString::fromStdString(can.obstacle)));
    return;
  }
  QString old_name;
  QRect box = editor->cursorRect();
  for (const IndexPlace& p : can.places) {
    if (p.file != file || p.line != here.line || here.column < p.column || here.column > p.column + p.length) continue;
    QTextCursor name(editor->document());
    name.setPosition(editor->character_at({p.line, p.column}));
    box = editor->cursorRect(name);
    name.setPosition(editor->character_at({p.line, p.column + p.length}), QTextCursor::KeepAnchor);
    old_name = name.selectedText();
  }
  if (old_name.isEmpty()) {
    Q_EMIT message(tr("No name stands here"));
    return;
  }
  workspace_.language().read_again();  // while the name is typed: files may have changed that are not open
  if (field_) field_->deleteLater();
  field_ = new NameField(editor->viewport());
  field_->setObjectName(QStringLiteral("rename"));
  field_->setAccessibleName(tr("New name"));
  field_->setFont(editor->font());
  field_->setText(old_name);
  field_->selectAll();
  const int width = editor->fontMetrics().horizontalAdvance(QLatin1Char('n')) *
                    (std::max<int>(static_cast<int>(old_name.size()), 16) + 4);
  field_->setGeometry(std::min(box.left() - 4, std::max(0, editor->viewport()->width() - width)), box.top() - 3, width,
                      box.height() + 8);
  field_->show();
  field_->setFocus();
  connect(field_, &QLineEdit::returnPressed, this, [this, editor = QPointer<CodeEditor>(editor), here, old_name] {
    const QString name = field_->text().trimmed();
    if (!editor) return;
    editor->setFocus();  // the field goes
    if (name != old_name) rename_to(editor->path(), here, old_name, name);
  });
}

void CodeCommands::rename_to(const QString& path, Position position, const QString& old_name, const QString& name) {
  const auto refuse = [&](const QString& why) { Q_EMIT message(tr("'%1' is not renamed: %2").arg(old_name, why)); };
  if (name.isEmpty()) return refuse(tr("the new name is empty"));
  const CodeEditor* editor = texts_.open(path, false);
  if (editor == nullptr || !editor->is_current()) return refuse(tr("the text has changed meanwhile"));
  if (const QString changed = changed_file(workspace_.language()); !changed.isEmpty()) {
    workspace_.language().read_again();
    return refuse(
        tr("%1 has changed meanwhile, and is read again; try again in a moment").arg(QFileInfo(changed).fileName()));
  }
  // A file may belong to several programs: what any of them has at these places changes, and each of them may object.
  // What is found in one program leads to places that others know too.
  std::map<std::tuple<QString, uint32_t, uint32_t, uint32_t>, QString> places;  // and what is there
  std::vector<std::pair<QString, Position>> work{{path, position}};
  std::set<std::pair<QString, Position>> seen;
  while (!work.empty()) {
    const auto next = work.back();
    work.pop_back();
    if (!seen.insert(next).second) continue;
    for (const ProgramIndex& program : workspace_.language().programs()) {
      const auto file = program.index->file(next.first.toStdString());
      if (!file || program.index->at(*file, next.second).empty()) continue;
      const assembler::IndexRename change = program.index->rename_at(*file, next.second, name.toStdString());
      if (!change.obstacle.empty()) {
        QString why = QString::fromStdString(change.obstacle);
        if (change.obstacle_place)
          why += tr(" (%1:%2)")
                     .arg(QFileInfo(path_of(*program.index, *change.obstacle_place)).fileName())
                     .arg(change.obstacle_place->line);
        return refuse(why);
      }
      for (const IndexPlace& p : change.places) {
        const QString where = path_of(*program.index, p);
        const std::tuple place(where, p.line, p.column, p.length);
        if (places.emplace(place, written_at(*program.index, p)).second) work.push_back({where, {p.line, p.column}});
      }
    }
  }
  std::vector<TextEdit> edits;
  std::set<QString> files;
  for (const auto& [place, there] : places) {
    const auto& [where, line, column, length] = place;
    edits.push_back({where, {line, column}, {line, column + length}, name, there});
    files.insert(where);
  }
  if (const QString why = texts_.apply(edits); !why.isEmpty()) return refuse(why);
  Q_EMIT message(tr("'%1' is '%2' now, at %3 places in %4 files; none of them is saved yet")
                     .arg(old_name, name)
                     .arg(edits.size())
                     .arg(files.size()));
}

void CodeCommands::apply_fixits(const Diagnostic& problem) {
  std::vector<TextEdit> edits;
  for (const FixIt& fix : problem.fixits) {
    if (!fix.range.file) continue;
    TextEdit edit{QString::fromStdString(fix.range.file->name()), fix.range.begin, fix.range.end,
                  QString::fromStdString(fix.replacement), QString()};
    if (fix.range.begin.line == fix.range.end.line) {
      const std::string_view line = fix.range.file->line(fix.range.begin.line);
      const size_t begin = std::min<size_t>(fix.range.begin.column - 1, line.size()),
                   end = std::clamp<size_t>(fix.range.end.column - 1, begin, line.size());
      edit.expected = QString::fromUtf8(line.data() + begin, static_cast<qsizetype>(end - begin));
      if (edit.expected.isNull()) edit.expected = QStringLiteral("");
    }
    edits.push_back(std::move(edit));
  }
  if (const QString why = texts_.apply(edits); !why.isEmpty()) Q_EMIT message(tr("Not repaired: %1").arg(why));
}

void CodeCommands::repair() {
  CodeEditor* editor = changeable_editor();
  if (editor == nullptr) return;
  const std::vector<const Diagnostic*> all = editor->repairable(editor->current_line_number());
  if (all.empty()) {
    Q_EMIT message(tr("The assembler has nothing to offer for this line"));
    return;
  }
  if (all.size() == 1) {
    const Diagnostic copy = *all.front();  // the editor's own goes with the change
    return apply_fixits(copy);
  }
  auto* menu = new QMenu(editor);
  menu->setAttribute(Qt::WA_DeleteOnClose);
  for (const Diagnostic* d : all) {
    const QString to = QString::fromStdString(d->fixits.front().replacement).trimmed();
    menu->addAction(tr("%1: write '%2'").arg(QString::fromStdString(d->text), to), this,
                    [this, copy = *d] { apply_fixits(copy); });
  }
  menu->popup(editor->viewport()->mapToGlobal(editor->cursorRect().bottomLeft()));
}

void CodeCommands::format() {
  CodeEditor* editor = changeable_editor();
  if (editor == nullptr) return;
  if (!editor->path().endsWith(QStringLiteral(".uc")) && !editor->index_file()) {
    Q_EMIT message(tr("Only microcode is formatted"));
    return;
  }
  auto formatted =
      assembler::format_source(make_source(editor->path().toStdString(), editor->toPlainText().toStdString()));
  if (!formatted) {
    const Diagnostic& why = formatted.error().list().front();
    Q_EMIT message(tr("Not formatted: line %1: %2").arg(why.range.begin.line).arg(QString::fromStdString(why.text)));
    return;
  }
  editor->replace_all(QString::fromStdString(*formatted));
}

void CodeCommands::comment() {
  CodeEditor* editor = changeable_editor();
  if (editor == nullptr) return;
  QTextCursor cursor = editor->textCursor();
  QTextBlock first = editor->document()->findBlock(cursor.selectionStart()),
             last = editor->document()->findBlock(cursor.selectionEnd());
  if (last != first && cursor.selectionEnd() == last.position()) last = last.previous();
  bool all = true;
  for (QTextBlock b = first; b.isValid() && b.blockNumber() <= last.blockNumber(); b = b.next())
    all = all && (b.text().trimmed().isEmpty() || b.text().trimmed().startsWith(QStringLiteral("//")));
  cursor.beginEditBlock();
  for (QTextBlock b = first; b.isValid() && b.blockNumber() <= last.blockNumber(); b = b.next()) {
    if (b.text().trimmed().isEmpty()) continue;
    QTextCursor change(b);
    if (!all) {
      change.insertText(QStringLiteral("// "));
      continue;
    }
    const int at = static_cast<int>(b.text().indexOf(QStringLiteral("//")));
    change.setPosition(b.position() + at);
    change.setPosition(b.position() + at + (b.text().mid(at + 2, 1) == QStringLiteral(" ") ? 3 : 2),
                       QTextCursor::KeepAnchor);
    change.removeSelectedText();
  }
  cursor.endEditBlock();
}

void CodeCommands::toggle_fold() {
  CodeEditor* editor = texts_.current_editor();
  if (editor == nullptr) return;
  const int line = editor->current_line_number();
  const int fold = editor->fold_around(line);
  if (fold == 0)
    Q_EMIT message(tr("There is nothing to fold here"));
  else
    editor->toggle_fold(fold);
}

void CodeCommands::toggle_generated() {
  CodeEditor* editor = texts_.current_editor();
  if (editor == nullptr) return;
  int line = editor->current_line_number();
  for (const QWidget* panel : editor->panels().all())
    if (panel->isAncestorOf(QApplication::focusWidget())) line = editor->panels().line_of(panel);
  generated_->toggle(editor, line, true);
}

void CodeCommands::answer_value(CodeEditor* editor, const QString& name) {
  Target* target = workspace_.target();
  if (target == nullptr) return;
  using State = Target::State;
  const State state = target->state();
  if (state != State::stopped && state != State::ended && state != State::faulted) return;
  const ContextId where = workspace_.cursor().context().value_or(ContextId());
  const QString who = QStringLiteral("me%1.%2").arg(where.engine).arg(where.context);
  const auto question = [name = name.toStdString(), where](const Inspector& machine) -> std::optional<int64_t> {
    const auto value = machine.evaluate(name, where);
    return value ? std::optional(*value) : std::nullopt;
  };
  target->ask(editor, question, [editor, name, who](const std::optional<int64_t>& value) {
    if (value)
      editor->show_value(
          name,
          tr("%1: 0x%2 = %3").arg(who, QString::number(static_cast<quint64>(*value) & 0xffffffffu, 16)).arg(*value));
    else
      editor->show_value(name, tr("%1: no value at this place").arg(who));
  });
}

}  // namespace weft::ide
