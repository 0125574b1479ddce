// Instructions that only the IXP1200 generation has. Their names are public (isa.md 12.2), what they do in detail is
// known from secondary sources at best; each text says what we decided.

// Joined by !strconcat: '#' takes a name on its right as text.
defvar Me1Silent = "\n\nThe codes stay. Source: the name is public (isa.md 12.2), the details are ours.";
defvar Me1SramText = !strconcat("\n\n*Address:* the sum of both operands, in longwords.", Me1Silent);
defvar Me1ScratchText = !strconcat("\n\n*Address:* the sum of both operands, in longwords; 4 KB.", Me1Silent);
defvar Me1SdramText = !strconcat("\n\n*Address:* the sum of both operands, in quadwords (8 bytes).", Me1Silent);
defvar Me1FifoText = !strconcat("\n\n*Address:* the sum of both operands, in quadwords: element (0 to 15) * 8 + quadword. Raises fbi.", Me1Silent);

class Me1Compute<string mnemonic> : Compute<mnemonic> {
  let Profiles = ["me1"];
  let Decisions = ["BsetDetails"];
}
def find_bset : Me1Compute<"find_bset"> {
  let Bytes = 0; let Reads = [StateBset]; let Writes = [StateBset]; let Late = [Hazard<StateBset, 1>];
  let Summary = "Looks for the lowest set bit in a 16-bit field of a register.";
  let Doc = "The field is bits n+15 to n of left, n given as `>>n` (1 to 31, 0 when nothing is written; bits beyond 31 are 0). The number of the lowest set bit in the field, 0 to 15, or 16 when there is none, becomes result 1, and what was result 1 becomes result 2. Two calls, without and with `>>16`, search a register. The codes stay.\n\nSource: the name, the 16-bit field and the two results are public (NCTU thesis, table 1; isa.md 12.2); order and the value for an empty field are ours.";
  let Forms = [Form<[Arg<Left, ReRegister>, OptArg<Shift, RightShiftArg>]>];
  let Hazards = ["one instruction between find_bset and the load of its result"];
}
def find_bset_with_mask : Me1Compute<"find_bset_with_mask"> {
  let Bytes = 0; let Reads = [StateBset]; let Writes = [StateBset]; let Late = [Hazard<StateBset, 1>];
  let Summary = "Looks for the lowest set bit in those bits of a 16-bit field that a mask names.";
  let Doc = "The field is bits n+15 to n of right, n given as `>>n` (1 to 31, 0 when nothing is written; bits beyond 31 are 0). Of it count the bits that are set in left, the mask: bit 0 of the mask belongs to bit n of right, and bits 31 to 16 of the mask are not looked at. The number of the lowest of them in the field, 0 to 15, or 16 when there is none, becomes result 1, and what was result 1 becomes result 2, as after `find_bset`. The codes stay.\n\nSource: the name is public (isa.md 12.2); order of the operands, mask after the shift and word are ours.";
  let Forms = [Form<[Arg<Left, ReSource>, Arg<Right, ReSource>, OptArg<Shift, RightShiftArg>]>];
  let Hazards = ["one instruction between find_bset_with_mask and the load of its result"];
}
class LoadBset<string number, string which> : Me1Compute<"load_bset_result" # number> {
  let Bytes = 0b1111; let Reads = [StateBset];
  let Summary = "Loads the result of the " # which # " find_bset.";
  let Doc = "`dest = result " # number # "`: the number of the bit, 0 to 15, or 16 when the field was empty, so that `br_bset[dest, 4, l#]` tests for that. The results belong to the engine and do not survive a context swap. The codes stay.\n\nSource: the name is public (isa.md 12.2), the value for an empty field is ours.";
  let Forms = [Form<[Arg<Dest, UrDest>]>];
  let Hazards = ["one instruction between find_bset and the load of its result", "no context swap between find_bset and the load"];
}
def load_bset_result1 : LoadBset<"1", "last">;
def load_bset_result2 : LoadBset<"2", "last but one">;

