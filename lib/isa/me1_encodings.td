// Which bits of me1 stand for which instruction.

class Me1<Insn insn> : Encoding<me1, insn>;

// One operand in one field; `side` 0 source register, 1 destination, 2 source register or constant.
class Me1Place<string file, string place, Role role, int side> : Codec<file # "_place", [place], [role], [side]>;
class Me1UrDest<string place = "dest"> : Me1Place<"ur", place, Dest, 1>;
class Me1ReDest<string place = "dest"> : Me1Place<"re", place, Dest, 1>;
def Me1UrRegister : Me1Place<"ur", "register", Left, 0>;
def Me1ReRegister : Me1Place<"re", "register", Left, 0>;
class Me1ReSource<Role role> : Me1Place<"re", "source", role, 2>;
// Two sources. `free` lists the AluOp values whose left operand may be "--".
class Me1Registers<string file, list<int> free = []>
    : Codec<file # "_registers", ["left", "right"], [Left, Right, Op], free>;
class Me1Constant<string file, list<int> free = []>
    : Codec<file # "_constant_pair", ["register", "constant", "order"], [Left, Right, Op], free>;
def Me1FieldPair : Codec<"field_pair", [], [Dest, Right]>;  // ld_field reads its destination too
// Shift codes: kind and amount of each, in order of the code. Kinds as in isa.h: 0 none, 1 left, 2 right, 3 rotate left,
// 4 rotate right, 5 left indirect, 6 right indirect.
def Me1ShiftSet : Codec<"shift_set", ["shift"], [Shift, Amount], [
  0, 0,
  1, 1, 1, 2, 1, 3, 1, 4, 1, 5, 1, 6, 1, 7, 1, 8, 1, 12, 1, 16, 1, 20, 1, 24,
  2, 1, 2, 2, 2, 3, 2, 4, 2, 5, 2, 6, 2, 7, 2, 8, 2, 12, 2, 16, 2, 20, 2, 24, 2, 28, 2, 31,
  3, 8, 3, 16, 4, 8,
  5, 0, 6, 0
]>;
def Me1FieldStart : Codec<"field_start", ["n"], [Shift, Amount]>;
def Me1Slots : Codec<"guess_or_defer", ["slots"], [Guess, Defer]>;
def Me1Arbitration : Codec<"unit_arbitration", ["bpt", "any", "signals"], [SignalMask, AnySignal, Breakpoint]>;
def Me1Addresses : Codec<"unit_addresses", ["a", "b"], [Left, Right]>;
class Me1Transfer<int d> : Codec<"unit_transfer", ["xfer"], [Xfer], [d]>;
// The event that the unit raises; numbers are those of the SignalName records.
class Me1Signal<int event> : Codec<"unit_signal", ["ctl"], [SignalNumber, SignalMode, Defer], [event]>;
def Me1One : Codec<"implied", [], [Count], [1]>;

defvar Me1Ops = [0, 0, 1, 1, 2, 4, 3, 5, 4, 8, 5, 9, 6, 12, 7, 13, 8, 16, 9, 17, 10, 20, 11, 21, 12, 24, 13, 25];
defvar Me1ShiftOps = [0, 0, 1, 4, 2, 8, 3, 12, 4, 16, 5, 20];

// ---------------------------------------------------------------------------------------------------------------------
// Computation

def me1_alu : Me1AluFormat, Me1<alu> {
  let Limits = [Limit<"op", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]>];
  let Codecs = [Table<Op, "op", Me1Ops>, Me1UrDest<>, Me1Registers<"ur", [0, 4]>];
  let WithSources = SourcesRegisters;
}
def me1_alu_constant : Me1AluConstantFormat, Me1<alu> {
  let Limits = [Limit<"op", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13]>];
  let Codecs = [Table<Op, "op", Me1Ops>, Me1UrDest<>, Me1Constant<"ur", [0, 4]>];
  let WithSources = SourcesConstant;
}
def me1_alu_shf : Me1ShiftFormat, Me1<alu_shf> {
  let Limits = [Limit<"op", [0, 1, 2, 3, 4, 5]>];
  let Codecs = [Table<Op, "op", Me1ShiftOps>, Me1ReDest<>, Me1Registers<"re", [0, 4]>, Me1ShiftSet];
  let WithSources = SourcesRegisters;
}
def me1_alu_shf_constant : Me1ShiftConstantFormat, Me1<alu_shf> {
  let Limits = [Limit<"op", [0, 1, 2, 3, 4, 5]>];
  let Codecs = [Table<Op, "op", Me1ShiftOps>, Me1ReDest<>, Me1Constant<"re", [0, 4]>, Me1ShiftSet];
  let WithSources = SourcesConstant;
}
def me1_dbl_shf : Me1DoubleFormat, Me1<dbl_shf> {
  let Codecs = [Me1ReDest<>, Me1Registers<"re">, RightShiftControl];
  let WithSources = SourcesRegisters;
}
def me1_dbl_shf_constant : Me1DoubleConstantFormat, Me1<dbl_shf> {
  let Codecs = [Me1ReDest<>, Me1Constant<"re">, RightShiftControl];
  let WithSources = SourcesConstant;
}
class Me1Field<Insn insn, int clr> : Me1FieldFormat, Me1<insn> {
  let clear = clr;
  let Codecs = [
    Me1ReDest<>, Me1ReSource<Right>, Me1FieldPair, Number<Mask, "mask">, Me1ShiftSet, Number<LoadCc, "load_cc">
  ];
}
def me1_ld_field : Me1Field<ld_field, 0>;
def me1_ld_field_w_clr : Me1Field<ld_field_w_clr, 1>;

