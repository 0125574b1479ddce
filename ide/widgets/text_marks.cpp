#include "text_marks.h"

#include <QFileInfo>
#include <algorithm>

#include "code_editor.h"
#include "models/contexts_model.h"
#include "models/line_coverage.h"
#include "texts.h"

namespace weft::ide {

TextMarks::TextMarks(Workspace& workspace, Texts& texts, QObject* parent) : QObject(parent), workspace_(workspace), texts_(texts) {
  connect(&workspace, &Workspace::breakpoints_changed, this, &TextMarks::breakpoints);
}

void TextMarks::breakpoints() {
  for (const Text& text : texts_.all()) {
    const QString name = QFileInfo(text.path).fileName();
    std::set<int> enabled, disabled;
    for (const workbench::Breakpoint& b : workspace_.breakpoints()) {
      const QString place = QString::fromStdString(b.target);
      if (b.kind == workbench::Breakpoint::Kind::location && place.section(QLatin1Char(':'), 0, 0) == name)
        (b.enabled ? enabled : disabled).insert(place.section(QLatin1Char(':'), 1, 1).toInt());
    }
    text.editor->set_breakpoints(std::move(enabled), std::move(disabled));
  }
}

void TextMarks::contexts() {
  const Target* target = workspace_.target();
  const auto view = target ? target->view() : nullptr;
  for (const Text& text : texts_.all()) {
    std::map<int, QString> lines;
    int stopped = 0;
    for (const workbench::ContextView& c : view ? view->contexts : std::vector<workbench::ContextView>{}) {
      if (c.line == 0 || QFileInfo(QString::fromStdString(c.file)) != QFileInfo(text.path)) continue;
      const int line = static_cast<int>(c.line);
      QString& who = lines[line];
      who += (who.isEmpty() ? QString() : QStringLiteral(", ")) + context_text(*view, c.id);
      if (target->state() != Target::State::running && target->stopped_at() == c.id) stopped = line;
    }
    text.editor->set_contexts(std::move(lines), stopped);
  }
}

void TextMarks::counts() {
  if (workspace_.target() == nullptr) return;
  workspace_.target()->ask(this, &coverage_by_line, [this](const std::map<std::string, std::map<int, LineCoverage>>& files) {
    for (const Text& text : texts_.all()) {
      const auto known = files.find(text.path.toStdString());
      text.editor->set_coverage(known == files.end() ? std::map<int, LineCoverage>() : known->second);
    }
  });
}

}  // namespace weft::ide
