// Commands to units: one word that names a unit, an operation, two address operands, transfer registers and a signal.

defvar SramText = "\n\n*Address:* the sum of both operands; bytes, the two low bits are ignored; bits 31:30 select the channel. On me1: longwords, one channel. For queue and ring commands see above."
                  # "\n\nThe codes stay. Source: public words for read and write; the open disassembler and HRM p. 129, 231 for the rest (isa.md 3.11, 5.4, 10.2).";
defvar ScratchText = "\n\n*Address:* the sum of both operands; bytes, the two low bits are ignored. 16 KB. On me1: longwords, 4 KB."
                     # "\n\nThe codes stay. Source: public words for get and put; the open disassembler and HRM p. 57, 231 for the rest (isa.md 3.11, 5.4, 10.1).";
defvar DramText = "\n\n*Address:* the sum of both operands; bytes, the three low bits are ignored. Up to 16 quadwords by the indirect word. An access can be split over two channels, so two signals are raised: wait for both."
                  # "\n\nThe codes stay. Source: public words for rbuf_rd and tbuf_wr; the open disassembler for read and write (isa.md 3.11, 5.4, 10.3).";
defvar MsfText = "\n\n*Address:* in the space of the MSF; registers from 0, TBUF control words from 0x1800, buffers from 0x2000."
                 # "\n\nThe codes stay. Source: public words for the 32-bit forms and fast_wr; the open disassembler for the others (isa.md 3.11, 10.5, 10.6).";
defvar CapText = "\n\nThe codes stay. Source: a public word for the immediate fast_wr; the open disassembler for the others (isa.md 3.11, 10.10).";
defvar PciText = "\n\nThe codes stay. Source: the open disassembler (isa.md 3.11).";
defvar HashText = "\n\nhash = operand * multiplier modulo the polynomial of the width, over GF(2); the multiplier stands in CAP CSRs. Operands come from the write transfer registers from xfer on, lowest longword first, results go to the read transfer registers of the same numbers."
                  # "\n\nThe codes stay. Source: HRM p. 237-240; field positions from the open disassembler (isa.md 3.11, 10.9).";

class Command<string mnemonic, string subcommand, Unit unit> : Insn<mnemonic, subcommand> {
  let Bytes = 0;
  let Profiles = ["me2"];
  let InGroup = GroupCommand;
  let Body = "command"; // what a command does is the unit's business
  let Cycles = CyclesCommand;
  let ServedBy = unit;
  let Transfer = XferNone;
  let Signals = SignalSingle;
  let DeferMax = 2;
  let Me1DeferMax = 1;
  let Tokens = [TokIndirectRef, TokCtxSwap, TokSigDone, TokDefer];
}


// unit[command, xfer, a, b, count]
class BlockForm<ArgClass xfer, int max = 8>
    : Form<[Arg<Xfer, xfer>, Arg<Left, AddressArg>, Arg<Right, AddressArg>, Arg<Count, CountArg, 1, max>]>;
// the same for commands on one longword, whose count may be left out
class SingleForm<ArgClass xfer>
    : Form<[Arg<Xfer, xfer>, Arg<Left, AddressArg>, Arg<Right, AddressArg>, OptArg<Count, CountArg, 1, 1>]>;

