// Which bits of me2 stand for which instruction.

class Me2<Insn insn> : Encoding<me2, insn>;

// ---------------------------------------------------------------------------------------------------------------------
// Codecs used here; the functions are in src/codec_*.cpp.

class Number<Role role, string place, int bias = 0, int scale = 1, int min = 0, int max = 65535>
    : Codec<"number", [place], [role], [bias, scale, min, max]>;  // value = (field + bias) * scale
class Table<Role role, string place, list<int> pairs> : Codec<"table", [place], [role], pairs>;  // field, value, ...
class Rest<string place, int value> : Codec<"rest", [place], [], [value]>;  // written so, ignored when read

class UrDestination<string place = "dest", string bank = "bank"> : Codec<"ur_dest", [place, bank], [Dest]>;
class ReDestination<string place = "dest", string bank = "bank"> : Codec<"re_dest", [place, bank], [Dest]>;

// The source pair with swap. `free` lists the AluOp values whose left operand may be "--".
class UrPair<list<int> free = []> : Codec<"ur_pair", ["a", "b", "swap"], [Left, Right, Op], free>;
class RePair<list<int> free = []> : Codec<"re_pair", ["a", "b", "swap", "i8"], [Left, Right, Op], free>;
// One source; the other slot is idle.
class UrOne<Role role> : Codec<"ur_one", ["a", "b", "swap"], [role]>;
class ReOne<Role role> : Codec<"re_one", ["a", "b", "swap", "i8"], [role]>;

def ShiftControl : Codec<"shift", ["ctl", "n"], [Shift, Amount]>;
def RightShiftControl : Codec<"right_shift", ["n"], [Shift, Amount]>;

def CamLookupSlots : Codec<"cam_lookup", ["a", "b", "swap"], [Left, LmSelect, LmConstant]>;
class UrConstant<Role role, string place, int max> : Codec<"ur_constant", [place], [role], [max]>;
def CrcData : Codec<"crc_data", ["a"], [Right]>;

def FieldSlots : Codec<"field_slots", ["a", "b", "swap", "i8"], [Dest, Right]>;
def ByteTest : Codec<"byte_test", ["a", "b", "i8"], [Left, Value]>;
def BitTest : Codec<"bit_test", ["a", "b"], [Left, BitNumber]>;
def JumpSlots : Codec<"jump_slots", ["a", "b", "high"], [Left, Target]>;
def ReturnSlots : Codec<"return_slots", ["a", "b"], [Left]>;
class ImmedSlots<int max> : Codec<"immed_slots", ["a", "b", "high"], [Dest, Value], [max]>;
def ByteSlots : Codec<"byte_slots", ["a", "b"], [Dest, Value]>;
def CsrSource : Codec<"csr_source", ["a", "b"], [Left]>;
def Arbitration : Codec<"arbitration", ["target", "as_is", "br", "bpt", "any", "signals"],
                          [SignalMask, AnySignal, Breakpoint, CurrentMask, HasTarget, Target]>;
def MulStepType : Codec<"mul_step", ["type", "step"], [MulSizeRole, MulStepRole]>;

def Addresses : Codec<"addresses", ["a", "b"], [Left, Right]>;
def TransferS : Codec<"transfer", ["xfer"], [Xfer], [0]>;
def TransferD : Codec<"transfer", ["xfer"], [Xfer], [1]>;
// `doubled`: 1 when the command raises two signals
class SignalControl<int doubled> : Codec<"signal_control", ["signal", "ctl"], [SignalNumber, SignalMode, Defer], [doubled]>;

// ---------------------------------------------------------------------------------------------------------------------
// alu

def me2_alu : AluFormat, Me2<alu> {
  let Limits = [Limit<"op", [0, 1, 4, 5, 8, 9, 12, 13, 16, 17, 20, 21, 24, 25]>];
  let Codecs = [Number<Op, "op">, UrDestination<>, UrPair<[0, 4]>];
}

class Me2AluOne<Insn insn, int number> : AluFormat, Me2<insn> {
  let op = number;
  let Codecs = [UrDestination<>, UrOne<Right>];
}
def me2_ffs : Me2AluOne<ffs, 14>;
def me2_pop_count3 : Me2AluOne<pop_count3, 3>;
def me2_cam_read_tag : Me2AluOne<cam_read_tag, 15>;
def me2_cam_read_state : Me2AluOne<cam_read_state, 31>;

