// A listed value that does not fit its field.
include "base.td"
def second : TinyInsn<"second">;
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {   // ERROR: encoding 'tiny_second': the limit value 4 does not fit 'op'
  let Limits = [Limit<"op", [1, 4]>];
  let Codecs = [Number<Op, "op">, Number<Value, "value">];
}
