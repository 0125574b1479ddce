// A codec for a field that the format does not have.
include "base.td"
def second : TinyInsn<"second">;
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {   // ERROR: codec 'number' names the field 'valve', which the format does not have
  let op = 1;
  let value = 0;
  let Codecs = [Number<Value, "valve">];
}
