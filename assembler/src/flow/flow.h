// Which instruction may execute after which: the control-flow graph of isa/flow.h for a program whose labels have no
// address yet. Where an rtn or jump leads is known from load_addr and targets[], so no place is unknown here.
#pragma once

#include "resolver/ir.h"
#include "weft/isa/flow.h"

namespace weft::assembler {

class Flow : public isa::Flow {
 public:
  explicit Flow(const Program& program);
};

using isa::Transfer;
Transfer transfer_of(const IrInsn& insn);

}  // namespace weft::assembler