class BlockRead<string mnemonic, string subcommand, Unit unit, int longwords = 1> : Command<mnemonic, subcommand, unit> {
  let Forms = [BlockForm<XferRead>];
  let Transfer = XferIn;
  let LongwordsPerCount = longwords;
}
class BlockWrite<string mnemonic, string subcommand, Unit unit, int longwords = 1>
    : Command<mnemonic, subcommand, unit> {
  let Forms = [BlockForm<XferWrite>];
  let Transfer = XferOut;
  let LongwordsPerCount = longwords;
}
// One longword is taken, nothing comes back.
class AtomicWrite<string mnemonic, string subcommand, Unit unit> : Command<mnemonic, subcommand, unit> {
  let Forms = [SingleForm<XferWrite>];
  let Transfer = XferOut;
  let LongwordsPerCount = 1;
}
// One longword is taken and the old value comes back: two signals.
class AtomicBoth<string mnemonic, string subcommand, Unit unit> : Command<mnemonic, subcommand, unit> {
  let Forms = [SingleForm<XferBoth>];
  let Transfer = XferInOut;
  let LongwordsPerCount = 1;
  let Signals = SignalDoubled;
  let Tokens = [TokIndirectRef, TokSigDone];
  let DeferMax = 0;
  let Me1DeferMax = 0;
  let Suspends = ["stalls while the unit's inlet is full"];
  let Decisions = ["TwoSignals", "Latencies", "IndirectFields", "SameSort", "TransferKinds"];
}
// Nothing is taken and the old value comes back.
class AtomicRead<string mnemonic, string subcommand, Unit unit> : Command<mnemonic, subcommand, unit> {
  let Forms = [SingleForm<XferRead>];
  let Transfer = XferIn;
  let LongwordsPerCount = 1;
  let Signals = SignalDoubled;
  let Tokens = [TokIndirectRef, TokSigDone];
  let DeferMax = 0;
  let Me1DeferMax = 0;
  let Suspends = ["stalls while the unit's inlet is full"];
  let Decisions = ["TwoSignals", "Latencies", "IndirectFields", "SameSort", "TransferKinds"];
}
// No transfer register.
class Dataless<string mnemonic, string subcommand, Unit unit> : Command<mnemonic, subcommand, unit> {
  let Forms = [SingleForm<NoneOnly>];
}

