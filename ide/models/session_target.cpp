#include "session_target.h"

#include "breakpoint_place.h"
#include "session_worker.h"

namespace weft::ide {

using workbench::RunControl;
using workbench::Session;
using workbench::Stop;

SessionTarget::SessionTarget(SessionSettings settings, QObject* parent)
    : Target(parent), worker_(std::make_unique<Worker>(*this, std::move(settings))) {}
SessionTarget::~SessionTarget() { SessionTarget::pause(); }

std::shared_ptr<SessionTarget::Move> SessionTarget::admit() { return moves_.emplace_back(std::make_shared<Move>()); }

template <class How>
void SessionTarget::move(Kind kind, How how) {
  if (kind.drop_when_busy && busy()) return;
  worker_->add([move = admit(), kind = std::move(kind), how = std::move(how)](Worker& w) { w.go(*move, kind, how); });
}

void SessionTarget::build() {
  pause();
  worker_->add([move = admit()](Worker& w) { w.build(*move, false); });
}
void SessionTarget::build_and_replay() {
  pause();
  worker_->add([move = admit()](Worker& w) { w.build(*move, true); });
}
void SessionTarget::run() {
  move({.what = tr("run"), .runs = true}, [](Session& s, const RunControl& c) { return Result<Stop>(s.run(c)); });
}
void SessionTarget::run_until(const std::string& condition) {
  move({.what = tr("run"), .runs = true},
       [condition](Session& s, const RunControl& c) { return s.run_until(condition, c); });
}
void SessionTarget::run_to(workbench::Breakpoint target) {
  move({.what = tr("run"), .runs = true},
       [target = std::move(target)](Session& s, const RunControl& c) -> Result<Stop> {
         const auto ids = add_in_every_chip(s, target);
         if (!ids) return tl::unexpected(ids.error());
         Stop stop = s.run(c);
         for (const unsigned id : *ids) s.remove_breakpoint(id);
         return stop;
       });
}
void SessionTarget::pause() {
  for (const auto& move : moves_) move->stop = true;
}
void SessionTarget::give_up() {
  for (const auto& move : moves_) {
    move->back = true;
    move->stop = true;
  }
}
void SessionTarget::step(ContextId id, workbench::Step how) {
  using workbench::Step;
  const QString what = how == Step::out    ? tr("step out")
                       : how == Step::over ? tr("step over")
                       : how == Step::line ? tr("step to the next line")
                                           : tr("step");
  move({.what = what, .drop_when_busy = true}, [id, how](Session& s, const RunControl& c) {
    return Result<Stop>(s.step(id.engine, static_cast<int>(id.context), how, id.chip, c));
  });
}
void SessionTarget::step_back(ContextId id) {
  move({.what = tr("step back"), .replays = true, .drop_when_busy = true}, [id](Session& s, const RunControl& c) {
    return s.step_back(id.engine, static_cast<int>(id.context), id.chip, c);
  });
}
void SessionTarget::run_back() {
  move({.what = tr("run backwards"), .replays = true, .drop_when_busy = true},
       [](Session& s, const RunControl& c) { return s.run_back(c); });
}
void SessionTarget::go_to(uint64_t cycle) {
  move({.what = tr("go to cycle %L1").arg(cycle), .replays = true, .to = cycle},
       [cycle](Session& s, const RunControl& c) {
         auto stop = s.go_to({cycle * s.machine().timing().period, 0}, c);
         if (stop && stop->kind == Stop::Kind::cycles) stop->kind = Stop::Kind::interrupted;  // it can go on from there
         return stop;
       });
}
void SessionTarget::go_to_present() {
  Worker* const worker = worker_.get();
  move({.what = tr("go to the present"), .replays = true},
       [worker](Session&, const RunControl&) { return worker->go_to_present(); });
}
void SessionTarget::run_to_wrong() {
  Worker* const worker = worker_.get();
  move({.what = tr("run to what is wrong"), .runs = true},
       [worker](Session& s, const RunControl& c) { return worker->run_to_wrong(s, c); });
}
void SessionTarget::write(const std::string& name, int64_t value, ContextId where) {
  worker_->add_question([name, value, where](Worker& w) { w.write(name, value, where); }, true);
}
void SessionTarget::set_breakpoints(std::vector<workbench::Breakpoint> all, bool same_text, BuiltPlaces built) {
  worker_->add_question(
      [all = std::move(all), asked = ++asked_, numbered = numbered_, same_text, built = std::move(built)](Worker& w) {
        w.set_breakpoints(all, asked, numbered, same_text, built);
      },
      true);
}
void SessionTarget::plan_breakpoints(std::vector<workbench::Breakpoint> all) {
  worker_->add_question([all = std::move(all), asked = ++asked_,
                         numbered = numbered_](Worker& w) { w.plan_breakpoints(all, asked, numbered); },
                        true);
}
void SessionTarget::find_write(const std::string& name, ContextId where, bool next, QObject* asker, TakeWriter then) {
  worker_->add(
      [move = admit(), name, where, next, guard = QPointer<QObject>(asker), then = std::move(then)](Worker& w) {
        w.find(
            *move,
            [&](Session& s, const std::atomic<bool>* interrupt) {
              const auto chips = s.chips();
              const std::string of_chip = chips.size() > 1 ? chips.at(where.chip) + ": " + name : name;
              const int engine = static_cast<int>(where.engine), context = static_cast<int>(where.context);
              return next ? s.next_write(of_chip, engine, context, interrupt)
                          : s.last_write(of_chip, engine, context, interrupt);
            },
            guard, then);
      });
}
void SessionTarget::find_sender(const emulator::Command& command, unsigned chip, QObject* asker, TakeWriter then) {
  worker_->add([move = admit(), command, chip, guard = QPointer<QObject>(asker), then = std::move(then)](Worker& w) {
    w.find(
        *move, [&](Session& s, const std::atomic<bool>* interrupt) { return s.sender(command, chip, interrupt); },
        guard, then);
  });
}
template <class Answer, class Find>
void SessionTarget::add_look(QObject* asker, std::function<void(const Answer&)> then, Find find) {
  worker_->add(
      [move = admit(), find = std::move(find), guard = QPointer<QObject>(asker), then = std::move(then)](Worker& w) {
        w.look<Answer>(
            *move,
            [&](Session& s, const RunControl& control) {
              auto found = find(s, control);
              return found ? Answer{std::move(*found), {}} : Answer{std::nullopt, std::move(found.error())};
            },
            guard, then);
      });
}
void SessionTarget::find_origin(const workbench::Holder& what, std::optional<uint64_t> before, QObject* asker,
                                TakeOrigin then) {
  add_look<OriginAnswer>(asker, std::move(then), [what, before](Session& s, const RunControl& control) {
    return s.origin(what, before, control);
  });
}
void SessionTarget::find_use(const workbench::Holder& what, std::optional<uint64_t> from, QObject* asker,
                             TakeUse then) {
  add_look<UseAnswer>(asker, std::move(then),
                      [what, from](Session& s, const RunControl& control) { return s.next_use(what, from, control); });
}
void SessionTarget::ask(Question question) {
  worker_->add_question([question = std::move(question)](Worker& w) { w.question(question); });
}

void SessionTarget::take(News news) {
  const bool new_view = news.view != nullptr || news.moved;
  if (news.ended) moves_.pop_front();
  const bool moving = news.moving.has_value() || (news.ended && moving_);
  if (moving) moving_ = std::move(news.moving);
  if (news.build_failed) build_failed_ = *news.build_failed;
  if (news.quiet) quiet_ = *news.quiet;
  if (news.built) built_ = std::move(news.built);
  present_ = news.present;
  in_past_ = news.in_past;
  if (news.wrong) Q_EMIT wrong_found(*news.wrong);
  if (news.view) view_ = std::move(news.view);
  if (news.reason) reason_ = *news.reason;
  if (news.moved) stopped_at_ = news.stopped_at;
  if (news.moved || news.state == State::building)
    ++stops_;  // nobody sees the one of a build: nothing is compared across it
  if (!news.said.isEmpty()) Q_EMIT said(news.said);
  if (news.state == State::building) view_ = nullptr;
  if (!news.noted.isEmpty()) Q_EMIT noted(news.noted);
  if (news.problems) Q_EMIT problems_changed(*news.problems);
  if (news.breakpoint_problems) Q_EMIT breakpoint_problems_changed(*news.breakpoint_problems);
  if (news.problems && news.refused) Q_EMIT refused(*news.problems);
  // What was said before the user's last change knows nothing of it.
  if (news.breakpoints && news.asked == asked_) {
    numbered_ = news.numbered;
    Q_EMIT breakpoints_changed(*news.breakpoints);
  }
  const bool new_state = news.state && *news.state != state_;
  if (new_state) state_ = *news.state;
  // Views ask what they show before anybody hears of the stop and lets the machine go on: questions come before what
  // moves it.
  if (new_view || news.reason) Q_EMIT view_changed();
  if (moving) Q_EMIT moving_changed();
  if (new_state) Q_EMIT state_changed();
}

}  // namespace weft::ide
