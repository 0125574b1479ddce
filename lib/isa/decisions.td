// Where the public facts are silent (isa.md section 14) Weft decides. Every component follows these.

def CodesOfLogic : Decision<"V and C after logical operations",
    "`B ~B AND ~AND AND~ OR XOR`, all shifts, `ffs`, `pop_count3`, `ld_field` with `load_cc`, `cam_lookup` and the CAM reads: N and Z follow the result, V = 0 and C = 0. CRC, `byte_align`, `mul_step`, `cam_write*` and the `immed` family leave the codes alone.">;
def CodesOfAdd : Decision<"C and V of arithmetic",
    "Additions: C = carry out of bit 31, V = signed overflow; `+16` and `+8` are additions of the masked operand. Subtractions (`-`, `B-A`, `-carry`): C = no borrow (public programs rely on this one), V = signed overflow.">;
def BranchCost : Decision<"Cost of taken branches and swaps",
    "Aborted slots when taken: 2 for `br`, `br=ctx`, `br_signal`; 3 for condition-code branches and for `br_bset`, `br=byte`, `br_inp_state`, `jump`, `rtn`; 2 for a swap; less the slots filled by `defer`. Nothing when not taken. The figures stand in the chip file.">;
def Latencies : Decision<"Latencies of units",
    "Unloaded, in engine cycles from issue to Ready: scratch 60, SRAM 90, DRAM 120, MSF as scratch, hash 7 and more by width, a signal to the same engine 8, to a neighbor 12. All are figures of the chip file.">;
def SignalClearing : Decision<"When signals are consumed",
    "`br_signal` clears the signal that it finds set; `br_!signal` clears nothing. `ctx_arb` and `ctx_swap` consume the awaited signals on wake-up: with `all` the whole mask, with `any` those of the mask that were set.">;
def IdleSlots : Decision<"What an idle operand slot holds",
    "Slot A 000; unrestricted slot B 300; restricted slots 00. When reading, 000 in an idle slot B is `--` too, because loaders write it so. A register 0 named as the left operand of `B` or `~B` is read as `--`; an indirect shift after such a `--` takes its amount from register 0 of the bank of that slot (a0, or b0 when the right operand is in bank A).">;
def SameSort : Decision<"Two operands of one sort",
    "Two sources of one bank, two constants, two transfer registers (of either kind), two neighbor registers or two local-memory operands cannot stand in one instruction; words that would need it are not read.">;
def Bit31 : Decision<"br_bset and br_bclr on bit 31",
    "Written with the constant 32 (code 60); the constant 0 (code 20) is read as the same and is not canonical.">;
def JumpHigh : Decision<"High bits of a jump's address",
    "Five bits, 26:22: enough for the 8192 words of the largest control store.">;
def AlignSlot : Decision<"Operand of byte_align",
    "`byte_align_be` takes its operand as the second source (B), `byte_align_le` as the first (A), each in the slot that its bank demands; the idle slot is 00.">;
def CrcSlot : Decision<"Operand of CRC instructions",
    "The options lie over slot B, so the data comes through slot A with swap = 1 and cannot be a register of bank B.">;
def CrcUnit : Decision<"CRC arithmetic",
    "The remainder is right-aligned as the published algorithms define it, without initial or final inversion. `crc_be` takes the bits of a byte most significant first, with the polynomial as published; `crc_le` least significant first, with the polynomial reflected. Polynomials: ccitt 1021, crc_32 04c11db7, iscsi 1edc6f41, crc_10 233, crc_5 05. Byte 0 is the most significant byte for `crc_be` and the least significant for `crc_le`; bytes are taken in increasing number. `bit_swap` reverses the bits of each byte before use. Type `none` leaves the remainder alone.">;
def CamDetails : Decision<"CAM details",
    "There is no valid bit: after `cam_clear` a lookup of 0 hits entry 0. When several tags match the lowest entry wins. The options of `cam_lookup` stand in the other slot as a constant (300 | options).">;
def FfsZero : Decision<"ffs of 0", "gives 0 with Z = 1. For every other source Z = 0, also when the lowest set bit is bit 0. N = 0.">;
def MulSizeBits : Decision<"Size of a multiplication",
    "The start word does not hold the size; the steps do. It is read back as plain `start`.">;
def AfterSwap : Decision<"Condition codes and previous ALU state after a swap",
    "are undefined for programs. The model leaves them as the other contexts made them.">;
