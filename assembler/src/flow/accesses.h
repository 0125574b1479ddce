// Who mentions whom: every use and definition of a name in a program, as plain rows.
#pragma once

#include <vector>

#include "flow/liveness.h"

namespace weft::assembler {

/// A name's half as a number: registers 2v (general, or read half) and 2v+1 (write half), then signals.
struct Variables {
  explicit Variables(const Program& program)
      : vregs(static_cast<uint32_t>(program.vregs.size())), signals(static_cast<uint32_t>(program.signals.size())) {}
  uint32_t vregs, signals;
  uint32_t count() const { return 2 * vregs + signals; }
  uint32_t read(VregId v) const { return 2 * static_cast<uint32_t>(v); }
  uint32_t write(VregId v) const { return 2 * static_cast<uint32_t>(v) + 1; }
  uint32_t signal(SignalId s) const { return 2 * vregs + static_cast<uint32_t>(s); }
  bool is_signal(uint32_t variable) const { return variable >= 2 * vregs; }
  int32_t symbol(uint32_t variable) const {
    return static_cast<int32_t>(is_signal(variable) ? variable - 2 * vregs : variable / 2);
  }
};

bool is_xfer(VregClass cls);
RegisterFile file_of(const Program& program, const Variables& variables, uint32_t variable);

/// Every mention, by instruction. Hints stand at the instruction they precede.
std::vector<Access> collect_accesses(const Program& program);
/// Whether the destination keeps a part of its old value (ld_field, immed_w0 ...), so that it is read as well.
bool keeps_old_value(const Program& program, uint32_t index);

}  // namespace weft::assembler
