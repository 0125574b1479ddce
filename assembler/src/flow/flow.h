// Which instruction may execute after which: the control-flow graph, one node per instruction.
//
// A branch takes effect only after its deferred slots, so the edge to the target leaves the last slot, not the branch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "resolver/ir.h"

namespace weft::assembler {

class Flow {
 public:
  explicit Flow(const Program& program);

  size_t size() const { return begin_next_.size() - 1; }
  std::span<const uint32_t> next(uint32_t index) const { return slice(next_, begin_next_, index); }
  std::span<const uint32_t> previous(uint32_t index) const { return slice(previous_, begin_previous_, index); }
  /// The instruction may be followed by the end of the control store.
  bool runs_off(uint32_t index) const { return runs_off_[index]; }
  /// Reached from the start or from a .reentry.
  bool reached(uint32_t index) const { return reached_[index]; }
  /// Index of the branch whose deferred slots cover this instruction, or -1.
  int32_t shadow_of(uint32_t index) const { return shadow_of_[index]; }

 private:
  static std::span<const uint32_t> slice(const std::vector<uint32_t>& all, const std::vector<uint32_t>& begin,
                                         uint32_t index) {
    return {all.data() + begin[index], all.data() + begin[index + 1]};
  }
  std::vector<uint32_t> next_, previous_, begin_next_, begin_previous_;
  std::vector<bool> runs_off_, reached_;
  std::vector<int32_t> shadow_of_;
};

/// How an instruction passes control on.
struct Transfer {
  bool jumps = false;         ///< something other than the next word may follow
  bool falls_through = true;  ///< the next word may follow
  bool swaps = false;         ///< the context gives up the engine here
  unsigned defer = 0;         ///< deferred slots that execute first
};
Transfer transfer_of(const IrInsn& insn);

}  // namespace weft::assembler
