// Computation: alu and its special operations, shifts, fields, CRC, CAM, multiplier, constants.

class Compute<string mnemonic> : Insn<mnemonic> {
  let InGroup = GroupCompute;
  let Cycles = CyclesSingle;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
}

def alu : Compute<"alu"> {
  let Forms = [
    Form<[Arg<Dest, UrDest>, OptArg<Left, UrSource>, Arg<Op, AluOpArg>, Arg<Right, UrSource>]>,
    Form<[Arg<Dest, ReDest>, OptArg<Left, ReSource>, Arg<Op, ShfOpArg>, Arg<Right, ReSource>, Arg<Shift, ShiftArg>]>
  ];
  let SetsCc = 1;
  let ReadsCc = 1;
  let PreviousAlu = 1;
}

def alu_shf : Compute<"alu_shf"> {
  let Forms = [
    Form<[Arg<Dest, ReDest>, OptArg<Left, ReSource>, Arg<Op, ShfOpArg>, Arg<Right, ReSource>, OptArg<Shift, ShiftArg>]>
  ];
  let SetsCc = 1;
  let PreviousAlu = 1;
}

def dbl_shf : Compute<"dbl_shf"> {
  let Forms = [
    Form<[Arg<Dest, ReDest>, Arg<Left, ReSource>, Arg<Right, ReSource>, Arg<Shift, RightShiftArg>]>
  ];
  let SetsCc = 1;
  let PreviousAlu = 1;
}

def asr : Compute<"asr"> {
  let Forms = [Form<[Arg<Dest, ReDest>, Arg<Right, ReSource>, Arg<Shift, RightShiftArg>]>];
  let SetsCc = 1;
  let PreviousAlu = 1;
}

def ffs : Compute<"ffs"> {
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Right, UrSource>]>];
  let SetsCc = 1;
  let PreviousAlu = 1;
}

def pop_count1 : Compute<"pop_count1"> {
  let Forms = [Form<[Arg<Right, UrSource>]>];
}
def pop_count2 : Compute<"pop_count2"> {
  let Forms = [Form<[Arg<Right, UrSource>]>];
}
def pop_count3 : Compute<"pop_count3"> {
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Right, UrSource>]>];
  let SetsCc = 1;
  let PreviousAlu = 1;
}

class ByteAlign<string mnemonic, Role source> : Compute<mnemonic> {
  let Forms = [Form<[Arg<Dest, ReDest>, Arg<source, ReSource>]>];
}
def byte_align_be : ByteAlign<"byte_align_be", Right>;
def byte_align_le : ByteAlign<"byte_align_le", Left>;

class LdField<string mnemonic> : Compute<mnemonic> {
  let Forms = [Form<[Arg<Dest, ReDest>, Arg<Mask, ByteMaskArg>, Arg<Right, ReSource>, OptArg<Shift, ShiftArg>]>];
  let Tokens = [TokLoadCc];
  let SetsCc = 1;
  let PreviousAlu = 1;
}
def ld_field : LdField<"ld_field">;
def ld_field_w_clr : LdField<"ld_field_w_clr">;

def mul_step : Compute<"mul_step"> {
  let Forms = [
    Form<[Arg<Left, UrSource>, Arg<Right, UrSource>, Arg<MulStepRole, MulStepArg>]>,
    Form<[Arg<Dest, UrDest>, Arg<Right, NoneOnly>, Arg<MulStepRole, MulStepArg>]>
  ];
}

class Crc<string mnemonic> : Compute<mnemonic> {
  let Forms = [Form<[Arg<CrcTypeRole, CrcTypeArg>, Arg<Dest, UrDest>, Arg<Right, UrSource>]>];
  let Tokens = [TokBytes03, TokBytes13, TokBytes23, TokBytes3, TokBytes02, TokBytes01, TokBytes0, TokBitSwap];
}
def crc_be : Crc<"crc_be">;
def crc_le : Crc<"crc_le">;

def cam_clear : Compute<"cam_clear"> {
  let Forms = [Form<[]>];
}
def cam_lookup : Compute<"cam_lookup"> {
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Left, UrSource>]>];
  let Tokens = [TokLmAddr0, TokLmAddr1];
  let SetsCc = 1;
  let PreviousAlu = 1;
}
def cam_write : Compute<"cam_write"> {
  let Forms = [Form<[Arg<Right, UrSource>, Arg<Left, UrSource>, Arg<CamState, ConstantArg, 0, 15>]>];
}
def cam_write_state : Compute<"cam_write_state"> {
  let Forms = [Form<[Arg<Right, UrSource>, Arg<CamState, ConstantArg, 0, 15>]>];
}
class CamRead<string mnemonic> : Compute<mnemonic> {
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Right, UrSource>]>];
  let SetsCc = 1;
  let PreviousAlu = 1;
}
def cam_read_tag : CamRead<"cam_read_tag">;
def cam_read_state : CamRead<"cam_read_state">;

def immed : Compute<"immed"> {
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Value, ImmediateArg>, OptArg<Amount, ByteShiftArg>]>];
}
class ImmedByte<string mnemonic> : Compute<mnemonic> {
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Value, ConstantArg, 0, 255>]>];
}
class ImmedWord<string mnemonic> : Compute<mnemonic> {
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Value, ConstantArg, 0, 65535>]>];
}
def immed_b0 : ImmedByte<"immed_b0">;
def immed_b1 : ImmedByte<"immed_b1">;
def immed_b2 : ImmedByte<"immed_b2">;
def immed_b3 : ImmedByte<"immed_b3">;
def immed_w0 : ImmedWord<"immed_w0">;
def immed_w1 : ImmedWord<"immed_w1">;

def : Alias<"nop", immed, [], 1>;
