// The emulator as a target: a session in a thread of its own. The windows' thread and the session's share nothing but
// two lists of work and a flag; what the session finds out travels as values.
#pragma once

#include <deque>
#include <memory>
#include <optional>

#include "target.h"
#include "weft/workbench/observation.h"
#include "weft/workbench/project.h"
#include "weft/workbench/recording.h"
#include "weft/workbench/testing.h"

namespace weft::ide {

/// Moments to go back to. A step back takes a replay from the last one before; each holds what was written since the
/// one before it.
struct Checkpoints {
  uint64_t cycles = 100'000;  ///< between two
  size_t max = 64;            ///< then every second one goes, and there are twice as many cycles between two
  bool operator==(const Checkpoints&) const = default;
};
/// Fewer cycles between two, and saving takes as long as running; with fewer than four every second one is soon none.
inline constexpr uint64_t kMinCheckpointCycles = 1'000;
inline constexpr size_t kMinCheckpoints = 4;

struct SessionSettings {
  std::string project;  ///< a folder with a weft.json, or that file
  /// Instead of it: the machine stands at the end of the run, as it was observed then.
  std::shared_ptr<const workbench::Recording> recording = nullptr;
  /// Instead of it: the machine of a test case, at cycle 0.
  std::optional<workbench::TestPlan::Item> test = {};
  workbench::Overrides overrides;
  workbench::Observation observation;
  Checkpoints checkpoints = {};
};

class SessionTarget final : public Target {
  Q_OBJECT

 public:
  explicit SessionTarget(SessionSettings settings, QObject* parent = nullptr);
  ~SessionTarget() override;

  State state() const override { return state_; }
  std::shared_ptr<const MachineView> view() const override { return view_; }
  QString reason() const override { return reason_; }
  std::optional<ContextId> stopped_at() const override { return stopped_at_; }

  std::optional<Moving> moving() const override { return moving_; }
  bool busy() const override { return !moves_.empty(); }
  bool build_failed() const override { return build_failed_; }
  bool over() const override { return quiet_ && state_ == State::ended && !in_past_; }
  const BuiltFiles& built_files() const override { return *built_; }

  void build() override;
  void build_and_replay() override;
  void run() override;
  void run_until(const std::string& condition) override;
  void pause() override;
  void give_up() override;
  void step(ContextId id, workbench::Step how) override;
  void step_back(ContextId id) override;
  void run_back() override;
  void go_to(uint64_t cycle) override;
  void write(const std::string& name, int64_t value, ContextId where) override;
  void set_breakpoints(std::vector<workbench::Breakpoint> all, bool same_text = true, BuiltPlaces built = {}) override;
  void plan_breakpoints(std::vector<workbench::Breakpoint> all) override;
  void run_to(workbench::Breakpoint target) override;
  void go_to_present() override;
  void run_to_wrong() override;
  uint64_t present() const override { return present_; }
  bool in_past() const override { return in_past_; }
  uint64_t stops() const override { return stops_; }
  void find_write(const std::string& name, ContextId where, bool next, QObject* asker, TakeWriter then) override;
  void find_sender(const emulator::Command& command, unsigned chip, QObject* asker, TakeWriter then) override;
  void find_origin(const workbench::Holder& what, std::optional<uint64_t> before, QObject* asker,
                   TakeOrigin then) override;
  void find_use(const workbench::Holder& what, std::optional<uint64_t> from, QObject* asker, TakeUse then) override;
  void ask(Question question) override;
  using Target::ask;

 private:
  class Worker;
  struct News;
  struct Move;
  struct Kind;
  void take(News news);
  template <class How>
  void move(Kind kind, How how);
  std::shared_ptr<Move> admit();
  /// A search that the machine's thread makes; `find` gives what it finds or what is wrong.
  template <class Answer, class Find>
  void add_look(QObject* asker, std::function<void(const Answer&)> then, Find find);

  State state_ = State::empty;
  std::shared_ptr<const MachineView> view_;
  QString reason_;
  std::optional<ContextId> stopped_at_;
  uint64_t present_ = 0, stops_ = 0;
  bool in_past_ = false;
  uint64_t asked_ = 0;                       ///< changes of breakpoints
  uint64_t numbered_ = 0;                    ///< the machine whose numbers the breakpoints have that are known here
  std::deque<std::shared_ptr<Move>> moves_;  ///< asked for and not ended, in order
  std::optional<Moving> moving_;
  bool build_failed_ = false;
  bool quiet_ = false;  ///< that was why it ended
  std::shared_ptr<const BuiltFiles> built_ = std::make_shared<const BuiltFiles>();
  std::unique_ptr<Worker> worker_;  ///< last: it ends before what it tells of
};

}  // namespace weft::ide
