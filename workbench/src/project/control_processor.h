// The control processor as an actor of the machine (docs/timing.md, K). It polls the interrupt lines and its commands,
// runs the control program, and sends the program's accesses through its own port to the memories.
//
// One task at a time: an event goes to the program, its reaction is first computed for the cycles that it says, then
// its accesses go out one by one, and their results are the next event, until a reaction asks for nothing. All of it is
// plain data between two turns, so that a snapshot can hold it.
#pragma once

#include <memory>
#include <vector>

#include "project/commands.h"
#include "weft/base/fields.h"
#include "weft/control/control.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/units.h"

namespace weft::workbench {

class ControlProcessor final : public emulator::Actor, public emulator::CoreListener {
 public:
  /// `program` may be null: then there are only commands.
  ControlProcessor(std::unique_ptr<control::ControlProgram> program, const EvalContext& scene,
                   const emulator::ControlDescription& timing);
  ~ControlProcessor() override;

  emulator::Tick next_event() const override { return work_.due; }
  void run(emulator::Tick now) override;
  emulator::Reach reach(emulator::Tick now) const override;
  void core_answer(uint64_t id, std::span<const uint32_t> data, emulator::Tick now) override;

  const control::ControlProgram* program() const { return program_.get(); }
  /// Runs them in their order, each at the first poll at which its time has come.
  void add_commands(std::vector<ControlCommand> commands);
  const std::vector<ControlCommand>& commands() const { return commands_; }
  /// Those that are not done; the first may be under way, while control stores are replaced.
  std::vector<const ControlCommand*> commands_left() const;

  std::function<void(const std::string&)> on_text;  ///< what commands print
  std::function<void()> on_replaced;                ///< a control store has other words now

  struct Part {
    emulator::CoreRequest request;
    uint32_t result = kNoResult;  ///< index into Work::results
    bool counts = false;          ///< reads how many longwords are on a ring
    WEFT_FIELDS(Part, request, result, counts)
  };
  static constexpr uint32_t kNoResult = ~0u;
  enum class Phase : uint8_t { idle, computing, accessing, yielding, writing };  ///< the last two: of a control store
  struct Work {
    emulator::Tick due = 0;
    Phase phase = Phase::idle;
    bool from_program = false;  ///< the task is the program's: its results go there
    std::vector<Part> parts;
    size_t issued = 0;
    uint32_t open_reads = 0, open_writes = 0;
    uint64_t first_id = 0, next_id = 0;
    std::vector<uint32_t> results;
    size_t next_command = 0;
    emulator::Tick timer = emulator::kNever;
    uint32_t wanted = 0;            ///< the task's accesses are followed by these stores of a command: a bit for each
    size_t begun = 0;               ///< the command that was begun last
    size_t store = 0;               ///< of its stores: the one that is being replaced
    uint64_t told = 0;              ///< events that the program has had
    std::vector<uint32_t> enables;  ///< CTX_ENABLES of the engines whose stores are replaced, before that
    WEFT_FIELDS(Work, due, phase, from_program, parts, issued, open_reads, open_writes, first_id, next_id, results,
                next_command, timer, wanted, begun, store, told, enables)
  };
  struct State {
    std::shared_ptr<const control::ControlProgram> program;
    Work work;
  };
  State save() const;
  /// From now on what the program is told is kept: its state is what it makes of that, and this is how files hold it.
  /// Nothing happens when the program was told something before.
  void keep_events();
  /// Null: they were not kept from the beginning.
  const std::vector<control::Event>* events() const { return keeps_events_ ? &events_ : nullptr; }
  struct Moment {
    Work work;
    emulator::Tick at = 0;
  };
  /// The states of a run whose program was told `events`, at moments in their order, when nothing has been told to this
  /// one. None: this program cannot have been told that, or the work is not what follows from it. Files say what
  /// strangers want.
  std::optional<std::vector<State>> states_of(std::vector<Moment> moments, std::vector<control::Event> events);
  void restore(const State& state);
  uint64_t state_hash() const;

  /// A command waits for its time, or is being done: the run is not over. One that waits for packets may wait for ever.
  bool works_on_commands() const;

 private:
  /// What follows from a reaction: whether its accesses or stores are a task, and how many results that has.
  struct Task {
    bool open = false;
    uint64_t results = 0;
    static Task of(const control::Reaction& reaction);
  };
  bool may_be_told(const control::Event& event, const Task& task) const;
  bool fits(const Moment& moment, const Task& task) const;
  control::Reaction tell(const control::Event& event);
  void idle(emulator::Tick now);
  control::Event event(control::Event::Kind kind, emulator::Tick now) const;
  void begin(const control::Reaction& reaction, bool from_program, emulator::Tick now);
  void issue(emulator::Tick now);
  void finish(emulator::Tick now);
  void begin_command(const ControlCommand& command, emulator::Tick now);
  bool wants_store(size_t number) const { return number < 32 && (work_.wanted >> number & 1) != 0; }
  void begin_stores(emulator::Tick now);
  void replace_stores(emulator::Tick now);
  void perform(Part& part);
  void take(const Part& part, std::span<const uint32_t> data);
  std::vector<Part> parts_of(const control::Reaction& reaction);
  emulator::Tick cycles(uint64_t count) const { return count * timing_.period; }

  std::unique_ptr<control::ControlProgram> program_;
  const EvalContext& scene_;
  emulator::HostPort& host_;
  emulator::ControlDescription timing_;
  std::vector<ControlCommand> commands_;
  Work work_;
  bool keeps_events_ = false;
  std::vector<control::Event>
      events_;  ///< the first work_.told of them, and those after a moment to which one went back
};

/// Space and unit address of a region's byte address (SRAM channels sit in address bits 31:30).
struct HostAddress {
  emulator::MemorySpace space;
  uint32_t address;
};
HostAddress host_address(image::Region region, uint64_t address);

}  // namespace weft::workbench
