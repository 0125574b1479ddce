// A command between memory and media buffers that does not say how much it moves.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: instruction 'second' does not say its BufferLongwords
  let InGroup = GroupCommand;
  let Does = AccessMediaIn;
  let Alignment = 8;
}
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