def sram_read : BlockRead<"sram", "read", UnitSram> {
  let Does = AccessRead; let Alignment = 4;
  let Profiles = ["me1", "me2"];
  let Summary = "Reads longwords from SRAM.";
  let Doc = !strconcat("The longwords at the address go to the transfer registers from xfer on.", SramText);
  let Tokens = [TokIndirectRef, TokCtxSwap, TokSigDone, TokDefer, TokIgnoreDataError, TokOrdered, TokOptimizeMem, TokPriority];
}
def sram_write : BlockWrite<"sram", "write", UnitSram> {
  let Does = AccessWrite; let Alignment = 4;
  let Profiles = ["me1", "me2"];
  let Summary = "Writes longwords to SRAM.";
  let Doc = !strconcat("The transfer registers from xfer on go to the longwords at the address.", SramText);
  let Tokens = [TokIndirectRef, TokCtxSwap, TokSigDone, TokDefer, TokIgnoreDataError, TokOrdered, TokPriority];
}
def sram_swap : AtomicBoth<"sram", "swap", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSwap;
  let Summary = "Exchanges a longword in SRAM.";
  let Doc = !strconcat("The longword gets the transfer register's value and the old value comes back to the read transfer register of the same number, in one step.", SramText);
}
def sram_set : AtomicWrite<"sram", "set", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSet;
  let Summary = "Sets bits of a longword in SRAM.";
  let Doc = !strconcat("memory = memory | xfer, in one step.", SramText);
}
def sram_clr : AtomicWrite<"sram", "clr", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicClr;
  let Summary = "Clears bits of a longword in SRAM.";
  let Doc = !strconcat("memory = memory & ~xfer, in one step.", SramText);
}
def sram_add : AtomicWrite<"sram", "add", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicAdd;
  let Summary = "Adds to a longword in SRAM.";
  let Doc = !strconcat("memory = memory + xfer modulo 2^32, in one step.", SramText);
}
def sram_incr : Dataless<"sram", "incr", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicIncr;
  let Summary = "Adds one to a longword in SRAM.";
  let Doc = !strconcat("memory = memory + 1 modulo 2^32, in one step; no transfer register.", SramText);
}
def sram_decr : Dataless<"sram", "decr", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicDecr;
  let Summary = "Subtracts one from a longword in SRAM.";
  let Doc = !strconcat("memory = memory - 1 modulo 2^32, in one step; no transfer register.", SramText);
}
def sram_test_and_set : AtomicBoth<"sram", "test_and_set", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSet;
  let Summary = "Sets bits of a longword in SRAM and returns the old value.";
  let Doc = !strconcat("memory = memory | xfer; the old value goes to the read transfer register of the same number.", SramText);
}
def sram_test_and_clr : AtomicBoth<"sram", "test_and_clr", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicClr;
  let Summary = "Clears bits of a longword in SRAM and returns the old value.";
  let Doc = !strconcat("memory = memory & ~xfer; the old value goes to the read transfer register of the same number.", SramText);
}
def sram_test_and_add : AtomicBoth<"sram", "test_and_add", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicAdd;
  let Summary = "Adds to a longword in SRAM and returns the old value.";
  let Doc = !strconcat("memory = memory + xfer modulo 2^32; the old value goes to the read transfer register of the same number.", SramText);
}
def sram_test_and_incr : AtomicRead<"sram", "test_and_incr", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicIncr;
  let Summary = "Adds one to a longword in SRAM and returns the old value.";
  let Doc = !strconcat("memory = memory + 1 modulo 2^32; the old value goes to the read transfer register.", SramText);
}
def sram_test_and_decr : AtomicRead<"sram", "test_and_decr", UnitSram> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicDecr;
  let Summary = "Subtracts one from a longword in SRAM and returns the old value.";
  let Doc = !strconcat("memory = memory - 1 modulo 2^32; the old value goes to the read transfer register.", SramText);
}
def sram_get : BlockRead<"sram", "get", UnitSram> {
  let Does = AccessRingGet; let Alignment = 1;
  let Summary = "Takes longwords from an SRAM ring.";
  let Doc = !strconcat("The address names an entry of the queue array (bits 29:24) that describes a ring: the oldest longwords go to the transfer registers. An empty ring gives zeros.", SramText);
}
def sram_put : Command<"sram", "put", UnitSram> {
  let Does = AccessRingPut; let Alignment = 1;
  let Summary = "Puts longwords into an SRAM ring and returns its fill.";
  let Doc = !strconcat("The address names an entry of the queue array (bits 29:24) that describes a ring. Afterwards the first read transfer register of the same number tells the count before the put and, in bit 31, that there was no room.", SramText);
  let Forms = [BlockForm<XferBoth>];
  let Transfer = XferInOut;
  let LongwordsPerCount = 1;
  let Signals = SignalDoubled;
  let Tokens = [TokIndirectRef, TokSigDone];
  let DeferMax = 0;
  let Me1DeferMax = 0;
}
def sram_journal : BlockWrite<"sram", "journal", UnitSram> {
  let Does = AccessJournal; let Alignment = 1;
  let Summary = "Appends longwords to an SRAM journal.";
  let Doc = !strconcat("The address names an entry of the queue array (bits 29:24) that describes a ring of fixed size; the oldest entries are overwritten.", SramText);
}
def sram_fast_journal : Dataless<"sram", "fast_journal", UnitSram> {
  let Does = AccessJournal; let Alignment = 1;
  let Summary = "Appends the address operand itself to an SRAM journal.";
  let Doc = !strconcat("No transfer register: the datum comes from the address operands; bits 29:24 name the entry of the queue array.", SramText);
}
def sram_dequeue : Command<"sram", "dequeue", UnitSram> {
  let Does = AccessDequeue; let Alignment = 1;
  let Summary = "Takes a buffer from an SRAM queue.";
  let Doc = !strconcat("The address names the entry of the queue array (bits 29:24). The head buffer's address goes to the transfer register and the head moves along the link; an empty queue gives the null link 0.", SramText);
  let Forms = [SingleForm<XferRead>];
  let Transfer = XferIn;
  let LongwordsPerCount = 1;
}
def sram_enqueue : Dataless<"sram", "enqueue", UnitSram> {
  let Does = AccessEnqueue; let Alignment = 1;
  let Summary = "Appends a buffer to an SRAM queue.";
  let Doc = !strconcat("Bits 29:24 of the address name the entry of the queue array, 23:0 the buffer as a longword address. The old tail is linked to the buffer, the tail becomes the buffer, the count grows by one.", SramText);
}
def sram_enqueue_tail : Dataless<"sram", "enqueue_tail", UnitSram> {
  let Does = AccessQueueTail; let Alignment = 1;
  let Summary = "Moves the tail of an SRAM queue.";
  let Doc = !strconcat("Completes a packet of several buffers after `enqueue`: the tail becomes the buffer at bits 23:0, the count stays.", SramText);
}
def sram_csr_rd : Command<"sram", "csr_rd", UnitSram> {
  let Does = AccessCsrRead; let Alignment = 1;
  let Summary = "Reads a CSR of an SRAM channel.";
  let Doc = !strconcat("The CSR at the address goes to the transfer register.", SramText);
  let Forms = [SingleForm<XferRead>];
  let Transfer = XferIn;
  let LongwordsPerCount = 1;
}
def sram_csr_wr : AtomicWrite<"sram", "csr_wr", UnitSram> {
  let Does = AccessCsrWrite; let Alignment = 1;
  let Summary = "Writes a CSR of an SRAM channel.";
  let Doc = !strconcat("The transfer register goes to the CSR at the address.", SramText);
}
def sram_wr_qdesc : Dataless<"sram", "wr_qdesc", UnitSram> {
  let Does = AccessQueueStore; let Alignment = 1;
  let Summary = "Writes a queue descriptor back to SRAM.";
  let Doc = !strconcat("Head, tail and count of the entry (bits 29:24 of the address) go to three longwords at bits 23:0.", SramText);
}
def sram_wr_qdesc_count : Dataless<"sram", "wr_qdesc_count", UnitSram> {
  let Does = AccessQueueStoreCount; let Alignment = 1;
  let Summary = "Writes the count of a queue descriptor back to SRAM.";
  let Doc = !strconcat("Only the third longword of the descriptor, the count, is written.", SramText);
}
def sram_rd_qdesc_other : Dataless<"sram", "rd_qdesc_other", UnitSram> {
  let Does = AccessQueueLoad; let Alignment = 1;
  let Summary = "Completes the loading of a queue descriptor.";
  let Doc = !strconcat("After `rd_qdesc_head` or `rd_qdesc_tail`: loads the pointer that is still missing; no transfer register.", SramText);
}
def sram_rd_qdesc_tail : BlockRead<"sram", "rd_qdesc_tail", UnitSram> {
  let Does = AccessQueueLoad; let Alignment = 1;
  let Summary = "Loads tail and count of a queue descriptor from SRAM.";
  let Doc = !strconcat("The entry of the queue array (bits 29:24) is loaded from the descriptor at bits 23:0; tail and count also go to the transfer registers.", SramText);
}
def sram_rd_qdesc_head : BlockRead<"sram", "rd_qdesc_head", UnitSram> {
  let Does = AccessQueueLoad; let Alignment = 1;
  let Summary = "Loads head and count of a queue descriptor from SRAM.";
  let Doc = !strconcat("The entry of the queue array (bits 29:24) is loaded from the descriptor at bits 23:0; head and count also go to the transfer registers.", SramText);
}

