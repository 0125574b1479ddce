// A command that changes memory in one step and does not say how.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: 'second' does not say its Atomic
  let InGroup = GroupCommand;
  let Does = AccessAtomic;
  let Alignment = 4;
}
