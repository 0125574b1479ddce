#include "line_values.h"

#include "code_editor.h"
#include "models/line_values.h"
#include "texts.h"

namespace weft::ide {

LineValues::LineValues(Workspace& workspace, Texts& texts, QObject* parent)
    : QObject(parent), workspace_(workspace), texts_(texts) {
  connect(&workspace, &Workspace::project_changed, this, &LineValues::attach);
  connect(&workspace.cursor(), &Cursor::context_changed, this, &LineValues::ask);
  connect(&texts, &Texts::opened, this, &LineValues::ask);
}

void LineValues::set_on(bool on) {
  if (std::exchange(on_, on) != on) ask();
}

void LineValues::attach() {
  request_.reset();
  show({});
  if (Target* target = workspace_.target()) {
    connect(target, &Target::view_changed, this, &LineValues::ask);
    connect(target, &Target::state_changed, this, [this, target] {
      if (target->state() == Target::State::building) request_.reset();  // the question may be lost
      ask();
    });
  }
}

void LineValues::ask() {
  Target* target = workspace_.target();
  const auto id = workspace_.cursor().context();
  using State = Target::State;
  const bool stands = target != nullptr && target->view() && target->view()->cycle > 0 &&
                      target->state() != State::running && target->state() != State::building;
  if (!on_ || !id || !stands) return show({});
  if (!request_.begin()) return;
  target->ask(
      this, [id = *id](const Inspector& machine) { return ide::line_values(machine, id, kLines); },
      [this](const std::map<std::string, std::map<int, std::string>>& lines) {
        if (request_.end()) return ask();
        if (!on_ || workspace_.target()->state() == Target::State::running) return;
        std::map<QString, std::map<int, QString>> notes;
        for (const auto& [file, values] : lines)
          for (const auto& [line, text] : values)
            notes[QString::fromStdString(file)][line] = QString::fromStdString(text);
        show(notes);
      });
}

// Lines are those of the text that was built.
void LineValues::show(const std::map<QString, std::map<int, QString>>& notes) {
  for (const Text& text : texts_.all()) {
    std::map<int, QString> own;
    if (const auto known = notes.find(text.path); known != notes.end())
      for (const auto& [line, value] : known->second)
        if (const int now = text.editor->line_of_built(line); now > 0) own[now] = value;
    text.editor->set_line_notes(std::move(own));
  }
}

}  // namespace weft::ide
