// A tiny, sound instruction set of 8-bit words; each file beside this one spoils it in one way.
include "classes.td"
include "vocabulary.td"

def tiny : Profile<"tiny", 8>;

//  7  6 5   4 3      0
// +----+-----+--------+
// | 0 0| op  |  value |
// +----+-----+--------+
class TinyFormat {
  bits<8> Fixed = ?;
  bits<8> Word = ?;
  bits<2> op;
  bits<4> value;
  let Fixed{7-6} = 0b00;
  let Word{5-4} = op;
  let Word{3-0} = value;
}
class Number<Role role, string place> : Codec<"number", [place], [role], [0, 1, 0, 15]>;

class TinyInsn<string mnemonic> : Insn<mnemonic> {
  let InGroup = GroupCompute;
  let Cycles = CyclesSingle;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
  let Bytes = 0;
  let Summary = "Does something.";
  let Doc = "Does something in full.";
  let Forms = [Form<[Arg<Value, ConstantArg, 0, 15>]>];
}
class TinyExamples<Insn insn, string number> : Example<insn, "nop " # number, [], ["a0 = 0"]>;

def first : TinyInsn<"first">;
def : TinyExamples<first, "1">;
def : TinyExamples<first, "2">;
def : TinyExamples<first, "3">;
def tiny_first : TinyFormat, Encoding<tiny, first> {
  let op = 0;
  let Codecs = [Number<Value, "value">];
}