class Me2PopCount<Insn insn, int number> : AluFormat, Me2<insn> {
  let op = number;
  let bank = 0;
  let dest = 0x300;
  let Codecs = [UrOne<Right>];
}
def me2_pop_count1 : Me2PopCount<pop_count1, 6>;
def me2_pop_count2 : Me2PopCount<pop_count2, 7>;

class Me2Crc<Insn insn, int order> : CrcFormat, Me2<insn> {
  let op = 18;
  let swap = 1;
  let little = order;
  let Limits = [Limit<"type", [0, 2, 4, 5, 6, 7]>, Limit<"bytes", [0, 1, 2, 3, 4, 5, 6]>];
  let Codecs = [
    UrDestination<>, CrcData, Number<CrcTypeRole, "type">, Number<CrcBytesRole, "bytes">, Number<BitSwap, "bit_swap">
  ];
}
def me2_crc_be : Me2Crc<crc_be, 0>;
def me2_crc_le : Me2Crc<crc_le, 1>;

def me2_cam_clear : AluFormat, Me2<cam_clear> {
  let op = 11;
  let bank = 0;
  let dest = 0x300;
  let Codecs = [Rest<"a", 0>, Rest<"b", 0x300>, Rest<"swap", 0>];
}
def me2_cam_lookup : AluFormat, Me2<cam_lookup> {
  let op = 23;
  let Codecs = [UrDestination<>, CamLookupSlots];
}
def me2_cam_write : AluFormat, Me2<cam_write> {
  let op = 19;
  let bank = 0;
  let Codecs = [UrConstant<CamState, "dest", 15>, UrPair<>];
}
def me2_cam_write_state : AluFormat, Me2<cam_write_state> {
  let op = 27;
  let bank = 0;
  let Codecs = [UrConstant<CamState, "dest", 15>, UrOne<Right>];
}

// ---------------------------------------------------------------------------------------------------------------------
// alu_shf

def me2_alu_shf : ShiftFormat, Me2<alu_shf> {
  let Limits = [Limit<"op", [0, 1, 2, 3, 4, 5]>, Limit<"ctl", [0, 1, 2]>];
  let Codecs = [
    Table<Op, "op", [0, 0, 1, 4, 2, 8, 3, 12, 4, 16, 5, 20]>, ReDestination<>, RePair<[0, 4]>, ShiftControl
  ];
}
def me2_dbl_shf : ShiftFormat, Me2<dbl_shf> {
  let op = 0;
  let ctl = 3;
  let Codecs = [ReDestination<>, RePair<>, RightShiftControl];
}
def me2_asr : ShiftFormat, Me2<asr> {
  let op = 6;
  let ctl = 1;
  let Codecs = [ReDestination<>, ReOne<Right>, RightShiftControl];
}
class Me2ByteAlign<Insn insn, int control, Role source> : ShiftFormat, Me2<insn> {
  let op = 7;
  let ctl = control;
  let Codecs = [ReDestination<>, ReOne<source>, Rest<"n", 0>];
}
def me2_byte_align_be : Me2ByteAlign<byte_align_be, 1, Right>;
def me2_byte_align_le : Me2ByteAlign<byte_align_le, 2, Left>;

// ---------------------------------------------------------------------------------------------------------------------
// ld_field

class Me2Field<Insn insn, int clr> : FieldFormat, Me2<insn> {
  let clear = clr;
  let Limits = [Limit<"ctl", [0, 1, 2]>];
  let Codecs = [FieldSlots, Number<Mask, "mask">, ShiftControl, Number<LoadCc, "load_cc">];
}
def me2_ld_field : Me2Field<ld_field, 0>;
def me2_ld_field_w_clr : Me2Field<ld_field_w_clr, 1>;

// ---------------------------------------------------------------------------------------------------------------------
// Branches. Stage 0 = nothing to evaluate, 1 = condition codes, 2 = input states.

