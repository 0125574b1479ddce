// A destination of which no byte is written.
include "base.td"
def second : TinyInsn<"second"> {        // ERROR: instruction 'second' has a dest, but says that it writes no bytes of it
  let Forms = [Form<[Arg<Dest, UrDest>]>];
}
def : TinyExamples<second, "1">;
def : TinyExamples<second, "2">;
def : TinyExamples<second, "3">;
def tiny_second : TinyFormat, Encoding<tiny, second> {
  let op = 1;
  let Codecs = [Number<Value, "value">];
}
