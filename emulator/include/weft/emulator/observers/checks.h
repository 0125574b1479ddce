// Checks that hardware never gave: a program that reads what nobody wrote, loses a signal or waits for ever runs on
// silently on the chip. Each check is off, warns, or stops the run. docs/observers.md says what each one takes for
// wrong.
#pragma once

#include <array>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "weft/emulator/observers/by_sequence.h"
#include "weft/emulator/observers/check_shadows.h"
#include "weft/emulator/observers/pools.h"
#include "weft/emulator/observers/programs.h"
#include "weft/isa/effects.h"

namespace weft::emulator {

struct CommandAccess;

enum class Check : uint8_t {
  uninitialised,     ///< a GPR, local memory or transfer register that was never written is read
  transfer,          ///< a read transfer register is read before its data came, a write one changed before it was taken
  signal_twice,      ///< a signal is raised while it is still set
  signal_unawaited,  ///< at the end: a signal that is set and that its context will never take
  endless_wait,      ///< at the end: a context waits for what nobody will raise
  ring,              ///< something is put on a full ring
  access,            ///< an address outside its memory, or not aligned; a request that a unit refuses
  csr_latency,       ///< a local CSR is read, or an index register used, before the value written to it counts
  codes,             ///< condition codes are used that another context may have set
  signal_lost,       ///< a signal goes to nobody: no such engine or thread, number 0, or an inactive context
  race,              ///< two contexts use a longword, one writes it, and nothing orders them
  buffer_free,       ///< a buffer is given back that is free, or is not a buffer of the pool
  buffer_leak,       ///< at the end: a buffer in use that nobody knows any more
  control_store,     ///< the program goes on where no word is loaded
  read_alignment,    ///< low bits in the address of sram[read]; only when it is named
  hash,              ///< a hash while the multiplier of its width is 0, which gives 0 for everything
};
inline constexpr size_t kChecks = 16;
/// Programs may do it on purpose, so a mode for all checks leaves it alone.
constexpr bool only_by_name(Check check) { return check == Check::read_alignment; }
/// "uninitialised", "signal-twice" ...
std::string_view check_name(Check check);
/// The code of its findings: "check-uninitialised".
std::string_view check_code(Check check);

enum class CheckMode : uint8_t { off, warn, stop };
using CheckModes = std::array<CheckMode, kChecks>;
constexpr CheckModes all_checks(CheckMode mode) {
  CheckModes modes{};
  for (size_t i = 0; i < kChecks; ++i)
    if (!only_by_name(static_cast<Check>(i))) modes[i] = mode;
  return modes;
}

struct Finding {
  Check check{};
  ContextRef who;
  uint16_t pc = 0;
  uint64_t cycle = 0;  ///< of the first time
  uint64_t count = 1;  ///< how often at this word, or at these two lines
  std::string text;    ///< who, where, when, what, and the other party
};

class Races;
class Buffers;

class Checks : public Observer {
 public:
  static constexpr size_t kMaxFindings = 200;

  /// Programs must be loaded and memories filled; `machine`, `units` and the Images must outlive the observer. Without
  /// units there are no checks on shared memory and buffers.
  Checks(const Machine& machine, Images images, const CheckModes& modes, Units* units = nullptr,
         std::vector<BufferPool> pools = {});
  ~Checks() override;
  /// What the loader wrote before the run: marks every register and local-memory longword that is not 0 now as written.
  void take_present_values();
  /// Control stores have other words now: without this, instructions of the old ones would be looked for in the new
  /// ones.
  void programs_replaced(Images images) {
    images_ = std::move(images);
    programs_.read(machine_);
    read_words();
  }
  void mark_register(unsigned engine, image::RegisterKind kind, isa::Bank bank, unsigned physical);
  /// A register or longword of local memory of an engine's state was written from outside, whatever its value is.
  void mark_written(const uint32_t* slot);
  /// The checks of the end of a run: signals that nobody took, waits without end, buffers that are lost. `held`:
  /// handles that somebody outside of the chip has, a control program.
  void finish(std::span<const uint32_t> held = {});