class Me2Branch<Insn insn, int condition, int when> : BranchFormat, Me2<insn> {
  let cond = condition;
  let stage = when;
  let Codecs = [Number<Target, "target">, Number<Defer, "defer", 0, 1, 0, insn.DeferMax>, Rest<"number", 0>];
}
class Me2BranchCc<Insn insn, int condition> : Me2Branch<insn, condition, 1> {
  let Codecs = [Number<Target, "target">, Number<Defer, "defer">, Rest<"number", 0>];
}
class Me2BranchNumber<Insn insn, int condition, int when, Role role, int min, int max>
    : Me2Branch<insn, condition, when> {
  let Codecs = [
    Number<Target, "target">, Number<Defer, "defer", 0, 1, 0, insn.DeferMax>, Number<role, "number", 0, 1, min, max>
  ];
}
def me2_beq : Me2BranchCc<beq, 0>;
def me2_bne : Me2BranchCc<bne, 1>;
def me2_bmi : Me2BranchCc<bmi, 2>;
def me2_bpl : Me2BranchCc<bpl, 3>;
def me2_bhs : Me2BranchCc<bhs, 4>;
def me2_blo : Me2BranchCc<blo, 5>;
def me2_bvs : Me2BranchCc<bvs, 6>;
def me2_bvc : Me2BranchCc<bvc, 7>;
def me2_bge : Me2BranchCc<bge, 8>;
def me2_blt : Me2BranchCc<blt, 9>;
def me2_ble : Me2BranchCc<ble, 10>;
def me2_bgt : Me2BranchCc<bgt, 11>;
def me2_br_eq_ctx : Me2BranchNumber<br_eq_ctx, 16, 0, ContextNumber, 0, 7>;
def me2_br_ne_ctx : Me2BranchNumber<br_ne_ctx, 17, 0, ContextNumber, 0, 7>;
def me2_br_signal : Me2BranchNumber<br_signal, 18, 0, SignalNumber, 1, 15>;
def me2_br_not_signal : Me2BranchNumber<br_not_signal, 19, 0, SignalNumber, 1, 15>;
def me2_br_inp_state : Me2BranchNumber<br_inp_state, 20, 2, State, 0, 15>;
def me2_br_not_inp_state : Me2BranchNumber<br_not_inp_state, 21, 2, State, 0, 15>;
def me2_br : Me2Branch<br, 24, 0>;

class Me2BitTest<Insn insn, int value> : BitFormat, Me2<insn> {
  let set = value;
  let Codecs = [Number<Target, "target">, Number<Defer, "defer", 0, 1, 0, insn.DeferMax>, BitTest];
}
def me2_br_bset : Me2BitTest<br_bset, 1>;
def me2_br_bclr : Me2BitTest<br_bclr, 0>;

class Me2ByteTest<Insn insn, int value> : ByteFormat, Me2<insn> {
  let equal = value;
  let Codecs = [
    Number<Target, "target">, Number<Defer, "defer", 0, 1, 0, insn.DeferMax>, Number<ByteNumber, "byte">, ByteTest
  ];
}
def me2_br_eq_byte : Me2ByteTest<br_eq_byte, 1>;
def me2_br_ne_byte : Me2ByteTest<br_ne_byte, 0>;

def me2_jump : JumpFormat, Me2<jump> {
  let Codecs = [JumpSlots, Number<Defer, "defer">];
}
// rtn is the jump to address part 0.
def me2_rtn : JumpFormat, Me2<rtn> {
  let high = 0;
  let Codecs = [ReturnSlots, Number<Defer, "defer">];
  let SpecialOf = [me2_jump];
}

// ---------------------------------------------------------------------------------------------------------------------
// Contexts

def me2_ctx_arb : ArbFormat, Me2<ctx_arb> {
  let Codecs = [Arbitration, Number<Defer, "defer", 0, 1, 0, ctx_arb.DeferMax>];
}

// ---------------------------------------------------------------------------------------------------------------------
// Constants

def me2_immed : ImmedFormat, Me2<immed> {
  let width = 0;
  let Limits = [Limit<"shift", [0, 1, 2]>];
  let Codecs = [ImmedSlots<65535>, Number<Amount, "shift", 0, 8>, Number<Invert, "invert">];
}
class Me2ImmedByte<Insn insn, int number> : ImmedFormat, Me2<insn> {
  let width = 1;
  let shift = number;
  let invert = 0;
  let Codecs = [ByteSlots, Rest<"high", 0>];
}
def me2_immed_b0 : Me2ImmedByte<immed_b0, 0>;
def me2_immed_b1 : Me2ImmedByte<immed_b1, 1>;
def me2_immed_b2 : Me2ImmedByte<immed_b2, 2>;
def me2_immed_b3 : Me2ImmedByte<immed_b3, 3>;
class Me2ImmedWord<Insn insn, int first> : ImmedFormat, Me2<insn> {
  let width = 2;
  let shift = first;
  let invert = 0;
  let Codecs = [ImmedSlots<65535>];
}
def me2_immed_w0 : Me2ImmedWord<immed_w0, 0>;
def me2_immed_w1 : Me2ImmedWord<immed_w1, 2>;

