// Computation: alu and its special operations, shifts, fields, CRC, CAM, multiplier, constants.

class Compute<string mnemonic> : Insn<mnemonic> {
  let InGroup = GroupCompute;
  let Cycles = CyclesSingle;
  let ServedBy = UnitNone;
  let Transfer = XferNone;
  let Signals = SignalNone;
}
// Replaces all of its destination.
class Result<string mnemonic> : Compute<mnemonic> {
  let Bytes = 0b1111;
}
// Has no destination.
class NoResult<string mnemonic> : Compute<mnemonic> {
  let Bytes = 0;
}

defvar SourcesRule = " The two sources must differ in sort: not two of one bank, two constants, two transfer, two neighbor or two local-memory operands.";
defvar LmHazard = "a local-memory operand uses the pointer as it was more than three instructions ago";

def alu : Result<"alu"> {
  let Summary = "Adds, subtracts or combines two operands.";
  let Doc = !strconcat("`dest = left OP right`.\n\n| OP | result | OP | result |\n|---|---|---|---|\n| `B` | right | `+` | left + right |\n| `~B` | ~right | `+16` | left + (right & 0xffff) |\n| `AND` | left & right | `+8` | left + (right & 0xff) |\n| `~AND` | ~left & right | `+carry` | left + right + C |\n| `AND~` | left & ~right | `-` | left - right |\n| `OR` | left \\| right | `B-A` | right - left |\n| `XOR` | left ^ right | `-carry` | left - right - (1 - C) |\n\n",
                       "`B` and `~B` normally take `--` as left operand; a real one does not change the result but is what a following indirect shift reads.", SourcesRule, "\n\n",
                       "N and Z follow the result in all cases. Additions set C to the carry out of bit 31 and V on signed overflow; subtractions set C when there is no borrow; the others clear both. `bhs` and `blo` after `-` compare unsigned numbers.\n\n",
                       "With a shift as fifth operand and one of `B ~B AND ~AND AND~ OR` it is assembled as `alu_shf`.\n\n",
                       "Sources: words of the two public programs for B + AND XOR OR -, two open sources for the other operations (isa.md 3.4, 5.1).");
  let Forms = [
    Form<[Arg<Dest, UrDest>, OptArg<Left, UrSource>, Arg<Op, AluOpArg>, Arg<Right, UrSource>]>,
    Form<[Arg<Dest, ReDest>, OptArg<Left, ReSource>, Arg<Op, ShfOpArg>, Arg<Right, ReSource>, Arg<Shift, ShiftArg>]>
  ];
  let SetsCc = 1;
  let ReadsCc = 1;
  let PreviousAlu = 1;
  let Hazards = [LmHazard,
                       "`+carry` and `-carry` read C: nothing that sets the codes, and no swap, between the two halves"];
  let Decisions = ["CodesOfLogic", "CodesOfAdd", "IdleSlots", "SameSort"];
}

def alu_shf : Result<"alu_shf"> {
  let Summary = "Combines one operand with another that is shifted or rotated.";
  let Doc = !strconcat("`dest = left OP (right shift)`: the right operand is shifted first, then OP is one of `B ~B AND ~AND AND~ OR`. There is no XOR and no arithmetic.\n\n",
                       "Shifts: `<<n` and `>>n` fill with zeros, `<<rotn` and `>>rotn` rotate, n 1 to 31. `<<indirect` and `>>indirect` take the amount from the low five bits of the left operand of the instruction before, which must be a `B ~B AND ~AND AND~ XOR OR`; an indirect amount of 0 shifts by nothing. `<<rotK` is the same word as `>>rot(32-K)`.\n\n",
                       "Operands are restricted: no absolute registers, no `n$n`, local memory with offset 0 to 7 and without post-modify.", SourcesRule, "\n\n", "N and Z follow the result, V and C are cleared.\n\n",
                       "Sources: public words for B AND OR with `<<n` and `>>n`, open sources for the rest (isa.md 3.5).");
  let Forms = [
    Form<[Arg<Dest, ReDest>, OptArg<Left, ReSource>, Arg<Op, ShfOpArg>, Arg<Right, ReSource>, OptArg<Shift, ShiftArg>]>
  ];
  let SetsCc = 1;
  let PreviousAlu = 1;
  let Hazards = ["an indirect shift must directly follow the instruction that holds its amount"];
  let Decisions = ["CodesOfLogic", "IdleSlots", "SameSort", "AfterSwap"];
}

