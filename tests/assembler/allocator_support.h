// Programs of symbols built by hand, and a judge of allocations that is independent of the allocator.
#pragma once

#include <string>
#include <vector>

#include "allocator/allocator.h"
#include "flow/flow.h"
#include "resolver/ir.h"
#include "weft/base/random.h"

namespace weft::assembler::test {

/// Writes programs of symbols without parser and resolver.
class Builder {
 public:
  Builder();
  VregId reg(std::string name, VregClass cls = VregClass::gpr);
  SignalId sig(std::string name);
  LabelId label(std::string name);  ///< not yet placed
  void place(LabelId label);
  void group(std::vector<VregId> members);

  IrInsn& immed(VregId dest, uint32_t value = 1);
  IrInsn& alu(VregId dest, VregId left, isa::AluOp op, VregId right);  ///< -1: absent
  IrInsn& branch(isa::InsnId id, LabelId target, unsigned defer = 0);
  IrInsn& command(isa::InsnId id, VregId xfer, VregId address, unsigned count, SignalId signal, isa::SignalMode mode);
  IrInsn& wait(std::vector<SignalId> signals);
  IrInsn& halt();
  IrInsn& add(isa::InsnId id);

  Sources sources;
  Program program;
};

/// Runs the allocated program along random paths. Every virtual register holds a serial number of the last write to it;
/// every physical register holds the serial number that was last written there. Commands fill and take transfer
/// registers late, just before their signal is consumed. Registers whose number is a value (&$x) are filled when the
/// context waits for a signal whose number is a value. An rtn goes where its register was loaded with on this path. The
/// place of a volatile register is its own in its whole scope. Gives a description of the first difference, or "".
std::string simulate(const Program& program, const Program& placed, Random& random, unsigned steps,
                     const std::vector<int64_t>& numbers = {});

struct PlacedProgram {
  Allocation allocation;
  Program program;
};
/// The program with its places. Fails the test where it gets none.
PlacedProgram placed_program(const Program& program, const Sources& sources, Diagnostics& out);

/// Source pairs come from different banks; numbers are in range; absolute and neighbor registers have one number each,
/// which no other name has; pins hold; doubled signals are even. Looks at operands only, never at live ranges.
std::string check_static(const Program& program, const Program& placed);

}  // namespace weft::assembler::test
