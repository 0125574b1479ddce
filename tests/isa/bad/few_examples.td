// Two worked examples are too few.
include "base.td"
def second : TinyInsn<"second">;         // ERROR: instruction 'second' has 2 worked examples; it needs at least 3
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def tiny_second : TinyFormat, Encoding<tiny, second> {
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