def dbl_shf : Result<"dbl_shf"> {
  let Summary = "Shifts a pair of operands right and keeps the low 32 bits.";
  let Doc = !strconcat("`dest = low 32 bits of ({left, right} >> n)` with left as the upper half; n 1 to 31, or `>>indirect` with the amount from the left operand of the instruction before. Only to the right.", SourcesRule,
                       "\n\nN and Z follow the result, V and C are cleared. Source: open sources (isa.md 3.5, 5.1).");
  let Forms = [
    Form<[Arg<Dest, ReDest>, Arg<Left, ReSource>, Arg<Right, ReSource>, Arg<Shift, RightShiftArg>]>
  ];
  let SetsCc = 1;
  let PreviousAlu = 1;
  let Hazards = ["an indirect shift must directly follow the instruction that holds its amount"];
  let Decisions = ["CodesOfLogic", "SameSort"];
}

def asr : Result<"asr"> {
  let Reads = [StatePrevious];
  let Profiles = ["me2"];
  let Summary = "Shifts right and fills with the sign of the previous ALU result.";
  let Doc = "`dest = right >> n`, the freed bits being copies of bit 31 of the result of the instruction before. That instruction is normally `alu[--, --, B, src]` on the same register; it can supply the amount of `>>indirect` (by its left operand) as well.\n\n"
            "N and Z follow the result, V and C are cleared. Source: vendor documentation and open sources (isa.md 3.5, 5.1).";
  let Forms = [Form<[Arg<Dest, ReDest>, Arg<Right, ReSource>, Arg<Shift, RightShiftArg>]>];
  let SetsCc = 1;
  let PreviousAlu = 1;
  let Hazards = ["must directly follow an ALU instruction on the same value"];
  let Decisions = ["CodesOfLogic", "AfterSwap"];
}

def ffs : Result<"ffs"> {
  let Profiles = ["me2"];
  let Summary = "Finds the lowest set bit.";
  let Doc = "`dest = number of the lowest set bit of right`, counted from bit 0. Z = 1 only when the source is 0 (then dest = 0); N, V and C are cleared.\n\nSource: the open disassembler (isa.md 3.4).";
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Right, UrSource>]>];
  let SetsCc = 1;
  let PreviousAlu = 1;
  let Decisions = ["FfsZero", "CodesOfLogic"];
}

class PopCountStep<string mnemonic> : NoResult<mnemonic> {
  let Body = "pop_count_step";
  let Reads = [StatePopCount]; let Writes = [StatePopCount];
  let Profiles = ["me2"];
  let Forms = [Form<[Arg<Right, UrSource>]>];
  let Hazards = ["pop_count1, pop_count2 and pop_count3 stand in this order, next to each other, with the same source"];
}
def pop_count1 : PopCountStep<"pop_count1"> {
  let Before = "pop_count2";
  let Summary = "First third of counting the set bits of a word.";
  let Doc = "Starts a count. No destination; the codes stay. A post-modified source belongs into `pop_count3` only. Source: the open disassembler (isa.md 3.4, 5.1).";
}
def pop_count2 : PopCountStep<"pop_count2"> {
  let Behind = "pop_count1"; let Before = "pop_count3";
  let Summary = "Second third of counting the set bits of a word.";
  let Doc = "Goes on with the count. No destination; the codes stay. Source: the open disassembler (isa.md 3.4, 5.1).";
}
def pop_count3 : Result<"pop_count3"> {
  let Behind = "pop_count2"; let Reads = [StatePopCount];
  let Profiles = ["me2"];
  let Summary = "Delivers the number of set bits of a word.";
  let Doc = "`dest = number of ones in right`, 0 to 32, after `pop_count1` and `pop_count2` on the same source. N and Z follow the result, V and C are cleared. Source: the open disassembler (isa.md 3.4, 5.1).";
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Right, UrSource>]>];
  let SetsCc = 1;
  let PreviousAlu = 1;
  let Hazards = ["pop_count1, pop_count2 and pop_count3 stand in this order, next to each other, with the same source"];
  let Decisions = ["CodesOfLogic"];
}

