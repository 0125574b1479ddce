// Calls: load_addr[r, back#], br[sub#] ... rtn[r], matched with the label that each of them comes back to.
//
// In the flow graph an rtn leads to the return labels of all callers. Read backwards, that would keep a value of one
// caller alive in all the others. A matched call comes back to its own label only, so what is live after it is live
// before it, and inside the subroutine, but not before the other calls.
//
// A register is matched when every load_addr of it is directly followed by one unconditional branch (or stands in its
// deferred slots), when nothing else fills it, and when the subroutines that it returns from end in no other rtn and
// call nothing that fills it again. Whatever does not look like that (recursion, returns past the caller, addresses
// that are copied) stays what the flow graph says: an rtn may lead to every label that its register was loaded with.
#pragma once

#include <vector>

#include "flow/flow.h"

namespace weft::assembler {

struct Call {
  VregId link = -1;    ///< the register with the return address
  uint32_t from = 0;   ///< the instruction after which control leaves: the branch, or its last deferred slot
  uint32_t entry = 0;  ///< where it goes
  uint32_t to = 0;     ///< where it comes back
};

class Calls {
 public:
  Calls(const Program& program, const Flow& flow);

  const std::vector<Call>& all() const { return calls_; }
  /// The matched call that leaves after an instruction, or -1.
  int32_t leaving(uint32_t from) const { return leaving_[from]; }
  /// Numbers of the matched calls that enter, or come back, at an instruction.
  const std::vector<uint32_t>& entering(uint32_t entry) const { return entering_[entry]; }
  const std::vector<uint32_t>& returning(uint32_t to) const { return returning_[to]; }
  /// Control leaves a subroutine of matched calls after this instruction.
  bool returns_behind(uint32_t index) const { return exit_[index] >= 0; }
  VregId link_behind(uint32_t index) const { return exit_[index]; }

 private:
  void index(uint32_t size);

  std::vector<Call> calls_;
  std::vector<int32_t> leaving_;
  std::vector<std::vector<uint32_t>> entering_, returning_;
  std::vector<VregId> exit_;  ///< by last slot of an rtn: its register
};

}  // namespace weft::assembler
