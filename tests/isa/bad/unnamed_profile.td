// An encoding for a profile that the instruction does not name.
include "base.td"
def other : Profile<"other", 8>;
def second : TinyInsn<"second"> {        // ERROR: which it does not name
  let Profiles = ["other"];
}
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def other_second : TinyFormat, Encoding<other, second> {
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
def other_first : TinyFormat, Encoding<other, first> {
  let op = 0;
  let Codecs = [Number<Value, "value">];
}
def tiny_second : TinyFormat, Encoding<tiny, second> {
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
