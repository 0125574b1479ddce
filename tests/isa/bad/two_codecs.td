// A field that two codecs fill.
include "base.td"
def second : TinyInsn<"second">;
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {   // ERROR: encoding 'tiny_second': field 'value' is written by two codecs
  let op = 1;
  let Codecs = [Number<Value, "value">, Number<Mask, "value">];
}