def scratch_read : BlockRead<"scratch", "read", UnitScratch> {
  let Does = AccessRead; let Alignment = 4;
  let Profiles = ["me1", "me2"];
  let Summary = "Reads longwords from scratch.";
  let Doc = !strconcat("The longwords at the address go to the transfer registers from xfer on.", ScratchText);
}
def scratch_write : BlockWrite<"scratch", "write", UnitScratch> {
  let Does = AccessWrite; let Alignment = 4;
  let Profiles = ["me1", "me2"];
  let Summary = "Writes longwords to scratch.";
  let Doc = !strconcat("The transfer registers from xfer on go to the longwords at the address.", ScratchText);
}
def scratch_swap : AtomicBoth<"scratch", "swap", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSwap;
  let Summary = "Exchanges a longword in scratch.";
  let Doc = !strconcat("The longword gets the transfer register's value and the old value comes back to the read transfer register of the same number, in one step.", ScratchText);
}
def scratch_set : AtomicWrite<"scratch", "set", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSet;
  let Summary = "Sets bits of a longword in scratch.";
  let Doc = !strconcat("memory = memory | xfer, in one step.", ScratchText);
}
def scratch_clr : AtomicWrite<"scratch", "clr", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicClr;
  let Summary = "Clears bits of a longword in scratch.";
  let Doc = !strconcat("memory = memory & ~xfer, in one step.", ScratchText);
}
def scratch_add : AtomicWrite<"scratch", "add", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicAdd;
  let Summary = "Adds to a longword in scratch.";
  let Doc = !strconcat("memory = memory + xfer modulo 2^32, in one step.", ScratchText);
}
def scratch_sub : AtomicWrite<"scratch", "sub", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSub;
  let Summary = "Subtracts from a longword in scratch.";
  let Doc = !strconcat("memory = memory - xfer modulo 2^32, in one step.", ScratchText);
}
def scratch_incr : Dataless<"scratch", "incr", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicIncr;
  let Profiles = ["me1", "me2"];
  let Summary = "Adds one to a longword in scratch.";
  let Doc = !strconcat("memory = memory + 1 modulo 2^32, in one step; no transfer register.", ScratchText);
}
def scratch_decr : Dataless<"scratch", "decr", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicDecr;
  let Summary = "Subtracts one from a longword in scratch.";
  let Doc = !strconcat("memory = memory - 1 modulo 2^32, in one step; no transfer register.", ScratchText);
}
def scratch_test_and_set : AtomicBoth<"scratch", "test_and_set", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSet;
  let Summary = "Sets bits of a longword in scratch and returns the old value.";
  let Doc = !strconcat("memory = memory | xfer; the old value goes to the read transfer register of the same number.", ScratchText);
}
def scratch_test_and_clr : AtomicBoth<"scratch", "test_and_clr", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicClr;
  let Summary = "Clears bits of a longword in scratch and returns the old value.";
  let Doc = !strconcat("memory = memory & ~xfer; the old value goes to the read transfer register of the same number.", ScratchText);
}
def scratch_test_and_add : AtomicBoth<"scratch", "test_and_add", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicAdd;
  let Summary = "Adds to a longword in scratch and returns the old value.";
  let Doc = !strconcat("memory = memory + xfer modulo 2^32; the old value goes to the read transfer register of the same number.", ScratchText);
}
def scratch_test_and_sub : AtomicBoth<"scratch", "test_and_sub", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicSub;
  let Summary = "Subtracts from a longword in scratch and returns the old value.";
  let Doc = !strconcat("memory = memory - xfer modulo 2^32; the old value goes to the read transfer register of the same number.", ScratchText);
}
def scratch_test_and_incr : AtomicRead<"scratch", "test_and_incr", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicIncr;
  let Summary = "Adds one to a longword in scratch and returns the old value.";
  let Doc = !strconcat("memory = memory + 1 modulo 2^32; the old value goes to the read transfer register.", ScratchText);
}
def scratch_test_and_decr : AtomicRead<"scratch", "test_and_decr", UnitScratch> {
  let Does = AccessAtomic; let Alignment = 4; let Atomic = AtomicDecr;
  let Summary = "Subtracts one from a longword in scratch and returns the old value.";
  let Doc = !strconcat("memory = memory - 1 modulo 2^32; the old value goes to the read transfer register.", ScratchText);
}
def scratch_get : BlockRead<"scratch", "get", UnitScratch> {
  let Does = AccessRingGet; let Alignment = 1;
  let Summary = "Takes longwords from a scratch ring.";
  let Doc = !strconcat("The address is the number of the ring times four. The oldest longwords go to the transfer registers; an empty ring gives zeros.", ScratchText);
}
def scratch_put : BlockWrite<"scratch", "put", UnitScratch> {
  let Does = AccessRingPut; let Alignment = 1;
  let Summary = "Puts longwords into a scratch ring.";
  let Doc = !strconcat("The address is the number of the ring times four. Whether there is room must be known before: the ring's status is an input state, and it lags.", ScratchText);
}