def CsrRead : Decision<"Reading local CSRs",
    "The instruction after `local_csr_rd` must be of the `immed` family and delivers the value in the place of its own result; otherwise the value is lost. Unassigned CSRs read as 0, writes to read-only ones are ignored.">;
def NeighborRing : Decision<"Next-neighbor ring",
    "128 entries, pointers modulo 128, full at 128; NN_EMPTY compares with the threshold in CTX_ENABLES.">;
def IndirectFields : Decision<"indirect_ref",
    "Only the buffer address (bits 18:5 with 4) and the count (bits 24:21 with 25) of the word are used; all other bits are ignored.">;
def TwoSignals : Decision<"Commands with two signals",
    "dram commands, swap, the test_and_ forms and the SRAM ring put (which takes data and returns a count) raise the signal and the next one; the first must be even, and `ctx_swap` is refused. The words that say otherwise are not read.">;
def TransferKinds : Decision<"Transfer registers above 15",
    "In a command, bit 4 of the register number selects the other kind when eight contexts have 16 registers of a kind each, as $16 = $$0. The reader always names the unit's own kind, 0-31.">;
def ReservedBits : Decision<"Reserved bits",
    "are written as 0 and ignored when read; a word with any of them set is not canonical. Codes, commands and operations without a public meaning are not read at all.">;
def NoPull : Decision<"no_pull and no_cc", "are known as names. No public encoding exists for this part, so no instruction takes them.">;

// me1, of which no encoding and no microcode source is public (isa.md 12, 14 #18).
def Me1Encoding : Decision<"Encoding of me1", "The 32-bit words are our own (me1_formats.td). Absolute GPRs 0-63, relative GPRs 0-15, `$` and `$$` 0-7, constants 0-255 in computations and 0-127 in addresses, shifts and rotations by the set `<<1`-`<<8` `<<12` `<<16` `<<20` `<<24`, `>>1`-`>>8` `>>12` `>>16` `>>20` `>>24` `>>28` `>>31`, `<<rot8` `<<rot16` `<<rot24`, and both indirect ones; `dbl_shf` by 1 to 31. Not there: `ctx_arb[--]`, `br[]`, `local_csr_wr`, indexed transfer registers.">;
def UnitSignals : Decision<"Signals of me1", "Each unit raises its own event bit: 1 sram, 2 sdram, 3 fbi, 4 pci, 5 inter_thread, 6 start_receive, 7 auto_push, 8 seq_num1_change, 9 seq_num2_change. `ctx_swap` and `sig_done` stand without a name. A second signalling reference to a unit before the first was awaited is legal and counts once.">;
def Me1Queues : Decision<"Memory queues of me1", "`sram[read]`, `sram[write]`, `sdram[read]` and `sdram[write]` name the queue of their unit: `ordered` (the default), `optimize_mem` (not `sram[write]`: SRAM sorts reads alone), `priority`. The names are public (Intel's application note on headroom, p. 17), numbers and default are ours. All other commands are ordered.">;
def Me1Indirect : Decision<"Indirect word of me1", "6:0 place in the RFIFO or TFIFO in quadwords (`sdram[r_fifo_rd]`, `sdram[t_fifo_wr]`); 20 overrides the byte mask of `sdram[write]` by 19:12, bit 19 for the byte of the lowest address, the same for each quadword; 25 overrides the count by 24:21 + 1. The last two stand where me2 has them.">;
def Me1AddressUnits : Decision<"Addresses of me1", "count longwords in SRAM and scratch, quadwords in SDRAM and the FIFOs, for the engine is longword-addressed (NCTU thesis).">;
def Me1DeferredSlots : Decision<"Deferred slots of me1", "One after `br`, `br=ctx`, `br_signal`, `ctx_arb` and `ctx_swap`, two after the other branches. The pipeline is one stage shorter than that of me2, where `br=ctx` and its like may have two and branches on condition codes, `br_bset` and `br=byte` three; two is the limit of `br_inp_state` in both. `guess_branch` goes with every conditional branch; with `br=byte` not together with `defer`.">;
def BsetDetails : Decision<"find_bset", "counts from the low end of the field and gives 16 when no bit is set; each call moves result 1 to result 2. One instruction must stand between it and the load. `find_bset_with_mask[mask, source, >>n]` does the same with the bits of the field that are set in the mask; its operands stand as those of `alu_shf[--, mask, AND, source, >>n]`.">;
