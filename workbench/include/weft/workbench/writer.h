// Who wrote something: a longword of a memory or media buffer, a register, a CSR.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "weft/workbench/inspect.h"

namespace weft::workbench {

/// A longword wherever it lies, by which it can be followed through a run whatever the program calls it.
struct Holder {
  enum class File : uint8_t { named, a, b, s_in, s_out, d_in, d_out, neighbor, local } file = File::named;
  ContextId where;      ///< whose: registers of its microengine, CSRs and names of its own
  unsigned number = 0;  ///< in the file
  std::string name;     ///< named: as in expressions, without a chip; else what the program calls it
  bool operator==(const Holder&) const = default;
};

/// A moment to the single event: an emulator::Position in one number.
using Instant = uint64_t;
constexpr unsigned kInstantTurns = 12;  ///< bits for the events of a tick
constexpr Instant instant_of(emulator::Position at) {
  return at.now << kInstantTurns | std::min<uint64_t>(at.turn, (1u << kInstantTurns) - 1);
}
constexpr emulator::Position position_of(Instant at) {
  return {at >> kInstantTurns, static_cast<uint32_t>(at & ((1u << kInstantTurns) - 1))};
}

/// What a writer has taken its value from.
struct Source {
  Holder what;
  std::string role;    ///< "left", "right", "kept bytes", "address", "data"
  Instant before = 0;  ///< when it was read: what was written later did not count
  std::optional<uint32_t> value;
};

struct Writer {
  enum class By : uint8_t {
    engine,   ///< an instruction, or a command that it has sent
    media,    ///< the media interface has received into a buffer
    control,  ///< the control processor
    user,     ///< Session::write
    unknown,  ///< the value became another one, and nothing that is followed did it
  } by = By::unknown;
  ContextId who;        ///< engine
  uint32_t pc = 0;      ///< engine: of the instruction, which may have been executed before `cycle`
  uint64_t cycle = 0;   ///< engine cycle in which it was written: at its start the old value still stands there
  uint64_t issued = 0;  ///< engine: cycle in which the instruction was executed
  std::string file;     ///< of the instruction as the assembler read it; empty: not known
  uint32_t line = 0;
  bool host = false;  ///< the control processor or the user
  std::string how;    ///< "sram[write] of 4 longwords", "put on scratch ring 3 by the control processor"
  uint32_t before = 0, after = 0;
  std::vector<Source> data = {};  ///< of commands: the register or longword that was moved
};

/// Where a value comes from: who wrote it, and what that one had read.
struct Origin {
  Holder what;                   ///< fixed: no name that means another place elsewhere
  std::optional<Writer> writer;  ///< none: not written since the recording began
  std::vector<Source> sources;
  Instant behind = 0;  ///< with a writer: directly after the write
};

/// Who reads a longword next; or, when nobody does, who writes it again.
struct Use {
  bool read = false;
  Writer who;
};

/// One sentence, without the place that was written: "me2 context 3, forward.uc:120 (0x1f), cycle 5012: sram[write]".
std::string to_text(const Writer& writer);
/// The same without values and cycle: "me2 context 3 at forward.uc:120 (0x1f)", "the control processor".
std::string who_text(const Writer& writer);
/// "temp (me0.ctx3, a3)", "scratch[0x40]".
std::string to_text(const Holder& holder);

}  // namespace weft::workbench