class DramCommand<string subcommand> : Command<"dram", subcommand, UnitDram> {
  let Signals = SignalDoubled;
  let DeferMax = 0;
  let Me1DeferMax = 0;
  let Suspends = ["stalls while the unit's inlet is full"];
  let Decisions = ["TwoSignals", "Latencies", "IndirectFields", "SameSort", "TransferKinds"];
}
def dram_read : DramCommand<"read"> {
  let Does = AccessRead; let Alignment = 8;
  let Summary = "Reads quadwords from DRAM.";
  let Doc = !strconcat("Two longwords per count, from an address that is a multiple of eight, go to the $$ transfer registers.", DramText);
  let Forms = [BlockForm<XferRead>];
  let Transfer = XferIn;
  let LongwordsPerCount = 2;
  let Tokens = [TokIndirectRef, TokSigDone, TokIgnoreDataError];
}
def dram_write : DramCommand<"write"> {
  let Does = AccessWrite; let Alignment = 8;
  let Summary = "Writes quadwords to DRAM.";
  let Doc = !strconcat("Two longwords per count go from the $$ transfer registers to an address that is a multiple of eight.", DramText);
  let Forms = [BlockForm<XferWrite>];
  let Transfer = XferOut;
  let LongwordsPerCount = 2;
  let Tokens = [TokIndirectRef, TokSigDone, TokIgnoreDataError];
}
class DramBuffer<string subcommand> : DramCommand<subcommand> {
  let BufferLongwords = 2; let NeedsIndirect = 1;
  let Forms = [BlockForm<NoneOnly>];
  let Tokens = [TokIndirectRef, TokSigDone];
}
def dram_rbuf_rd : DramBuffer<"rbuf_rd"> {
  let Does = AccessMediaIn; let Alignment = 8;
  let Summary = "Moves received data from the receive buffer to DRAM.";
  let Doc = !strconcat("count quadwords of the RBUF go to the DRAM address. No transfer register; where in the RBUF comes from the indirect word (isa.md 10.4), so `indirect_ref` belongs to it.", DramText);
}
def dram_tbuf_wr : DramBuffer<"tbuf_wr"> {
  let Does = AccessMediaOut; let Alignment = 8;
  let Summary = "Moves data from DRAM to the transmit buffer.";
  let Doc = !strconcat("count quadwords at the DRAM address go to the TBUF. No transfer register; where in the TBUF comes from the indirect word (isa.md 10.4), so `indirect_ref` belongs to it.", DramText);
}

