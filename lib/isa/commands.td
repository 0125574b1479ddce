// Commands to units: one word that names a unit, an operation, two address operands, transfer registers and a signal.

class Command<string mnemonic, string subcommand, Unit unit> : Insn<mnemonic, subcommand> {
  let InGroup = GroupCommand;
  let Cycles = CyclesCommand;
  let ServedBy = unit;
  let Transfer = XferNone;
  let Signals = SignalSingle;
  let DeferMax = 2;
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
}
// Nothing is taken and the old value comes back.
class AtomicRead<string mnemonic, string subcommand, Unit unit> : Command<mnemonic, subcommand, unit> {
  let Forms = [SingleForm<XferRead>];
  let Transfer = XferIn;
  let LongwordsPerCount = 1;
  let Signals = SignalDoubled;
  let Tokens = [TokIndirectRef, TokSigDone];
  let DeferMax = 0;
}
// No transfer register.
class Dataless<string mnemonic, string subcommand, Unit unit> : Command<mnemonic, subcommand, unit> {
  let Forms = [SingleForm<NoneOnly>];
}

def sram_read : BlockRead<"sram", "read", UnitSram> {
  let Tokens = [TokIndirectRef, TokCtxSwap, TokSigDone, TokDefer, TokIgnoreDataError];
}
def sram_write : BlockWrite<"sram", "write", UnitSram> {
  let Tokens = [TokIndirectRef, TokCtxSwap, TokSigDone, TokDefer, TokIgnoreDataError];
}
def sram_swap : AtomicBoth<"sram", "swap", UnitSram>;
def sram_set : AtomicWrite<"sram", "set", UnitSram>;
def sram_clr : AtomicWrite<"sram", "clr", UnitSram>;
def sram_add : AtomicWrite<"sram", "add", UnitSram>;
def sram_incr : Dataless<"sram", "incr", UnitSram>;
def sram_decr : Dataless<"sram", "decr", UnitSram>;
def sram_test_and_set : AtomicBoth<"sram", "test_and_set", UnitSram>;
def sram_test_and_clr : AtomicBoth<"sram", "test_and_clr", UnitSram>;
def sram_test_and_add : AtomicBoth<"sram", "test_and_add", UnitSram>;
def sram_test_and_incr : AtomicRead<"sram", "test_and_incr", UnitSram>;
def sram_test_and_decr : AtomicRead<"sram", "test_and_decr", UnitSram>;
def sram_get : BlockRead<"sram", "get", UnitSram>;
def sram_put : Command<"sram", "put", UnitSram> {
  let Forms = [BlockForm<XferBoth>];
  let Transfer = XferInOut;
  let LongwordsPerCount = 1;
  let Signals = SignalDoubled;
  let Tokens = [TokIndirectRef, TokSigDone];
  let DeferMax = 0;
}
def sram_journal : BlockWrite<"sram", "journal", UnitSram>;
def sram_fast_journal : Dataless<"sram", "fast_journal", UnitSram>;
def sram_dequeue : Command<"sram", "dequeue", UnitSram> {
  let Forms = [SingleForm<XferRead>];
  let Transfer = XferIn;
  let LongwordsPerCount = 1;
}
def sram_enqueue : Dataless<"sram", "enqueue", UnitSram>;
def sram_enqueue_tail : Dataless<"sram", "enqueue_tail", UnitSram>;
def sram_csr_rd : Command<"sram", "csr_rd", UnitSram> {
  let Forms = [SingleForm<XferRead>];
  let Transfer = XferIn;
  let LongwordsPerCount = 1;
}
def sram_csr_wr : AtomicWrite<"sram", "csr_wr", UnitSram>;
def sram_wr_qdesc : Dataless<"sram", "wr_qdesc", UnitSram>;
def sram_wr_qdesc_count : Dataless<"sram", "wr_qdesc_count", UnitSram>;
def sram_rd_qdesc_other : Dataless<"sram", "rd_qdesc_other", UnitSram>;
def sram_rd_qdesc_tail : BlockRead<"sram", "rd_qdesc_tail", UnitSram>;
def sram_rd_qdesc_head : BlockRead<"sram", "rd_qdesc_head", UnitSram>;

