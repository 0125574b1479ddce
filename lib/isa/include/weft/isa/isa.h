// What an instruction is. The facts come from lib/isa/*.td; this header is the hand-written shape around them.
//
// An Instruction is one decoded word: an id from the ISA, up to four data operands and a value per remaining role. It
// is the common language of assembler (which fills it in and encodes it), disassembler (decodes and prints it) and
// emulator (decodes and executes it). It knows no profile: `me2` (40-bit words) and `me1` (32-bit words, our own
// encoding) are Encodings of the same instructions.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tl/expected.hpp>

// Generated from lib/isa/*.td: enum class InsnId, AluOp, Unit, TokenId, Csr ... (see lib/isa/README.md).
#include "weft/isa/ids.h"

namespace weft::isa {

enum class Profile : uint8_t { me1, me2 };

// ---------------------------------------------------------------------------------------------------------------------
// Operands

enum class Bank : uint8_t { none, a, b };
enum class Post : uint8_t { none, increment, decrement };

enum class OperandKind : uint8_t {
  absent,          ///< "--", or not part of this instruction
  constant,        ///< value
  gpr,             ///< context-relative GPR: bank, value = number
  gpr_absolute,    ///< "@a5": bank, value = number 0-127
  xfer_s,          ///< "$3"; read or write side follows from the position
  xfer_d,          ///< "$$3"
  xfer_s_index,    ///< "*$index", post
  xfer_d_index,    ///< "*$$index", post
  neighbor,        ///< "n$3"
  neighbor_index,  ///< "*n$index", post
  local_mem0,      ///< "*l$index0[value]" or "*l$index0++"
  local_mem1,      ///< "*l$index1[value]" ...
};

struct Operand {
  OperandKind kind = OperandKind::absent;
  Bank bank = Bank::none;
  Post post = Post::none;
  uint32_t value = 0;

  bool operator==(const Operand&) const = default;
  bool is_gpr() const { return kind == OperandKind::gpr || kind == OperandKind::gpr_absolute; }
  bool present() const { return kind != OperandKind::absent; }
};

/// The parts of an instruction. The first four are Operands, the others are numbers in Instruction::values.
enum class Role : uint8_t {
  dest,   ///< where the result goes
  left,   ///< first source ("a"); first address operand of a command
  right,  ///< second source ("b"); second address operand of a command
  xfer,   ///< first transfer register of a command
  // --- numbers from here on ---
  op,            ///< AluOp (alu, alu_shf)
  shift,         ///< ShiftKind
  amount,        ///< shift or rotate amount 1-31; immed: left shift in bits (0, 8, 16)
  mask,          ///< byte mask of ld_field, bit 3 = byte 3
  load_cc,       ///< 1: set condition codes (ld_field)
  value,         ///< immed: the 16-bit constant; br=byte: the compare value
  invert,        ///< immed: complement the result
  target,        ///< word address of a branch, jump or ctx_arb br[]
  has_target,    ///< ctx_arb: br[] present
  defer,         ///< filled deferred slots 0-3
  context,       ///< br=ctx: context number
  signal,        ///< signal number 1-15, 0 = none (commands, br_signal)
  signal_mode,   ///< SignalMode
  state,         ///< input state number (br_inp_state)
  bit,           ///< br_bset/br_bclr: bit number 0-31
  byte,          ///< br=byte: byte number, 0 = least significant
  signals,       ///< ctx_arb: mask, bit s = signal s; bit 0 = voluntary
  any,           ///< ctx_arb: 1 = any instead of all; alone: kill
  breakpoint,    ///< ctx_arb[bpt], halt
  current_mask,  ///< ctx_arb[--]
  csr,           ///< local CSR: byte offset; cap: 16-bit CSR address
  count,         ///< references 1-8; hashes 1-3
  indirect,      ///< indirect_ref
  ignore_error,  ///< ignore_data_error
  data,          ///< cap fast_wr: 14-bit immediate
  lm_select,     ///< cam_lookup: 0 none, 1 = LM_ADDR_0, 2 = LM_ADDR_1
  lm_constant,   ///< cam_lookup: two-bit constant
  cam_state,     ///< cam_write, cam_write_state: 4-bit state
  crc_type,      ///< CrcType
  crc_bytes,     ///< CrcBytes
  bit_swap,      ///< crc: 1 = swap the bits of each byte
  mul_size,      ///< MulSize
  mul_step,      ///< MulStep
  guess,         ///< guess_branch (me1)
  list,          ///< sram push and pop (me1): number of the hardware list
  queue,         ///< MemoryQueue (me1)
  role_count,
};
inline constexpr size_t kRoleCount = static_cast<size_t>(Role::role_count);

enum class ShiftKind : uint8_t { none, left, right, rotate_left, rotate_right, left_indirect, right_indirect };
enum class SignalMode : uint8_t { none, sig_done, ctx_swap };
/// The queue of the SRAM or SDRAM unit that a command of me1 asks for.
enum class MemoryQueue : uint8_t { ordered, optimize_mem, priority };

struct Instruction {
  InsnId id{};
  Operand dest, left, right, xfer;
  std::array<uint32_t, kRoleCount> values{};  ///< by Role; the first four entries are unused