  /// In the order in which they were first found; at most kMaxFindings.
  const std::vector<Finding>& findings() const { return findings_; }
  uint64_t not_kept() const { return not_kept_; }
  /// After a stop: go on with the next run.
  void acknowledge() { stop_ = false; }

  void on_execute(ContextRef who, uint16_t pc, uint64_t cycle) override;
  void on_state(ContextRef who, ContextState state, uint64_t cycle) override;
  void on_issue(const Command& command) override;
  void on_serve(const Command& command, Tick at) override;
  void on_answer(uint64_t sequence, unsigned count, uint16_t signals, Tick at) override;
  void on_fault(std::string_view unit, const Command* during, std::string_view text) override;
  void on_pull(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) override;
  void on_push(ContextRef to, bool d, unsigned number, uint32_t value, Tick at) override;
  void on_pushes(ContextRef to, bool d, unsigned first, std::span<const uint32_t> data, Tick at) override;
  void on_signal(ContextRef to, unsigned number, Tick at) override;
  void on_signal_sent(ContextRef from, uint16_t pc, int engine, unsigned context, unsigned number,
                      uint64_t due) override;
  void on_local_signal(ContextRef to, unsigned number, uint64_t cycle) override;
  void on_host_ring(unsigned ring, bool put, uint32_t word) override;
  bool wants_stop() const override { return stop_; }
  bool may_stop() const override;

 private:
  using Party = checks::Party;
  using Clock = checks::Clock;
  using Open = checks::Open;
  using Word = checks::Word;
  using ContextShadow = checks::ContextShadow;
  using EngineShadow = checks::EngineShadow;
  /// Of whom the words of a program can raise signals.
  struct Raisers {
    bool same = false, next = false, previous = false;
    uint16_t any = 0;  ///< bits of the signals that it can raise of every context
  };
  void read_commands();
  const checks::CommandFacts& facts_of(isa::InsnId op) const { return commands_[static_cast<size_t>(op)]; }
  void read_words();
  Word word_of(const isa::Instruction& insn) const;
  // What is rare stays apart (noinline), so that what is done at every word, command and signal saves no registers for
  // it.
  [[gnu::noinline]] void look_closer(ContextRef who, uint16_t pc, uint64_t cycle);
  void look_at(EngineShadow& e, const Word& word, const isa::Instruction& insn, const Party& here);
  void enter(EngineShadow& e, ContextRef who, ContextState state, uint64_t cycle);
  [[gnu::noinline]] void enter_and_take(ContextRef who, ContextState state, uint64_t cycle);
  bool on(Check check) const { return modes_[static_cast<size_t>(check)] != CheckMode::off; }
  /// `other` is given where two words make a finding: it is one for each two lines of the sources, whichever
  /// microengines run them.
  void add(Check check, ContextRef who, uint16_t pc, uint64_t cycle, uint64_t detail, const std::string& what,
           const Party* other = nullptr);
  std::string line_of(ContextRef who, uint16_t pc) const;
  std::string place(ContextRef who, uint16_t pc) const;
  std::string describe(const Party& party) const;
  std::string gpr_name(ContextRef who, uint16_t pc, isa::Bank bank, unsigned physical) const;
  std::string transfer_name(ContextRef who, uint16_t pc, bool d, bool write, unsigned physical) const;
  std::string signal_name(unsigned engine, uint16_t pc, unsigned number) const;
  const EngineState& state_of(unsigned engine) const { return *engines_[engine].state; }
  uint64_t cycle_of(Tick at) const { return at / period_; }

