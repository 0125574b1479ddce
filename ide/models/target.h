// What every view talks to: a machine that can be run, stopped and asked, wherever it is. Views never know a chip, a
// session or a thread; SessionTarget is the emulator in its own thread, and an opened recording is another target.
//
// Nothing here blocks. Requests return at once; what became of them comes by signals in the thread of the windows. A
// question is a function that runs where the machine is, between two of its events, also while it runs.
#pragma once

#include <QObject>
#include <QPointer>
#include <QString>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "built_files.h"
#include "file_names.h"
#include "weft/base/diagnostic.h"
#include "weft/workbench/breakpoint.h"
#include "weft/workbench/case_debug.h"
#include "weft/workbench/inspect.h"
#include "weft/workbench/writer.h"

namespace weft::ide {

using workbench::ContextId;
using workbench::Inspector;
using workbench::MachineView;

class Target : public QObject {
  Q_OBJECT

 public:
  enum class State {
    empty,  ///< nothing is built
    building,
    stopped,  ///< it can go on
    running,
    ended,  ///< all traffic has passed, or a limit was reached; it can still be asked and go back
    faulted,
  };
  Q_ENUM(State)

  using QObject::QObject;
  virtual State state() const = 0;
  /// As it stood at the last stop, or a moment ago while it runs; null before it was built.
  virtual std::shared_ptr<const MachineView> view() const = 0;
  /// Why it stands; one sentence.
  virtual QString reason() const = 0;
  /// Where it stopped, when that was at an instruction of one context.
  virtual std::optional<ContextId> stopped_at() const = 0;

  /// What a move does that takes longer than kSeenMove: it can be ended by pause() and give_up().
  struct Moving {
    QString what;  ///< "step out"
    uint64_t from = 0, now = 0;
    std::optional<uint64_t> to;  ///< where it ends at the latest, when that is known
  };
  static constexpr int kSeenMove = 200;  ///< ms
  virtual std::optional<Moving> moving() const { return std::nullopt; }
  /// Something that moves was asked for and has not ended. Steps that are asked for meanwhile are dropped.
  virtual bool busy() const { return state() == State::running; }
  /// The files could not be built when that was asked last; the machine is the one from before, if there was one.
  virtual bool build_failed() const { return false; }
  /// It has ended because nothing is left to do: to run on only lets time pass.
  virtual bool over() const { return false; }
  /// All files that the machine was built from, with captures and tables; none of a recording, which is not built.
  virtual const BuiltFiles& built_files() const;
  /// The texts among them, by their whole names, with digests of what was in them (digest_of()).
  using Sources = std::map<QString, QByteArray>;
  const Sources& built_from() const { return built_files().digests; }
  static QByteArray digest_of(const QByteArray& octets);
  /// How its files are named.
  const FileNames& names() const { return names_; }
  void set_names(FileNames names) { names_ = std::move(names); }

  /// Calls `rebuilt` when another machine is being built, and `moved` when it stands or runs elsewhere, as long as
  /// `who` is there.
  void follow(QObject* who, std::function<void()> rebuilt, std::function<void()> moved) const;

  // --- requests
  /// From the files as they stand. The machine from before goes when there is a new one.
  virtual void build() = 0;
  /// The same, and forward to where the machine stands, with what the user has changed in it on the way; breakpoints
  /// count, and neither stop nor log. Who gives it up keeps the machine from before.
  virtual void build_and_replay() { build(); }
  virtual void run() = 0;
  virtual void run_until(const std::string& condition) = 0;  ///< docs/debugging.md
  virtual void pause() = 0;
  /// Ends what moves, and goes back to where it began; go_to_present() leads to where it was ended.
  virtual void give_up() { pause(); }
  virtual void step(ContextId id, workbench::Step how) = 0;
  virtual void step_back(ContextId id) = 0;
  virtual void run_back() = 0;
  /// To the start of an engine cycle that was reached before, with all state as it was then.
  virtual void go_to(uint64_t cycle) = 0;
  /// Changes a register or a longword (docs/debugging.md: names), as of a context.
  virtual void write(const std::string& name, int64_t value, ContextId where) = 0;
  /// Targets of breakpoints, and what they are in the texts that were built, where texts were edited since; empty: the
  /// line is newer than those texts.
  using BuiltPlaces = std::map<std::string, std::string>;
  /// One at a line without an instruction goes to the next that has one, and noted() says so; unless texts were edited
  /// since the build (`same_text`), whose lines mean others. One at a line that is newer waits for the next build.
  virtual void set_breakpoints(std::vector<workbench::Breakpoint> all, bool same_text = true,
                               BuiltPlaces built = {}) = 0;
  /// What breakpoints will be after the next build: texts were edited, and the machine runs what they were before.
  // Overriders take them. NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void plan_breakpoints(std::vector<workbench::Breakpoint> /*all*/) {}
  /// To the first stop of a breakpoint that is there for this run alone.
  // As above. NOLINTNEXTLINE(performance-unnecessary-value-param)
  virtual void run_to(workbench::Breakpoint /*target*/) {}
  /// To the furthest moment that was reached, after going back.
  virtual void go_to_present() {}
  /// A test case under the debugger: from cycle 0 to its end, and back to where what it expects became otherwise;
  /// wrong_found() says what that is.
  virtual void run_to_wrong() {}
  /// Engine cycle of that moment.
  virtual uint64_t present() const { return view() ? view()->cycle : 0; }
  /// Counts up whenever it stands anew: after a build, a run, a step. While it runs it is the number of the stop that
  /// it has left.
  virtual uint64_t stops() const { return 0; }
  /// The machine stands before that moment, or runs through what has been before.
  virtual bool in_past() const { return false; }

