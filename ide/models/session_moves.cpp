// What moves the machine in its thread: it can be ended, says how far it is, and can be taken back.
#include <algorithm>

#include "session_worker.h"

namespace weft::ide {

namespace {

using std::chrono::steady_clock;

constexpr auto kRefresh = std::chrono::milliseconds(50);  // between two views, and two signs of life

}  // namespace

void SessionTarget::Worker::go(const Move& move, const Kind& kind, const How& how) {
  // What was ended before it began has not begun.
  if (!session_ || move.stop) return tell({.ended = true});
  const Standing before = standing_;
  const workbench::Snapshot begin = session_->save();
  const uint64_t period = session_->machine().timing().period, from = begin.position().now / period;
  if (kind.runs) tell({.state = State::running, .reason = QStringLiteral("running")});
  const auto since = steady_clock::now();
  auto last = since;
  workbench::RunControl control;
  control.closely = true;
  control.interrupt = &move.stop;
  control.progress = [&](uint64_t cycle, uint64_t) {
    answer(kind.replays);
    const auto clock = steady_clock::now();
    if (clock - std::max(last, told_) < kRefresh) return;
    const bool long_one = clock - since >= std::chrono::milliseconds(kSeenMove);
    if (!long_one && !kind.runs) return;
    last = clock;
    News news;
    if (long_one) {
      news.state = State::running;
      news.moving = Moving{kind.what, from, cycle, kind.to};
    }
    if (kind.runs) {
      news.view = now();
      if (!wanted_.empty()) news.breakpoints = listed();
    }
    tell(std::move(news));
  };
  auto stop = how(*session_, control);
  ends_ = true;
  if (!stop || !move.back || stop->kind != workbench::Stop::Kind::interrupted || !move.stop)
    return stand(std::move(stop));
  const uint64_t reached = session_->board().position().now / period;
  note_furthest(*stop);
  if (!session_->restore(begin)) return stand(std::move(stop));
  tell({.state = before.state,
        .view = now(),
        .reason = QStringLiteral("given up at cycle %L1: back at cycle %L2").arg(reached).arg(from),
        .moved = true,
        .stopped_at = before.stopped_at,
        .breakpoints = listed()});
}

Result<workbench::Stop> SessionTarget::Worker::go_to_present() {
  if (auto done = session_->restore(high_water_); !done) return tl::unexpected(std::move(done.error()));
  return furthest_stop_;
}

Result<workbench::Stop> SessionTarget::Worker::run_to_wrong(workbench::Session& session,
                                                            const workbench::RunControl& control) {
  if (!test_) {
    workbench::Stop stop;
    stop.kind = workbench::Stop::Kind::interrupted;
    stop.text = "no test case is debugged";
    return stop;
  }
  std::optional<workbench::WrongPlace> wrong;
  auto stop = test_->run_to_wrong(session, control, wrong, [this](const workbench::Stop& end) { note_furthest(end); });
  if (wrong) tell({.wrong = std::move(wrong)});
  return stop;
}

SessionTarget::Worker::Standing SessionTarget::Worker::begin_look() {
  const Standing before = standing_;
  tell({.state = State::running, .reason = QStringLiteral("looking through the recording")});
  return before;
}

// The machine is somewhere in its past meanwhile: questions wait until it is back.
workbench::RunControl SessionTarget::Worker::look_control(const Move& move) {
  workbench::RunControl control;
  control.closely = true;
  control.interrupt = &move.stop;
  const uint64_t from = session_->board().position().now / session_->machine().timing().period;
  control.progress = [this, from, since = steady_clock::now(), last = steady_clock::now()](uint64_t cycle,
                                                                                           uint64_t) mutable {
    const auto clock = steady_clock::now();
    if (clock - since < std::chrono::milliseconds(kSeenMove) || clock - last < kRefresh) return;
    last = clock;
    tell({.moving = Moving{QStringLiteral("looking through the recording"), from, cycle, std::nullopt}, .looks = true});
  };
  return control;
}

void SessionTarget::Worker::find(const Move& move, const Find& how, const QPointer<QObject>& asker,
                                 const TakeWriter& then) {
  if (!session_) return tell({.ended = true});
  const Standing before = begin_look();
  auto found = how(*session_, &move.stop);
  tell({.state = before.state, .reason = before.reason, .ended = true});
  auto answer = std::make_shared<WriteAnswer>();
  if (found)
    answer->writer = std::move(*found);
  else
    answer->problems = std::move(found.error());
  QMetaObject::invokeMethod(
      &target_,
      [asker, answer, then] {
        if (asker) then(*answer);
      },
      Qt::QueuedConnection);
}

Result<bool> SessionTarget::Worker::write(workbench::Session& session, const Edit& edit) {
  const auto chips = session.chips();
  return session.write(
      chips.size() > 1 && edit.where.chip < chips.size() ? chips[edit.where.chip] + ": " + edit.name : edit.name,
      edit.value, static_cast<int>(edit.where.engine), static_cast<int>(edit.where.context));
}

void SessionTarget::Worker::write(const std::string& name, int64_t value, ContextId where) {
  if (!session_) return;
  const Edit edit{session_->board().position(), name, value, where};
  if (auto done = write(*session_, edit); !done) return tell({.problems = std::move(done.error()), .refused = true});
  std::erase_if(edits_, [&](const Edit& e) { return e.at > edit.at; });
  edits_.push_back(edit);
  high_water_ = session_->save();  // what came after was another run
  tell({.view = now()});
}

void SessionTarget::Worker::note_furthest(const workbench::Stop& stop) {
  const emulator::Position here = session_->board().position();
  if (here < high_water_.position() ||
      (here == high_water_.position() && stop.kind == workbench::Stop::Kind::interrupted))
    return;
  high_water_ = session_->save();
  furthest_stop_ = stop;
}

void SessionTarget::Worker::stand(Result<workbench::Stop> stop) {
  if (!stop) {
    // Refused: it stands where it stood.
    return tell({.state = State::stopped,
                 .view = now(),
                 .reason = QString::fromStdString(stop.error().list().front().text),
                 .problems = std::move(stop.error()),
                 .refused = true});
  }
  note_furthest(*stop);
  using Kind = workbench::Stop::Kind;
  const bool ended = stop->kind == Kind::quiet || stop->kind == Kind::packets || stop->kind == Kind::cycles;
  News news{.state = stop->kind == Kind::fault ? State::faulted
                     : ended                   ? State::ended
                                               : State::stopped,
            .view = now(),
            .reason = QString::fromStdString(stop->text),
            .moved = true,
            .breakpoints = listed()};
  news.quiet = stop->kind == Kind::quiet;
  if (stop->engine >= 0 && stop->context >= 0)
    news.stopped_at = ContextId{stop->chip, static_cast<unsigned>(stop->engine), static_cast<unsigned>(stop->context)};
  tell(std::move(news));
}

}  // namespace weft::ide
