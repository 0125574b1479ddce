#include "watched_figures.h"

namespace weft::ide {

WatchedFigures::WatchedFigures(Workspace& workspace, int pause, QObject* parent)
    : QObject(parent), workspace_(workspace), pause_(pause) {
  later_.setSingleShot(true);
  connect(&later_, &QTimer::timeout, this, &WatchedFigures::ask_when_due);
  connect(&workspace, &Workspace::project_changed, this, &WatchedFigures::attach);
}

void WatchedFigures::begin() { attach(); }

void WatchedFigures::attach() {
  renew();
  Target* target = workspace_.target();
  if (target == nullptr) return;
  target->follow(
      this, [this] { renew(); }, [this] { outdate(); });
  ask_when_due();
}

void WatchedFigures::renew() {
  ++build_;
  asking_ = false;
  stale_ = true;
  renewed();
}

void WatchedFigures::set_watching(bool on) {
  watching_ = on;
  ask_when_due();
}

void WatchedFigures::outdate() {
  stale_ = true;
  ask_when_due();
}

void WatchedFigures::ask_when_due() {
  if (!watching_ || !stale_ || asking_) return;
  Target* target = workspace_.target();
  if (target == nullptr || !target->view()) return;
  if (target->state() == Target::State::running && since_.isValid() && since_.elapsed() < pause_) {
    if (!later_.isActive()) later_.start(pause_);
    return;
  }
  asking_ = true;
  stale_ = false;
  since_.start();
  send(*target);
}

}  // namespace weft::ide
