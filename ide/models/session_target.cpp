#include "session_target.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "weft/workbench/session.h"

namespace weft::ide {

namespace {

bool same_but_switch(const workbench::Breakpoint& a, const workbench::Breakpoint& b) {
  return a.kind == b.kind && a.target == b.target && a.engines == b.engines && a.contexts == b.contexts &&
         a.bytes == b.bytes && a.condition == b.condition && a.from_hit == b.from_hit && a.log == b.log &&
         a.once == b.once;
}

constexpr auto kRefresh = std::chrono::milliseconds(50);  // between two views while it runs

}  // namespace

/// What has changed since the last news; members that are not set stay as they were.
struct SessionTarget::News {
  std::optional<State> state = {};
  std::shared_ptr<const MachineView> view = {};
  std::optional<QString> reason = {};
  bool moved = false;  ///< stopped_at counts
  std::optional<ContextId> stopped_at = {};
  std::optional<Diagnostics> problems = {};
  std::optional<std::vector<workbench::Breakpoint>> breakpoints = {};
  uint64_t present = 0;
  bool in_past = false;
  uint64_t asked = 0;    ///< the answer to so many requests for breakpoints
  bool refused = false;  ///< `problems` are of a request
  QString said = {};
};

class SessionTarget::Worker {
 public:
  Worker(SessionTarget& target, SessionSettings settings)
      : target_(target), settings_(std::move(settings)), thread_([this] { work(); }) {}
  ~Worker() {
    {
      const std::lock_guard lock(mutex_);
      ending_ = true;
    }
    interrupt_ = true;
    wake_.notify_one();
    thread_.join();
  }

  using Task = std::function<void(Worker&)>;
  /// One behind the other.
  void add(Task task) { put(tasks_, std::move(task)); }
  /// Also in the middle of a run.
  void add_question(Task task) { put(questions_, std::move(task)); }
  void interrupt() { interrupt_ = true; }
  /// A run is asked for: what interrupts from now on is meant for it.
  void admit() { interrupt_ = false; }

  void build() {
    tell({.state = State::building, .reason = QStringLiteral("building")});
    session_ = nullptr;
    inspector_ = nullptr;
    if (settings_.recording) return open();
    auto project = workbench::load_project(settings_.project, settings_.overrides);
    if (!project) return failed(std::move(project.error()));
    auto session = workbench::Session::create(std::move(*project), settings_.observation);
    if (!session) return failed(std::move(session.error()));
    (*session)->record(settings_.checkpoints.cycles, settings_.checkpoints.most);
    stand_ready(std::move(*session), State::stopped, QStringLiteral("built"));
  }

  /// It has its moments to go back to.
  void open() {
    auto session = settings_.recording->session();
    if (!session) return failed(std::move(session.error()));
    const workbench::Recording::Info& info = settings_.recording->info();
    QString reason =
        QStringLiteral("recorded up to cycle %1: %2").arg(info.cycle).arg(QString::fromStdString(info.stop));
    for (const std::string& lost : info.lost) reason += QStringLiteral("; ") + QString::fromStdString(lost);
    stand_ready(std::move(*session), State::ended, reason);
  }

  void stand_ready(std::unique_ptr<workbench::Session> session, State state, const QString& reason) {
    session_ = std::move(session);
    inspector_ = workbench::inspect(*session_);
    for (workbench::Breakpoint& b : wanted_) b.id = 0;
    furthest_ = session_->save();
    furthest_stop_ = {};
    furthest_stop_.kind = state == State::ended ? workbench::Stop::Kind::cycles : workbench::Stop::Kind::begin;
    furthest_stop_.text = reason.toStdString();
    session_->on_log([this](const std::string& text) { tell({.said = QString::fromStdString(text)}); });
    Diagnostics problems = session_->warnings();
    add_all(problems);
    tell({.state = state,
          .view = now(),
          .reason = reason,
          .moved = true,
          .problems = std::move(problems),
          .breakpoints = listed()});
  }

  /// What goes on for long: it can be interrupted, answers questions and tells how it goes.
  void run(const std::function<Result<workbench::Stop>(workbench::Session&, const workbench::RunControl&)>& how) {
    if (!session_) return;
    tell({.state = State::running, .reason = QStringLiteral("running")});
    workbench::RunControl control;
    control.interrupt = &interrupt_;
    control.progress = [this](uint64_t, uint64_t) {
      answer();
      if (std::chrono::steady_clock::now() - told_ < kRefresh) return;
      if (wanted_.empty())
        tell({.view = now()});
      else
        tell({.view = now(), .breakpoints = listed()});
    };
    stand(how(*session_, control));
  }
  void move(const std::function<Result<workbench::Stop>(workbench::Session&)>& how) {
    if (session_) stand(how(*session_));
  }
  /// Where it stood last before somebody looked back, with the reason why.
  void go_to_present() {
    if (!session_) return;
    if (auto done = session_->restore(furthest_); !done)
      return tell({.problems = std::move(done.error()), .refused = true});
    stand(furthest_stop_);
  }

