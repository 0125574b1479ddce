// Branches, jumps, context arbitration and local CSRs.

class Branching<string mnemonic> : Insn<mnemonic> {
  let InGroup = GroupBranch;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
  let Tokens = [TokDefer];
}

def br : Branching<"br"> {
  let Forms = [Form<[Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranch;
  let DeferMax = 2;
  let FallsThrough = 0;
}

class BranchCc<string mnemonic> : Branching<mnemonic> {
  let Forms = [Form<[Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranchCc;
  let DeferMax = 3;
  let ReadsCc = 1;
}
def beq : BranchCc<"beq">;
def bne : BranchCc<"bne">;
def bmi : BranchCc<"bmi">;
def bpl : BranchCc<"bpl">;
def bhs : BranchCc<"bhs">;
def blo : BranchCc<"blo">;
def bvs : BranchCc<"bvs">;
def bvc : BranchCc<"bvc">;
def bge : BranchCc<"bge">;
def blt : BranchCc<"blt">;
def ble : BranchCc<"ble">;
def bgt : BranchCc<"bgt">;

class BranchCtx<string mnemonic> : Branching<mnemonic> {
  let Forms = [Form<[Arg<ContextNumber, ContextArg, 0, 7>, Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranch;
  let DeferMax = 2;
}
def br_eq_ctx : BranchCtx<"br=ctx">;
def br_ne_ctx : BranchCtx<"br!=ctx">;

class BranchSignal<string mnemonic> : Branching<mnemonic> {
  let Forms = [Form<[Arg<SignalNumber, SignalArg, 1, 15>, Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranch;
  let DeferMax = 2;
}
def br_signal : BranchSignal<"br_signal">;
def br_not_signal : BranchSignal<"br_!signal">;

class BranchState<string mnemonic> : Branching<mnemonic> {
  let Forms = [Form<[Arg<State, InputStateArg, 0, 15>, Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranchTest;
  let DeferMax = 2;
}
def br_inp_state : BranchState<"br_inp_state">;
def br_not_inp_state : BranchState<"br_!inp_state">;

class BranchBit<string mnemonic> : Branching<mnemonic> {
  let Forms = [Form<[Arg<Left, ReRegister>, Arg<BitNumber, ConstantArg, 0, 31>, Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranchTest;
  let DeferMax = 2;
}
def br_bset : BranchBit<"br_bset">;
def br_bclr : BranchBit<"br_bclr">;

class BranchByte<string mnemonic> : Branching<mnemonic> {
  let Forms = [
    Form<[Arg<Left, ReRegister>, Arg<ByteNumber, ConstantArg, 0, 3>, Arg<Value, ConstantArg, 0, 255>,
          Arg<Target, LabelArg>]>
  ];
  let Cycles = CyclesBranchTest;
  let DeferMax = 2;
}
def br_eq_byte : BranchByte<"br=byte">;
def br_ne_byte : BranchByte<"br!=byte">;

def jump : Branching<"jump"> {
  let Forms = [Form<[Arg<Left, UrRegister>, Arg<Target, LabelArg>]>];
  let Tokens = [TokTargets, TokDefer];
  let Cycles = CyclesBranchTest;
  let DeferMax = 3;
  let FallsThrough = 0;
}
def rtn : Branching<"rtn"> {
  let Forms = [Form<[Arg<Left, UrRegister>]>];
  let Cycles = CyclesBranchTest;
  let DeferMax = 3;
  let FallsThrough = 0;
}

def ctx_arb : Insn<"ctx_arb"> {
  let InGroup = GroupContext;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
  let Forms = [Form<[Arg<SignalMask, SignalListArg>]>];
  let Tokens = [TokAll, TokAny, TokDefer, TokBr];
  let Cycles = CyclesSwap;
  let DeferMax = 2;
}

class LocalCsr<string mnemonic> : Insn<mnemonic> {
  let InGroup = GroupCsr;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
  let Cycles = CyclesSingle;
}
def local_csr_rd : LocalCsr<"local_csr_rd"> {
  let Forms = [Form<[Arg<CsrNumber, LocalCsrArg>]>];
}
def local_csr_wr : LocalCsr<"local_csr_wr"> {
  let Forms = [Form<[Arg<CsrNumber, LocalCsrArg>, Arg<Left, UrSource>]>];
}

// Spellings of the IXP1200 generation, and the two names of carry.
def : Alias<"halt", ctx_arb, [RoleValue<Breakpoint, 1>], 1>;
def : Alias<"bcs", bhs>;
def : Alias<"bcc", blo>;
def : Alias<"br=0", beq>;
def : Alias<"br!=0", bne>;
def : Alias<"br<0", bmi>;
def : Alias<"br<=0", ble>;
def : Alias<"br>0", bgt>;
def : Alias<"br>=0", bpl>;
def : Alias<"br=cout", bhs>;
def : Alias<"br!=cout", blo>;