def msf_read : BlockRead<"msf", "read", UnitMsf> {
  let Does = AccessMediaRead; let Alignment = 1;
  let Summary = "Reads registers of the media interface.";
  let Doc = !strconcat("The longwords at the MSF address go to the transfer registers.", MsfText);
}
def msf_write : BlockWrite<"msf", "write", UnitMsf> {
  let Does = AccessMediaWrite; let Alignment = 1;
  let Summary = "Writes registers or buffers of the media interface.";
  let Doc = !strconcat("The transfer registers go to the longwords at the MSF address. Writing the second longword of an element's control word validates the element.", MsfText);
}
def msf_read64 : BlockRead<"msf", "read64", UnitMsf, 2> {
  let Does = AccessMediaRead; let Alignment = 1;
  let Summary = "Reads from the media interface in units of 64 bits.";
  let Doc = !strconcat("As `msf[read]`, two longwords per count.", MsfText);
}
def msf_write64 : BlockWrite<"msf", "write64", UnitMsf, 2> {
  let Does = AccessMediaWrite; let Alignment = 1;
  let Summary = "Writes to the media interface in units of 64 bits.";
  let Doc = !strconcat("As `msf[write]`, two longwords per count.", MsfText);
}
def msf_fast_wr : Command<"msf", "fast_wr", UnitMsf> {
  let Does = AccessMediaWrite; let Alignment = 1;
  let Summary = "Writes 16 bits to a register of the media interface.";
  let Doc = !strconcat("The sum of the operands holds the address in its low half and the datum in its high half. No transfer register, no signal, no count.", MsfText);
  let Forms = [Form<[Arg<Xfer, NoneOnly>, Arg<Left, AddressArg>, Arg<Right, AddressArg>]>];
  let Signals = SignalNone;
  let Tokens = [TokIndirectRef];
  let DeferMax = 0;
  let Me1DeferMax = 0;
}