def me1_find_bset : Me1FindFormat, Me1<find_bset> {
  let Codecs = [Me1ReRegister, Me1FieldStart];
}
def me1_find_bset_with_mask : Me1FindMaskFormat, Me1<find_bset_with_mask> {
  let Codecs = [Me1Registers<"re">, Me1FieldStart];
  let WithSources = SourcesRegisters;
}
def me1_find_bset_with_mask_constant : Me1FindMaskConstantFormat, Me1<find_bset_with_mask> {
  let Codecs = [Me1Constant<"re">, Me1FieldStart];
  let WithSources = SourcesConstant;
}
def me1_load_bset_result1 : Me1ResultFormat, Me1<load_bset_result1> {
  let result = 1;
  let Codecs = [Me1UrDest<>];
}
def me1_load_bset_result2 : Me1ResultFormat, Me1<load_bset_result2> {
  let result = 2;
  let Codecs = [Me1UrDest<>];
}

def me1_immed : Me1ImmedFormat, Me1<immed> {
  let Limits = [Limit<"shift", [0, 1, 2]>];
  let Codecs = [
    Me1UrDest<>, Number<Value, "value">, Number<Amount, "shift", 0, 8, 0, 16>, Number<Invert, "invert">
  ];
}
class Me1ImmedWord<Insn insn, int half> : Me1ImmedWordFormat, Me1<insn> {
  let high = half;
  let Codecs = [Me1UrDest<>, Number<Value, "value">];
}
def me1_immed_w0 : Me1ImmedWord<immed_w0, 0>;
def me1_immed_w1 : Me1ImmedWord<immed_w1, 1>;
class Me1ImmedByte<Insn insn, int number> : Me1ImmedByteFormat, Me1<insn> {
  let byte = number;
  let Codecs = [Me1UrDest<>, Number<Value, "value">];
}
def me1_immed_b0 : Me1ImmedByte<immed_b0, 0>;
def me1_immed_b1 : Me1ImmedByte<immed_b1, 1>;
def me1_immed_b2 : Me1ImmedByte<immed_b2, 2>;
def me1_immed_b3 : Me1ImmedByte<immed_b3, 3>;

// ---------------------------------------------------------------------------------------------------------------------
// Branches. Conditions are numbered as in me2. Deferred slots: one after br, br=ctx and br_signal, two after the others
// (Me1DeferredSlots in decisions.td).

class Me1Branch<Insn insn, int condition> : Me1BranchFormat, Me1<insn> {
  let cond = condition;
}
class Me1BranchCc<Insn insn, int condition> : Me1Branch<insn, condition> {
  let Codecs = [
    Number<Target, "target">, Number<Defer, "defer", 0, 1, 0, insn.Me1DeferMax>, Number<Guess, "guess">, Rest<"number", 0>
  ];
}
class Me1BranchNumber<Insn insn, int condition, Role role, int min, int max> : Me1Branch<insn, condition> {
  let Codecs = [
    Number<Target, "target">, Number<Defer, "defer", 0, 1, 0, insn.Me1DeferMax>, Number<Guess, "guess">,
    Number<role, "number", 0, 1, min, max>
  ];
}
def me1_beq : Me1BranchCc<beq, 0>;
def me1_bne : Me1BranchCc<bne, 1>;
def me1_bmi : Me1BranchCc<bmi, 2>;
def me1_bpl : Me1BranchCc<bpl, 3>;
def me1_bhs : Me1BranchCc<bhs, 4>;
def me1_blo : Me1BranchCc<blo, 5>;
def me1_bvs : Me1BranchCc<bvs, 6>;
def me1_bvc : Me1BranchCc<bvc, 7>;
def me1_bge : Me1BranchCc<bge, 8>;
def me1_blt : Me1BranchCc<blt, 9>;
def me1_ble : Me1BranchCc<ble, 10>;
def me1_bgt : Me1BranchCc<bgt, 11>;
def me1_br_eq_ctx : Me1BranchNumber<br_eq_ctx, 16, ContextNumber, 0, 3>;
def me1_br_ne_ctx : Me1BranchNumber<br_ne_ctx, 17, ContextNumber, 0, 3>;
def me1_br_signal : Me1BranchNumber<br_signal, 18, SignalNumber, 1, 9>;
def me1_br_not_signal : Me1BranchNumber<br_not_signal, 19, SignalNumber, 1, 9>;
def me1_br_inp_state : Me1BranchNumber<br_inp_state, 20, State, 0, 1>;
def me1_br_not_inp_state : Me1BranchNumber<br_not_inp_state, 21, State, 0, 1>;
def me1_br : Me1Branch<br, 24> {
  let Codecs = [Number<Target, "target">, Number<Defer, "defer", 0, 1, 0, br.Me1DeferMax>, Rest<"guess", 0>, Rest<"number", 0>];
}

