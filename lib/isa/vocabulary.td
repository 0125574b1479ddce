// The words that instructions are made of. Order and names of roles and operand classes follow weft/isa/isa.h; the
// generated tables name them, so a stray one does not compile.

def Dest : Role<"dest">;
def Left : Role<"left">;
def Right : Role<"right">;
def Xfer : Role<"xfer">;
def Op : Role<"op">;
def Shift : Role<"shift">;
def Amount : Role<"amount">;
def Mask : Role<"mask">;
def LoadCc : Role<"load_cc">;
def Value : Role<"value">;
def Invert : Role<"invert">;
def Target : Role<"target">;
def HasTarget : Role<"has_target">;
def Defer : Role<"defer">;
def ContextNumber : Role<"context">;
def SignalNumber : Role<"signal">;
def SignalMode : Role<"signal_mode">;
def State : Role<"state">;
def BitNumber : Role<"bit">;
def ByteNumber : Role<"byte">;
def SignalMask : Role<"signals">;
def AnySignal : Role<"any">;
def Breakpoint : Role<"breakpoint">;
def CurrentMask : Role<"current_mask">;
def CsrNumber : Role<"csr">;
def Count : Role<"count">;
def Indirect : Role<"indirect">;
def IgnoreError : Role<"ignore_error">;
def Data : Role<"data">;
def LmSelect : Role<"lm_select">;
def LmConstant : Role<"lm_constant">;
def CamState : Role<"cam_state">;
def CrcTypeRole : Role<"crc_type">;
def CrcBytesRole : Role<"crc_bytes">;
def BitSwap : Role<"bit_swap">;
def MulSizeRole : Role<"mul_size">;
def MulStepRole : Role<"mul_step">;
def Guess : Role<"guess">;
def ListNumber : Role<"list">;
def MemoryQueue : Role<"queue">;

def UrDest : ArgClass<"ur_dest", "dest", "any destination: GPR (also absolute), `$n`, `$$n`, `*$index`, `*$$index`, `*n$index++`, `n$n`, `*l$index0[0..15]` or with `++`/`--`, `--`">;
def UrSource : ArgClass<"ur_source", "src", "any source: GPR (also absolute), `$n`, `$$n`, `n$n`, the index forms, local memory, a constant 0-255">;
def ReDest : ArgClass<"re_dest", "dest", "restricted destination: relative GPR, `$n`, `$$n`, `*$index`, `*$$index`, `*n$index++`, `*l$index0[0..7]`, `--`">;
def ReSource : ArgClass<"re_source", "src", "restricted source: relative GPR, `$n`, `$$n`, the index forms without local-memory post-modify, `*l$index0[0..7]`, a constant 0-255">;
def ReRegister : ArgClass<"re_register", "reg", "restricted source, no constant">;
def UrRegister : ArgClass<"ur_register", "reg", "any source, no constant">;
def AddressArg : ArgClass<"address", "addr", "restricted source, constants 0-127">;
def XferRead : ArgClass<"xfer_read", "xfer", "first of the transfer registers that the command fills">;
def XferWrite : ArgClass<"xfer_write", "xfer", "first of the transfer registers that the command takes">;
def XferBoth : ArgClass<"xfer_both", "xfer", "transfer register that is taken, then filled with the answer">;
def AluOpArg : ArgClass<"alu_op", "OP", "`B` `+` `~B` `+16` `AND` `+8` `~AND` `-carry` `AND~` `+carry` `OR` `-` `XOR` `B-A`">;
def ShfOpArg : ArgClass<"shf_op", "OP", "`B` `~B` `AND` `~AND` `AND~` `OR`">;
def ShiftArg : ArgClass<"shift", "shift", "`<<n` `>>n` `<<rotn` `>>rotn` with n 1-31, `<<indirect`, `>>indirect`">;
def RightShiftArg : ArgClass<"right_shift", "shift", "`>>n` with n 1-31, or `>>indirect`">;
def ByteShiftArg : ArgClass<"byte_shift", "shift", "`<<0`, `<<8` or `<<16`">;
def ByteMaskArg : ArgClass<"byte_mask", "mask", "four binary digits, byte 3 first">;
def ConstantArg : ArgClass<"constant", "n", "a number">;
def ImmediateArg : ArgClass<"immediate", "value", "a 16-bit number, moved up by 0, 8 or 16 bits, or the complement of one">;
def LabelArg : ArgClass<"label", "label#", "a word address">;
def SignalArg : ArgClass<"signal", "sig", "a signal, 1-15">;
def SignalListArg : ArgClass<"signal_list", "sig, ...", "signals, or one of `voluntary`, `kill`, `bpt`, `--`">;
def ContextArg : ArgClass<"context", "ctx", "context 0-7">;
def InputStateArg : ArgClass<"input_state", "state", "name of an input state">;
def LocalCsrArg : ArgClass<"local_csr", "CSR", "name or byte offset of a local CSR">;
def CapCsrArg : ArgClass<"cap_csr", "CSR", "name or 16-bit address of a CSR behind the CAP">;
def CountArg : ArgClass<"count", "count", "number of references, or `max_n` with `indirect_ref`">;
def CrcTypeArg : ArgClass<"crc_type", "type", "`none` `crc_ccitt` `crc_32` `crc_iscsi` `crc_10` `crc_5`">;
def MulStepArg : ArgClass<"mul_step", "SIZE_step", "`24x8_`, `16x16_` or `32x32_` with `start`, `step1`-`step4`, `last`, `last2`; written after the bracket">;
def NoneOnly : ArgClass<"none_only", "--", "must be `--`">;
def AluOutput : ArgClass<"alu_output", "alu", "the word `alu`: the result of the instruction before">;