class Me1Command<string mnemonic, string subcommand, Unit unit> : Command<mnemonic, subcommand, unit> {
  let Profiles = ["me1"];
  let Tokens = [TokIndirectRef, TokCtxSwap, TokSigDone, TokDefer];
  let Decisions = ["UnitSignals", "Me1AddressUnits"];
}
class Me1Read<string mnemonic, string subcommand, Unit unit, int max, int longwords>
    : Me1Command<mnemonic, subcommand, unit> {
  let Forms = [BlockForm<XferRead, max>];
  let Transfer = XferIn;
  let LongwordsPerCount = longwords;
}
class Me1Write<string mnemonic, string subcommand, Unit unit, int max, int longwords>
    : Me1Command<mnemonic, subcommand, unit> {
  let Forms = [BlockForm<XferWrite, max>];
  let Transfer = XferOut;
  let LongwordsPerCount = longwords;
}
class Me1Bits<string mnemonic, string subcommand, Unit unit> : Me1Command<mnemonic, subcommand, unit> {
  let Forms = [SingleForm<XferWrite>];
  let Transfer = XferOut;
  let LongwordsPerCount = 1;
}
class Me1TestBits<string mnemonic, string subcommand, Unit unit> : Me1Command<mnemonic, subcommand, unit> {
  let Forms = [SingleForm<XferBoth>];
  let Transfer = XferInOut;
  let LongwordsPerCount = 1;
}

def sram_read_lock : Me1Read<"sram", "read_lock", UnitSram, 8, 1> {
  let Does = AccessRead; let Alignment = 4; let Lock = LockTake;
  let Summary = "Locks an address and reads longwords from SRAM.";
  let Doc = !strconcat("Waits until nobody holds a lock on the address, takes it, and reads like `sram[read]`. Locks are entries of a small CAM in the SRAM unit; only commands that ask for the lock see it.", Me1SramText);
  let Suspends = ["the command waits in the unit while another thread holds the lock"];
}
def sram_write_unlock : Me1Write<"sram", "write_unlock", UnitSram, 8, 1> {
  let Does = AccessWrite; let Alignment = 4; let Lock = LockGive;
  let Summary = "Writes longwords to SRAM and gives up the lock on the address.";
  let Doc = !strconcat("Writes like `sram[write]`, then releases the lock that `sram[read_lock]` took on the same address.", Me1SramText);
}
def sram_unlock : Me1Command<"sram", "unlock", UnitSram> {
  let Does = AccessNothing; let Alignment = 4; let Lock = LockGive;
  let Summary = "Gives up the lock on an address.";
  let Doc = !strconcat("No data is moved; a lock that nobody holds stays free.", Me1SramText);
  let Forms = [SingleForm<NoneOnly>];
}
def sram_push : Me1Command<"sram", "push", UnitSram> {
  let Does = AccessEnqueue; let Alignment = 1;
  let Summary = "Puts a longword of SRAM at the head of a hardware list.";
  let Doc = !strconcat("The longword at the address gets the old head of list 0 to 7 as its link; the address becomes the head. No transfer register.", Me1SramText);
  let Forms = [
    Form<[Arg<Xfer, NoneOnly>, Arg<Left, AddressArg>, Arg<Right, AddressArg>, Arg<ListNumber, ConstantArg, 0, 7>]>
  ];
  let Tokens = [TokCtxSwap, TokSigDone, TokDefer];
}
def sram_pop : Me1Command<"sram", "pop", UnitSram> {
  let Does = AccessDequeue; let Alignment = 1;
  let Summary = "Takes the head of a hardware list.";
  let Doc = !strconcat("The address of the head of list 0 to 7 goes to the transfer register and its link becomes the head; an empty list gives 0. No address operands.", Me1Silent);
  let Forms = [Form<[Arg<Xfer, XferRead>, Arg<ListNumber, ConstantArg, 0, 7>, OptArg<Count, CountArg, 1, 1>]>];
  let Transfer = XferIn;
  let LongwordsPerCount = 1;
  let Tokens = [TokCtxSwap, TokSigDone, TokDefer];
}
def sram_set_bits : Me1Bits<"sram", "set_bits", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSet;
  let Summary = "Sets bits of a longword in SRAM.";
  let Doc = !strconcat("memory = memory | xfer, in one step.", Me1SramText);
}
def sram_clear_bits : Me1Bits<"sram", "clear_bits", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicClr;
  let Summary = "Clears bits of a longword in SRAM.";
  let Doc = !strconcat("memory = memory & ~xfer, in one step.", Me1SramText);
}
def sram_test_and_set_bits : Me1TestBits<"sram", "test_and_set_bits", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSet;
  let Summary = "Sets bits of a longword in SRAM and returns the old value.";
  let Doc = !strconcat("memory = memory | xfer in one step; the old value goes to the read transfer register of the same number. One signal, when the old value has arrived.", Me1SramText);
}
def sram_test_and_clear_bits : Me1TestBits<"sram", "test_and_clear_bits", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicClr;
  let Summary = "Clears bits of a longword in SRAM and returns the old value.";
  let Doc = !strconcat("memory = memory & ~xfer in one step; the old value goes to the read transfer register of the same number. One signal, when the old value has arrived.", Me1SramText);
}
def scratch_set_bits : Me1Bits<"scratch", "set_bits", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSet;
  let Summary = "Sets bits of a longword in scratch.";
  let Doc = !strconcat("memory = memory | xfer, in one step.", Me1ScratchText);
}
def scratch_clear_bits : Me1Bits<"scratch", "clear_bits", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicClr;
  let Summary = "Clears bits of a longword in scratch.";
  let Doc = !strconcat("memory = memory & ~xfer, in one step.", Me1ScratchText);
}
def scratch_test_and_set_bits : Me1TestBits<"scratch", "test_and_set_bits", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSet;
  let Summary = "Sets bits of a longword in scratch and returns the old value.";
  let Doc = !strconcat("memory = memory | xfer in one step; the old value goes to the read transfer register of the same number.", Me1ScratchText);
}
def scratch_test_and_clear_bits : Me1TestBits<"scratch", "test_and_clear_bits", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicClr;
  let Summary = "Clears bits of a longword in scratch and returns the old value.";
  let Doc = !strconcat("memory = memory & ~xfer in one step; the old value goes to the read transfer register of the same number.", Me1ScratchText);
}

