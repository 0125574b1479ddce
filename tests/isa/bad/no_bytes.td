// An instruction that does not say which bytes of its destination it writes.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: 'second' does not say its Bytes
  let Bytes = ?;
}
