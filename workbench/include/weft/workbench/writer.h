// Who wrote something: a longword of a memory or media buffer, a register, a CSR.
#pragma once

#include <cstdint>
#include <string>

#include "weft/workbench/inspect.h"

namespace weft::workbench {

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
  uint64_t cycle = 0;   ///< engine cycle in which it was written: at its begin the old value still stands there
  uint64_t issued = 0;  ///< engine: cycle in which the instruction was executed
  std::string file;     ///< of the instruction as the assembler read it; empty: not known
  uint32_t line = 0;
  bool host = false;  ///< the control processor or the user
  std::string how;    ///< "sram[write] of 4 longwords", "put on scratch ring 3 by the control processor"
  uint32_t before = 0, after = 0;
};

/// One sentence, without the place that was written: "me2 context 3, forward.uc:120 (0x1f), cycle 5012: sram[write]".
std::string to_text(const Writer& writer);

}  // namespace weft::workbench