// ---------------------------------------------------------------------------------------------------------------------
// Local CSRs

def me2_local_csr_rd : CsrFormat, Me2<local_csr_rd> {
  let write = 0;
  let Codecs = [Number<CsrNumber, "csr", 0, 4>, Rest<"a", 0>, Rest<"b", 0x300>];
}
def me2_local_csr_wr : CsrFormat, Me2<local_csr_wr> {
  let write = 1;
  let Codecs = [Number<CsrNumber, "csr", 0, 4>, CsrSource];
}

// ---------------------------------------------------------------------------------------------------------------------
// Multiplier: three encodings of one instruction, told apart by the step

def me2_mul_start : MulFormat, Me2<mul_step> {
  let type = 0;
  let step = 0;
  let bank = 0;
  let Codecs = [UrPair<>, Codec<"mul_start", [], [MulSizeRole, MulStepRole]>];
  let When = [RoleValue<MulStepRole, 0>];
}
def me2_mul_step : MulFormat, Me2<mul_step> {
  let bank = 0;
  let Limits = [Limit<"type", [1, 2, 3]>, Limit<"step", [0, 1, 2, 3]>];
  let Codecs = [MulStepType, UrPair<>];
  let When = [
    RoleValue<MulStepRole, 1>, RoleValue<MulStepRole, 2>, RoleValue<MulStepRole, 3>, RoleValue<MulStepRole, 4>
  ];
}
def me2_mul_last : MulFormat, Me2<mul_step> {
  let Limits = [Limit<"type", [1, 2, 3]>, Limit<"step", [4, 5]>];
  let Codecs = [MulStepType, UrDestination<"a">, Rest<"b", 0x300>, Rest<"swap", 0>];
  let When = [RoleValue<MulStepRole, 5>, RoleValue<MulStepRole, 6>];
}

// ---------------------------------------------------------------------------------------------------------------------
// Commands

// unit[command, xfer, a, b, count] in all its variations; `doubled` as in SignalControl.
class Me2Memory<Insn insn, int number, int returns, int doubled> : MemoryFormat, Me2<insn> {
  let command = number;
  let old = returns;
  let Codecs = [
    Addresses, TransferS, Number<Count, "count", 1>, SignalControl<doubled>, Number<Indirect, "indirect">,
    Rest<"error", 0>
  ];
}
// read and write, where bit 19 is ignore_data_error
class Me2Block<Insn insn, int number, Codec transfer, int doubled> : MemoryFormat, Me2<insn> {
  let command = number;
  let old = 0;
  let Codecs = [
    Addresses, transfer, Number<Count, "count", 1>, SignalControl<doubled>, Number<Indirect, "indirect">,
    Number<IgnoreError, "error">
  ];
}
// one longword
class Me2Single<Insn insn, int number, int returns, int doubled> : MemoryFormat, Me2<insn> {
  let command = number;
  let old = returns;
  let Codecs = [
    Addresses, TransferS, Number<Count, "count", 1, 1, 1, 1>, SignalControl<doubled>, Number<Indirect, "indirect">,
    Rest<"error", 0>
  ];
}
// one longword, no transfer register
class Me2Dataless<Insn insn, int number, int returns> : MemoryFormat, Me2<insn> {
  let command = number;
  let old = returns;
  let Codecs = [
    Addresses, Rest<"xfer", 0>, Number<Count, "count", 1, 1, 1, 1>, SignalControl<0>, Number<Indirect, "indirect">,
    Rest<"error", 0>
  ];
}

