// Two instructions that read one word.
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
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
def tiny_third : TinyFormat, Encoding<tiny, third> {     // ERROR: encoding 'tiny_third' collides with 'tiny_second'
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
