// The thread itself, how a machine is built and taken over, and breakpoints.
#include "session_worker.h"

#include <QDir>
#include <QFileInfo>
#include <algorithm>
#include <set>

#include "breakpoint_place.h"
#include "breakpoint_text.h"
#include "weft/workbench/files_read.h"

namespace weft::ide {

namespace {

bool same_but_switch(const workbench::Breakpoint& a, const workbench::Breakpoint& b) {
  return a.kind == b.kind && a.target == b.target && a.engines == b.engines && a.contexts == b.contexts &&
         a.bytes == b.bytes && a.condition == b.condition && a.from_hit == b.from_hit && a.log == b.log &&
         a.once == b.once;
}

/// Numbers of breakpoints that stay the same ones, and the numbers that they have now.
std::map<unsigned, unsigned> new_numbers(const std::vector<workbench::Breakpoint>& before,
                                         const std::vector<workbench::Breakpoint>& now) {
  std::map<unsigned, unsigned> out;
  std::set<unsigned> taken;  // two may be the same but for their numbers
  for (const workbench::Breakpoint& old : before) {
    if (old.id == 0) continue;
    const auto same = std::ranges::find_if(now, [&](const workbench::Breakpoint& b) {
      return b.id != 0 && !taken.contains(b.id) && same_but_switch(b, old);
    });
    if (same == now.end()) continue;
    taken.insert(same->id);
    out.emplace(old.id, same->id);
  }
  return out;
}

BuiltFiles made_from(const workbench::Session& session, const SessionSettings& settings) {
  BuiltFiles out;
  if (settings.recording) return out;
  for (const std::string& name : session.files()) out.add(QString::fromStdString(name), true);
  const QFileInfo asked(QString::fromStdString(settings.project));
  out.add(asked.isDir() ? QDir(asked.filePath()).filePath(QStringLiteral("weft.json")) : asked.filePath(), true);
  if (settings.test) out.add(QString::fromStdString(settings.test->file), true);
  for (const std::string& name : workbench::files_read(session)) out.add(QString::fromStdString(name), false);
  return out;
}

}  // namespace

SessionTarget::Worker::~Worker() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void SessionTarget::Worker::add(Task task) {
  {
    const std::lock_guard lock(mutex_);
    tasks_.push_back(std::move(task));
  }
  wake_.notify_one();
}

void SessionTarget::Worker::add_question(Task task, bool changes) {
  {
    const std::lock_guard lock(mutex_);
    questions_.push_back({std::move(task), changes});
  }
  wake_.notify_one();
}

void SessionTarget::Worker::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    wake_.wait(lock, [this] { return ending_ || !tasks_.empty() || !questions_.empty(); });
    if (ending_) return;
    // Questions are about the machine as it stands now, so they come before what moves it.
    Task task;
    if (questions_.empty()) {
      task = std::move(tasks_.front());
      tasks_.pop_front();
    } else {
      task = std::move(questions_.front().task);
      questions_.pop_front();
    }
    lock.unlock();
    task(*this);
    lock.lock();
  }
}

void SessionTarget::Worker::answer(bool replays) {
  std::unique_lock lock(mutex_);
  while (!ending_) {
    const auto next = std::ranges::find_if(questions_, [&](const Request& r) { return !replays || !r.changes; });
    if (next == questions_.end()) return;
    const Task task = std::move(next->task);
    questions_.erase(next);
    lock.unlock();
    task(*this);
    lock.lock();
  }
}

Result<SessionTarget::Worker::SessionPtr> SessionTarget::Worker::make() {
  if (settings_.recording) return settings_.recording->session();  // it has its moments to go back to
  if (settings_.test) {
    auto debugged = workbench::CaseDebug::open(*settings_.test, settings_.observation);
    if (!debugged) return tl::unexpected(std::move(debugged.error()));
    test_ = std::move(*debugged);
    SessionPtr session = test_->take();
    session->record(settings_.checkpoints.cycles, settings_.checkpoints.max);
    return session;
  }
  auto project = workbench::load_project(settings_.project, settings_.overrides);
  if (!project) return tl::unexpected(std::move(project.error()));
  auto session = workbench::Session::create(std::move(*project), settings_.observation);
  if (session) (*session)->record(settings_.checkpoints.cycles, settings_.checkpoints.max);
  return session;
}