// sram, command bits 00cccc
def me2_sram_read : Me2Block<sram_read, 0x00, TransferS, 0>;
def me2_sram_write : Me2Block<sram_write, 0x01, TransferS, 0>;
def me2_sram_swap : Me2Single<sram_swap, 0x02, 0, 1>;
def me2_sram_set : Me2Single<sram_set, 0x03, 0, 0>;
def me2_sram_clr : Me2Single<sram_clr, 0x04, 0, 0>;
def me2_sram_add : Me2Single<sram_add, 0x05, 0, 0>;
def me2_sram_test_and_set : Me2Single<sram_test_and_set, 0x03, 1, 1>;
def me2_sram_test_and_clr : Me2Single<sram_test_and_clr, 0x04, 1, 1>;
def me2_sram_test_and_add : Me2Single<sram_test_and_add, 0x05, 1, 1>;
def me2_sram_incr : Me2Dataless<sram_incr, 0x07, 0>;
def me2_sram_decr : Me2Dataless<sram_decr, 0x08, 0>;
def me2_sram_test_and_incr : Me2Single<sram_test_and_incr, 0x07, 1, 1>;
def me2_sram_test_and_decr : Me2Single<sram_test_and_decr, 0x08, 1, 1>;
def me2_sram_put : Me2Memory<sram_put, 0x09, 0, 1>;
def me2_sram_get : Me2Memory<sram_get, 0x09, 1, 0>;
def me2_sram_journal : Me2Memory<sram_journal, 0x0a, 0, 0>;
def me2_sram_fast_journal : Me2Dataless<sram_fast_journal, 0x0a, 1>;
def me2_sram_dequeue : Me2Single<sram_dequeue, 0x0b, 0, 0>;
def me2_sram_enqueue : Me2Dataless<sram_enqueue, 0x0c, 0>;
def me2_sram_enqueue_tail : Me2Dataless<sram_enqueue_tail, 0x0c, 1>;
def me2_sram_csr_wr : Me2Single<sram_csr_wr, 0x0d, 0, 0>;
def me2_sram_csr_rd : Me2Single<sram_csr_rd, 0x0d, 1, 0>;

// Queue descriptors: the token is a number of two bits.
class Me2Descriptor<Insn insn, int number, int which> : CommandFormat, Me2<insn> {
  let command = number;
  let token = which;
  let Codecs = [
    Addresses, Rest<"xfer", 0>, Number<Count, "count", 1, 1, 1, 1>, SignalControl<0>, Number<Indirect, "indirect">
  ];
}
class Me2DescriptorRead<Insn insn, int number, int which> : Me2Descriptor<insn, number, which> {
  let Codecs = [
    Addresses, TransferS, Number<Count, "count", 1>, SignalControl<0>, Number<Indirect, "indirect">
  ];
}
def me2_sram_wr_qdesc : Me2Descriptor<sram_wr_qdesc, 0x0e, 0>;
def me2_sram_wr_qdesc_count : Me2Descriptor<sram_wr_qdesc_count, 0x0e, 2>;
def me2_sram_rd_qdesc_other : Me2Descriptor<sram_rd_qdesc_other, 0x0f, 0>;
def me2_sram_rd_qdesc_tail : Me2DescriptorRead<sram_rd_qdesc_tail, 0x0f, 1>;
def me2_sram_rd_qdesc_head : Me2DescriptorRead<sram_rd_qdesc_head, 0x0f, 2>;

// scratch, command bits 01cccc
def me2_scratch_read : Me2Memory<scratch_read, 0x10, 0, 0>;
def me2_scratch_write : Me2Memory<scratch_write, 0x11, 0, 0>;
def me2_scratch_swap : Me2Single<scratch_swap, 0x12, 0, 1>;
def me2_scratch_set : Me2Single<scratch_set, 0x13, 0, 0>;
def me2_scratch_clr : Me2Single<scratch_clr, 0x14, 0, 0>;
def me2_scratch_add : Me2Single<scratch_add, 0x15, 0, 0>;
def me2_scratch_sub : Me2Single<scratch_sub, 0x16, 0, 0>;
def me2_scratch_test_and_set : Me2Single<scratch_test_and_set, 0x13, 1, 1>;
def me2_scratch_test_and_clr : Me2Single<scratch_test_and_clr, 0x14, 1, 1>;
def me2_scratch_test_and_add : Me2Single<scratch_test_and_add, 0x15, 1, 1>;
def me2_scratch_test_and_sub : Me2Single<scratch_test_and_sub, 0x16, 1, 1>;
def me2_scratch_incr : Me2Dataless<scratch_incr, 0x17, 0>;
def me2_scratch_decr : Me2Dataless<scratch_decr, 0x18, 0>;
def me2_scratch_test_and_incr : Me2Single<scratch_test_and_incr, 0x17, 1, 1>;
def me2_scratch_test_and_decr : Me2Single<scratch_test_and_decr, 0x18, 1, 1>;
def me2_scratch_get : Me2Memory<scratch_get, 0x19, 0, 0>;
def me2_scratch_put : Me2Memory<scratch_put, 0x1a, 0, 0>;

