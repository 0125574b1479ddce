// A codec for a field that has a fixed value.
include "base.td"
def second : TinyInsn<"second">;
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {   // ERROR: codec 'number' writes the field 'op', which has a fixed value
  let op = 1;
  let Codecs = [Number<Op, "op">, Number<Value, "value">];
}
