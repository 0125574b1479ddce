#include "follow_cursor.h"

namespace weft::ide {

FollowCursor::FollowCursor(Workspace& workspace, QObject* parent) : QObject(parent), workspace_(workspace) {
  rest_.setSingleShot(true);
  rest_.setInterval(kRest);
  connect(&rest_, &QTimer::timeout, this, &FollowCursor::go);
  connect(&workspace.cursor(), &Cursor::cycle_changed, this, [this] { rest_.start(); });
  connect(&workspace, &Workspace::project_changed, this, &FollowCursor::attach);
}

void FollowCursor::attach() {
  going_ = false;
  rest_.stop();
  if (workspace_.target() == nullptr) return;
  connect(workspace_.target(), &Target::view_changed, this, [this] { going_ = false; });
}

void FollowCursor::go() {
  using State = Target::State;
  Target* target = workspace_.target();
  if (!on_ || target == nullptr || !target->view()) return;
  const State state = target->state();
  if (state != State::stopped && state != State::ended && state != State::faulted) return;
  const uint64_t cycle = workspace_.cursor().cycle();
  if (cycle == target->view()->cycle || cycle > target->present()) return;
  if (going_) return rest_.start();
  going_ = true;
  if (cycle == target->present())
    target->go_to_present();
  else
    target->go_to(cycle);
}

}  // namespace weft::ide
