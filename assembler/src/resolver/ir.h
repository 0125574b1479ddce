// The program between resolver and encoder: instructions whose registers, signals and labels are symbols.
//
// The resolver makes it (all scopes, macros and structured blocks are gone), the allocator turns virtual registers and
// signals into physical ones, the scheduler may move instructions, the encoder makes words.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "source/token.h"
#include "weft/image/image.h"
#include "weft/isa/flow.h"

namespace weft::assembler {

constexpr uint32_t kCamEntries = 16;

using VregId = int32_t;    ///< index into Program::vregs; -1 = none
using SignalId = int32_t;  ///< index into Program::signals
using LabelId = int32_t;   ///< index into Program::labels

enum class VregClass : uint8_t { gpr, gpr_absolute, xfer_s, xfer_d, neighbor };

/// A declared register (one element; arrays become consecutive vregs tied by a group).
struct Vreg {
  std::string name;  ///< as declared, with prefix: "temp", "@count", "$x", "$$p", "n$q"; arrays "$x[2]"
  VregClass cls = VregClass::gpr;
  bool read_side = true;   ///< transfer registers: the read (in) register of this name is used
  bool write_side = true;  ///< ... and the write (out) register
  bool is_volatile = false, is_global = false, is_visible = false, is_remote = false;
  bool used = false;
  Origin declared;
  uint32_t scope_begin = 0, scope_end = UINT32_MAX;  ///< instruction indices [begin, end) of the declaring scope
  std::optional<uint32_t> pinned;                    ///< .addr
  isa::Bank pinned_bank = isa::Bank::none;
  std::optional<uint32_t> initial;  ///< .init / .init_ctx (all contexts)
};

struct Signal {
  std::string name;
  bool doubled = false;  ///< needs an even number and the next one; set by use with a two-signal command
  bool is_volatile = false, is_visible = false, is_remote = false, is_global = false;
  Origin declared;
  uint32_t scope_begin = 0, scope_end = UINT32_MAX;
  std::optional<uint32_t> pinned;
};

struct Label {
  std::string name;    ///< with "#"
  uint32_t index = 0;  ///< instruction index it stands before
  Origin origin;
  bool generated = false;  ///< from a structured block
};

/// Constants that are known only after allocation or at load time: &$x, &sig, mask(sig), label addresses, i$imports.
struct LateExpr {
  enum class Op : uint8_t {
    number,
    xfer_number,
    signal_number,
    signal_mask,
    label_address,
    import_value,
    neg,
    bit_not,
    log_not,
    add,
    sub,
    mul,
    div,
    mod,
    shl,
    shr,
    bit_and,
    bit_or,
    bit_xor
  } op = Op::number;
  int64_t number = 0;
  int32_t symbol = -1;  ///< VregId, SignalId or LabelId
  std::string import;   ///< import_value: name with "i$"
  std::vector<LateExpr> args;
};

struct SignalRef {
  SignalId id = -1;  ///< virtual; -1: `number` is physical
  uint32_t number = 0;
  enum class Half : uint8_t { whole, first, second } half = Half::whole;
};

struct IrInsn {
  isa::Instruction insn;  ///< everything that is already known; operands with a vreg hold only their kind
  std::array<VregId, 4> vreg{-1, -1, -1, -1};   ///< by Role dest, left, right, xfer
  std::array<std::optional<LateExpr>, 4> late;  ///< late constant in place of an operand (left, right)
  /// Late value of a number role (immed value, csr constant, data ...).
  std::optional<std::pair<isa::Role, LateExpr>> late_value;
  std::optional<SignalRef> signal;  ///< commands, br_signal
  std::vector<SignalRef> signals;   ///< ctx_arb list
  LabelId target = -1;
  std::vector<LabelId> jump_targets;  ///< targets[...] of jump: for liveness
  bool max_count = false;             ///< count written as max_n
  Origin origin;
  uint32_t source_line = 0;  ///< index into TokenProgram::lines
  bool keep = false;         ///< nop_volatile: stays where it was written
};

/// Liveness hints (.set, .use, .set_rd, .set_wr, .use_rd, .use_wr, .io_completed, .set_sig) between instructions.
/// .io_completed_type is an io_completed with a unit instead of a name.
struct Hint {
  enum class Kind : uint8_t { set, set_read, set_write, use, use_read, use_write, io_completed, set_signal } kind;
  uint32_t index = 0;  ///< before this instruction
  VregId vreg = -1;
  SignalId signal = -1;
  Origin origin;
  isa::Unit unit = isa::Unit::none;
};

/// Registers that must stand at consecutive numbers, in this order (.xfer_order, arrays, implied by a command's count).
struct XferGroup {
  enum class Side : uint8_t { both, read, write } side = Side::both;
  std::vector<VregId> members;
  Origin origin;
};

struct Subroutine {
  LabelId entry = -1;
  uint32_t begin = 0, end = 0;  ///< [begin, end)
};

/// A live range that --spill keeps in local memory.
struct SpilledRange {
  VregId vreg = -1;
  isa::Operand place;                                ///< *l$indexN[k]
  std::vector<std::pair<uint32_t, uint32_t>> insns;  ///< first and last instruction of each stretch
};

struct Program {
  isa::Profile profile = isa::Profile::me2;
  std::string chip = "ixp2400";
  uint32_t control_store = 4096;
  uint32_t sram_channels = 4;
  isa::LostCycles lost;                  ///< of the chip
  unsigned contexts = 8;                 ///< 8 or 4
  uint64_t largest_number = UINT32_MAX;  ///< that may be written
  bool nn_self = false;
  /// `.registers physical`: the source says exactly which words it wants, so rules between them only warn.
  bool physical = false;
  std::array<bool, 2> lm_absolute{};  ///< .local_mem0_mode abs: LM_ADDR_n is one pointer for all contexts
  std::vector<IrInsn> insns;
  std::vector<Vreg> vregs;
  std::vector<Signal> signals;
  std::vector<Label> labels;
  std::vector<Hint> hints;
  std::vector<XferGroup> groups;
  std::vector<Subroutine> subroutines;
  std::vector<uint32_t> reentry;  ///< instruction indices where code can be entered from outside
  /// Parts of the Image that pass through unchanged (marks carry instruction indices as addresses).
  std::vector<image::Mark> marks;
  std::vector<image::MemoryBlock> memory;
  std::vector<image::Init> inits;
  std::map<std::string, isa::Operand> initialised;  ///< registers that initial values name by their number
  std::vector<std::string> imports;
  std::vector<SpilledRange> spilled;
  /// Raw words of `.word`: (instruction index, word). The IrInsn there is a placeholder nop.
  std::vector<std::pair<uint32_t, uint64_t>> raw_words;
  const Cancellation* cancellation = nullptr;  ///< for the stages that see only the program

  /// Of `registers`, which each of four contexts has, those that a context has here.
  uint32_t of_context(uint32_t registers) const {
    return isa::sizes(profile).contexts == 8 && contexts != 4 ? registers / 2 : registers;
  }
  /// Of the instruction that is added next.
  uint32_t next_index() const { return static_cast<uint32_t>(insns.size()); }
};

}  // namespace weft::assembler
