// A branch that does not say where it goes.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: 'second' does not say its Goes
  let InGroup = GroupBranch;
  let BranchIf = IfAlways;
}