  unsigned indexed_transfer(const Word& word, const Party& here);
  unsigned indexed_local_memory(const Word& word, const isa::Operand& operand, const Party& here);
  /// Before it was moved by the word.
  unsigned local_memory_pointer(const Word& word, const isa::Operand& operand, ContextRef who) const {
    const bool second = operand.kind == isa::OperandKind::local_mem1;
    const auto step = static_cast<uint32_t>(word.local_memory_step[second]);
    return (((state_of(who.engine).lm_address(who.context, second) - step) >> 2) | operand.value) & 1023;
  }
  void check_source(const Word& word, const isa::Operand& operand, const Party& here);
  void unwritten_gpr(isa::Bank bank, unsigned physical, const Party& here);
  void unwritten_local_memory(unsigned at, const Party& here);
  void uses_strange_codes(const isa::Instruction& insn, const Party& here);
  void reads_csr(uint16_t csr, const Party& here);
  void take_result(const Word& word, const isa::Operand& operand, const Party& here);
  void check_transfer_source(bool d, unsigned number, const Party& here);
  void change_transfer(bool d, unsigned number, const Party& here);
  void check_pending(uint16_t csr, isa::States held, const Party& here, std::string_view what) {
    if (state_of(here.who.engine).pending.count != 0) check_pending_writes(csr, held, here, what);
  }
  void check_pending_writes(uint16_t csr, isa::States held, const Party& here, std::string_view what);
  void note_csr_write(const Word& word, const isa::Instruction& insn, const Party& here);
  void check_ring_put(const Party& here);
  void expect_receive(uint32_t request);
  void expect_mpacket(uint32_t entry);
  void expect_event(Open& open, uint32_t csr) const;
  void settle_event(Open& open, uint32_t value) const;
  bool to_nobody(const Command& command) const;
  void check_hash(unsigned width, const Party& here);
  bool is_broadcast(unsigned signal) const;
  void misaligned(const Command& command, const Party& here);
  [[gnu::noinline]] void look_at_issue(const Command& command, Open& open);
  void sync(ContextRef who) {
    if (const unsigned taken = engines_[who.engine].consumed(who.context); taken != 0) take_signals(who, taken);
  }
  [[gnu::noinline]] void take_signals(ContextRef who, unsigned taken);
  [[gnu::noinline]] void take_signal_order(ContextRef who, unsigned number);
  void raise(ContextRef to, unsigned number, uint64_t cycle, const Party& by, Clock* clock, uint8_t same = 0);
  [[gnu::noinline]] void raise_foreign(ContextRef to, unsigned number, uint64_t cycle);
  [[gnu::noinline]] void to_inactive(ContextRef to, unsigned number, const Party& by);
  [[gnu::noinline]] void raised_twice(ContextRef to, unsigned number, uint64_t cycle, const Party& by);
  void note_sent(const Party& here);
  void lost(const Party& here, unsigned number, std::string_view why);
  void goes_nowhere(const isa::Instruction& insn, unsigned next, const Party& here);
  [[gnu::noinline]] void follow_raisers(ContextRef who);
  void check_shared(const Word& word, const isa::Instruction& insn, ContextRef who);
  void serve_shared(const Command& command, Open& open);
  void buffer_twice(const Party& here, size_t pool, uint32_t handle, bool foreign, const Party& before);
  void check_leaks(std::span<const uint32_t> held);
  void check_unawaited(bool idle);
  bool can_await(ContextRef who, unsigned signal) const;
  void check_waits();
  Raisers raisers(unsigned engine) const;

  const Machine& machine_;
  Images images_;
  CheckModes modes_;
  DecodedPrograms programs_;
  std::vector<std::vector<Word>> words_;  ///< by engine
  std::vector<checks::CommandFacts> commands_;
  const Tick period_;
  const bool is_me1_;
  std::vector<EngineShadow> engines_;
  BySequence<Open> open_;
  Units* units_;
  std::unique_ptr<Races> races_;
  std::unique_ptr<Buffers> buffers_;
  std::unique_ptr<CommandAccess> serving_;  ///< what the command in service touches
  unsigned pulled_ = 0;                     ///< longwords that it has taken
  bool pulls_count_ = false;                ///< they may be handles of buffers
  Party party_;                             ///< whose command a unit is working on
  uint32_t serving_address_ = 0;
  uint16_t serving_csr_ = 0;
  uint64_t serving_sequence_ = 0;
  struct {
    int engine = 0;
    uint8_t context = 0, number = 0;
    bool is_new = false;
  } sending_;  ///< by the word that is executed now
  std::vector<Finding> findings_;
  std::map<std::tuple<Check, uint8_t, uint16_t, uint64_t>, size_t> known_;
  std::map<std::tuple<Check, std::string, std::string>, size_t> known_lines_;
  uint64_t not_kept_ = 0;
  bool stop_ = false;
};

}  // namespace weft::emulator
