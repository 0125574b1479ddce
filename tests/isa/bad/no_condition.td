// A branch that says neither what it tests nor where it goes.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: 'second' does not say its BranchIf
  let InGroup = GroupBranch;
  let Goes = ToWord;
}