class Me1BitTest<Insn insn, int value> : Me1BitFormat, Me1<insn> {
  let set = value;
  let Codecs = [
    Number<Target, "target">, Number<Defer, "defer", 0, 1, 0, insn.Me1DeferMax>, Number<Guess, "guess">,
    Number<BitNumber, "bit_number">, Me1ReRegister
  ];
}
def me1_br_bset : Me1BitTest<br_bset, 1>;
def me1_br_bclr : Me1BitTest<br_bclr, 0>;

class Me1ByteTest<Insn insn, int truth> : Me1ByteFormat, Me1<insn> {
  let equal = truth;
  let Codecs = [Number<Target, "target">, Me1Slots, Number<ByteNumber, "byte">, Number<Value, "value">, Me1ReRegister];
}
def me1_br_eq_byte : Me1ByteTest<br_eq_byte, 1>;
def me1_br_ne_byte : Me1ByteTest<br_ne_byte, 0>;

def me1_jump : Me1JumpFormat, Me1<jump> {
  let return = 0;
  let Codecs = [Me1UrRegister, Number<Target, "target">, Number<Defer, "defer", 0, 1, 0, jump.Me1DeferMax>];
}
def me1_rtn : Me1JumpFormat, Me1<rtn> {
  let return = 1;
  let Codecs = [Me1UrRegister, Rest<"target", 0>, Number<Defer, "defer", 0, 1, 0, rtn.Me1DeferMax>];
}

def me1_ctx_arb : Me1ArbFormat, Me1<ctx_arb> {
  let Codecs = [Me1Arbitration, Number<Defer, "defer">];
}

// ---------------------------------------------------------------------------------------------------------------------
// CSRs

def me1_local_csr_rd : Me1LocalCsrFormat, Me1<local_csr_rd> {
  let Codecs = [Number<CsrNumber, "csr", 0, 4>];
}
def me1_fast_wr : Me1FastFormat, Me1<fast_wr> {
  let Codecs = [Number<CsrNumber, "csr", 0, 4>, Me1ReSource<Left>];
}
class Me1CsrCommand<Insn insn, int number> : Me1CsrFormat, Me1<insn> {
  let command = number;
  let Codecs = [Number<CsrNumber, "csr", 0, 4>, Me1Transfer<0>, Me1One, Me1Signal<3>];
}
def me1_csr_read : Me1CsrCommand<csr_read, 0x20>;
def me1_csr_write : Me1CsrCommand<csr_write, 0x21>;

// ---------------------------------------------------------------------------------------------------------------------
// Commands. `event` as in Me1Signal: 1 sram, 2 sdram, 3 fbi, 4 pci.

