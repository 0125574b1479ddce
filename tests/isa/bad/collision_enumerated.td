// A collision through the listed values of an operation field, not through fixed bits.
include "base.td"
def second : TinyInsn<"second">;
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def third : TinyInsn<"third">;
def : TinyExamples<third, "1">;
def : TinyExamples<third, "2">;
def : TinyExamples<third, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {   // NOTE: 'tiny_second' is defined here
  let Limits = [Limit<"op", [1, 3]>];
  let Codecs = [Number<Op, "op">, Number<Value, "value">];
}
def tiny_third : TinyFormat, Encoding<tiny, third> {     // ERROR: encoding 'tiny_third' collides with 'tiny_second': both read the word 0x30
  let Limits = [Limit<"op", [2, 3]>];
  let Codecs = [Number<Op, "op">, Number<Value, "value">];
}
