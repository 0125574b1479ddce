// A command that does not say how its address is aligned.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: 'second' does not say its Alignment
  let InGroup = GroupCommand;
  let Does = AccessRead;
}
