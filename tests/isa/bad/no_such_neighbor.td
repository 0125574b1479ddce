// A word that must stand after one that does not exist.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: instruction 'second' names 'third', which does not exist
  let Behind = "third";
}
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
