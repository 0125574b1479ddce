// The thread of a session: takes tasks in order, and questions also in the middle of what moves. Everything here but
// add() and add_question() runs in it.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <thread>

#include "session_target.h"
#include "weft/workbench/session.h"

namespace weft::ide {

/// Something that was asked for and moves the machine, or looks through its past.
struct SessionTarget::Move {
  std::atomic<bool> stop = false;
  std::atomic<bool> back = false;  ///< to where it began; set before `stop`
};

struct SessionTarget::Kind {
  QString what;                     ///< Moving::what
  bool runs = false;                ///< people watch it: views come while it goes on
  bool replays = false;             ///< through the past, where nothing may be changed
  std::optional<uint64_t> to = {};  ///< cycle
  bool drop_when_busy = false;      ///< a key that repeats itself is not a queue of moves
};

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
  QString said = {}, noted = {};
  std::optional<Diagnostics> breakpoint_problems = {};
  std::optional<Moving> moving = {};
  bool looks = false;  ///< the machine is not where it stands for everybody else
  bool ended = false;  ///< the move that was asked for first of those that have not ended
  std::optional<bool> build_failed = {};
  std::optional<bool> quiet = {};  ///< why a move has ended: nothing is left to do
  std::shared_ptr<const BuiltFiles> built = {};
  std::optional<workbench::WrongPlace> wrong = {};
  uint64_t numbered = 0;  ///< the machine whose numbers `breakpoints` have: how many were built
};

class SessionTarget::Worker {
 public:
  Worker(SessionTarget& target, SessionSettings settings)
      : target_(target), settings_(std::move(settings)), thread_([this] { work(); }) {}
  ~Worker();

  using Task = std::function<void(Worker&)>;
  /// One after the other.
  void add(Task task);
  /// Also in the middle of what moves; one that changes something waits for the end of what goes through the past.
  void add_question(Task task, bool changes = false);

  /// The machine from before is there until there is a new one; with `replay` that one is where this one stands.
  void build(const Move& move, bool replay);
  using How = std::function<Result<workbench::Stop>(workbench::Session&, const workbench::RunControl&)>;
  /// It can be ended, answers questions and tells how it goes.
  void go(const Move& move, const Kind& kind, const How& how);
  /// Of a test case.
  Result<workbench::Stop> run_to_wrong(workbench::Session& session, const workbench::RunControl& control);
  /// Where it stood last before somebody looked back, with the reason why.
  Result<workbench::Stop> go_to_present();
  using Find = std::function<Result<std::optional<workbench::Writer>>(workbench::Session&, const std::atomic<bool>*)>;
  void find(const Move& move, const Find& how, const QPointer<QObject>& asker, const TakeWriter& then);
  /// Looks through the recording, after which the machine stands where it stood; says how far it is.
  template <class Answer>
  void look(const Move& move, const std::function<Answer(workbench::Session&, const workbench::RunControl&)>& how,
            const QPointer<QObject>& asker, const std::function<void(const Answer&)>& then) {
    if (!session_) return tell({.ended = true});
    const Standing before = begin_look();
    workbench::RunControl control = look_control(move);
    auto answer = std::make_shared<Answer>(how(*session_, control));
    tell({.state = before.state, .reason = before.reason, .ended = true});
    QMetaObject::invokeMethod(
        &target_,
        [asker, answer, then] {
          if (asker) then(*answer);
        },
        Qt::QueuedConnection);
  }

  /// `numbered` is the machine that has given the numbers of `all` (News::numbered).
  void set_breakpoints(std::vector<workbench::Breakpoint> all, uint64_t asked, uint64_t numbered, bool same_text,
                       const BuiltPlaces& built);
  /// The session keeps them where they are; the next one has them where they will be.
  void plan_breakpoints(std::vector<workbench::Breakpoint> all, uint64_t asked, uint64_t numbered);
  void write(const std::string& name, int64_t value, ContextId where);
  void question(const Question& question) {
    if (inspector_) question(*inspector_);
  }

 private:
  struct Request {
    Task task;
    bool changes = false;
  };
  void work();
  void answer(bool replays);

  // --- the machine and what is known of it
  struct Edit {
    emulator::Position at;
    std::string name;
    int64_t value = 0;
    ContextId where;
  };
  struct Standing {
    State state = State::empty;
    QString reason;
    std::optional<ContextId> stopped_at;
  };
  struct Placed {
    Diagnostics problems;
    QStringList moved;  ///< what is said of those that went to another line
    std::map<unsigned, std::vector<unsigned>> in_other_chips;
  };
  using SessionPtr = std::unique_ptr<workbench::Session>;
  Result<SessionPtr> make();
  /// The new machine goes to where the old one stands; what has ended it before, if something did.
  workbench::Stop replay(workbench::Session& next, const Move& move, std::vector<Edit>& done, Diagnostics& problems);
  void take_over(SessionPtr next, const workbench::Stop& stop, std::optional<State> state, Diagnostics problems,
                 Placed placed);
  /// Of a build that came to nothing: the machine stands as before.
  void keep(const Standing& before, const QString& reason, Diagnostics problems);
  void stand(Result<workbench::Stop> stop);
  void note_furthest(const workbench::Stop& stop);
  Result<bool> write(workbench::Session& session, const Edit& edit);

  static Placed add_all(workbench::Session& session, std::vector<workbench::Breakpoint>& all, bool same_text,
                        const BuiltPlaces& built);
  /// Those with numbers of the machine before get the numbers of this one; 0 where it has none.
  void renumber(std::vector<workbench::Breakpoint>& all, uint64_t numbered) const;
  /// In the session: the one of this number, and those of other chips for the same place.
  std::vector<unsigned> numbers_of(unsigned id) const;
  std::vector<workbench::Breakpoint> listed();

  Standing begin_look();
  workbench::RunControl look_control(const Move& move);
  std::shared_ptr<const MachineView> now() const { return std::make_shared<const MachineView>(inspector_->machine()); }
  void tell(News news);

  SessionTarget& target_;
  SessionSettings settings_;
  std::unique_ptr<workbench::CaseDebug> test_;  ///< null: a project or a recording
  SessionPtr session_;
  std::unique_ptr<Inspector> inspector_;
  std::shared_ptr<const BuiltFiles> built_ = std::make_shared<const BuiltFiles>();
  std::vector<workbench::Breakpoint> wanted_;  ///< also while nothing is built
  /// A place that several chips have is a breakpoint in each, known by the number of the first.
  std::map<unsigned, std::vector<unsigned>> in_other_chips_;
  uint64_t machines_ = 0;                    ///< that were built
  std::map<unsigned, unsigned> renumbered_;  ///< breakpoints: number in the machine before, and in this one
  std::vector<Edit> edits_;                  ///< by the user, up to where the machine has been
  /// Where it stood last that nobody had been before; with the breakpoint that it stands at.
  workbench::Snapshot high_water_;
  workbench::Stop furthest_stop_;
  uint64_t asked_ = 0;
  std::chrono::steady_clock::time_point told_{};
  Standing standing_;  ///< as it was told last
  bool told_past_ = false;
  uint64_t told_present_ = 0;
  bool ends_ = false;  ///< what is told next is the end of a move

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Task> tasks_;
  std::deque<Request> questions_;
  bool ending_ = false;
  std::thread thread_;  ///< last: it uses all of the above
};

}  // namespace weft::ide
