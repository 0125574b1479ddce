// A control-store word, decoded once: what to call, and where its operands are.
#pragma once

#include <cstdint>
#include <vector>

#include "weft/emulator/engine.h"
#include "weft/isa/isa.h"

namespace weft::emulator {

class Engine;
struct Operation;

enum class Outcome : uint8_t {
  done,        ///< one cycle
  stall,       ///< nothing happened; the same word is tried again next cycle
  fault,       ///< Engine::fault() says why
  breakpoint,  ///< nothing happened; a debugger wants to stop before the word
};
using Execute = Outcome (*)(Engine&, const Operation&);

/// Where a source operand comes from. Relative registers are addressed at run time as 16 * context + number.
/// The first ones are all that most words have (Engine::read_plain).
enum class Source : uint8_t {
  absent,  ///< reads 0
  constant,
  gpr_a,
  gpr_b,
  gpr_a_absolute,
  gpr_b_absolute,
  xfer_s,
  xfer_d,
  xfer_s_index,
  xfer_d_index,
  neighbor,
  neighbor_index,
  local_mem0,
  local_mem1,
};
struct SourceRef {
  Source kind = Source::absent;
  uint8_t value = 0;  ///< constant, register number or local-memory offset
};

enum class Dest : uint8_t {
  absent,
  gpr_a,
  gpr_b,
  gpr_a_absolute,
  gpr_b_absolute,
  xfer_s,
  xfer_d,
  xfer_s_index,
  xfer_d_index,
  neighbor,
  neighbor_put,
  local_mem0,
  local_mem1,
};
struct DestRef {
  Dest kind = Dest::absent;
  uint8_t value = 0;
};

/// Changes of the index registers after the instruction, at most one step each (docs/timing.md, E5).
struct PostModify {
  int8_t t_index = 0;
  int8_t lm0 = 0, lm1 = 0;
  bool nn_get = false;
  bool any = false;
};

struct Operation {
  Execute execute = nullptr;
  SourceRef left, right;
  DestRef dest;
  SourceRef dest_old;  ///< the destination read as a source (ld_field, immed_b*, immed_w*)
  PostModify post;
  isa::InsnId id{};
  isa::Unit unit{};
  bool decodable = false;
  bool breakpoint = false;  ///< a debugger wants to stop before it
  isa::AluOp op{};
  isa::ShiftKind shift{};
  uint8_t amount = 0;  ///< shift, 0 to 31; immed: bits
  uint8_t defer = 0;
  uint8_t aborts = 0;  ///< cycles lost when the branch is taken or the context leaves, deferred slots taken off
  bool guess = false;  ///< guess_branch: not taken loses `mispredict_aborts` (E16)
  uint8_t mispredict_aborts = 0;
  uint8_t number = 0;         ///< context, signal, state or bit; a byte as its lowest bit
  bool load_cc = false;       ///< ld_field
  uint8_t address_shift = 0;  ///< commands: from the unit of the operands to bytes
  isa::SignalMode signal_mode{};
  uint16_t target = 0;
  uint16_t csr = 0;
  uint8_t csr_latency = 0;
  bool csr_writable = false, csr_is_private = false;
  uint32_t value = 0;  ///< immed: the finished constant; masks as full longwords; compare value
  uint32_t mask = 0;
  Command command;                ///< as far as the word decides, and xfer as the word has it
  bool data_is_register = false;  ///< of the command: an operand or the result of the instruction before
  uint32_t wakeup = 0;            ///< what a context awaits that leaves by this word
  // ctx_arb
  bool has_target = false, current_mask = false;
  Shadow::Kind leaves{};
  // special functions
  uint8_t lm_select = 0, lm_constant = 0, cam_state = 0;
  isa::CrcType crc_type{};
  uint8_t crc_first = 0, crc_last = 3;
  bool bit_swap = false;
  isa::MulSize mul_size{};
  isa::MulStep mul_step{};
};

/// Never fails: a word that no encoding covers becomes an operation that faults when it is reached.
Operation decode_operation(uint64_t word, const EngineTiming& timing);

}  // namespace weft::emulator
