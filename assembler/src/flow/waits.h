// How long a command stays under way: from its issue to the places where its signal has been awaited.
#pragma once

#include <map>
#include <vector>

#include "flow/calls.h"
#include "flow/flow.h"
#include "resolver/ir.h"

namespace weft::assembler {

/// The points (see liveness.h) at which command `issue` may still be under way. A path ends where the signal has surely
/// arrived, before an `.io_completed` of the command, where `stop[index]` says so, or where it leaves [scope_begin,
/// scope_end). A path through a matched call (calls.h) comes back to that call.
class Waits {
 public:
  Waits(const Program& program, const Flow& flow, const Calls& calls);

  struct Limits {
    uint32_t scope_begin = 0, scope_end = UINT32_MAX;
    const std::vector<bool>* stop = nullptr;  ///< instructions before which it ends
  };
  std::vector<uint32_t> points_under_way(uint32_t issue, const Limits& limits);

 private:
  bool said_completed(uint32_t index, const IrInsn& command) const;
  bool awaits(const IrInsn& insn, const SignalRef& signal) const;
  const Program& program_;
  const Flow& flow_;
  std::multimap<uint32_t, const Hint*> completed_;  ///< .io_completed by instruction
  const Calls& calls_;
  bool returns_ = false;  ///< an rtn or jump is not matched, so a path may leave a scope and come back
  std::vector<uint32_t> seen_[2];
  uint32_t stamp_ = 0;
};

}  // namespace weft::assembler
