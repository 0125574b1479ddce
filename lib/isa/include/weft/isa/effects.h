// What an instruction does beside computing its result, as tables generated from lib/isa/*.td, and the questions that a
// table cannot answer alone because a role of the word decides (the byte mask of ld_field, the operator of alu).
#pragma once

#include "weft/isa/isa.h"

namespace weft::isa {

/// What a branch tests. Opposites differ in the lowest bit.
enum class Condition : uint8_t {
  z,
  not_z,
  n,
  not_n,
  c,
  not_c,
  v,
  not_v,
  ge,  ///< N = V
  lt,
  le,  ///< Z, or N is not V
  gt,
  context,
  not_context,
  signal,  ///< taken: the signal is cleared
  not_signal,
  state,  ///< input state
  not_state,
  bit,
  not_bit,
  byte,
  not_byte,
  always,
  none,  ///< no branch
};
enum class BranchTo : uint8_t {
  none,     ///< no branch
  word,     ///< the role target
  indexed,  ///< target plus a register
  address,  ///< a register
};

/// What a command does, and where the data goes.
enum class Access : uint8_t {
  nothing,  ///< no memory, no register of a unit
  read,
  write,
  atomic,  ///< one longword, read and written in one step; Effects::atomic
  ring_get,
  ring_put,
  journal,
  enqueue,  ///< onto a queue of the queue array, or onto a hardware list (with a role list)
  dequeue,
  queue_tail,  ///< the tail of a queue moves, its count stays
  queue_load,  ///< entry of the queue array from its descriptor in memory
  queue_store,
  queue_store_count,  ///< only the third longword of the descriptor
  media_in,           ///< receive buffer to memory
  media_out,          ///< memory to transmit buffer
  media_read,         ///< registers and buffers of the media interface to transfer registers
  media_write,        ///< and back; without a transfer register the datum is in the address
  csr_read,           ///< CSR of a unit
  csr_write,          ///< with a transfer register, or with the datum in the word, an operand, the ALU result
  hash,
  dma,
};
enum class AtomicOp : uint8_t { none, swap, set, clr, add, sub, incr, decr };
enum class LockUse : uint8_t { none, take, give };
enum class CsrUse : uint8_t { none, read, write };

/// State of an engine beside registers, codes and memory.
enum class State : uint8_t {
  previous,  ///< operands and result of the ALU instruction before
  lm_addr_0,
  lm_addr_1,
  lm_selected,  ///< in tables only: lm_addr_0 or _1, as the word says
  byte_index,
  t_index,
  nn_get,
  nn_put,
  crc_unit,  ///< busy
  crc_remainder,
  cam,
  multiplier,
  pop_count,
  bset,
  signals,   ///< arrived and awaited ones
  consumed,  ///< the signals that were awaited or tested
  contexts,  ///< their states, and which are enabled
  signal_same,
  signal_next,
  signal_previous,  ///< a write raises a signal in this, the next, the previous engine
  time,
  random,
};
using States = uint32_t;  ///< a bit per State
constexpr States states(State s) { return States{1} << static_cast<unsigned>(s); }

/// What changed counts for words that issue more than `cycles` cycles after the change.
struct Hazard {
  State what;
  uint8_t cycles;
};

struct Effects {
  uint8_t bytes;            ///< bytes of dest that it replaces, bit 3 = byte 3; kBytesByMask; bytes_written() knows all
  bool pairs_dest;          ///< dest stands in a source slot, so that dest and source must differ in sort
  bool right_in_a;          ///< right cannot be a register of bank B
  bool right_is_cam_entry;  ///< right is the number of a CAM entry
  bool cc_by_token;         ///< codes are set only with load_cc
  bool pure;                ///< reads sources and `previous` and writes dest, codes and `previous`; nothing else
  States reads, writes;
  std::span<const Hazard> late;
  std::optional<InsnId> behind, before;  ///< what must stand directly before it, what must follow directly
  Condition condition;
  BranchTo goes;
  CsrUse csr;  ///< local CSRs
  Access access;
  AtomicOp atomic;
  LockUse lock;
  uint8_t alignment;         ///< commands: addresses are multiples of this
  uint8_t buffer_longwords;  ///< between memory and media buffers: longwords per count
  uint8_t max_longwords;     ///< of one command
  bool needs_indirect;
  bool byte_mask;  ///< the indirect word can hold back bytes of what it writes
  uint64_t roles;  ///< bit per Role of its written forms
  bool has(Role role) const { return (roles >> static_cast<unsigned>(role) & 1) != 0; }
};
inline constexpr uint8_t kAllBytes = 0b1111, kBytesByMask = 16;

const Effects& effects(InsnId id);
/// Cycles: no word needs to wait longer for a change of its own engine.
unsigned longest_latency();

struct CsrEffects {
  uint32_t offset;
  States holds;
  bool is_private;        ///< a write is seen by nobody outside the engine, and changes nothing that others change
  bool indirect;          ///< of the context in CSR_CTX_POINTER
  uint32_t active;        ///< offset of the ACTIVE_ form; its own where there is one form only
  uint8_t visible_after;  ///< the words 1 to this many cycles after a write still find the old value
};
/// Nothing is known of a CSR without a name: it holds no state, and others may see it.
const CsrEffects& csr_effects(Profile profile, uint32_t offset);

struct AluOpInfo {
  AluOp op;
  bool logical;  ///< its left operand is the amount of an indirect shift after it
  bool shifts;   ///< alu_shf has it, too
  bool reads_carry;
};
const AluOpInfo& alu_op_info(AluOp op);

/// Bytes of dest that the instruction replaces, bit 3 = byte 3; 0 = it writes none.
uint8_t bytes_written(const Instruction& insn);
/// Whether the destination keeps a part of its old value, so that it is read as well.
inline bool keeps_bytes(const Instruction& insn) {
  return effects(insn.id).bytes != 0 && bytes_written(insn) != kAllBytes;
}
bool sets_codes(const Instruction& insn);
bool reads_codes(const Instruction& insn);
/// Shifts by an amount, copies a sign, aligns or sends what the instruction before has left.
bool reads_previous(Profile profile, const Instruction& insn);
/// The left operand is the amount of an indirect shift directly after it.
bool holds_shift_amount(const Instruction& insn);

inline bool is_command(const Instruction& insn) { return info(insn.id).group == Group::command; }
inline bool is_branch(const Instruction& insn) { return info(insn.id).group == Group::branch; }
/// A branch to a place that is not in the word: jump, rtn.
inline bool goes_by_register(InsnId id) {
  return effects(id).goes == BranchTo::indexed || effects(id).goes == BranchTo::address;
}
/// `br`: always, to the word that it names.
inline bool is_plain_branch(InsnId id) {
  return effects(id).goes == BranchTo::word && effects(id).condition == Condition::always;
}
/// The context gives up the engine, after the deferred slots.
bool swaps(const Instruction& insn);
/// The branch on the opposite condition.
std::optional<InsnId> opposite(InsnId id);

/// State that the instruction looks at: by itself, through index operands, by reading a CSR of the running context.
States states_used(Profile profile, const Instruction& insn);
/// State that it changes and that counts later, in order of State. A write to a CSR: all that the CSR holds.
struct Hazards {
  std::array<Hazard, 3> items;
  unsigned count = 0;
  const Hazard* begin() const { return items.data(); }
  const Hazard* end() const { return items.data() + count; }
};
Hazards hazards(Profile profile, const Instruction& insn);

/// Bits of the signals that a context gets from a command (two for SignalUse::doubled), 0 = none.
uint16_t signals_of(Profile profile, const Instruction& insn);
/// Asks for a signal of `mask`, or takes one: ctx_arb, br_signal, CSRs of events.
bool asks_for(Profile profile, const Instruction& insn, uint16_t mask);
/// A ctx_arb that goes on only when all signals of `mask` have come.
bool waits_for(const Instruction& insn, uint16_t mask);

/// Longwords that a command with this count moves, between whatever two places; 0 = none.
unsigned longwords_moved(InsnId id, unsigned count, bool has_xfer = true);
/// Of a command that takes longwords and answers: how many come back. 0 for others.
unsigned longwords_answered(InsnId id, unsigned count);

}  // namespace weft::isa