// dram, command bits 1010cc
def me2_dram_read : Me2Block<dram_read, 0x28, TransferD, 1>;
def me2_dram_write : Me2Block<dram_write, 0x29, TransferD, 1>;
class Me2DramBuffer<Insn insn, int number> : MemoryFormat, Me2<insn> {
  let command = number;
  let old = 0;
  let Codecs = [
    Addresses, Rest<"xfer", 0>, Number<Count, "count", 1>, SignalControl<1>, Number<Indirect, "indirect">,
    Rest<"error", 0>
  ];
}
def me2_dram_rbuf_rd : Me2DramBuffer<dram_rbuf_rd, 0x2a>;
def me2_dram_tbuf_wr : Me2DramBuffer<dram_tbuf_wr, 0x2b>;

// msf, command bits 11110w; cap with calculated address, 11111w; pci, 11010w
class Me2Unit<Insn insn, int number, int which> : CommandFormat, Me2<insn> {
  let command = number;
  let token = which;
  let Codecs = [
    Addresses, TransferS, Number<Count, "count", 1>, SignalControl<0>, Number<Indirect, "indirect">
  ];
}
def me2_msf_read : Me2Unit<msf_read, 0x3c, 0>;
def me2_msf_write : Me2Unit<msf_write, 0x3d, 0>;
def me2_msf_read64 : Me2Unit<msf_read64, 0x3c, 2>;
def me2_msf_write64 : Me2Unit<msf_write64, 0x3d, 2>;
def me2_msf_fast_wr : CommandFormat, Me2<msf_fast_wr> {
  let command = 0x3d;
  let token = 1;
  let ctl = 3;
  let signal = 0;
  let Codecs = [Addresses, Rest<"xfer", 0>, Rest<"count", 0>, Number<Indirect, "indirect">];
}
def me2_cap_calc_read : Me2Unit<cap_calc_read, 0x3e, 0>;
def me2_cap_calc_write : Me2Unit<cap_calc_write, 0x3f, 0>;
def me2_pci_read : Me2Unit<pci_read, 0x34, 0>;
def me2_pci_write : Me2Unit<pci_write, 0x35, 0>;

// cap by CSR address, command bits 1100fw
class Me2Cap<Insn insn, int number> : CapFormat, Me2<insn> {
  let command = number;
  let Codecs = [
    Number<CsrNumber, "csr">, TransferS, Number<Count, "count", 1>, SignalControl<0>, Number<Indirect, "indirect">
  ];
}
def me2_cap_read : Me2Cap<cap_read, 0x30>;
def me2_cap_write : Me2Cap<cap_write, 0x31>;
def me2_cap_fast_wr_alu : CapAluFormat, Me2<cap_fast_wr_alu> {
  let command = 0x32;
  let indirect = 0;
  let ctl = 3;
  let Codecs = [Number<CsrNumber, "csr">];
}
def me2_cap_fast_wr : CapDataFormat, Me2<cap_fast_wr> {
  let command = 0x33;
  let indirect = 0;
  let ctl = 3;
  let Codecs = [Number<CsrNumber, "csr">, Number<Data, "data">];
}

// hash, command bits 11011x
class Me2Hash<Insn insn, int size> : HashFormat, Me2<insn> {
  let command = 0x1b;
  let width = size;
  let Limits = [Limit<"count", [1, 2, 3]>];
  let Codecs = [
    TransferS, Number<Count, "count">, SignalControl<0>, Number<Indirect, "indirect">, Rest<"a", 0>, Rest<"b", 0>
  ];
}
def me2_hash_48 : Me2Hash<hash_48, 0>;
def me2_hash_64 : Me2Hash<hash_64, 1>;
def me2_hash_128 : Me2Hash<hash_128, 2>;