def TokCtxSwap : Token<"ctx_swap", "ctx_swap", "`ctx_swap[s]`: sleep until signal s arrives">;
def TokSigDone : Token<"sig_done", "sig_done", "`sig_done[s]`: raise signal s when done, go on">;
def TokDefer : Token<"defer", "defer", "`defer[n]`: the next n instructions are executed before the branch or swap takes place">;
def TokIndirectRef : Token<"indirect_ref", "indirect_ref", "the result of the instruction before overrides fields of the command">;
def TokIgnoreDataError : Token<"ignore_data_error", "ignore_data_error", "a data error on the bus is not reported">;
def TokNoPull : Token<"no_pull", "no_pull", "known by name only: no public encoding, no instruction takes it">;
def TokAny : Token<"any", "any", "wait for one of the signals">;
def TokAll : Token<"all", "all", "wait for all of the signals (the default)">;
def TokBr : Token<"br", "br", "`br[label#]`: go on at the label after the swap">;
def TokTargets : Token<"targets", "targets", "`targets[l1#, ...]`: where a jump may lead; for the liveness analysis, no bits">;
def TokLoadCc : Token<"load_cc", "load_cc", "set the condition codes">;
def TokNoCc : Token<"no_cc", "no_cc", "later parts only: no instruction takes it">;
def TokBitSwap : Token<"bit_swap", "bit_swap", "reverse the bits of each byte before the CRC">;
def TokBytes03 : Token<"bytes_0_3", "bytes_0_3", "all bytes (the default)">;
def TokBytes13 : Token<"bytes_1_3", "bytes_1_3", "bytes 1 to 3">;
def TokBytes23 : Token<"bytes_2_3", "bytes_2_3", "bytes 2 and 3">;
def TokBytes3 : Token<"bytes_3", "bytes_3", "byte 3">;
def TokBytes02 : Token<"bytes_0_2", "bytes_0_2", "bytes 0 to 2">;
def TokBytes01 : Token<"bytes_0_1", "bytes_0_1", "bytes 0 and 1">;
def TokBytes0 : Token<"bytes_0", "bytes_0", "byte 0">;
def TokLmAddr0 : Token<"lm_addr0", "lm_addr0", "`lm_addr0[n]`: load LM_ADDR_0 with n << 10 | entry << 6">;
def TokLmAddr1 : Token<"lm_addr1", "lm_addr1", "`lm_addr1[n]`: load LM_ADDR_1 with n << 10 | entry << 6">;
def TokGuessBranch : Token<"guess_branch", "guess_branch", "`guess_branch`: fetch along the taken path first, so that a wrong guess costs (me1 only)">;
def TokOrdered : Token<"ordered", "ordered", "`ordered`: after everything that went to the order queue before (the default; me1 only)">;
def TokOptimizeMem : Token<"optimize_mem", "optimize_mem", "`optimize_mem`: the unit may serve it before older commands: SRAM puts reads into a queue of their own, SDRAM sorts by even and odd bank (me1 only)">;
def TokPriority : Token<"priority", "priority", "`priority`: into the priority queue of the unit (me1 only)">;