defvar Me1SdramTokens = [TokIndirectRef, TokCtxSwap, TokSigDone, TokDefer, TokOrdered, TokOptimizeMem, TokPriority];
def sdram_read : Me1Read<"sdram", "read", UnitDram, 4, 2> {
  let MostLongwords = 16; let Does = AccessRead; let Alignment = 8;
  let Tokens = Me1SdramTokens;
  let Decisions = ["UnitSignals", "Me1AddressUnits", "Me1Queues", "Me1Indirect"];
  let Summary = "Reads quadwords from SDRAM.";
  let Doc = !strconcat("Two longwords per count go to the $$ transfer registers; the eight of a context hold four quadwords.", Me1SdramText);
}
def sdram_write : Me1Write<"sdram", "write", UnitDram, 4, 2> {
  let MostLongwords = 16; let Does = AccessWrite; let Alignment = 8; let ByteMask = 1;
  let Tokens = Me1SdramTokens;
  let Decisions = ["UnitSignals", "Me1AddressUnits", "Me1Queues", "Me1Indirect"];
  let Summary = "Writes quadwords to SDRAM.";
  let Doc = !strconcat("Two longwords per count go from the $$ transfer registers to the address.", Me1SdramText);
}
class Me1SdramFifo<string subcommand> : Me1Command<"sdram", subcommand, UnitDram> {
  let BufferLongwords = 2; let MostLongwords = 16;
  let Decisions = ["UnitSignals", "Me1AddressUnits", "Me1Queues", "Me1Indirect"];
  let Forms = [BlockForm<NoneOnly>];
}
def sdram_r_fifo_rd : Me1SdramFifo<"r_fifo_rd"> {
  let Does = AccessMediaIn; let Alignment = 8;
  let Summary = "Moves quadwords from the receive FIFO to SDRAM.";
  let Doc = !strconcat("No transfer register; the place in the RFIFO, in quadwords, comes from the indirect word, so `indirect_ref` belongs to it.", Me1SdramText);
}
def sdram_t_fifo_wr : Me1SdramFifo<"t_fifo_wr"> {
  let Does = AccessMediaOut; let Alignment = 8;
  let Summary = "Moves quadwords from SDRAM to the transmit FIFO.";
  let Doc = !strconcat("No transfer register; the place in the TFIFO, in quadwords, comes from the indirect word, so `indirect_ref` belongs to it.", Me1SdramText);
}
def r_fifo_rd : Me1Read<"r_fifo_rd", "", UnitMsf, 4, 2> {
  let Does = AccessMediaRead; let Alignment = 1;
  let Summary = "Reads quadwords from the receive FIFO.";
  let Doc = !strconcat("Two longwords per count go to the $ transfer registers.", Me1FifoText);
}
def t_fifo_wr : Me1Write<"t_fifo_wr", "", UnitMsf, 4, 2> {
  let Does = AccessMediaWrite; let Alignment = 1;
  let Summary = "Writes quadwords to the transmit FIFO.";
  let Doc = !strconcat("Two longwords per count come from the $ transfer registers.", Me1FifoText);
}

