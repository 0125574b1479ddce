// Breakpoints of a session: they are laid into the machine or looked for as an observer, and decide whether a run
// stands.
//
// The machine stops at every word with a breakpoint, and after every event after which an access or a value has to be
// looked at; the debugger then evaluates condition and hit count and says whether the run goes on. So cuts are exact.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>

#include "inspect/expression.h"
#include "session/first_writes.h"
#include "weft/workbench/breakpoint.h"

namespace weft::workbench {

class Debugger final : public emulator::Observer {
 public:
  /// Its breakpoints get the numbers `first`, `first` + `stride` ...: several debuggers share no number.
  explicit Debugger(const EvalContext& scene, unsigned first = 1, unsigned stride = 1)
      : scene_(scene), next_id_(first), stride_(stride) {}
  ~Debugger() override;

  /// Diagnostics: breakpoint-place, breakpoint-target, breakpoint-engine and those of expressions.
  Result<unsigned> add(Breakpoint breakpoint);
  Result<bool> check(Breakpoint breakpoint) const;  ///< could be added
  bool remove(unsigned id);
  bool enable(unsigned id, bool on);
  std::vector<Breakpoint> list() const;

  std::function<void(const std::string&)> on_log;

  struct Decision {
    bool stop = false;
    unsigned id = 0;
    Breakpoint::Kind kind{};
    int engine = -1, context = -1;
    uint32_t address = 0;
    std::string text;
    std::string failed;  ///< not empty: a condition cannot be evaluated, and this is why
  };
  /// The machine stands before a word with a breakpoint.
  Decision at_word(const emulator::StopReason& reason);
  /// After an event at which wants_stop() was true, and after every cycle while watches_time().
  Decision after_event();
  /// A condition depends on the time, so that it can become true without any event.
  bool watches_time() const { return attached_ && watches_time_; }

  /// The machine also stops there, for whoever runs it; {}: nowhere.
  struct Held {
    unsigned engine = 0;
    uint32_t address = 0;
    unsigned contexts = 0;
  };
  void hold(const Held& held);
  /// It must see the run from its start: Session::add_breakpoint sees to that.
  void keep_first_writes();
  bool keeps_first_writes() const { return writes_ != nullptr; }

  /// Takes everything off the machine for a replay, and puts it back; the present values are those to compare with.
  void set_active(bool active);
  /// While it is true nothing is logged and nothing removed: the run is looked through again.
  void rehearse(bool on) { rehearsing_ = on; }
  /// The present values are those to compare with: after a restore, or a write by the user.
  void look();
  std::map<unsigned, uint64_t> hits() const;
  void set_hits(const std::map<unsigned, uint64_t>& hits);

  void on_execute(emulator::ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_stall(emulator::ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_state(emulator::ContextRef who, emulator::ContextState state, uint64_t cycle) override;
  void on_serve(const emulator::Command& command, emulator::Tick at) override;
  void on_media(const emulator::MediaEvent& event) override;
  void on_host_ring(unsigned ring, bool put, uint32_t word) override;
  void on_pull(emulator::ContextRef to, bool d, unsigned number, uint32_t value, emulator::Tick at) override;
  void on_push(emulator::ContextRef to, bool d, unsigned number, uint32_t value, emulator::Tick at) override;
  void on_signal(emulator::ContextRef to, unsigned number, emulator::Tick at) override;
  void on_local_signal(emulator::ContextRef to, unsigned number, uint64_t cycle) override;
  bool wants_stop() const override { return dirty_ || !fired_.empty(); }

 private:
  using Kind = Breakpoint::Kind;
  enum class RingEvent : uint8_t { put, get, full, empty };
  enum class PacketEvent : uint8_t { in, out, lost, dropped };
  struct Truth {
    bool is_true = false;
    std::string failed;  ///< not empty: it cannot be evaluated, and this is why
  };
  struct Entry {
    Breakpoint b;
    std::optional<Expression> condition;
    std::optional<Template> log;
    std::optional<Expression> value;  ///< changes and conditions
    StateRef place;                   ///< read, write and change of registers and memories
    bool memory = false;
    bool of_engine = false;  ///< only what engines do can change it
    bool per_context = false;
    std::vector<std::optional<int64_t>> last;  ///< by engine * 8 + context, [0] for what has no engine
    std::vector<uint32_t> longwords;           ///< memory ranges
    Truth last_truth;                          ///< of a condition
    int engine = -1, context = -1;             ///< signals, swaps, stalls, uninitialised reads; -1: any
    std::string signal;
    int port = -1;
    unsigned ring = 0;
    RingEvent ring_event{};
    PacketEvent packet_event{};
    std::string reason;  ///< of drops; empty: any
    uint64_t stalled_for = 0;
    std::vector<uint64_t> stalled;  ///< cycles in a row, by engine * 8 + context
  };
  struct Fired {
    unsigned id = 0;
    emulator::ContextRef who;
    bool has_who = false;
    uint32_t address = 0;
    std::string text;
    bool failed = false;  ///< `text` is why its condition cannot be evaluated
  };

  Result<Entry> make(Breakpoint breakpoint) const;
  Result<bool> prepare(Entry& entry) const;
  Result<bool> prepare_location(Entry& entry) const;
  Result<bool> prepare_access(Entry& entry) const;
  Result<bool> prepare_event(Entry& entry) const;
  Result<bool> prepare_drop(Entry& entry) const;
  void lay();
  void lay_word(unsigned engine, uint32_t address);
  Entry* find(unsigned id);
  Decision decide(Entry& entry, const Location& where, uint32_t address, const std::string& what);
  static Decision cannot_decide(const Entry& entry, const std::string& why);
  void fire(const Entry& entry, emulator::ContextRef who, std::string text);
  void fire(const Entry& entry, std::string text);
  void look(Entry& entry);
  std::vector<uint32_t> read_range(const Entry& entry) const;
  std::optional<int64_t> value_of(const Entry& entry, const Location& where) const;
  Truth truth_of(const Entry& condition) const;
  bool concerns(const Entry& entry, emulator::ContextRef who) const;
  static bool concerns_event(const Entry& entry, emulator::ContextRef who);
  void check_drop(const Entry& entry, emulator::ContextRef who, uint16_t pc);
  void check_unwritten(const Entry& entry, emulator::ContextRef who, uint16_t pc, uint64_t cycle);
  std::string name_of(emulator::ContextRef who, uint32_t pc, const uint32_t* slot) const;
  void check_change(Entry& entry, emulator::ContextRef who);
  void check_accesses(const Entry& entry, emulator::ContextRef who, uint16_t pc);
  void check_command(const Entry& entry, const emulator::Command& command);
  void signalled(emulator::ContextRef to, unsigned number);
  std::string place_text(unsigned engine, uint32_t address) const;

  const EvalContext& scene_;
  std::unique_ptr<FirstWrites> writes_;  ///< while a breakpoint asks for it, from the start of the run on
  std::map<unsigned, Entry> entries_;
  bool watches_time_ = false;
  std::set<std::pair<unsigned, uint32_t>> laid_;
  unsigned next_id_, stride_;
  Held held_;
  bool active_ = true;
  bool rehearsing_ = false;
  bool attached_ = false;
  bool units_changed_ = false, engines_changed_ = false, dirty_ = false;
  std::vector<Fired> fired_;
};

}  // namespace weft::workbench