class ByteAlign<string mnemonic, Role source> : Result<mnemonic> {
  let Reads = [StatePrevious, StateByteIndex]; let Writes = [StatePrevious];
  let Profiles = ["me2"];
  let Forms = [Form<[Arg<Dest, ReDest>, Arg<source, ReSource>]>];
  let Hazards = ["BYTE_INDEX must have been written more than three instructions ago", "no other ALU instruction between the steps of one chain"];
  let Decisions = ["AlignSlot", "AfterSwap"];
}
def byte_align_be : ByteAlign<"byte_align_be", Right> {
  let Summary = "Takes four bytes across the border of two words, most significant byte first.";
  let Doc = "`dest = low 32 bits of {previous, right} >> (32, 24, 16, 8)` for BYTE_INDEX[1:0] = 0, 1, 2, 3, where previous is the right operand of the instruction before. The first of a chain primes the previous operand and has `--` as destination; n aligned words need n + 1 instructions.\n\nThe codes stay. Source: HRM p. 43-45 (isa.md 5.1).";
}
def byte_align_le : ByteAlign<"byte_align_le", Left> {
  let Summary = "Takes four bytes across the border of two words, least significant byte first.";
  let Doc = "`dest = low 32 bits of {left, previous} >> (0, 8, 16, 24)` for BYTE_INDEX[1:0] = 0, 1, 2, 3, where previous is the left operand of the instruction before. The first of a chain primes the previous operand and has `--` as destination.\n\nThe codes stay. Source: HRM p. 43-45 (isa.md 5.1).";
}

class LdField<string mnemonic> : Compute<mnemonic> {
  let PairsDest = 1;
  let Forms = [Form<[Arg<Dest, ReDest>, Arg<Mask, ByteMaskArg>, Arg<Right, ReSource>, OptArg<Shift, ShiftArg>]>];
  let Tokens = [TokLoadCc];
  let SetsCc = 1;
  let PreviousAlu = 1;
  let Decisions = ["CodesOfLogic", "SameSort"];
}
def ld_field : LdField<"ld_field"> {
  let Bytes = 16;
  let Summary = "Replaces bytes of a register by bytes of a shifted source.";
  let Doc = "For each 1 in the mask (first digit = byte 3) that byte of `right shift` goes to dest; the other bytes of dest stay. Destination and source must differ in sort, because the destination is read as well: of a transfer register its read register, of a neighbor register what this engine reads.\n\nThe codes are set, N and Z by the result with V = C = 0, only with `load_cc`. Source: two open sources (isa.md 3.6).";
}
def ld_field_w_clr : LdField<"ld_field_w_clr"> {
  let Bytes = 0b1111;
  let Summary = "Fills a register with some bytes of a shifted source and zeros.";
  let Doc = "For each 1 in the mask (first digit = byte 3) that byte of `right shift` goes to dest; the other bytes become 0. Destination and source must differ in sort all the same.\n\nThe codes are set, N and Z by the result with V = C = 0, only with `load_cc`. Source: two open sources (isa.md 3.6).";
}

def mul_step : Result<"mul_step"> {
  let Behind = "mul_step"; let Before = "mul_step"; let Reads = [StateMultiplier]; let Writes = [StateMultiplier];
  let Profiles = ["me2"];
  let Summary = "One step of a multiplication.";
  let Doc = "Unsigned products in a fixed sequence of adjacent words:\n\n| size | sequence |\n|---|---|\n| 24 x 8 | `24x8_start`, `24x8_step1`, `24x8_last` |\n| 16 x 16 | `16x16_start`, `_step1`, `_step2`, `_last` |\n| 32 x 32 | `32x32_start`, `_step1` to `_step4`, `_last`, `_last2` |\n\n"
            "The start and the steps name the same two operands; `last` writes bits 31:0 of the product to its destination, `last2` bits 63:32. For 24 x 8 the left operand has 24 bits and the right one 8. The codes stay.\n\nSource: two open sources (isa.md 3.12, 5.1).";
  let Forms = [
    Form<[Arg<Left, UrSource>, Arg<Right, UrSource>, Arg<MulStepRole, MulStepArg>]>,
    Form<[Arg<Dest, UrDest>, Arg<Right, NoneOnly>, Arg<MulStepRole, MulStepArg>]>
  ];
  let Hazards = ["the sequence must be complete, adjacent, in order, and with unchanged operands"];
  let Decisions = ["MulSizeBits", "SameSort"];
}