  uint32_t operator[](Role r) const { return values[static_cast<size_t>(r)]; }
  uint32_t& operator[](Role r) { return values[static_cast<size_t>(r)]; }
  const Operand& operand(Role r) const;
  Operand& operand(Role r);
  bool operator==(const Instruction&) const = default;
};

// ---------------------------------------------------------------------------------------------------------------------
// Words

struct EncodeError {
  Role role;         ///< which part does not fit
  std::string text;  ///< why, e.g. "both sources are in bank A"
  std::string remedy;
};

/// The canonical word. Me2: bits 39:0 (isa.md section 3); reserved bits are 0.
tl::expected<uint64_t, EncodeError> encode(Profile profile, const Instruction& insn);
/// The reading of a word, canonical or not; nothing for words that no encoding covers.
std::optional<Instruction> decode(Profile profile, uint64_t word);
/// True when `word` is what encode() makes of its own reading.
bool is_canonical(Profile profile, uint64_t word);

unsigned word_bits(Profile profile);   ///< 40 or 32
unsigned word_bytes(Profile profile);  ///< 5 or 4
/// `word` with the two parity bits of me2 (40: bits 19:0, 41: bits 39:20; isa.md 11.1).
uint64_t with_parity(uint64_t word);

/// How the printer names things that only the program knows.
class PrintNames {
 public:
  virtual ~PrintNames() = default;
  virtual std::string label(uint32_t address) const;  ///< default "l23#"
  virtual std::string signal(uint32_t number) const;  ///< default "s4"
};
/// One line of assembler source with physical register names, e.g. "alu[a0, --, B, b3], ..."; without indentation.
std::string print(Profile profile, const Instruction& insn, const PrintNames& names);
std::string print_operand(const Operand& operand);

// ---------------------------------------------------------------------------------------------------------------------
// Facts about instructions (generated tables)

/// What may stand in a position of the written form.
enum class ArgClass : uint8_t {
  ur_dest,      ///< unrestricted destination (10-bit code)
  ur_source,    ///< unrestricted source, constants 0-255
  re_dest,      ///< restricted destination (8-bit code)
  re_source,    ///< restricted source, constants 0-255 with i8
  re_register,  ///< restricted source, no constant (br_bset, br=byte)
  ur_register,  ///< unrestricted source, no constant (jump, rtn)
  address,      ///< restricted source, constants 0-127 (commands)
  xfer_read,    ///< transfer register that the command fills; "--" where the form says optional
  xfer_write,   ///< transfer register that the command takes
  xfer_both,    ///< taken, then filled with the answer (test_and_, swap, hash)
  alu_op,       ///< operator of alu
  shf_op,       ///< operator of alu_shf
  shift,        ///< <<n >>n <<rotn >>rotn <<indirect >>indirect
  right_shift,  ///< >>n >>indirect (dbl_shf, asr)
  byte_shift,   ///< <<8 <<16 (immed; also <<0)
  byte_mask,    ///< four binary digits
  constant,     ///< a number in [min, max] for `role`
  immediate,    ///< immed: any 32-bit value that fits value, shift and invert
  label,        ///< word address
  signal,       ///< one signal
  signal_list,  ///< ctx_arb: signals, or voluntary / kill / bpt / --
  context,      ///< context number 0-7
  input_state,  ///< name of an input state
  local_csr,    ///< name of a local CSR
  cap_csr,      ///< name or address of a CAP CSR
  count,        ///< 1-8 or max_n
  crc_type,     ///< none crc_ccitt crc_32 crc_iscsi crc_10 crc_5
  mul_step,   ///< 24x8_start ... 32x32_last2, written after the bracket: sets mul_size and mul_step; also plain "start"
  none_only,  ///< must be "--"
  alu_output,  ///< the word "alu": the result of the instruction before (cap fast_wr)
};

struct Arg {
  Role role;
  ArgClass cls;
  bool optional = false;  ///< may be "--" (or, at the end of a form, left out)
  uint32_t min = 0;
  uint32_t max = 0;
};
/// One written form: mnemonic[args...], or mnemonic[subcommand, args...].
struct Form {
  std::span<const Arg> args;
};

enum class Group : uint8_t { compute, branch, context, csr, command };
/// Pipeline cost, resolved to cycles by the chip file (docs/timing.md).
enum class CycleClass : uint8_t {
  single,       ///< one cycle
  branch,       ///< br, br=ctx, br_signal: aborts 2 minus filled slots when taken (me2)
  branch_cc,    ///< on condition codes: 3
  branch_test,  ///< br_bset, br=byte, br_inp_state, jump, rtn: 3
  swap,         ///< ctx_arb
  command,      ///< one cycle, and a swap when the signal mode says so
};
enum class XferUse : uint8_t { none, read, write, both };
enum class SignalUse : uint8_t { none, single, doubled };

/// Limits and flags are those of me2 where profiles differ; encode() knows the limits of each.
struct InsnInfo {
  InsnId id;
  std::string_view name;        ///< the id as text, "sram_test_and_set"
  std::string_view mnemonic;    ///< "sram"
  std::string_view subcommand;  ///< "test_and_set", or empty
  std::string_view summary;     ///< one sentence
  std::string_view doc;         ///< semantics in full, Markdown
  std::span<const Form> forms;
  std::span<const TokenId> tokens;  ///< tokens that may follow
  Group group;
  CycleClass cycles;
  Unit unit;                         ///< commands: which unit serves it
  uint8_t defer_max, me1_defer_max;  ///< deferred slots that it may fill; max_deferred() takes the right one
  bool sets_cc, reads_cc;
  bool previous_alu;   ///< updates the "previous ALU" state (indirect shift, asr sign, indirect_ref)
  bool falls_through;  ///< false: br, jump, rtn, halt, ctx_arb[kill] never reach the next word
  XferUse xfer;
  uint8_t longwords_per_count;  ///< transfer longwords per reference (dram 2, hash_128 4); 0 = none
  SignalUse signal;
};

const InsnInfo& info(InsnId id);
/// Most deferred slots that an instruction may fill on a profile; 0 = none.
inline unsigned max_deferred(Profile profile, const InsnInfo& info) {
  return profile == Profile::me1 ? info.me1_defer_max : info.defer_max;
}
std::span<const InsnInfo> all_instructions();
/// True when the profile has an Encoding of the instruction.
bool enabled(Profile profile, InsnId id);
/// Instructions with this mnemonic (lower case); several for units: sram[read...], sram[write...].
std::span<const InsnId> by_mnemonic(Profile profile, std::string_view mnemonic);

/// Another spelling: `bcs` for bhs, `halt` for ctx_arb[bpt], `nop` for immed[--, 0].
struct Alias {
  std::string_view spelling;
  Instruction instruction;  ///< the fixed parts
  bool printed;             ///< the printer prefers it for exactly this instruction
};
std::span<const Alias> aliases(Profile profile);

/// Whether an operand can stand in a position; the text says why not and what is legal instead.
tl::expected<void, EncodeError> check_operand(Profile profile, const Arg& arg, const Operand& operand);
/// Whether two sources can stand in one instruction together (banks, constants; isa.md 3.3).
tl::expected<void, EncodeError> check_sources(Profile profile, const Operand& left, const Operand& right);

struct NamedValue {
  std::string_view name;
  uint32_t value;
};

/// What an immed makes: value << shift, complemented when invert.
struct Immediate {
  uint32_t value, shift;  ///< 16 bits; 0, 8 or 16
  bool invert;
};
/// The immed for a 32-bit value, plain before complemented, small shifts first. With an explicit shift the value counts
/// before the shift: 0-0xffff, or 0xffff0000-0xffffffff for the complement of a value (print() relies on it).
std::optional<Immediate> fit_immediate(uint32_t value, std::optional<uint32_t> shift = std::nullopt);
uint32_t immediate_value(const Immediate& immediate);

/// False when execution never goes on with the next word: InsnInfo::falls_through, and for ctx_arb kill, bpt and br[].
bool continues(const Instruction& insn);

/// The parts of mul_step's last word: "24x8" ... and "start", "step1" ...
std::span<const NamedValue> mul_sizes();
std::span<const NamedValue> mul_steps();
std::string_view role_name(Role role);

struct CsrInfo {
  std::string_view name;
  uint32_t offset;
  int8_t write_latency, read_latency, use_latency;  ///< instructions; -1 = not published
  bool writable;
  std::string_view doc;
};
std::span<const CsrInfo> csrs(Profile profile);
const CsrInfo* find_csr(Profile profile, std::string_view name);  ///< case is ignored
const CsrInfo* find_csr(Profile profile, uint32_t offset);

std::span<const NamedValue> input_states(Profile profile);
std::span<const NamedValue> cap_csrs(Profile profile);
/// Event bits that always mean the same (me1: one per unit and event); empty where programs number their signals.
std::span<const NamedValue> signal_names(Profile profile);
/// The event that the unit of a command raises, where the unit decides (me1); 0 = the command names its signal.
uint32_t unit_signal(Profile profile, InsnId id);
/// What the words of a profile can name; 0 = the profile has none of that kind.
struct ProfileSizes {
  uint32_t relative_gprs, absolute_gprs;  ///< per bank
  uint32_t transfers;                     ///< of each kind, per context
  uint32_t neighbors;
  uint32_t control_store;  ///< words that a branch reaches
  uint32_t contexts;
  uint32_t neighbor_latency;  ///< words 1 to this many cycles after a write may find the old value
  bool numbered_signals, local_memory;
};
const ProfileSizes& sizes(Profile profile);
std::span<const NamedValue> alu_ops();  ///< "B", "+", "AND~" ... with AluOp values
std::span<const NamedValue> crc_types();
std::string_view token_name(TokenId token);

/// A worked example: instructions in the assembler's physical notation, state before and after. Used by the reference
/// manual and run by the tests of the emulator.
struct Example {
  InsnId id;
  std::string_view code;                     ///< lines of source
  std::span<const std::string_view> before;  ///< "a1 = 0xffffffff", "C = 1", "sram[0x100] = 7", "lm[3] = 1" ...
  std::span<const std::string_view> after;   ///< the same notation; what is not named is not compared
  Profile profile;                           ///< whose engine runs it
};
std::span<const Example> examples();

}  // namespace weft::isa
