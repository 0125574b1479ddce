// A field that no codec fills.
include "base.td"
def second : TinyInsn<"second">;
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {   // ERROR: encoding 'tiny_second': field 'value' has neither a fixed value nor a codec
  let op = 1;
}