void SessionTarget::Worker::build(const Move& move, bool replays) {
  const Standing before = standing_;
  tell({.state = State::building, .reason = QStringLiteral("building")});
  const BuiltFiles::Stamps earlier = built_->stamps_now();
  auto next = make();
  if (!next) {
    const size_t errors = next.error().error_count();
    // The assembler's index goes on where a build ends: Problems may count more.
    const QString what = errors == 1 ? QStringLiteral("not built: 1 error")
                                     : QStringLiteral("not built: the build stopped at %1 errors").arg(errors);
    return keep(before, session_ ? what + QStringLiteral("; the machine is the one from before") : what,
                std::move(next.error()));
  }
  // Now, because a replay takes its time, and files are saved meanwhile.
  auto built = std::make_shared<BuiltFiles>(made_from(**next, settings_));
  built->take_earlier(earlier);
  std::vector<workbench::Breakpoint> wanted = wanted_;
  for (workbench::Breakpoint& b : wanted) b.id = 0;
  Diagnostics problems = (*next)->warnings();
  Placed placed = add_all(**next, wanted, true, {});

  workbench::Stop stop;
  stop.kind = workbench::Stop::Kind::begin;
  stop.text = "built";
  std::optional<State> state = State::stopped;
  std::vector<Edit> edits;
  if (settings_.recording) {
    const workbench::Recording::Info& info = settings_.recording->info();
    stop.kind = workbench::Stop::Kind::cycles;
    stop.text = "recorded up to cycle " + std::to_string(info.cycle) + ": " + info.stop;
    for (const std::string& lost : info.lost) stop.text += "; " + lost;
    state = State::ended;
  } else if (replays && session_) {
    const uint64_t here = session_->board().position().now / session_->machine().timing().period;
    stop = replay(**next, move, edits, problems);
    if (move.back)
      return keep(before, QStringLiteral("given up: the machine is the one from before, at cycle %L1").arg(here), {});
    if (stop.text == "cycle " + std::to_string(here)) {
      stop.kind = workbench::Stop::Kind::interrupted;  // no limit: it can go on from there
      stop.text = "built, and replayed to cycle " + std::to_string(here);
    }
    state.reset();
  }
  built_ = std::move(built);
  renumbered_ = new_numbers(wanted_, wanted);
  ++machines_;
  wanted_ = std::move(wanted);
  in_other_chips_ = std::move(placed.in_other_chips);
  edits_ = std::move(edits);
  take_over(std::move(*next), stop, state, std::move(problems), std::move(placed));
}

workbench::Stop SessionTarget::Worker::replay(workbench::Session& next, const Move& move, std::vector<Edit>& done,
                                              Diagnostics& problems) {
  const emulator::Position goal = session_->board().position();
  const uint64_t period = session_->machine().timing().period;
  workbench::RunControl control;
  control.closely = true;
  control.interrupt = &move.stop;
  control.progress = [&, last = std::chrono::steady_clock::now()](uint64_t cycle, uint64_t) mutable {
    const auto clock = std::chrono::steady_clock::now();
    if (clock - last < std::chrono::milliseconds(50)) return;
    last = clock;
    // Who gives it up has the machine from before, where it stands.
    tell({.moving = Moving{QStringLiteral("replay"), goal.now / period, cycle, goal.now / period}});
  };
  for (const Edit& edit : edits_) {
    if (edit.at > goal) break;
    workbench::Stop stop = next.replay_to(edit.at, control);
    if (next.board().position() < edit.at) return stop;
    if (auto written = write(next, edit))
      done.push_back(edit);
    else
      problems.append(std::move(written.error()));
  }
  return next.replay_to(goal, control);
}

