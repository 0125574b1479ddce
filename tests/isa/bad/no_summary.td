// An instruction without a summary.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: instruction 'second' has no summary
  let Summary = "";
}
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