def cap_read : Command<"cap", "read", UnitCap> {
  let Does = AccessCsrRead; let Alignment = 1;
  let Summary = "Reads a CSR by its number.";
  let Doc = !strconcat("The CSR goes to the transfer register; with a count also those that follow at steps of four.", CapText);
  let Forms = [Form<[Arg<Xfer, XferRead>, Arg<CsrNumber, CapCsrArg>, OptArg<Count, CountArg, 1, 8>]>];
  let Transfer = XferIn;
  let LongwordsPerCount = 1;
}
def cap_write : Command<"cap", "write", UnitCap> {
  let Does = AccessCsrWrite; let Alignment = 1;
  let Summary = "Writes a CSR by its number.";
  let Doc = !strconcat("The transfer register goes to the CSR; with a count also the following registers to the CSRs at steps of four.", CapText);
  let Forms = [Form<[Arg<Xfer, XferWrite>, Arg<CsrNumber, CapCsrArg>, OptArg<Count, CountArg, 1, 8>]>];
  let Transfer = XferOut;
  let LongwordsPerCount = 1;
}
def cap_fast_wr : Command<"cap", "fast_wr", UnitCap> {
  let Does = AccessCsrWrite; let Alignment = 1;
  let Summary = "Writes a small constant to a CSR.";
  let Doc = !strconcat("The datum, 0 to 16383, is part of the word. No transfer register, no signal. XSCALE_INT_A raises the interrupt bit of the writing thread.", CapText);
  let Forms = [Form<[Arg<Data, ConstantArg, 0, 16383>, Arg<CsrNumber, CapCsrArg>]>];
  let Signals = SignalNone;
  let Tokens = [];
  let DeferMax = 0;
  let Me1DeferMax = 0;
}
def cap_fast_wr_alu : Command<"cap", "fast_wr", UnitCap> {
  let Reads = [StatePrevious]; let Does = AccessCsrWrite; let Alignment = 1;
  let Summary = "Writes the result of the instruction before to a CSR.";
  let Doc = !strconcat("Written `cap[fast_wr, alu, CSR]`. No transfer register, no signal.", CapText);
  let Forms = [Form<[Arg<Data, AluOutput>, Arg<CsrNumber, CapCsrArg>]>];
  let Signals = SignalNone;
  let Tokens = [];
  let DeferMax = 0;
  let Me1DeferMax = 0;
}
def cap_calc_read : BlockRead<"cap", "read", UnitCap> {
  let Does = AccessCsrRead; let Alignment = 1;
  let Summary = "Reads CSRs at a calculated address.";
  let Doc = !strconcat("As `cap[read]` by number, with the sum of both operands as address.", CapText);
}
def cap_calc_write : BlockWrite<"cap", "write", UnitCap> {
  let Does = AccessCsrWrite; let Alignment = 1;
  let Summary = "Writes CSRs at a calculated address.";
  let Doc = !strconcat("As `cap[write]` by number, with the sum of both operands as address.", CapText);
}

def pci_read : BlockRead<"pci", "read", UnitPci> {
  let Does = AccessNothing; let Alignment = 1;
  let Summary = "Reads from the PCI unit.";
  let Doc = !strconcat("The unit is not modelled: the signal comes, the registers stay.", PciText);
}
def pci_write : BlockWrite<"pci", "write", UnitPci> {
  let Does = AccessNothing; let Alignment = 1;
  let Summary = "Writes to the PCI unit.";
  let Doc = !strconcat("The unit is not modelled: the signal comes, nothing is written.", PciText);
}

class Hash<string mnemonic, int longwords> : Command<mnemonic, "", UnitHash> {
  let Does = AccessHash; let Alignment = 1;
  let Forms = [Form<[Arg<Xfer, XferBoth>, Arg<Count, ConstantArg, 1, 3>]>];
  let Transfer = XferInOut;
  let LongwordsPerCount = longwords;
}
def hash_48 : Hash<"hash_48", 2> {
  let Summary = "Hashes 48-bit numbers.";
  let Doc = !strconcat("1 to 3 hashes; two longwords each, of the second only the low 16 bits.", HashText);
}
def hash_64 : Hash<"hash_64", 2> {
  let Summary = "Hashes 64-bit numbers.";
  let Doc = !strconcat("1 to 3 hashes; two longwords each.", HashText);
}
def hash_128 : Hash<"hash_128", 4> {
  let Summary = "Hashes 128-bit numbers.";
  let Doc = !strconcat("1 to 3 hashes; four longwords each.", HashText);
}
