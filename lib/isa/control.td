// Branches, jumps, context arbitration and local CSRs.

class Branching<string mnemonic> : Insn<mnemonic> {
  let Bytes = 0; let Goes = ToWord;
  let InGroup = GroupBranch;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
  let Tokens = [TokDefer];
  let Hazards = ["no branch, swap or other deferring instruction in a deferred slot"];
  let Decisions = ["BranchCost"];
}

def br : Branching<"br"> {
  let BranchIf = IfAlways;
  let Summary = "Branches always.";
  let Doc = "Execution goes on at the label. `defer[1]` or `defer[2]` executes the next one or two instructions first. Source: public words; limit of defer from an open source (isa.md 3.7, 2.4).";
  let Forms = [Form<[Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranch;
  let DeferMax = 2;
  let Me1DeferMax = 1;
  let FallsThrough = 0;
}

class BranchCc<string mnemonic, Condition branch_if, string condition, string codes> : Branching<mnemonic> {
  let BranchIf = branch_if;
  let Summary = "Branches if " # condition # ".";
  let Doc = "Taken when " # codes # ". The codes are those that the last instruction that sets any has left; with `defer[n]`, n 1 to 3, instructions in the slots no longer influence the decision. Source: public words for beq, bne, bhs, blo; two open sources for all (isa.md 3.7).";
  let Forms = [Form<[Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranchCc;
  let DeferMax = 3;
  let Me1DeferMax = 2;
  let ReadsCc = 1;
  let Tokens = [TokDefer, TokGuessBranch];
  let Hazards = ["no branch, swap or other deferring instruction in a deferred slot", "condition codes do not survive a context swap"];
  let Decisions = ["BranchCost", "AfterSwap", "CodesOfLogic"];
}
def beq : BranchCc<"beq", IfZ, "equal or zero", "Z = 1">;
def bne : BranchCc<"bne", IfNotZ, "not equal or not zero", "Z = 0">;
def bmi : BranchCc<"bmi", IfN, "negative", "N = 1">;
def bpl : BranchCc<"bpl", IfNotN, "not negative", "N = 0">;
def bhs : BranchCc<"bhs", IfC, "unsigned higher or the same", "C = 1 (carry, or no borrow)">;
def blo : BranchCc<"blo", IfNotC, "unsigned lower", "C = 0 (no carry, or a borrow)">;
def bvs : BranchCc<"bvs", IfV, "overflow", "V = 1">;
def bvc : BranchCc<"bvc", IfNotV, "no overflow", "V = 0">;
def bge : BranchCc<"bge", IfGe, "signed greater or equal", "N = V">;
def blt : BranchCc<"blt", IfLt, "signed less", "N is not V">;
def ble : BranchCc<"ble", IfLe, "signed less or equal", "Z = 1 or N is not V">;
def bgt : BranchCc<"bgt", IfGt, "signed greater", "Z = 0 and N = V">;

class BranchCtx<string mnemonic, Condition branch_if, string relation> : Branching<mnemonic> {
  let BranchIf = branch_if;
  let Tokens = [TokDefer, TokGuessBranch];
  let Summary = "Branches if the running context " # relation # " the given one.";
  let Doc = "Compares the number of the running context, 0 to 7. `defer[1]` or `defer[2]`. Source: public words (isa.md 3.7).";
  let Forms = [Form<[Arg<ContextNumber, ContextArg, 0, 7>, Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranch;
  let DeferMax = 2;
  let Me1DeferMax = 1;
}
def br_eq_ctx : BranchCtx<"br=ctx", IfContext, "is">;
def br_ne_ctx : BranchCtx<"br!=ctx", IfNotContext, "is not">;

class BranchSignal<string mnemonic, Condition branch_if, string state, string effect> : Branching<mnemonic> {
  let Late = [Hazard<StateConsumed, 2>]; let BranchIf = branch_if;
  let Tokens = [TokDefer, TokGuessBranch];
  let Summary = "Branches if a signal has " # state # ".";
  let Doc = "Looks at event signal 1 to 15 of the running context. " # effect # " `defer[1]` or `defer[2]`. Source: two open sources (isa.md 3.7, 5.3).";
  let Forms = [Form<[Arg<SignalNumber, SignalArg, 1, 15>, Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranch;
  let DeferMax = 2;
  let Me1DeferMax = 1;
  let Hazards = ["do not use the signal again within two instructions", "no branch, swap or other deferring instruction in a deferred slot"];
  let Decisions = ["SignalClearing", "BranchCost"];
}
def br_signal : BranchSignal<"br_signal", IfSignal, "arrived", "When it is set the branch is taken and the signal is cleared.">;
def br_not_signal : BranchSignal<"br_!signal", IfNotSignal, "not arrived", "The signal is left as it is.">;

class BranchState<string mnemonic, Condition branch_if, string truth> : Branching<mnemonic> {
  let BranchIf = branch_if;
  let Tokens = [TokDefer, TokGuessBranch];
  let Summary = "Branches if an input state is " # truth # ".";
  let Doc = "States: NN_EMPTY and NN_FULL of the next-neighbor ring, SCR_RING0_STATUS to SCR_RING11_STATUS (full or empty as the ring was set up), FCI_NOT_EMPTY, FCI_FULL. A ring's state lags behind the command that changes it. `defer[1]` or `defer[2]`. Source: public words for br_inp_state (isa.md 3.7, 10.1).";
  let Forms = [Form<[Arg<State, InputStateArg, 0, 15>, Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranchTest;
  let DeferMax = 2;
  let Me1DeferMax = 2;
  let Decisions = ["BranchCost", "NeighborRing"];
}
def br_inp_state : BranchState<"br_inp_state", IfState, "true">;
def br_not_inp_state : BranchState<"br_!inp_state", IfNotState, "false">;

class BranchBit<string mnemonic, Condition branch_if, string state> : Branching<mnemonic> {
  let BranchIf = branch_if;
  let Tokens = [TokDefer, TokGuessBranch];
  let Summary = "Branches if a bit of a register is " # state # ".";
  let Doc = "Tests bit 0 to 31 of left, which is a restricted register. The codes stay. `defer[n]`, n 1 to 3: the branch aborts three slots, as those on condition codes do. Source: two open sources (isa.md 3.7); `defer[3]` from open microcode for later parts.";
  let Forms = [Form<[Arg<Left, ReRegister>, Arg<BitNumber, ConstantArg, 0, 31>, Arg<Target, LabelArg>]>];
  let Cycles = CyclesBranchTest;
  let DeferMax = 3;
  let Me1DeferMax = 2;
  let Decisions = ["BranchCost", "Bit31"];
}
def br_bset : BranchBit<"br_bset", IfBit, "set">;
def br_bclr : BranchBit<"br_bclr", IfNotBit, "clear">;

class BranchByte<string mnemonic, Condition branch_if, string relation> : Branching<mnemonic> {
  let BranchIf = branch_if;
  let Tokens = [TokDefer, TokGuessBranch];
  let Summary = "Branches if a byte of a register " # relation # " a constant.";
  let Doc = "Compares byte 0 (least significant) to 3 of left, a restricted register, with a constant 0 to 255. The codes stay. `defer[n]`, n 1 to 3: the branch aborts three slots, as those on condition codes do. Source: two open sources (isa.md 3.7); `defer[3]` from open microcode for later parts.";
  let Forms = [
    Form<[Arg<Left, ReRegister>, Arg<ByteNumber, ConstantArg, 0, 3>, Arg<Value, ConstantArg, 0, 255>,
          Arg<Target, LabelArg>]>
  ];
  let Cycles = CyclesBranchTest;
  let DeferMax = 3;
  let Me1DeferMax = 2;
}
def br_eq_byte : BranchByte<"br=byte", IfByte, "equals">;
def br_ne_byte : BranchByte<"br!=byte", IfNotByte, "differs from">;

def jump : Branching<"jump"> {
  let BranchIf = IfAlways; let Goes = ToIndexed;
  let Summary = "Jumps to a label plus a register.";
  let Doc = "Execution goes on at the word `label + left`. `targets[l1#, l2#, ...]` lists the possible destinations for the liveness analysis and has no bits. `defer[n]`, n 1 to 3. The result of `cam_lookup` serves as left for tables of eight words per entry. Source: HRM p. 47, two open sources (isa.md 3.7).";
  let Forms = [Form<[Arg<Left, UrRegister>, Arg<Target, LabelArg>]>];
  let Tokens = [TokTargets, TokDefer];
  let Cycles = CyclesBranchTest;
  let DeferMax = 3;
  let Me1DeferMax = 2;
  let FallsThrough = 0;
  let Decisions = ["BranchCost", "JumpHigh"];
}
def rtn : Branching<"rtn"> {
  let Body = "jump"; // to label 0
  let BranchIf = IfAlways; let Goes = ToAddress;
  let Summary = "Returns to the address in a register.";
  let Doc = "Execution goes on at the word whose address left holds; the register was loaded with `load_addr`. The same word as a `jump` to label 0. `defer[n]`, n 1 to 3. Source: two open sources (isa.md 3.7).";
  let Forms = [Form<[Arg<Left, UrRegister>]>];
  let Cycles = CyclesBranchTest;
  let DeferMax = 3;
  let Me1DeferMax = 2;
  let FallsThrough = 0;
}

def ctx_arb : Insn<"ctx_arb"> {
  let Bytes = 0; let Late = [Hazard<StateConsumed, 3>];
  let Summary = "Gives up the engine, until signals arrive.";
  let Doc = "| written | effect |\n|---|---|\n| `ctx_arb[s1, s2]` | sleep until all of the signals have arrived |\n| `ctx_arb[s1, s2], any` | sleep until one of them has arrived |\n| `ctx_arb[voluntary]` | give the other contexts a turn and stay Ready |\n| `ctx_arb[kill]` | this context ends |\n| `ctx_arb[bpt]`, `halt` | the engine stops; all context enables are cleared |\n| `ctx_arb[--]` | use the mask that is already in ACTIVE_CTX_WAKEUP_EVENTS |\n\n"
            "`br[label#]` makes the context go on at the label. `defer[1]` or `defer[2]` executes the next instructions before the swap. The awaited signals are consumed on wake-up. Arbitration is round robin among Ready contexts, without preemption.\n\nCondition codes and previous ALU state are undefined afterwards. Source: public words for signals and bpt, loaders for kill and voluntary, the open disassembler for the rest (isa.md 2.2, 3.8).";
  let InGroup = GroupContext;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
  let Forms = [Form<[Arg<SignalMask, SignalListArg>]>];
  let Tokens = [TokAll, TokAny, TokDefer, TokBr];
  let Cycles = CyclesSwap;
  let DeferMax = 2;
  let Me1DeferMax = 1;
  let Hazards = ["do not use an awaited signal again within three instructions", "no CSR write, command or branch in a deferred slot"];
  let Suspends = ["always; with signals until they have arrived, with `voluntary` until it is this context's turn again"];
  let Decisions = ["SignalClearing", "BranchCost", "AfterSwap"];
}

class LocalCsr<string mnemonic> : Insn<mnemonic> {
  let Bytes = 0;
  let InGroup = GroupCsr;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
  let Cycles = CyclesSingle;
}
def local_csr_rd : LocalCsr<"local_csr_rd"> {
  let Before = "immed";
  let Summary = "Reads a local CSR.";
  let Doc = "Writes nothing itself: the next instruction must be `immed[dest, 0]`, whose result is replaced by the value. INDIRECT_ registers are those of the context in CSR_CTX_POINTER, ACTIVE_ ones of the running context. Source: public words (isa.md 3.10, 8).";
  let Forms = [Form<[Arg<CsrNumber, LocalCsrArg>]>];
  let Hazards = ["must be followed directly by an immed"];
  let Decisions = ["CsrRead"];
}
def local_csr_wr : LocalCsr<"local_csr_wr"> {
  let Profiles = ["me2"];
  let Summary = "Writes a local CSR.";
  let Doc = "The CSR gets left: any source, or a constant 0 to 255. The write takes effect after the latency of the register; until then the old value is used. Source: public words (isa.md 3.10, 8).";
  let Forms = [Form<[Arg<CsrNumber, LocalCsrArg>, Arg<Left, UrSource>]>];
  let Hazards = ["three instructions between a write of LM_ADDR and the first use of the pointer; other latencies in the CSR table", "one instruction between two writes of one CSR", "not in a deferred slot of a swap"];
  let Decisions = ["CsrRead"];
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