void SessionTarget::Worker::take_over(SessionPtr next, const workbench::Stop& stop, std::optional<State> state,
                                      Diagnostics problems, Placed placed) {
  inspector_ = nullptr;
  session_ = std::move(next);
  inspector_ = workbench::inspect(*session_);
  session_->on_log([this](const std::string& text) { tell({.said = QString::fromStdString(text)}); });
  high_water_ = session_->save();
  furthest_stop_ = stop;
  News news{.problems = std::move(problems),
            .noted = placed.moved.join(QStringLiteral("; ")),
            .breakpoint_problems = std::move(placed.problems),
            .build_failed = false,
            .built = built_};
  if (state) {
    news.state = state;
    news.view = now();
    news.reason = QString::fromStdString(stop.text);
    news.moved = true;
    news.breakpoints = listed();
    news.ended = true;
    return tell(std::move(news));
  }
  tell(std::move(news));
  ends_ = true;
  stand(stop);
}

void SessionTarget::Worker::keep(const Standing& before, const QString& reason, Diagnostics problems) {
  News news{.reason = reason, .moved = true, .problems = std::move(problems), .ended = true, .build_failed = true};
  news.state = session_ ? before.state : State::empty;
  if (session_) {
    news.view = now();
    news.stopped_at = before.stopped_at;
  }
  tell(std::move(news));
}

// Who has asked may have done so before the news of the last build came.
void SessionTarget::Worker::renumber(std::vector<workbench::Breakpoint>& all, uint64_t numbered) const {
  if (numbered == machines_) return;
  for (workbench::Breakpoint& b : all) {
    const auto known = renumbered_.find(b.id);
    b.id = known == renumbered_.end() || numbered + 1 != machines_ ? 0 : known->second;
  }
}

void SessionTarget::Worker::set_breakpoints(std::vector<workbench::Breakpoint> all, uint64_t asked, uint64_t numbered,
                                            bool same_text, const BuiltPlaces& built) {
  asked_ = asked;
  renumber(all, numbered);
  if (!session_) {
    wanted_ = std::move(all);
    return tell({.breakpoints = wanted_});
  }
  // Those that stay as they were keep their hits.
  const std::vector<workbench::Breakpoint> before = std::exchange(wanted_, std::move(all));
  for (const workbench::Breakpoint& old : before) {
    const auto same = std::ranges::find(wanted_, old.id, &workbench::Breakpoint::id);
    if (old.id == 0 || (same != wanted_.end() && same_but_switch(*same, old))) continue;
    for (const unsigned id : numbers_of(old.id)) session_->remove_breakpoint(id);
    in_other_chips_.erase(old.id);
    if (same != wanted_.end()) same->id = 0;
  }
  for (workbench::Breakpoint& b : wanted_) {
    const auto old = std::ranges::find(before, b.id, &workbench::Breakpoint::id);
    if (b.id != 0 && old == before.end())
      b.id = 0;  // of a machine that was built before
    else if (b.id != 0 && old->enabled != b.enabled)
      for (const unsigned id : numbers_of(b.id)) session_->enable_breakpoint(id, b.enabled);
  }
  Placed placed = add_all(*session_, wanted_, same_text, built);
  in_other_chips_.merge(placed.in_other_chips);
  tell({.breakpoints = listed(),
        .noted = placed.moved.join(QStringLiteral("; ")),
        .breakpoint_problems = std::move(placed.problems)});
}

void SessionTarget::Worker::plan_breakpoints(std::vector<workbench::Breakpoint> all, uint64_t asked,
                                             uint64_t numbered) {
  asked_ = asked;
  renumber(all, numbered);
  wanted_ = std::move(all);
  tell({.breakpoints = session_ ? listed() : wanted_});
}