  void set_breakpoints(std::vector<workbench::Breakpoint> all, uint64_t asked) {
    asked_ = asked;
    if (!session_) {
      wanted_ = std::move(all);
      return tell({.breakpoints = wanted_});
    }
    // Those that stay as they were keep their hits.
    const std::vector<workbench::Breakpoint> before = std::exchange(wanted_, std::move(all));
    for (const workbench::Breakpoint& old : before) {
      const auto same = std::ranges::find(wanted_, old.id, &workbench::Breakpoint::id);
      if (old.id == 0 || (same != wanted_.end() && same_but_switch(*same, old))) continue;
      session_->remove_breakpoint(old.id);
      if (same != wanted_.end()) same->id = 0;
    }
    for (workbench::Breakpoint& b : wanted_) {
      const auto old = std::ranges::find(before, b.id, &workbench::Breakpoint::id);
      if (b.id != 0 && old == before.end())
        b.id = 0;  // of a machine that was built before
      else if (b.id != 0 && old->enabled != b.enabled)
        session_->enable_breakpoint(b.id, b.enabled);
    }
    Diagnostics problems;
    add_all(problems);
    tell({.problems = problems.empty() ? std::nullopt : std::optional(problems), .breakpoints = listed()});
  }
  /// The session keeps them where they are; the next one has them where they will be.
  void plan_breakpoints(std::vector<workbench::Breakpoint> all, uint64_t asked) {
    asked_ = asked;
    wanted_ = std::move(all);
    tell({.breakpoints = session_ ? listed() : wanted_});
  }
  void write(const std::string& name, int64_t value, ContextId where) {
    if (!session_) return;
    const auto chips = session_->chips();
    auto done = session_->write(chips.size() > 1 ? chips.at(where.chip) + ": " + name : name, value,
                                static_cast<int>(where.engine), static_cast<int>(where.context));
    if (!done) return tell({.problems = std::move(done.error()), .refused = true});
    furthest_ = session_->save();  // what came after was another run
    tell({.view = now()});
  }
  using Find = std::function<Result<std::optional<workbench::Writer>>(workbench::Session&, const std::atomic<bool>*)>;
  void find(const Find& how, const QPointer<QObject>& asker, const TakeWriter& then) {
    if (!session_) return;
    const State before = told_state_;
    const QString reason = told_reason_;
    tell({.state = State::running, .reason = QStringLiteral("looking through the recording")});
    auto found = how(*session_, &interrupt_);
    tell({.state = before, .reason = reason});
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
  void question(const Question& question) {
    if (inspector_) question(*inspector_);
  }

 private:
  void put(std::deque<Task>& list, Task task) {
    {
      const std::lock_guard lock(mutex_);
      list.push_back(std::move(task));
    }
    wake_.notify_one();
  }
  Task take(std::deque<Task>& list) {
    Task task = std::move(list.front());
    list.pop_front();
    return task;
  }
  void work() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return ending_ || !tasks_.empty() || !questions_.empty(); });
      if (ending_) return;
      // Questions are about the machine as it stands now, so they come before what moves it.
      Task task = take(questions_.empty() ? tasks_ : questions_);
      lock.unlock();
      task(*this);
      lock.lock();
    }
  }
  void answer() {
    std::unique_lock lock(mutex_);
    while (!questions_.empty() && !ending_) {
      Task task = take(questions_);
      lock.unlock();
      task(*this);
      lock.lock();
    }
  }
  void add_all(Diagnostics& problems) {
    for (workbench::Breakpoint& b : wanted_) {
      if (b.id != 0) continue;
      b.problem.clear();
      auto added = add(b);
      if (added) {
        b.id = *added;
        continue;
      }
      const Diagnostic& why = added.error().list().front();
      b.problem = why.remedy.empty() ? why.text : why.text + ": " + why.remedy;
      problems.append(std::move(added.error()));
    }
  }
  /// A place without a chip is one of the first chip that has it.
  Result<unsigned> add(const workbench::Breakpoint& b) {
    auto added = session_->add_breakpoint(b);
    if (added || b.kind != workbench::Breakpoint::Kind::location || b.target.find(": ") != std::string::npos)
      return added;
    for (const std::string& chip : session_->chips()) {
      workbench::Breakpoint there = b;
      there.target.insert(0, chip + ": ");
      if (auto known = session_->add_breakpoint(std::move(there))) return known;
    }
    return added;
  }
  /// All that are wanted, with what the session knows of them. Those that have no place in this program stay; those
  /// that were for once and have stopped the run are gone.
  std::vector<workbench::Breakpoint> listed() {
    const std::vector<workbench::Breakpoint> known = session_->breakpoints();
    std::vector<workbench::Breakpoint> kept, out;
    for (const workbench::Breakpoint& b : wanted_) {
      const auto at = std::ranges::find(known, b.id, &workbench::Breakpoint::id);
      if (b.id != 0 && at == known.end()) continue;
      kept.push_back(b);
      out.push_back(b);
      out.back().hits = b.id == 0 ? 0 : at->hits;
      out.back().words = b.id == 0 ? decltype(at->words)() : at->words;
    }
    wanted_ = std::move(kept);
    return out;
  }
  std::shared_ptr<const MachineView> now() const { return std::make_shared<const MachineView>(inspector_->machine()); }

  void stand(Result<workbench::Stop> stop) {
    if (!stop) {
      // Refused: it stands where it stood.
      return tell({.state = State::stopped,
                   .view = now(),
                   .reason = QString::fromStdString(stop.error().list().front().text),
                   .problems = std::move(stop.error()),
                   .refused = true});
    }
    const emulator::Position here = session_->board().position();
    if (here > furthest_.position() ||
        (here == furthest_.position() && stop->kind != workbench::Stop::Kind::interrupted)) {
      furthest_ = session_->save();
      furthest_stop_ = *stop;
    }
    using Kind = workbench::Stop::Kind;
    const bool ended = stop->kind == Kind::quiet || stop->kind == Kind::packets || stop->kind == Kind::cycles;
    News news{.state = stop->kind == Kind::fault ? State::faulted
                       : ended                   ? State::ended
                                                 : State::stopped,
              .view = now(),
              .reason = QString::fromStdString(stop->text),
              .moved = true,
              .breakpoints = listed()};
    if (stop->engine >= 0 && stop->context >= 0)
      news.stopped_at =
          ContextId{stop->chip, static_cast<unsigned>(stop->engine), static_cast<unsigned>(stop->context)};
    tell(std::move(news));
  }
  void failed(Diagnostics problems) {
    const size_t errors = problems.error_count();
    tell({.state = State::empty,
          .reason =
              QStringLiteral("not built: %1 error%2").arg(errors).arg(errors == 1 ? QString() : QStringLiteral("s")),
          .moved = true,
          .problems = std::move(problems)});
  }
  void tell(News news) {
    if (news.view) told_ = std::chrono::steady_clock::now();
    if (news.state) told_state_ = *news.state;
    if (news.reason) told_reason_ = *news.reason;
    news.asked = asked_;
    if (session_) {
      const emulator::Position here = session_->board().position();
      news.in_past = here < furthest_.position();
      news.present = std::max(here, furthest_.position()).now / session_->machine().timing().period;
    }
    auto shared = std::make_shared<News>(std::move(news));
    QMetaObject::invokeMethod(
        &target_, [&target = target_, shared] { target.take(std::move(*shared)); }, Qt::QueuedConnection);
  }

  SessionTarget& target_;
  SessionSettings settings_;
  std::unique_ptr<workbench::Session> session_;
  std::unique_ptr<Inspector> inspector_;
  std::vector<workbench::Breakpoint> wanted_;  ///< also while nothing is built
  workbench::Snapshot
      furthest_;  ///< where it stood last that nobody had been before; with the breakpoint that it stands at
  workbench::Stop furthest_stop_;
  uint64_t asked_ = 0;
  std::chrono::steady_clock::time_point told_{};
  State told_state_ = State::empty;
  QString told_reason_;
  std::atomic<bool> interrupt_ = false;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_, questions_;
  bool ending_ = false;
  std::thread thread_;  ///< last: it uses all of the above
};

