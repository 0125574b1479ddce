#include "text_marks.h"

#include <QFileInfo>
#include <QTextBlock>
#include <algorithm>

#include "code_editor.h"
#include "models/breakpoint_text.h"
#include "models/contexts_model.h"
#include "models/line_coverage.h"
#include "texts.h"

namespace weft::ide {

TextMarks::TextMarks(Workspace& workspace, Texts& texts, QObject* parent)
    : QObject(parent), workspace_(workspace), texts_(texts), range_(workspace) {
  workspace.set_built_line([this](const workbench::Breakpoint& b) { return built_line(b); });
  workspace.set_line_now([this](const QString& path, int line) {
    for (const Text& text : texts_.all())
      if (text.path == path) return text.editor->line_of_built(line);
    return line;
  });
  connect(&range_, &RangeCounts::changed, this, &TextMarks::counts);
  connect(&workspace, &Workspace::breakpoints_changed, this, &TextMarks::breakpoints);
  connect(&workspace.cursor(), &Cursor::context_changed, this, &TextMarks::contexts);
}

int TextMarks::built_line(const workbench::Breakpoint& b) const {
  const int line = file_place(b).line;
  for (const Text& text : texts_.all())
    if (is_in_file(b, text.path)) return text.editor->built_line(line);
  return line;
}

void TextMarks::breakpoints() {
  for (const Text& text : texts_.all()) {
    std::map<int, BreakpointMark> marks;
    for (const workbench::Breakpoint& b : workspace_.breakpoints())
      if (is_in_file(b, text.path)) marks.emplace(file_place(b).line, mark_of(b));
    text.editor->set_breakpoints(std::move(marks));
  }
}

// Lines move with the text. The machine runs the text as it was, so it hears of it with the next build.
void TextMarks::follow(CodeEditor* editor) {
  editor->document()->setProperty("lines", editor->blockCount());
  connect(editor->document(), &QTextDocument::contentsChange, this, [this, editor](int position, int, int) {
    const int before = editor->document()->property("lines").toInt(), now = editor->blockCount();
    if (before == now) return;
    editor->document()->setProperty("lines", now);
    const QTextBlock block = editor->document()->findBlock(position);
    const int line = block.blockNumber() + 1;
    // Before a line's first word the line itself moves, or goes; after it, those that follow.
    const QString before_it = block.text().left(position - block.position());
    const bool in_front = now > before ? before_it.trimmed().isEmpty() : before_it.isEmpty();
    const int first = in_front ? line : line + 1, gone = std::max(before - now, 0);
    auto all = workspace_.breakpoints();
    bool moved = false;
    std::erase_if(all, [&](workbench::Breakpoint& b) {
      const int at = is_in_file(b, editor->path()) ? file_place(b).line : 0;
      if (at < first) return false;
      moved = true;
      if (at < first + gone - (in_front ? 0 : 1)) return true;
      set_line(b, at + now - before);
      return false;
    });
    if (moved) workspace_.plan_breakpoints(std::move(all));
  });
}

void TextMarks::contexts() {
  const Target* target = workspace_.target();
  const auto view = target ? target->view() : nullptr;
  std::optional<ContextId> here;
  if (target != nullptr && target->state() != Target::State::running)
    here = target->stopped_at() ? target->stopped_at() : workspace_.cursor().context();
  for (const Text& text : texts_.all()) {
    std::map<int, ContextMark> lines;
    int stopped = 0;
    for (const workbench::ContextView& c : view ? view->contexts : std::vector<workbench::ContextView>{}) {
      if (c.line == 0 || QFileInfo(QString::fromStdString(c.file)) != QFileInfo(text.path)) continue;
      const int line = static_cast<int>(c.line);
      const bool looked_at = here == c.id;
      lines[line].add(context_text(*view, c.id), c.state, looked_at);
      if (looked_at && (target->stopped_at() || view->cycle > 0)) stopped = line;
    }
    text.editor->set_contexts(std::move(lines), stopped);
  }
}

void TextMarks::show_tests(const CoverageLines* lines) {
  tests_ = lines ? std::optional(*lines) : std::nullopt;
  if (tests_) return show_counts(*tests_);
  for (const Text& text : texts_.all()) text.editor->set_coverage({});
  counts();
}

void TextMarks::show_counts(const CoverageLines& files, const std::optional<workbench::CycleRange>& range) {
  for (const Text& text : texts_.all()) {
    const auto known = files.find(text.path.toStdString());
    text.editor->set_coverage(known == files.end() ? std::map<int, LineCoverage>() : known->second, range);
  }
}

void TextMarks::counts() {
  if (tests_) return show_counts(*tests_);
  if (range_.lines()) return show_counts(*range_.lines(), range_.range());
  if (workspace_.target() == nullptr || range_.wanted()) return;
  workspace_.target()->ask(
      this, [](const Inspector& machine) { return coverage_by_line(machine); },
      [this](const CoverageLines& files) {
        if (!tests_ && !range_.wanted()) show_counts(files);
      });
}

}  // namespace weft::ide