SessionTarget::Worker::Placed SessionTarget::Worker::add_all(workbench::Session& session,
                                                             std::vector<workbench::Breakpoint>& all, bool same_text,
                                                             const BuiltPlaces& built) {
  Placed out;
  const auto take = [&out](workbench::Breakpoint& b, const std::vector<unsigned>& ids) {
    b.id = ids.front();
    if (ids.size() > 1) out.in_other_chips[b.id].assign(ids.begin() + 1, ids.end());
  };
  for (size_t i = 0; i < all.size(); ++i) {
    workbench::Breakpoint& b = all[i];
    if (b.id != 0) continue;
    b.problem.clear();
    // The list has the line as the text has it now, the session as the program has it that runs.
    workbench::Breakpoint here = b;
    const auto was = built.find(b.target);
    if (was != built.end() && b.kind == workbench::Breakpoint::Kind::location) here.target = was->second;
    if (here.target.empty() && !b.target.empty()) {
      b.problem = "the line is newer than the program that runs: the breakpoint waits for the next build";
      continue;
    }
    auto added = add_in_every_chip(session, here);
    if (const auto next = !added && same_text ? next_line_with_code(session, b) : std::nullopt) {
      const QString from = QString::fromStdString(b.target);
      workbench::Breakpoint there = b;
      set_line(there, *next);
      const bool known = std::ranges::any_of(all, [&](const auto& o) { return same_but_switch(o, there); });
      if (auto moved = known ? Result<std::vector<unsigned>>() : add_in_every_chip(session, there)) {
        out.moved << (known
                          ? QStringLiteral(
                                "%1 makes no instruction; there is a breakpoint at the next line that does: %2")
                          : QStringLiteral("%1 makes no instruction; the breakpoint is at the next line that does: %2"))
                         .arg(from)
                         .arg(*next);
        if (known) {
          all.erase(all.begin() + static_cast<std::ptrdiff_t>(i--));
          continue;
        }
        b = std::move(there);
        take(b, *moved);
        continue;
      }
    }
    if (added) {
      take(b, *added);
      continue;
    }
    const Diagnostic& why = added.error().list().front();
    b.problem = why.remedy.empty() ? why.text : why.text + ": " + why.remedy;
    out.problems.append(std::move(added.error()));
  }
  return out;
}

std::vector<unsigned> SessionTarget::Worker::numbers_of(unsigned id) const {
  std::vector<unsigned> out{id};
  if (const auto others = in_other_chips_.find(id); others != in_other_chips_.end())
    out.insert(out.end(), others->second.begin(), others->second.end());
  return out;
}

/// All that are wanted, with what the session knows of them. Those that have no place in this program stay; those that
/// were for once and have stopped the run are gone.
std::vector<workbench::Breakpoint> SessionTarget::Worker::listed() {
  const std::vector<workbench::Breakpoint> known = session_->breakpoints();
  std::vector<workbench::Breakpoint> kept, out;
  const bool several = session_->chips().size() > 1;
  for (const workbench::Breakpoint& b : wanted_) {
    workbench::Breakpoint shown = b;
    shown.hits = 0;
    shown.words.clear();
    shown.chips.clear();
    const std::vector<unsigned> ids = b.id == 0 ? std::vector<unsigned>() : numbers_of(b.id);
    size_t known_ids = 0;
    for (const unsigned id : ids) {
      const auto at = std::ranges::find(known, id, &workbench::Breakpoint::id);
      if (at == known.end()) continue;
      ++known_ids;
      shown.hits += at->hits;
      shown.words.insert(shown.words.end(), at->words.begin(), at->words.end());
      if (several) shown.chips.insert(shown.chips.end(), at->words.size(), chip_in_front(*at).chopped(2).toStdString());
    }
    if (known_ids < ids.size()) {  // one that was for once is gone with the first chip that has stopped at it
      for (const unsigned id : ids) session_->remove_breakpoint(id);
      in_other_chips_.erase(b.id);
      continue;
    }
    kept.push_back(b);
    out.push_back(std::move(shown));
  }
  wanted_ = std::move(kept);
  return out;
}

void SessionTarget::Worker::tell(News news) {
  if (news.view) told_ = std::chrono::steady_clock::now();
  if (news.state) standing_.state = *news.state;
  if (news.reason) standing_.reason = *news.reason;
  if (news.moved) standing_.stopped_at = news.stopped_at;
  news.asked = asked_;
  news.numbered = machines_;
  if (std::exchange(ends_, false)) news.ended = true;
  if (news.looks) {
    news.in_past = told_past_;
    news.present = told_present_;
  } else if (session_) {
    const emulator::Position here = session_->board().position();
    news.in_past = here < high_water_.position();
    news.present = std::max(here, high_water_.position()).now / session_->machine().timing().period;
    told_past_ = news.in_past;
    told_present_ = news.present;
  }
  auto shared = std::make_shared<News>(std::move(news));
  QMetaObject::invokeMethod(
      &target_, [&target = target_, shared] { target.take(std::move(*shared)); }, Qt::QueuedConnection);
}

}  // namespace weft::ide