  // --- who wrote this: by a replay, after which the machine stands where it stood; pause() ends it. The answer comes
  // in the thread of the windows, unless `asker` is gone by then. Targets that cannot replay say so.
  struct WriteAnswer {
    std::optional<workbench::Writer> writer;  ///< none: not written since the recording began, or not yet
    Diagnostics problems;
  };
  using TakeWriter = std::function<void(const WriteAnswer&)>;
  /// The last write of a place before this moment, or the next one (docs/debugging.md: names), as of a context.
  virtual void find_write(const std::string& name, ContextId where, bool next, QObject* asker, TakeWriter then);
  /// The instruction that has sent a command which lies in a unit.
  virtual void find_sender(const emulator::Command& command, unsigned chip, QObject* asker, TakeWriter then);

  /// Where the value of a longword comes from: its last write before a workbench::Instant (none: before this moment),
  /// and what that writer had read. And who reads it next, from an Instant on.
  struct OriginAnswer {
    std::optional<workbench::Origin> origin;
    Diagnostics problems;
  };
  struct UseAnswer {
    std::optional<workbench::Use> use;  ///< none: nobody, up to the latest moment that was reached
    Diagnostics problems;
  };
  using TakeOrigin = std::function<void(const OriginAnswer&)>;
  using TakeUse = std::function<void(const UseAnswer&)>;
  virtual void find_origin(const workbench::Holder& what, std::optional<uint64_t> before, QObject* asker,
                           TakeOrigin then);
  virtual void find_use(const workbench::Holder& what, std::optional<uint64_t> from, QObject* asker, TakeUse then);

  // --- questions
  using Question = std::function<void(const Inspector&)>;
  /// The function runs where the machine is. It must not touch a widget.
  virtual void ask(Question question) = 0;
  /// The same, and `then` gets the answer in the thread of the windows, unless `asker` is gone by then.
  template <class Ask, class Then>
  void ask(QObject* asker, Ask&& question, Then&& then) {
    using Answer = std::invoke_result_t<Ask, const Inspector&>;
    ask(Question([this, guard = QPointer<QObject>(asker), question = std::forward<Ask>(question),
                  then = std::forward<Then>(then)](const Inspector& machine) {
      auto answer = std::make_shared<Answer>(question(machine));
      QMetaObject::invokeMethod(
          this,
          [guard, answer, then] {
            if (guard) then(*answer);
          },
          Qt::QueuedConnection);
    }));
  }

 Q_SIGNALS:
  void state_changed();
  void view_changed();                                       ///< a new view(); at most every 50 ms while it runs
  void moving_changed();                                     ///< a new moving(); at most every 50 ms
  void said(const QString& text);                            ///< logs of breakpoints and commands
  void problems_changed(const weft::Diagnostics& problems);  ///< of a build, or of a request that was refused
  /// Of the breakpoints as they stand: those that this machine has no place for.
  void breakpoint_problems_changed(const weft::Diagnostics& problems);
  void wrong_found(const weft::workbench::WrongPlace& wrong);
  void noted(const QString& text);  ///< one line for the user
  void refused(
      const weft::Diagnostics& problems);  ///< these of them were of a request, and the machine stands where it stood
  void breakpoints_changed(
      const std::vector<weft::workbench::Breakpoint>& all);  ///< with places, hits and numbers filled in

 private:
  FileNames names_;
};

}  // namespace weft::ide

Q_DECLARE_METATYPE(weft::Diagnostics)