def UnitNone : Unit<"none", 0>;
def UnitSram : Unit<"sram", 1>;
def UnitScratch : Unit<"scratch", 2>;
def UnitDram : Unit<"dram", 3>;
def UnitMsf : Unit<"msf", 4>;
def UnitCap : Unit<"cap", 5>;
def UnitPci : Unit<"pci", 6>;
def UnitHash : Unit<"hash", 7>;

// The values are those of the operation field of `alu` (me2), which every profile uses for the role `op`.
def OpB : AluOp<"b", "B", 0> { let Logical = 1; let Shifts = 1; }
def OpAdd : AluOp<"add", "+", 1>;
def OpNotB : AluOp<"not_b", "~B", 4> { let Logical = 1; let Shifts = 1; }
def OpAdd16 : AluOp<"add16", "+16", 5>;
def OpAnd : AluOp<"and_", "AND", 8> { let Logical = 1; let Shifts = 1; }
def OpAdd8 : AluOp<"add8", "+8", 9>;
def OpNotAnd : AluOp<"not_and", "~AND", 12> { let Logical = 1; let Shifts = 1; }
def OpSubCarry : AluOp<"sub_carry", "-carry", 13> { let ReadsCarry = 1; }
def OpAndNot : AluOp<"and_not", "AND~", 16> { let Logical = 1; let Shifts = 1; }
def OpAddCarry : AluOp<"add_carry", "+carry", 17> { let ReadsCarry = 1; }
def OpOr : AluOp<"or_", "OR", 20> { let Logical = 1; let Shifts = 1; }
def OpSub : AluOp<"sub", "-", 21>;
def OpXor : AluOp<"xor_", "XOR", 24> { let Logical = 1; }
def OpBSubA : AluOp<"b_sub_a", "B-A", 25>;

def CrcNone : CrcType<"none", "none", 0>;
def CrcCcitt : CrcType<"ccitt", "crc_ccitt", 2>;
def Crc32 : CrcType<"crc_32", "crc_32", 4>;
def CrcIscsi : CrcType<"iscsi", "crc_iscsi", 5>;
def Crc10 : CrcType<"crc_10", "crc_10", 6>;
def Crc5 : CrcType<"crc_5", "crc_5", 7>;

def Bytes03 : CrcBytes<"bytes_0_3", 0>;
def Bytes13 : CrcBytes<"bytes_1_3", 1>;
def Bytes23 : CrcBytes<"bytes_2_3", 2>;
def Bytes3 : CrcBytes<"bytes_3", 3>;
def Bytes02 : CrcBytes<"bytes_0_2", 4>;
def Bytes01 : CrcBytes<"bytes_0_1", 5>;
def Bytes0 : CrcBytes<"bytes_0", 6>;

def SizeAny : MulSize<"any", "", 0>;  // a start step does not hold its size
def Size24x8 : MulSize<"m24x8", "24x8", 1>;
def Size16x16 : MulSize<"m16x16", "16x16", 2>;
def Size32x32 : MulSize<"m32x32", "32x32", 3>;

def StepStart : MulStep<"start", "start", 0>;
def Step1 : MulStep<"step1", "step1", 1>;
def Step2 : MulStep<"step2", "step2", 2>;
def Step3 : MulStep<"step3", "step3", 3>;
def Step4 : MulStep<"step4", "step4", 4>;
def StepLast : MulStep<"last", "last", 5>;
def StepLast2 : MulStep<"last2", "last2", 6>;

def GroupCompute : Group<"compute", "Computation">;
def GroupBranch : Group<"branch", "Branches and jumps">;
def GroupContext : Group<"context", "Contexts">;
def GroupCsr : Group<"csr", "Local CSRs">;
def GroupCommand : Group<"command", "Commands to units">;

def CyclesSingle : CycleClass<"single", "one cycle">;
def CyclesBranch : CycleClass<"branch", "one cycle, and when taken 2 aborted slots less those filled by defer">;
def CyclesBranchCc : CycleClass<"branch_cc", "one cycle, and when taken 3 aborted slots less those filled by defer">;
def CyclesBranchTest : CycleClass<"branch_test", "one cycle, and when taken 3 aborted slots less those filled by defer">;
def CyclesSwap : CycleClass<"swap", "one cycle, and 2 aborted slots less those filled by defer">;
def CyclesCommand : CycleClass<"command", "one cycle when the unit's inlet has room; with `ctx_swap` as a swap">;

def XferNone : XferUse<"none">;
def XferIn : XferUse<"read">;
def XferOut : XferUse<"write">;
def XferInOut : XferUse<"both">;