def scratch_read : BlockRead<"scratch", "read", UnitScratch>;
def scratch_write : BlockWrite<"scratch", "write", UnitScratch>;
def scratch_swap : AtomicBoth<"scratch", "swap", UnitScratch>;
def scratch_set : AtomicWrite<"scratch", "set", UnitScratch>;
def scratch_clr : AtomicWrite<"scratch", "clr", UnitScratch>;
def scratch_add : AtomicWrite<"scratch", "add", UnitScratch>;
def scratch_sub : AtomicWrite<"scratch", "sub", UnitScratch>;
def scratch_incr : Dataless<"scratch", "incr", UnitScratch>;
def scratch_decr : Dataless<"scratch", "decr", UnitScratch>;
def scratch_test_and_set : AtomicBoth<"scratch", "test_and_set", UnitScratch>;
def scratch_test_and_clr : AtomicBoth<"scratch", "test_and_clr", UnitScratch>;
def scratch_test_and_add : AtomicBoth<"scratch", "test_and_add", UnitScratch>;
def scratch_test_and_sub : AtomicBoth<"scratch", "test_and_sub", UnitScratch>;
def scratch_test_and_incr : AtomicRead<"scratch", "test_and_incr", UnitScratch>;
def scratch_test_and_decr : AtomicRead<"scratch", "test_and_decr", UnitScratch>;
def scratch_get : BlockRead<"scratch", "get", UnitScratch>;
def scratch_put : BlockWrite<"scratch", "put", UnitScratch>;

class DramCommand<string subcommand> : Command<"dram", subcommand, UnitDram> {
  let Signals = SignalDoubled;
  let DeferMax = 0;
}
def dram_read : DramCommand<"read"> {
  let Forms = [BlockForm<XferRead>];
  let Transfer = XferIn;
  let LongwordsPerCount = 2;
  let Tokens = [TokIndirectRef, TokSigDone, TokIgnoreDataError];
}
def dram_write : DramCommand<"write"> {
  let Forms = [BlockForm<XferWrite>];
  let Transfer = XferOut;
  let LongwordsPerCount = 2;
  let Tokens = [TokIndirectRef, TokSigDone, TokIgnoreDataError];
}
class DramBuffer<string subcommand> : DramCommand<subcommand> {
  let Forms = [BlockForm<NoneOnly>];
  let Tokens = [TokIndirectRef, TokSigDone];
}
def dram_rbuf_rd : DramBuffer<"rbuf_rd">;
def dram_tbuf_wr : DramBuffer<"tbuf_wr">;

def msf_read : BlockRead<"msf", "read", UnitMsf>;
def msf_write : BlockWrite<"msf", "write", UnitMsf>;
def msf_read64 : BlockRead<"msf", "read64", UnitMsf, 2>;
def msf_write64 : BlockWrite<"msf", "write64", UnitMsf, 2>;
def msf_fast_wr : Command<"msf", "fast_wr", UnitMsf> {
  let Forms = [Form<[Arg<Xfer, NoneOnly>, Arg<Left, AddressArg>, Arg<Right, AddressArg>]>];
  let Signals = SignalNone;
  let Tokens = [TokIndirectRef];
  let DeferMax = 0;
}

def cap_read : Command<"cap", "read", UnitCap> {
  let Forms = [Form<[Arg<Xfer, XferRead>, Arg<CsrNumber, CapCsrArg>, OptArg<Count, CountArg, 1, 8>]>];
  let Transfer = XferIn;
  let LongwordsPerCount = 1;
}
def cap_write : Command<"cap", "write", UnitCap> {
  let Forms = [Form<[Arg<Xfer, XferWrite>, Arg<CsrNumber, CapCsrArg>, OptArg<Count, CountArg, 1, 8>]>];
  let Transfer = XferOut;
  let LongwordsPerCount = 1;
}
def cap_fast_wr : Command<"cap", "fast_wr", UnitCap> {
  let Forms = [Form<[Arg<Data, ConstantArg, 0, 16383>, Arg<CsrNumber, CapCsrArg>]>];
  let Signals = SignalNone;
  let Tokens = [];
  let DeferMax = 0;
}
def cap_fast_wr_alu : Command<"cap", "fast_wr", UnitCap> {
  let Forms = [Form<[Arg<Data, AluOutput>, Arg<CsrNumber, CapCsrArg>]>];
  let Signals = SignalNone;
  let Tokens = [];
  let DeferMax = 0;
}
def cap_calc_read : BlockRead<"cap", "read", UnitCap>;
def cap_calc_write : BlockWrite<"cap", "write", UnitCap>;

def pci_read : BlockRead<"pci", "read", UnitPci>;
def pci_write : BlockWrite<"pci", "write", UnitPci>;

class Hash<string mnemonic, int longwords> : Command<mnemonic, "", UnitHash> {
  let Forms = [Form<[Arg<Xfer, XferBoth>, Arg<Count, ConstantArg, 1, 3>]>];
  let Transfer = XferInOut;
  let LongwordsPerCount = longwords;
}
def hash_48 : Hash<"hash_48", 2>;
def hash_64 : Hash<"hash_64", 2>;
def hash_128 : Hash<"hash_128", 4>;
