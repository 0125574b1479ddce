// A microengine as data: its state record, its timing figures and the ways in which it stops. The rules by which the
// state moves are in docs/timing.md and in emulator/src/engine/.
#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "weft/base/fields.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

inline constexpr unsigned kContexts = 8;
inline constexpr unsigned kLocalMemory = 640;  ///< longwords; pointers reach 1024

/// Engine cycles of everything that the public documents leave to the chip file (docs/timing.md).
struct EngineTiming {
  isa::Profile profile = isa::Profile::me2;
  unsigned contexts = 8;           ///< 0 to contexts - 1 exist
  Tick period = 10;                ///< ticks per cycle
  uint32_t control_store = 4096;   ///< words
  unsigned abort_branch = 2;       ///< slots lost by a taken branch that needs no result; filled slots come off
  unsigned abort_branch_cc = 3;    ///< ... that needs condition codes
  unsigned abort_branch_test = 3;  ///< ... that needs a register or an input state
  unsigned abort_swap = 2;
  unsigned same_me_signal = 8;  ///< from the write to the raised signal
  unsigned neighbor_signal = 12;
  unsigned neighbor_write = 5;     ///< a next-neighbor register written at cycle k is seen from k + 1 + this on
  unsigned timestamp_cycles = 16;  ///< cycles per timestamp step
};

enum class ContextState : uint8_t { inactive, executing, ready, sleep };

/// Where the cycles of a context went. They sum to the cycles that its engine has existed.
struct CycleCounters {
  uint64_t executing = 0;
  uint64_t aborted = 0;  ///< slots lost after its taken branches and swaps
  uint64_t stalled = 0;  ///< its command could not issue
  uint64_t idle = 0;     ///< inactive, asleep, or ready while another context held the engine
  uint64_t total() const { return executing + aborted + stalled + idle; }
  WEFT_FIELDS(CycleCounters, executing, aborted, stalled, idle)
};

struct ConditionCodes {
  bool n = false, z = false, v = false, c = false;
  bool operator==(const ConditionCodes&) const = default;
  WEFT_FIELDS(ConditionCodes, n, z, v, c)
};

/// What an instruction can still see of the one before it (indirect shift, asr, byte_align, indirect_ref).
struct PreviousAlu {
  uint32_t left = 0, right = 0, result = 0;
  WEFT_FIELDS(PreviousAlu, left, right, result)
};

struct CamState {
  std::array<uint32_t, 16> tag{};
  std::array<uint8_t, 16> state{};
  /// Entry numbers, least recently used first.
  std::array<uint8_t, 16> order{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
  bool operator==(const CamState&) const = default;
  WEFT_FIELDS(CamState, tag, state, order)
};

struct MultiplierState {
  uint32_t left = 0, right = 0;
  uint64_t sum = 0;
  WEFT_FIELDS(MultiplierState, left, right, sum)
};

/// What find_bset has found, newest first; the two results of the instructions are the newest two that have landed
/// (E17).
struct BsetResult {
  uint32_t value = 0;
  uint64_t due = 0;  ///< first cycle that sees it
  WEFT_FIELDS(BsetResult, value, due)
};

struct ContextRecord {
  ContextState state = ContextState::inactive;
  uint16_t pc = 0;
  uint16_t signals = 0;          ///< bit s = signal s arrived; bit 0 = voluntary
  uint32_t wakeup = 0;           ///< awaited signals, and kAnySignal: CTX_WAKEUP_EVENTS
  std::array<uint32_t, 2> lm{};  ///< LM_ADDR_0 and _1: byte address
  uint32_t future_count = 0, future_signal = 0;
  uint64_t future_due = kNever;  ///< cycle at which the future count is reached
  uint64_t executing = 0, aborted = 0, stalled = 0;
  WEFT_FIELDS(ContextRecord, state, pc, signals, wakeup, lm, future_count, future_signal, future_due, executing,
              aborted, stalled)

  static constexpr uint32_t kAnySignal = 1u << 16;  ///< one of the awaited signals is enough
  static constexpr uint32_t kVoluntary = 1u << 0;   ///< awaited by a context that only lets others run
  bool awaits(unsigned signal) const { return (wakeup >> signal & 1) != 0; }
  bool awaits_any() const { return (wakeup & kAnySignal) != 0; }
  /// Awaited signals that have arrived, and those that have not, bit by bit.
  uint16_t arrived() const { return static_cast<uint16_t>(wakeup & signals); }
  uint16_t missing() const { return static_cast<uint16_t>(wakeup & ~signals); }
};

/// A write that has been made but is not yet seen.
struct PendingWrite {
  enum class Kind : uint8_t {
    csr,       ///< local CSR `number` of context `context`
    neighbor,  ///< next-neighbor register `number` of this engine
    ring_put,  ///< the same, as a ring entry: the count grows when it lands
    signal,    ///< signal `number` of context `context`
  };
  uint64_t due = 0;  ///< first cycle that sees it
  Kind kind = Kind::csr;
  uint8_t context = 0;
  uint16_t number = 0;
  uint32_t value = 0;
  bool outside = false;  ///< made by a neighbor; at equal times it lands before the engine's own
  WEFT_FIELDS(PendingWrite, due, kind, context, number, value, outside)
};

/// Pending writes in the order in which they land. An engine and its two neighbors add at most one each per cycle, so
/// there is room for latencies up to 40 cycles.
struct PendingWrites {
  std::array<PendingWrite, 128> items{};
  uint8_t count = 0;
  WEFT_FIELDS(PendingWrites, fields::first(items, count), count)
};

/// A taken branch or a swap whose deferred slots are still to run.
struct Shadow {
  enum class Kind : uint8_t { none, branch, sleep, kill, breakpoint };
  Kind kind = Kind::none;
  uint8_t slots = 0;   ///< deferred instructions still to run
  uint8_t aborts = 0;  ///< cycles lost after them
  bool to_target = false;
  uint16_t target = 0;
  WEFT_FIELDS(Shadow, kind, slots, aborts, to_target, target)
};

/// Everything that a microengine remembers, in one record that can be copied and compared with another moment.
struct EngineState {
  // What each cycle looks at stands together: the host's cache has it in a few lines.
  int8_t running = -1;       ///< executing context
  uint8_t last_running = 7;  ///< arbitration starts after it
  bool idle = true;          ///< nobody to run: next_cycle stands where idling began
  ConditionCodes codes;
  bool stopped = false;         ///< by a fault or a breakpoint instruction
  bool csr_read_valid = false;  ///< a local_csr_rd waits for its immed
  Shadow shadow;
  uint64_t next_effect = kNever;  ///< cycle of the first pending write or future count
  uint64_t next_cycle = 0;        ///< all cycles before it are accounted for
  uint64_t instructions = 0;      ///< executed
  PreviousAlu previous;
  uint32_t ctx_enables = 0;
  alignas(64) std::array<ContextRecord, kContexts> contexts{};  // a line of the host's cache each
  PendingWrites pending;