SessionTarget::SessionTarget(SessionSettings settings, QObject* parent)
    : Target(parent), worker_(std::make_unique<Worker>(*this, std::move(settings))) {}
SessionTarget::~SessionTarget() = default;

void SessionTarget::build() {
  worker_->interrupt();
  worker_->add([](Worker& w) { w.build(); });
}
void SessionTarget::run() {
  worker_->admit();
  worker_->add([](Worker& w) {
    w.run([](workbench::Session& s, const workbench::RunControl& c) { return Result<workbench::Stop>(s.run(c)); });
  });
}
void SessionTarget::run_until(const std::string& condition) {
  worker_->admit();
  worker_->add([condition](Worker& w) {
    w.run([&](workbench::Session& s, const workbench::RunControl& c) { return s.run_until(condition, c); });
  });
}
void SessionTarget::pause() { worker_->interrupt(); }
void SessionTarget::step(ContextId id, workbench::Step how) {
  worker_->add([id, how](Worker& w) {
    w.move([&](workbench::Session& s) {
      return Result<workbench::Stop>(s.step(id.engine, static_cast<int>(id.context), how, id.chip));
    });
  });
}
void SessionTarget::step_back(ContextId id) {
  worker_->add([id](Worker& w) {
    w.move([&](workbench::Session& s) { return s.step_back(id.engine, static_cast<int>(id.context), id.chip); });
  });
}
void SessionTarget::run_back() {
  worker_->add([](Worker& w) { w.move([](workbench::Session& s) { return s.run_back(); }); });
}
void SessionTarget::go_to(uint64_t cycle) {
  worker_->add([cycle](Worker& w) {
    w.move([&](workbench::Session& s) {
      auto stop = s.go_to({cycle * s.machine().timing().period, 0});
      if (stop && stop->kind == workbench::Stop::Kind::cycles)
        stop->kind = workbench::Stop::Kind::interrupted;  // no limit: it can go on from there
      return stop;
    });
  });
}
void SessionTarget::write(const std::string& name, int64_t value, ContextId where) {
  worker_->add_question([name, value, where](Worker& w) { w.write(name, value, where); });
}
void SessionTarget::set_breakpoints(std::vector<workbench::Breakpoint> all) {
  worker_->add_question([all = std::move(all), asked = ++asked_](Worker& w) { w.set_breakpoints(all, asked); });
}
void SessionTarget::plan_breakpoints(std::vector<workbench::Breakpoint> all) {
  worker_->add_question([all = std::move(all), asked = ++asked_](Worker& w) { w.plan_breakpoints(all, asked); });
}
void SessionTarget::run_to(workbench::Breakpoint target) {
  worker_->admit();
  worker_->add([target = std::move(target)](Worker& w) {
    w.run([&](workbench::Session& s, const workbench::RunControl& c) { return s.run_to(target, c); });
  });
}
void SessionTarget::go_to_present() {
  worker_->add([](Worker& w) { w.go_to_present(); });
}
void SessionTarget::find_write(const std::string& name, ContextId where, bool next, QObject* asker, TakeWriter then) {
  worker_->admit();
  worker_->add([name, where, next, guard = QPointer<QObject>(asker), then = std::move(then)](Worker& w) {
    w.find(
        [&](workbench::Session& s, const std::atomic<bool>* interrupt) {
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
  worker_->admit();
  worker_->add([command, chip, guard = QPointer<QObject>(asker), then = std::move(then)](Worker& w) {
    w.find(
        [&](workbench::Session& s, const std::atomic<bool>* interrupt) { return s.sender(command, chip, interrupt); },
        guard, then);
  });
}
void SessionTarget::ask(Question question) {
  worker_->add_question([question = std::move(question)](Worker& w) { w.question(question); });
}

void SessionTarget::take(News news) {
  const bool new_view = news.view != nullptr || news.moved;
  present_ = news.present;
  in_past_ = news.in_past;
  if (news.view) view_ = std::move(news.view);
  if (news.reason) reason_ = *news.reason;
  if (news.moved) stopped_at_ = news.stopped_at;
  if (news.moved || news.state == State::building)
    ++stops_;  // nobody sees the one of a build: nothing is compared across it
  if (!news.said.isEmpty()) Q_EMIT said(news.said);
  if (news.state == State::building) view_ = nullptr;
  if (news.problems) Q_EMIT problems_changed(*news.problems);
  if (news.problems && news.refused) Q_EMIT refused(*news.problems);
  // What was said before the user's last change knows nothing of it.
  if (news.breakpoints && news.asked == asked_) Q_EMIT breakpoints_changed(*news.breakpoints);
  const bool new_state = news.state && *news.state != state_;
  if (new_state) state_ = *news.state;
  // Views ask what they show before anybody hears of the stop and lets the machine go on: questions come before what
  // moves it.
  if (new_view || news.reason) Q_EMIT view_changed();
  if (new_state) Q_EMIT state_changed();
}

}  // namespace weft::ide
