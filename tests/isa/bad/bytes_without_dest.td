// Bytes of a destination that no form has.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: instruction 'second' writes bytes of a dest that it has not
  let Bytes = 15;
}
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
