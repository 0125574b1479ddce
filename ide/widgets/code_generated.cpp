#include "code_generated.h"

#include <QApplication>
#include <QDir>
#include <QTextBlock>
#include <algorithm>
#include <set>
#include <utility>

#include "code_editor.h"
#include "generated_panel.h"
#include "texts.h"

namespace weft::ide {

CodeGenerated::CodeGenerated(Workspace& workspace, Texts& texts) : workspace_(workspace), texts_(texts) {
  connect(&workspace_, &Workspace::project_changed, this, &CodeGenerated::attach);
  connect(&texts_, &Texts::opened, this, &CodeGenerated::editor_opened);
}

void CodeGenerated::attach() {
  building_ = true;
  if (Target* target = workspace_.target())
    connect(target, &Target::state_changed, this, &CodeGenerated::state_changed);
}

void CodeGenerated::editor_opened(CodeEditor* editor) {
  connect(&editor->gutter(), &CodeGutter::generated_requested, this,
          [this, editor](int line) { toggle(editor, line, false); });
  connect(editor->document(), &QTextDocument::contentsChanged, this, [this, editor] { changed(editor); });
  connect(editor, &QObject::destroyed, this, [this](QObject* gone) { built_.erase(gone); });
  const auto text = std::ranges::find(texts_.all(), editor, &Text::editor);
  if (text != texts_.all().end() && is_built(*text)) built_[editor] = editor->document()->revision();
  fetch();
}

// One of which nothing is known, of a recording say, is as its file.
bool CodeGenerated::is_built(const Text& text) const {
  if (const Target* target = workspace_.target())
    if (const auto built = target->built_from().find(QDir::cleanPath(text.path)); built != target->built_from().end())
      return built->second == Target::digest_of(Texts::octets_of(text));
  return !text.editor->document()->isModified();
}

// After a build the lines of the texts are those that the instructions know.
void CodeGenerated::state_changed() {
  const bool building = workspace_.target()->state() == Target::State::building;
  if (std::exchange(building_, building) == building || building) return;
  for (const Text& text : texts_.all()) {
    if (is_built(text)) built_[text.editor] = text.editor->document()->revision();
    for (QWidget* widget : text.editor->panels().all())
      if (auto* panel = qobject_cast<GeneratedPanel*>(widget)) panel->set_line(text.editor->panels().line_of(panel));
    changed(text.editor);
  }
  fetch();
}

void CodeGenerated::changed(CodeEditor* editor) {
  const auto built = built_.find(editor);
  const bool stale = built == built_.end() || built->second != editor->document()->revision();
  for (QWidget* widget : editor->panels().all())
    if (auto* panel = qobject_cast<GeneratedPanel*>(widget)) panel->set_stale(stale);
}

// A line has a mark when it stands for more than is written: it calls a macro, is structured, or makes several words.
void CodeGenerated::fetch() {
  Target* target = workspace_.target();
  if (target == nullptr) return;
  std::vector<std::string> paths;
  for (const Text& text : texts_.all()) paths.push_back(text.path.toStdString());
  using Lines = std::map<std::string, std::map<uint32_t, workbench::GeneratedLine>>;
  const auto question = [paths](const Inspector& machine) {
    Lines out;
    std::set<const image::Image*> seen;
    for (const workbench::EngineView& e : machine.machine().engines) {
      const image::Image* image = machine.program(e.chip, e.engine);
      if (image == nullptr || !seen.insert(image).second) continue;
      for (const std::string& path : paths)
        for (const auto& [number, line] : workbench::generated_lines(*image, path)) {
          workbench::GeneratedLine& known = out[path][number];
          known.words = std::max(known.words, line.words);
          known.calls = known.calls || line.calls;
        }
    }
    return out;
  };
  target->ask(this, question, [this](const Lines& all) {
    for (const Text& text : texts_.all()) {
      std::set<int> lines;
      if (const auto known = all.find(text.path.toStdString()); known != all.end())
        for (const auto& [number, line] : known->second) {
          const int at = static_cast<int>(number);
          const bool structured =
              text.editor->document()->findBlockByNumber(at - 1).text().trimmed().startsWith(QLatin1Char('.'));
          if (line.calls || line.words > 1 || structured) lines.insert(at);
        }
      text.editor->gutter().set_generated(std::move(lines));
    }
  });
}

GeneratedPanel* CodeGenerated::panel(const CodeEditor* editor, int line) const {
  return qobject_cast<GeneratedPanel*>(editor->panels().at(line));
}

void CodeGenerated::toggle(CodeEditor* editor, int line, bool focus) {
  if (GeneratedPanel* known = panel(editor, line)) {
    const bool had = known->isAncestorOf(QApplication::focusWidget());
    editor->panels().remove(known);
    if (had) editor->setFocus();
    return;
  }
  if (workspace_.target() == nullptr) {
    Q_EMIT message(tr("No project is open: there are no instructions to show"));
    return;
  }
  auto* made = new GeneratedPanel(workspace_, editor->path(), line);
  editor->panels().add(line, made, made->wanted_height());
  changed(editor);
  connect(made, &GeneratedPanel::height_changed, editor, [editor, made, focus, first = true]() mutable {
    editor->panels().set_height(made, made->wanted_height());
    if (std::exchange(first, false) && focus && made->model().rowCount() > 0) made->take_focus();
  });
  connect(made, &GeneratedPanel::close_requested, editor,
          [this, editor, made] { toggle(editor, editor->panels().line_of(made), false); });
  connect(made, &GeneratedPanel::leave_requested, editor, [editor, made] {
    editor->go_to(editor->panels().line_of(made));
    editor->setFocus();
  });
}

}  // namespace weft::ide
