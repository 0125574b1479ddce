// The functions of operations.
#pragma once

#include "fast/operation.h"

namespace weft::emulator::fast {

/// The function for an operation whose operands are `op`'s places; null when there is none for this kind.
Handler handler_for(const Operation& source, const Op& op);
/// The function for a command that Program::plain has. `sleeps`: as Op::sleeps.
Handler at_once(bool sleeps, const AnalyticUnit::PlainCommand& command);
/// Tells the core's log, and goes on with op->bare.
void record(FastEngine& f, const Op* op, uint64_t cycle);
/// Finds operands in local memory (a sum of LocalOperands), moves its pointers, and goes on with op->bare.
Handler in_local_memory(unsigned which);
/// The same for transfer registers that T_INDEX names, and T_INDEX.
void by_index(FastEngine& f, const Op* op, uint64_t cycle);
/// The reference's function, when nothing but this engine is concerned.
void call(FastEngine& f, const Op* op, uint64_t cycle);
/// It puts what a local_csr_rd before it has read into its destination (E12).
bool takes_csr(const Operation& source);
/// A local_csr_rd of what belongs to the engine and to time, and the immed behind it, which takes the value.
void read_csr(FastEngine& f, const Op* op, uint64_t cycle);
/// A step of the reference, when the core has the smallest key.
void synchronised(FastEngine& f, const Op* op, uint64_t cycle);

}  // namespace weft::emulator::fast
