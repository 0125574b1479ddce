// A command that does not say what it does.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: 'second' does not say its Does
  let InGroup = GroupCommand;
  let Alignment = 4;
}