  // A line for each context and file.
  alignas(64) std::array<uint32_t, 128> a{};  ///< GPR banks; context c has 16c + n; me1 uses 64 of each
  std::array<uint32_t, 128> b{};
  std::array<uint32_t, 128> s_in{}, s_out{};  ///< read and write transfer registers $; 16c + n, me1: n below 8
  std::array<uint32_t, 128> d_in{}, d_out{};  ///< $$
  std::array<uint32_t, 128> nn{};
  std::array<uint32_t, kLocalMemory> local_memory{};
  CamState cam;
  uint32_t crc_remainder = 0;
  MultiplierState multiplier;
  std::array<BsetResult, 3> bset{};  ///< me1; at most one is on its way

  uint32_t t_index = 0;             ///< bits 8:2 = transfer register of an indexed operand
  uint32_t byte_index = 0;          ///< bits 1:0
  uint32_t nn_put = 0, nn_get = 0;  ///< ring pointers 0-127
  uint32_t nn_count = 0;            ///< ring entries that this engine may get
  uint32_t nn_in_flight = 0;        ///< entries put but not yet landed
  std::array<uint32_t, 2> lm_global{};
  uint32_t csr_context = 0;               ///< CSR_CTX_POINTER
  std::array<uint32_t, 128> plain_csr{};  ///< local CSRs that only hold their value, by offset / 4

  uint32_t csr_read = 0;
  uint64_t timestamp_offset = 0;  ///< timestamp = cycle / timestamp_cycles + offset
  uint64_t profile_offset = 0;
  uint64_t random_seed = 0, random_accesses = 0;

  uint64_t idle_cycles = 0;  ///< of the engine, up to next_cycle

  /// A word has stopped the engine, or concerns one behind it.
  bool leaves_something() const {
    return (static_cast<unsigned>(stopped) | static_cast<unsigned>(csr_read_valid) |
            static_cast<unsigned>(shadow.kind)) != 0;
  }
  bool four_contexts() const { return (ctx_enables >> 31) != 0; }
  bool nn_self() const { return (ctx_enables >> 20 & 1) != 0; }
  bool lm_is_global(unsigned pointer) const { return (ctx_enables >> (16 + pointer) & 1) != 0; }
  bool enabled(unsigned context) const { return (ctx_enables >> (8 + context) & 1) != 0; }
  uint32_t lm_address(unsigned context, unsigned pointer) const {
    return lm_is_global(pointer) ? lm_global[pointer] : contexts[context].lm[pointer];
  }
  WEFT_FIELDS(EngineState, running, last_running, idle, stopped, csr_read_valid, codes, shadow, next_effect, next_cycle,
              instructions, previous, ctx_enables, contexts, pending, a, b, s_in, s_out, d_in, d_out, nn, local_memory,
              cam, crc_remainder, multiplier, bset, t_index, byte_index, nn_put, nn_get, nn_count, nn_in_flight,
              lm_global, csr_context, plain_csr, csr_read, timestamp_offset, profile_offset, random_seed,
              random_accesses, idle_cycles)
};

enum class StopKind : uint8_t {
  limit,          ///< the asked tick was reached
  idle,           ///< nothing will ever happen again
  asked,          ///< the predicate or an observer asked
  stepped,        ///< the asked instruction was executed
  breakpoint,     ///< about to execute a word with a breakpoint
  halted,         ///< ctx_arb[bpt] (halt)
  undecodable,    ///< reached a word that is not an instruction
  outside_store,  ///< program counter after the last loaded word
  local_memory,   ///< local memory address not populated
  unserved,       ///< a command for a unit that this machine does not have
};

struct StopReason {
  StopKind kind = StopKind::limit;
  Tick at = 0;
  uint8_t engine = 0, context = 0;  ///< of the instruction, for kinds that have one
  uint16_t pc = 0;
  uint32_t detail = 0;  ///< local_memory: longword address
  bool operator==(const StopReason&) const = default;
};
/// One sentence, e.g. "microengine 2, context 0 stopped at 0x1f: local memory 0x300 is not populated".
std::string to_text(const StopReason& reason);

}  // namespace weft::emulator