class Me1CsrAccess<string subcommand, ArgClass xfer> : Me1Command<"csr", subcommand, UnitCap> {
  let Forms = [Form<[Arg<Xfer, xfer>, Arg<CsrNumber, CapCsrArg>, OptArg<Count, CountArg, 1, 1>]>];
  let LongwordsPerCount = 1;
  let Tokens = [TokCtxSwap, TokSigDone, TokDefer];
}
def csr_read : Me1CsrAccess<"read", XferRead> {
  let Does = AccessCsrRead; let Alignment = 1;
  let Summary = "Reads a CSR of the FBI.";
  let Doc = !strconcat("The CSR, by name or offset, goes to the transfer register. Raises fbi.", Me1Silent);
  let Transfer = XferIn;
}
def csr_write : Me1CsrAccess<"write", XferWrite> {
  let Does = AccessCsrWrite; let Alignment = 1;
  let Summary = "Writes a CSR of the FBI.";
  let Doc = !strconcat("The transfer register goes to the CSR, given by name or offset. Raises fbi.", Me1Silent);
  let Transfer = XferOut;
}
def fast_wr : Me1Command<"fast_wr", "", UnitCap> {
  let Does = AccessCsrWrite; let Alignment = 1;
  let Summary = "Writes a small value to a CSR of the FBI.";
  let Doc = !strconcat("A register, or a constant 0 to 255, goes to the CSR without a transfer register and without a signal. `fast_wr[5, INTER_THD_SIG]` signals thread 5.", Me1Silent);
  let Forms = [Form<[Arg<Left, ReSource>, Arg<CsrNumber, CapCsrArg>]>];
  let Signals = SignalNone;
  let Tokens = [];
  let Me1DeferMax = 0;
}
def pci_dma : Me1Command<"pci_dma", "", UnitPci> {
  let Does = AccessDma; let Alignment = 1;
  let Summary = "Starts a DMA transfer between PCI and SDRAM.";
  let Doc = !strconcat("The sum of both operands is the address of the descriptor, in longwords of SDRAM. Raises pci when it is done.", Me1Silent);
  let Forms = [Form<[Arg<Xfer, NoneOnly>, Arg<Left, AddressArg>, Arg<Right, AddressArg>]>];
  let Tokens = [TokCtxSwap, TokSigDone, TokDefer];
}

class Me1HashCommand<string mnemonic, string count, string width, int longwords>
    : Me1Command<mnemonic, "", UnitHash> {
  let Does = AccessHash; let Alignment = 1;
  let Summary = "Hashes " # count # " of " # width # " bits.";
  let Doc = !strconcat("Operands of two longwords each, low one first, come from the $ transfer registers from xfer on; the results go to the read transfer registers of the same numbers. hash = operand * multiplier modulo a polynomial over GF(2), the multiplier standing in HASH_MULTIPLIER_", width, "_LO and _HI; polynomials as in the later parts. Raises fbi.", Me1Silent);
  let Forms = [Form<[Arg<Xfer, XferBoth>, OptArg<Count, CountArg, 1, 1>]>];
  let Transfer = XferInOut;
  let LongwordsPerCount = longwords;
  let Tokens = [TokCtxSwap, TokSigDone, TokDefer];
  let Decisions = ["UnitSignals"];
}
def hash1_48 : Me1HashCommand<"hash1_48", "one number", "48", 2>;
def hash2_48 : Me1HashCommand<"hash2_48", "two numbers", "48", 4>;
def hash3_48 : Me1HashCommand<"hash3_48", "three numbers", "48", 6>;
def hash1_64 : Me1HashCommand<"hash1_64", "one number", "64", 2>;
def hash2_64 : Me1HashCommand<"hash2_64", "two numbers", "64", 4>;
def hash3_64 : Me1HashCommand<"hash3_64", "three numbers", "64", 6>;