class Crc<string mnemonic> : Result<mnemonic> {
  let Writes = [StateCrcRemainder]; let Late = [Hazard<StateCrcUnit, 1>, Hazard<StateCrcRemainder, 5>];
  let Reads = [StateCrcUnit, StateCrcRemainder]; let RightInA = 1;
  let Profiles = ["me2"];
  let Forms = [Form<[Arg<CrcTypeRole, CrcTypeArg>, Arg<Dest, UrDest>, Arg<Right, UrSource>]>];
  let Tokens = [TokBytes03, TokBytes13, TokBytes23, TokBytes3, TokBytes02, TokBytes01, TokBytes0, TokBitSwap];
  let Hazards = ["one instruction between two CRC instructions",
                       "five cycles between the last CRC instruction and reading CRC_REMAINDER"];
  let Decisions = ["CrcSlot", "CrcUnit"];
}
def crc_be : Crc<"crc_be"> {
  let Summary = "Feeds bytes of a word to the CRC unit, most significant byte first.";
  let Doc = "CRC_REMAINDER is advanced by the selected bytes of right; dest gets right unchanged and may be `--`. Byte 0 is the most significant byte. Within a byte the most significant bit goes first. The source cannot be a register of bank B. The codes stay.\n\nSource: HRM p. 179, field positions from the open disassembler (isa.md 3.4, 10.8); the arithmetic in detail is ours.";
}
def crc_le : Crc<"crc_le"> {
  let Summary = "Feeds bytes of a word to the CRC unit, least significant byte first.";
  let Doc = "CRC_REMAINDER is advanced by the selected bytes of right; dest gets right unchanged and may be `--`. Byte 0 is the least significant byte. Within a byte the least significant bit goes first and the polynomial is reflected. The source cannot be a register of bank B. The codes stay.\n\nSource: HRM p. 179, field positions from the open disassembler (isa.md 3.4, 10.8); the arithmetic in detail is ours.";
}

def cam_clear : NoResult<"cam_clear"> {
  let Writes = [StateCam];
  let Profiles = ["me2"];
  let Summary = "Clears the CAM.";
  let Doc = "All 16 tags and states become 0; entry 0 is least recently used, entry 15 most recently. The codes stay. Source: HRM p. 45-47 (isa.md 10.7).";
  let Forms = [Form<[]>];
  let Decisions = ["CamDetails"];
}
def cam_lookup : Result<"cam_lookup"> {
  let Reads = [StateCam]; let Writes = [StateLmSelected]; let Late = [Hazard<StateLmSelected, 3>];
  let Profiles = ["me2"];
  let Summary = "Looks a value up in the CAM.";
  let Doc = "Compares left with all 16 tags. dest gets, on a hit, the state in 11:8, bit 7 = 1 and the entry in 6:3; on a miss the least recently used entry in 6:3 and zeros. A hit makes the entry most recently used.\n\n`lm_addr0[n]` or `lm_addr1[n]` loads that local-memory pointer with n << 10 | entry << 6, as if written by `local_csr_wr`. Bits 11:3 of the result make `jump` targets eight words apart.\n\nN and Z follow the result, V and C are cleared. Source: HRM p. 45-47, 176-179 (isa.md 10.7).";
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Left, UrSource>]>];
  let Tokens = [TokLmAddr0, TokLmAddr1];
  let SetsCc = 1;
  let PreviousAlu = 1;
  let Hazards = ["three instructions between a lookup that loads a pointer and the first use of the pointer"];
  let Decisions = ["CamDetails", "CodesOfLogic"];
}
def cam_write : NoResult<"cam_write"> {
  let Writes = [StateCam]; let RightIsCamEntry = 1;
  let Profiles = ["me2"];
  let Summary = "Writes tag and state of a CAM entry.";
  let Doc = "The entry (low four bits of right) gets the tag left and the state, 0 to 15, and becomes most recently used. Written `cam_write[entry, tag, state]`. Entry and tag must differ in sort. The codes stay. Source: HRM p. 45-47, field positions from the open disassembler (isa.md 3.4, 10.7).";
  let Forms = [Form<[Arg<Right, UrSource>, Arg<Left, UrSource>, Arg<CamState, ConstantArg, 0, 15>]>];
  let Decisions = ["CamDetails", "SameSort"];
}
def cam_write_state : NoResult<"cam_write_state"> {
  let Writes = [StateCam]; let RightIsCamEntry = 1;
  let Profiles = ["me2"];
  let Summary = "Writes the state of a CAM entry.";
  let Doc = "The entry (low four bits of right) gets the state, 0 to 15; tag and order of use stay. The codes stay. Source: HRM p. 45-47 (isa.md 3.4, 10.7).";
  let Forms = [Form<[Arg<Right, UrSource>, Arg<CamState, ConstantArg, 0, 15>]>];
  let Decisions = ["CamDetails"];
}
class CamRead<string mnemonic> : Result<mnemonic> {
  let RightIsCamEntry = 1;
  let Reads = [StateCam];
  let Profiles = ["me2"];
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Right, UrSource>]>];
  let SetsCc = 1;
  let PreviousAlu = 1;
  let Decisions = ["CamDetails", "CodesOfLogic"];
}
def cam_read_tag : CamRead<"cam_read_tag"> {
  let Summary = "Reads the tag of a CAM entry.";
  let Doc = "`dest = tag of the entry` in the low four bits of right; the order of use stays. N and Z follow the result, V and C are cleared. Source: HRM p. 45-47 (isa.md 3.4, 10.7).";
}
def cam_read_state : CamRead<"cam_read_state"> {
  let Summary = "Reads the state of a CAM entry.";
  let Doc = "`dest = state << 8` of the entry in the low four bits of right; the order of use stays. N and Z follow the result, V and C are cleared. Source: HRM p. 45-47 (isa.md 3.4, 10.7).";
}