class Me1Block<Insn insn, int number, int event, int max, int d = 0> : Me1CommandFormat, Me1<insn> {
  let command = number;
  let Codecs = [
    Me1Addresses, Me1Transfer<d>, Number<Count, "count", 1, 1, 1, max>, Me1Signal<event>, Number<Indirect, "indirect">
  ];
}
// Reads and writes have a number for each queue that they can name.
class Me1Queued<Insn insn, list<int> numbers, list<int> queues, int event, int max, int d = 0> : Me1CommandFormat, Me1<insn> {
  let Limits = [Limit<"command", numbers>];
  let Codecs = [
    Table<MemoryQueue, "command", queues>, Me1Addresses, Me1Transfer<d>, Number<Count, "count", 1, 1, 1, max>,
    Me1Signal<event>, Number<Indirect, "indirect">
  ];
}
class Me1Dataless<Insn insn, int number, int event, int max> : Me1CommandFormat, Me1<insn> {
  let command = number;
  let Codecs = [
    Me1Addresses, Rest<"xfer", 0>, Number<Count, "count", 1, 1, 1, max>, Me1Signal<event>, Number<Indirect, "indirect">
  ];
}
// Pairs of number and queue: 0 ordered, 1 optimize_mem, 2 priority.
def me1_sram_read : Me1Queued<sram_read, [0x00, 0x0c, 0x0e], [0x00, 0, 0x0c, 1, 0x0e, 2], 1, 8>;
def me1_sram_write : Me1Queued<sram_write, [0x01, 0x0f], [0x01, 0, 0x0f, 2], 1, 8>;
def me1_sram_read_lock : Me1Block<sram_read_lock, 0x02, 1, 8>;
def me1_sram_write_unlock : Me1Block<sram_write_unlock, 0x03, 1, 8>;
def me1_sram_unlock : Me1Dataless<sram_unlock, 0x04, 1, 1>;
def me1_sram_push : Me1CommandFormat, Me1<sram_push> {
  let command = 0x05;
  let Codecs = [Me1Addresses, Rest<"xfer", 0>, Number<ListNumber, "count">, Me1Signal<1>, Rest<"indirect", 0>];
}
def me1_sram_pop : Me1PlainFormat, Me1<sram_pop> {
  let command = 0x06;
  let Codecs = [Me1Transfer<0>, Number<ListNumber, "list_number">, Me1One, Me1Signal<1>];
}
def me1_sram_set_bits : Me1Block<sram_set_bits, 0x08, 1, 1>;
def me1_sram_clear_bits : Me1Block<sram_clear_bits, 0x09, 1, 1>;
def me1_sram_test_and_set_bits : Me1Block<sram_test_and_set_bits, 0x0a, 1, 1>;
def me1_sram_test_and_clear_bits : Me1Block<sram_test_and_clear_bits, 0x0b, 1, 1>;

def me1_scratch_read : Me1Block<scratch_read, 0x10, 3, 8>;
def me1_scratch_write : Me1Block<scratch_write, 0x11, 3, 8>;
def me1_scratch_incr : Me1Dataless<scratch_incr, 0x12, 3, 1>;
def me1_scratch_set_bits : Me1Block<scratch_set_bits, 0x18, 3, 1>;
def me1_scratch_clear_bits : Me1Block<scratch_clear_bits, 0x19, 3, 1>;
def me1_scratch_test_and_set_bits : Me1Block<scratch_test_and_set_bits, 0x1a, 3, 1>;
def me1_scratch_test_and_clear_bits : Me1Block<scratch_test_and_clear_bits, 0x1b, 3, 1>;

def me1_r_fifo_rd : Me1Block<r_fifo_rd, 0x22, 3, 4>;
def me1_t_fifo_wr : Me1Block<t_fifo_wr, 0x23, 3, 4>;
class Me1Hash<Insn insn, int number> : Me1PlainFormat, Me1<insn> {
  let command = number;
  let Codecs = [Me1Transfer<0>, Rest<"list_number", 0>, Me1One, Me1Signal<3>];
}
def me1_hash1_48 : Me1Hash<hash1_48, 0x28>;
def me1_hash2_48 : Me1Hash<hash2_48, 0x29>;
def me1_hash3_48 : Me1Hash<hash3_48, 0x2a>;
def me1_hash1_64 : Me1Hash<hash1_64, 0x2c>;
def me1_hash2_64 : Me1Hash<hash2_64, 0x2d>;
def me1_hash3_64 : Me1Hash<hash3_64, 0x2e>;

def me1_sdram_read : Me1Queued<sdram_read, [0x30, 0x34, 0x36], [0x30, 0, 0x34, 1, 0x36, 2], 2, 4, 1>;
def me1_sdram_write : Me1Queued<sdram_write, [0x31, 0x35, 0x37], [0x31, 0, 0x35, 1, 0x37, 2], 2, 4, 1>;
def me1_sdram_r_fifo_rd : Me1Dataless<sdram_r_fifo_rd, 0x32, 2, 8>;
def me1_sdram_t_fifo_wr : Me1Dataless<sdram_t_fifo_wr, 0x33, 2, 8>;

def me1_pci_dma : Me1CommandFormat, Me1<pci_dma> {
  let command = 0x38;
  let Codecs = [Me1Addresses, Rest<"xfer", 0>, Rest<"count", 0>, Me1Signal<4>, Rest<"indirect", 0>];
}
