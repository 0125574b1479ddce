#include "code_follow.h"

#include <QFileInfo>
#include <algorithm>

#include "models/packet_detail.h"
#include "texts.h"

namespace weft::ide {

CodeFollow::CodeFollow(Workspace& workspace, Texts& texts, const FollowCursor& machine, QObject* parent)
    : QObject(parent), workspace_(workspace), texts_(texts), machine_(machine) {
  connect(&workspace, &Workspace::project_changed, this, &CodeFollow::attach);
  connect(&workspace.cursor(), &Cursor::looked, this, &CodeFollow::looked);
  connect(&workspace.cursor(), &Cursor::packet_looked, this, &CodeFollow::packet_looked);
}

void CodeFollow::set_on(bool on) {
  if (std::exchange(on_, on) != on && on) show_context();
}

void CodeFollow::attach() {
  stops_ = 0;
  if (workspace_.target() != nullptr) connect(workspace_.target(), &Target::view_changed, this, &CodeFollow::stands);
}

// Paused, or gone to another moment. A stop at an instruction is shown by the window, and what was just built stands
// where nobody has asked for.
void CodeFollow::stands() {
  const Target* target = workspace_.target();
  using State = Target::State;
  const State state = target->state();
  if (state == State::running || state == State::building || state == State::empty || !target->view()) return;
  if (std::exchange(stops_, target->stops()) == target->stops()) return;
  if (const uint32_t packet = std::exchange(packet_, 0); packet != 0) return show_packet(packet);
  if (target->stopped_at() || (target->view()->cycle == 0 && target->present() == 0)) return;
  show_context();
}

bool CodeFollow::will_go() const {
  const Target* target = workspace_.target();
  const uint64_t cycle = workspace_.cursor().cycle();
  return target != nullptr && target->view() && machine_.on() && cycle != target->view()->cycle &&
         cycle <= target->present();
}

void CodeFollow::looked() {
  packet_ = 0;
  if (!will_go()) show_context();
}

void CodeFollow::packet_looked(uint32_t id) {
  if (will_go())
    packet_ = id;
  else
    show_packet(id);
}

// Where it is at this moment, else where its verdict was given.
void CodeFollow::show_packet(uint32_t id) {
  Target* target = workspace_.target();
  if (!on_ || target == nullptr || !target->view() || id == 0) return;
  const uint64_t cycle = target->view()->cycle;
  target->ask(
      this,
      [id, cycle](const Inspector& machine) {
        const PacketDetail detail = packet_detail(machine, id);
        for (const PacketStepView& step : detail.steps)
          if (step.from <= cycle && cycle < step.to && step.place.line != 0) return std::optional(step.place);
        const CodePlace* last = detail.last_place();
        return last != nullptr && last->line != 0 ? std::optional(*last) : std::nullopt;
      },
      [this, id](const std::optional<CodePlace>& place) {
        if (!on_ || !place || workspace_.cursor().packet() != id) return;
        show(QString::fromStdString(place->file), static_cast<int>(place->line));
      });
}

void CodeFollow::show_context() {
  const Target* target = workspace_.target();
  const auto id = workspace_.cursor().context();
  const auto view = target ? target->view() : nullptr;
  if (!on_ || !view || !id || target->state() == Target::State::running) return;
  const auto context = std::ranges::find(view->contexts, *id, &workbench::ContextView::id);
  if (context == view->contexts.end() || context->line == 0) return;
  show(QString::fromStdString(context->file), static_cast<int>(context->line));
}

void CodeFollow::show(const QString& file, int line) {
  if (on_ && !(busy_ && busy_()) && QFileInfo::exists(file)) texts_.reveal(file, texts_.line_of_built(file, line));
}

}  // namespace weft::ide