defvar ImmedSource = " The codes stay. A destination that is a transfer register, local memory or a neighbor register works as a GPR does.";

defvar KeptBytes = " Bytes that stay are those that dest has as a source: of a transfer register those of its read register, of a neighbor register those that this engine reads.";

def immed : Result<"immed"> {
  let Summary = "Loads a constant.";
  let Doc = !strconcat("`dest = value << shift`, value 16 bits, shift 0, 8 or 16; or the complement of that, so that numbers whose upper bits are all ones fit too. Written with the 32-bit value alone, the first fitting form is taken: plain before complemented, small shifts first. Written with an explicit shift the number is the one before the shift, 0 to 0xffff, or 0xffff0000 to 0xffffffff for a complement: `immed[a0, 0xffffff00, <<8]` is ~(0xff << 8).\n\n",
                       "After `local_csr_rd` the value of the CSR takes the place of the result. `nop` is `immed[--, 0]`, and so is `nop_volatile`, which `-O` leaves where it stands.", ImmedSource,
                       "\n\nSource: public words for shifts 0, open sources for shift and complement (isa.md 3.9).");
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Value, ImmediateArg>, OptArg<Amount, ByteShiftArg>]>];
  let Decisions = ["CsrRead"];
}
class ImmedByte<string mnemonic, string which, int bytes> : Compute<mnemonic> {
  let Body = "immed_part";
  let Bytes = bytes;
  let Summary = "Replaces byte " # which # " of a register by a constant.";
  let Doc = !strconcat("Byte ", which,
                       " of dest becomes the value, 0 to 255; the other bytes stay.", KeptBytes, " The codes stay. Source: two open sources (isa.md 3.9).");
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Value, ConstantArg, 0, 255>]>];
}
class ImmedWord<string mnemonic, string which, int bytes> : Compute<mnemonic> {
  let Body = "immed_part";
  let Bytes = bytes;
  let Summary = "Replaces the " # which # " half of a register by a constant.";
  let Doc = !strconcat("The ", which, " 16 bits of dest become the value; the others stay.", KeptBytes,
                       " The codes stay. `immed` and then `immed_w1` load any 32-bit constant into a GPR, or into local memory by a pointer that stays. Source: public words (isa.md 3.9).");
  let Forms = [Form<[Arg<Dest, UrDest>, Arg<Value, ConstantArg, 0, 65535>]>];
}
def immed_b0 : ImmedByte<"immed_b0", "0", 1>;
def immed_b1 : ImmedByte<"immed_b1", "1", 2>;
def immed_b2 : ImmedByte<"immed_b2", "2", 4>;
def immed_b3 : ImmedByte<"immed_b3", "3", 8>;
def immed_w0 : ImmedWord<"immed_w0", "low", 0b0011>;
def immed_w1 : ImmedWord<"immed_w1", "high", 0b1100>;

def : Alias<"nop", immed, [], 1>;
// The same word; the optimiser leaves it where it stands.
def : Alias<"nop_volatile", immed>;
