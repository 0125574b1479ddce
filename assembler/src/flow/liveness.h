// Live ranges: which value of which name needs a place from where to where.
//
// A name may hold several unrelated values in its life. Each set of definitions and uses that belong together is a Web
// and gets a register of its own. Time is counted in points: 2i is just before instruction i, 2i+1 just after it.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "flow/flow.h"
#include "resolver/ir.h"

namespace weft::assembler {

/// What a web needs a place in. Read and write halves of transfer registers are different files.
enum class RegisterFile : uint8_t { gpr, gpr_absolute, s_read, s_write, d_read, d_write, neighbor, signal };
inline constexpr size_t kRegisterFiles = 8;

struct Span {
  uint32_t begin = 0, end = 0;  ///< points [begin, end)
  bool operator==(const Span&) const = default;
};

/// A register of a file, or a signal number.
struct Place {
  isa::Bank bank = isa::Bank::none;
  uint32_t number = 0;  ///< context-relative; absolute registers: 0-127
  bool operator==(const Place&) const = default;
};

struct Web {
  RegisterFile file = RegisterFile::gpr;
  int32_t symbol = -1;      ///< VregId, or SignalId for RegisterFile::signal
  std::vector<Span> spans;  ///< where it is live: sorted, apart from each other
  bool everywhere = false;  ///< volatile, global, shared: live in its whole scope
  bool fixed = false;       ///< the only web of its name: others may hold its number (&$x, &signal)
  /// Of a register whose number is a value: from what `.set` says to the uses, without the hold in between. Pins rely
  /// on it.
  std::vector<Span> stated;
  std::optional<Place> pin;  ///< forced for this live range only (pins.h)
  uint32_t length() const;
  bool live_at(uint32_t point) const;
};

enum class Slot : uint8_t {
  dest,
  left,
  right,
  kept,  ///< what a transfer register that is the destination has as a source: bytes of it are kept
  xfer,
  signal,
  wait,
  hint,
  address,
};

/// One mention of a name by an instruction or a hint.
struct Access {
  uint32_t insn = 0;
  Slot slot = Slot::dest;
  uint8_t member = 0;     ///< xfer: offset from the first register of the command; wait: index in IrInsn::signals
  uint32_t variable = 0;  ///< see Liveness::variable_of
  bool use = false, def = false;
  int32_t web = -1;
};

/// A value that may be read before anything was put there.
struct UndefinedUse {
  uint32_t insn = 0;
  int32_t symbol = -1;
  RegisterFile file = RegisterFile::gpr;
  bool never_set = false;  ///< no path sets it
};

struct Liveness {
  std::vector<Web> webs;
  std::vector<Access> accesses;  ///< by instruction
  std::vector<UndefinedUse> undefined;
  uint32_t points = 0;  ///< 2 x number of instructions
};

/// `program` names registers and signals by symbols. Signals of two-signal commands must be marked doubled before.
Liveness analyse_liveness(const Program& program, const Flow& flow);

/// Transfer registers that a command touches: longwords of count x unit, from its first register on.
unsigned xfer_longwords(const IrInsn& insn);
/// The member `offset` places after `first` in its group, -1 when there is none.
VregId group_member(const Program& program, VregId first, unsigned offset, bool read_side);
/// Whether something unseen may use the register by its number: &$x is a value somewhere, it is volatile, or that holds
/// for a member of its group.
std::vector<bool> address_taken_vregs(const Program& program);
std::vector<bool> address_taken_signals(const Program& program);

}  // namespace weft::assembler