def SignalNone : SignalUse<"none">;
def SignalSingle : SignalUse<"single">;
def SignalDoubled : SignalUse<"doubled">;

// --- effects ---

def StatePrevious : State<"previous", "the result and the operands of the ALU instruction before">;
def StateLmAddr0 : State<"lm_addr_0", "local-memory pointer 0">;
def StateLmAddr1 : State<"lm_addr_1", "local-memory pointer 1">;
def StateLmSelected : State<"lm_selected", "the local-memory pointer that the instruction names">;
def StateByteIndex : State<"byte_index", "BYTE_INDEX">;
def StateTIndex : State<"t_index", "T_INDEX">;
def StateNnGet : State<"nn_get", "the get pointer of the next-neighbor ring">;
def StateNnPut : State<"nn_put", "the put pointer of the next-neighbor ring">;
def StateCrcUnit : State<"crc_unit", "the CRC unit, which is busy">;
def StateCrcRemainder : State<"crc_remainder", "the remainder of the CRC unit">;
def StateCam : State<"cam", "the CAM">;
def StateMultiplier : State<"multiplier", "a multiplication that is under way">;
def StatePopCount : State<"pop_count", "a count of bits that is under way">;
def StateBset : State<"bset", "results of find_bset">;
def StateSignals : State<"signals", "arrived and awaited signals">;
def StateConsumed : State<"consumed", "the signal that was awaited or tested">;
def StateContexts : State<"contexts", "states of the contexts, and which of them are enabled">;
def StateSignalSame : State<"signal_same", "raises a signal in this engine">;
def StateSignalNext : State<"signal_next", "raises a signal in the next engine">;
def StateSignalPrevious : State<"signal_previous", "raises a signal in the previous engine">;
def StateTime : State<"time", "a clock or a counter of cycles">;
def StateRandom : State<"random", "the sequence of pseudo-random numbers">;

// Opposites side by side, the even one first.
def IfZ : Condition<"z">;
def IfNotZ : Condition<"not_z">;
def IfN : Condition<"n">;
def IfNotN : Condition<"not_n">;
def IfC : Condition<"c">;
def IfNotC : Condition<"not_c">;
def IfV : Condition<"v">;
def IfNotV : Condition<"not_v">;
def IfGe : Condition<"ge">;
def IfLt : Condition<"lt">;
def IfLe : Condition<"le">;
def IfGt : Condition<"gt">;
def IfContext : Condition<"context">;
def IfNotContext : Condition<"not_context">;
def IfSignal : Condition<"signal">;
def IfNotSignal : Condition<"not_signal">;
def IfState : Condition<"state">;
def IfNotState : Condition<"not_state">;
def IfBit : Condition<"bit">;
def IfNotBit : Condition<"not_bit">;
def IfByte : Condition<"byte">;
def IfNotByte : Condition<"not_byte">;
def IfAlways : Condition<"always">;

def ToWord : BranchTo<"word">;
def ToIndexed : BranchTo<"indexed">;
def ToAddress : BranchTo<"address">;

def AccessNothing : Access<"nothing">;
def AccessRead : Access<"read">;
def AccessWrite : Access<"write">;
def AccessAtomic : Access<"atomic">;
def AccessRingGet : Access<"ring_get">;
def AccessRingPut : Access<"ring_put">;
def AccessJournal : Access<"journal">;
def AccessEnqueue : Access<"enqueue">;
def AccessDequeue : Access<"dequeue">;
def AccessQueueTail : Access<"queue_tail">;
def AccessQueueLoad : Access<"queue_load">;
def AccessQueueStore : Access<"queue_store">;
def AccessQueueStoreCount : Access<"queue_store_count">;
def AccessMediaIn : Access<"media_in">;
def AccessMediaOut : Access<"media_out">;
def AccessMediaRead : Access<"media_read">;
def AccessMediaWrite : Access<"media_write">;
def AccessCsrRead : Access<"csr_read">;
def AccessCsrWrite : Access<"csr_write">;
def AccessHash : Access<"hash">;
def AccessDma : Access<"dma">;

def AtomicSwap : AtomicOp<"swap">;
def AtomicSet : AtomicOp<"set">;
def AtomicClr : AtomicOp<"clr">;
def AtomicAdd : AtomicOp<"add">;
def AtomicSub : AtomicOp<"sub">;
def AtomicIncr : AtomicOp<"incr">;
def AtomicDecr : AtomicOp<"decr">;

def LockTake : LockUse<"take">;
def LockGive : LockUse<"give">;
