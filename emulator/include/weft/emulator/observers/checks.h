// Checks that hardware never gave: a program that reads what nobody wrote, loses a signal or waits for ever runs on
// silently on the chip. Each check is off, warns, or stops the run. docs/observers.md says what each one takes for
// wrong.
#pragma once

#include <array>
#include <bitset>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <vector>

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
};
inline constexpr size_t kChecks = 15;
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
  uint64_t count = 1;  ///< how often at this word
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
    find_plain_words();
  }
  void mark_register(unsigned engine, image::RegisterKind kind, isa::Bank bank, unsigned physical);
  /// A register or longword of local memory of an engine's state was written from outside, whatever its value is.
  void mark_written(const uint32_t* slot);
  /// The checks of the end of a run: signals that nobody took, waits without end.
  void finish();

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
  void on_signal(ContextRef to, unsigned number, Tick at) override;
  void on_local_signal(ContextRef to, unsigned number, uint64_t cycle) override;
  void on_host_ring(unsigned ring, bool put, uint32_t word) override;
  bool wants_stop() const override { return stop_; }

 private:
  /// A word that did something at some time: the other party of a finding.
  struct Party {
    enum class Kind : uint8_t { unknown, word, media } kind = Kind::unknown;
    ContextRef who;
    uint16_t pc = 0;
    uint64_t cycle = 0;
    isa::InsnId op{};
  };
  using Clock = std::shared_ptr<const std::vector<uint32_t>>;  ///< what a context knew (Races::Snapshot)
  struct Open {                                                ///< a command under way
    Party party;
    std::unique_ptr<CommandAccess> access;  ///< of one whose answer orders contexts
    uint32_t issued = 0;                    ///< Races::issued
    bool d = false;
    unsigned xfer = 0, count = 0;
    uint16_t signals_left = 0;
    bool data_left = false;
    unsigned event = 0;   ///< of other threads, that a write of an FBI CSR raises behind its service
    unsigned raises = 0;  ///< in so many threads that have not got it yet
  };
  struct File {  ///< 128 transfer registers of one side
    std::bitset<128> known;
    std::array<uint64_t, 128> command{};  ///< sequence + 1 of the command that will fill or take it
  };
  struct Sent {  ///< a signal on its way inside the engines
    uint8_t context = 0;
    uint8_t number = 0;
    Party party;
    Clock clock;
    uint8_t same = 0;  ///< bit of the sending context, when it is of the same engine
  };
  struct ContextShadow {
    uint16_t pending = 0;  ///< raised, not consumed
    uint16_t media = 0;    ///< signals that the receiver of the media interface will raise
    std::array<Party, 16> raised{};
    std::array<uint64_t, 16> raised_at{};
    std::array<Clock, 16> raised_clock{};      ///< what another context knew that raised it
    std::array<uint8_t, 16> raised_by_same{};  ///< bits of contexts of this engine that raised it
    uint8_t follows = 0;                       ///< contexts whose signals it has taken, and has not run since
    std::map<uint16_t, Party> csr_writes;      ///< last one, by offset
    uint16_t last_pc = 0;
    uint64_t asleep_since = 0;
  };
  struct EngineShadow {
    std::bitset<128> a, b;
    std::bitset<kLocalMemory> local_memory;
    std::array<File, 2> in, out;  ///< $ and $$
    std::array<ContextShadow, kContexts> contexts;
    std::vector<Sent> sent;
    bool codes_set = false;
  };
  /// Which words of a program can raise signals, and of whom.
  struct Raisers {
    bool same = false, next = false, previous = false, any = false;
  };
  struct Index {  ///< where an index register pointed before the instruction moved it
    unsigned transfer = 0;
    std::array<unsigned, 2> local_memory{};
  };

  /// A word whose operands are registers of its context, or nothing: as quickly as most of them can be looked at.
  struct PlainWord {
    enum class Operand : uint8_t { nothing, a, b, xfer_s, xfer_d };
    bool is_plain = false, reads_codes = false, sets_codes = false;
    Operand left{}, right{}, dest{};
    uint8_t left_number = 0, right_number = 0, dest_number = 0;  ///< of context 0
  };
  void find_plain_words();
  /// Nothing is wrong with it, and it is noted. False: the word is to be looked at as any other. `shadow`: as it is
  /// behind it; `words`: of its program.
  static bool is_plainly_right(EngineShadow& e, unsigned context, const PlainWord& word, const Shadow& shadow,
                               size_t words);
  static bool is_known(const EngineShadow& e, PlainWord::Operand kind, unsigned physical);
  bool on(Check check) const { return modes_[static_cast<size_t>(check)] != CheckMode::off; }
  void add(Check check, ContextRef who, uint16_t pc, uint64_t cycle, uint64_t detail, const std::string& what);
  std::string place(ContextRef who, uint16_t pc) const;
  std::string describe(const Party& party) const;
  std::string gpr_name(ContextRef who, uint16_t pc, isa::Bank bank, unsigned physical) const;
  std::string transfer_name(ContextRef who, uint16_t pc, bool d, bool write, unsigned physical) const;
  std::string signal_name(unsigned engine, uint16_t pc, unsigned number) const;
  const EngineState& state_of(unsigned engine) const { return states_[engine]; }
  uint64_t cycle_of(Tick at) const { return at / machine_.timing().period; }

  Index index_before(const isa::Instruction& insn, ContextRef who) const;
  unsigned indexed_transfer(const Index& index, const Party& here);
  unsigned indexed_local_memory(const isa::Operand& operand, const Index& index, const Party& here);
  void check_source(const isa::Operand& operand, const Index& index, const Party& here);
  void take_result(const isa::Operand& operand, const Index& index, const Party& here);
  void check_transfer_source(bool d, unsigned number, const Party& here);
  void change_transfer(bool d, unsigned number, const Party& here);
  void check_pending(uint16_t csr, isa::States held, const Party& here, std::string_view what);
  void note_csr_write(const isa::Instruction& insn, const Party& here);
  void check_ring_put(const Party& here);
  void expect_receive(uint32_t request);
  void expect_mpacket(uint32_t entry);
  void expect_event(Open& open, const Command& command);
  void settle_event(Open& open, uint32_t value);
  bool to_nobody(const Command& command) const;
  bool is_broadcast(unsigned signal) const;
  void check_alignment(const Command& command, const Party& here);
  void sync(ContextRef who);
  void take_signal_order(ContextRef who, unsigned number);
  void raise(ContextRef to, unsigned number, uint64_t cycle, const Party& by, const Clock& clock, uint8_t same = 0);
  void lost(const Party& here, unsigned number, std::string_view why);
  void check_next(const isa::Instruction& insn, const Party& here);
  void check_shared(const isa::Instruction& insn, const Index& index, const Party& here);
  void serve_shared(const Command& command, Open& open, Tick at);
  void buffer_twice(const Party& here, size_t pool, uint32_t handle, bool foreign, const Party& before);
  void check_leaks();
  void check_unawaited(bool idle);
  bool can_await(ContextRef who, unsigned signal) const;
  void check_waits();
  Raisers raisers(unsigned engine) const;

  const Machine& machine_;
  EngineStates states_;
  Images images_;
  CheckModes modes_;
  DecodedPrograms programs_;
  std::vector<std::vector<PlainWord>> plain_words_;  ///< by engine and word
  std::vector<EngineShadow> engines_;
  std::unordered_map<uint64_t, Open> open_;
  Units* units_;
  std::unique_ptr<Races> races_;
  std::unique_ptr<Buffers> buffers_;
  std::unique_ptr<CommandAccess> serving_;  ///< what the command in service touches
  unsigned pulled_ = 0;                     ///< longwords that it has taken
  bool pulls_count_ = false;
  Party party_;  ///< whose command a unit is working on
  uint32_t serving_address_ = 0;
  uint16_t serving_csr_ = 0;
  uint64_t serving_sequence_ = 0;
  std::vector<Finding> findings_;
  std::map<std::tuple<Check, uint8_t, uint16_t, uint64_t>, size_t> known_;
  uint64_t not_kept_ = 0;
  bool stop_ = false;
};

}  // namespace weft::emulator
