// The vocabulary of the ISA description: what a role, an operand class, an instruction and an encoding are.
//
// An instruction is written down twice and no more: once as an `Insn` (what it means, how it is written, what it costs)
// and once per profile as an `Encoding` (which bits). Formats are pure bit layouts. How the roles of an instruction
// become raw fields is said by codecs, named here and implemented in src/codec_*.cpp.

// ---------------------------------------------------------------------------------------------------------------------
// Small sets. `Id` is the name in C++, `Text` the name in source text.

class Named<string id, string text> {
  string Id = id;
  string Text = text;
}
class Valued<string id, string text, int value> : Named<id, text> {
  int Value = value;
}

class Role<string id> : Named<id, id>;
class ArgClass<string id, string text, string doc> : Named<id, text> {
  string Doc = doc;
}
class Token<string id, string text, string doc> : Named<id, text> {
  string Doc = doc;
}
class Unit<string id, int value> : Valued<id, id, value>;
class AluOp<string id, string text, int value> : Valued<id, text, value> {
  bit Logical = 0;    // its left operand is the amount of an indirect shift after it
  bit Shifts = 0;     // alu_shf has it, too
  bit ReadsCarry = 0;
}
class CrcType<string id, string text, int value> : Valued<id, text, value>;
class CrcBytes<string id, int value> : Valued<id, id, value>;
class MulSize<string id, string text, int value> : Valued<id, text, value>;
class MulStep<string id, string text, int value> : Valued<id, text, value>;
class Group<string id, string title> : Named<id, title>;
class CycleClass<string id, string doc> : Named<id, doc>;
class XferUse<string id> : Named<id, id>;
class SignalUse<string id> : Named<id, id>;

// Effects (include/weft/isa/effects.h explains each value).
class State<string id, string text> : Named<id, text>;
class Condition<string id> : Named<id, id>;
class BranchTo<string id> : Named<id, id>;
class Access<string id> : Named<id, id>;
class AtomicOp<string id> : Named<id, id>;
class LockUse<string id> : Named<id, id>;
/// What the instruction changes counts for words that issue more than `cycles` cycles after it.
class Hazard<State what, int cycles> {
  State What = what;
  int Cycles = cycles;
}

// ---------------------------------------------------------------------------------------------------------------------
// Instructions

/// One position of a written form.
class Arg<Role role, ArgClass cls, int min = 0, int max = 0> {
  Role ArgRole = role;
  ArgClass Class = cls;
  int Min = min;
  int Max = max;
  bit Optional = 0;
}
/// May be "--", or left out at the end of a form.
class OptArg<Role role, ArgClass cls, int min = 0, int max = 0> : Arg<role, cls, min, max> {
  let Optional = 1;
}
class Form<list<Arg> args> {
  list<Arg> Args = args;
}

class Insn<string mnemonic, string subcommand = ""> {
  string Mnemonic = mnemonic;
  string Subcommand = subcommand;
  string Summary = "";        // one sentence
  string Doc = "";            // semantics, condition codes, limits, where the facts come from; Markdown
  list<Form> Forms = [];      // the first one is what the printer writes
  list<Token> Tokens = [];    // in printing order
  Group InGroup = ?;
  CycleClass Cycles = ?;
  Unit ServedBy = ?;
  int DeferMax = 0;           // deferred slots that it may fill: me2
  int Me1DeferMax = 0;        // and me1
  bit SetsCc = 0;
  bit ReadsCc = 0;
  bit PreviousAlu = 0;        // updates the "previous ALU" state
  bit FallsThrough = 1;
  XferUse Transfer = ?;
  SignalUse Signals = ?;
  int LongwordsPerCount = 0;
  list<string> Hazards = [];  // what the neighbours of the instruction must respect, in words
  // Effects. What stands as `?` must be said: by every instruction, by branches, or by commands.
  int Bytes = ?;              // bytes of dest that it replaces, bit 3 = byte 3; 0 = it has no dest, 16 = those of the role mask
  bit PairsDest = 0;          // dest stands in a source slot of the word, so dest and source must differ in sort
  bit RightInA = 0;           // right goes through slot A of the word, which reads no register of bank B
  bit RightIsCamEntry = 0;    // right is the number of a CAM entry
  list<State> Reads = [];     // what it looks at beside operands and codes
  list<State> Writes = [];    // what it changes beside its dest and the codes
  list<Hazard> Late = [];     // what of that counts later, or asks for distance
  string Behind = "";         // id of the instruction that must stand directly before it
  string Before = "";         // id of the instruction that must follow directly
  Condition BranchIf = ?;     // branches
  BranchTo Goes = ?;          // branches
  Access Does = ?;            // commands: what is done where
  int Alignment = ?;          // commands: the address is a multiple of so many bytes; 1 = any, or no memory address
  AtomicOp Atomic = ?;       // Does = AccessAtomic
  LockUse Lock = ?;           // none = it leaves locks alone
  int BufferLongwords = 0;    // commands between memory and media buffers: longwords per count
  int MostLongwords = 32;     // of one command
  bit NeedsIndirect = 0;      // it has no meaning without indirect_ref
  bit ByteMask = 0;           // the indirect word can hold back bytes of what it writes
  list<string> Suspends = []; // when the context may leave Executing here
  list<string> Decisions = [];// decisions of Weft that shape this instruction (keys of Decision records)
  list<string> Profiles = []; // ids of the profiles that have it; none named = all
  string Body = "";           // function in emulator/src/semantics that executes it; empty = that of its own name
}

/// Another spelling of an instruction with some roles given.
class RoleValue<Role role, int value> {
  Role For = role;
  int Value = value;
}
class Alias<string spelling, Insn insn, list<RoleValue> values = [], bit printed = 0> {
  string Spelling = spelling;
  Insn Of = insn;
  list<RoleValue> Values = values;
  bit Printed = printed;
}

/// A worked example: source in physical notation, state before, state after (README.md has the notation).
class Example<Insn insn, string source, list<string> before, list<string> after> {
  Insn Of = insn;
  string Code = source;
  list<string> Before = before;
  list<string> After = after;
  string In = "me2";          // id of the profile whose engine runs it
}

/// Where the public facts are silent Weft decides; the manual lists these.
class Decision<string title, string text> {
  string Title = title;
  string Text = text;
}

// ---------------------------------------------------------------------------------------------------------------------
// Encodings

class Profile<string id, int width> : Named<id, id> {
  int Bits = width;
  // What a word can name: GPRs per bank, transfer registers of each kind, neighbor registers, words of control store.
  int RelativeGprs = 0;
  int AbsoluteGprs = 0;
  int Transfers = 0;
  int Neighbors = 0;
  int NeighborLatency = 0;  // words 1 to this many cycles after a write of a neighbor register find the old value
  int Contexts = 0;
  int ControlStore = 0;
  bit NumberedSignals = 0;  // commands name their signal; otherwise it is that of the unit
  bit LocalMemory = 0;
}

/// Values a field may hold in an encoding; other values belong to other encodings or to nobody.
class Limit<string name, list<int> values> {
  string Field = name;
  list<int> Values = values;
}

/// A mapping between roles and raw fields. `Function` names the pair of functions in src/codec_*.cpp.
class Codec<string function, list<string> fields, list<Role> roles, list<int> params = []> {
  string Function = function;
  list<string> Fields = fields;
  list<Role> Roles = roles;
  list<int> Params = params;
}

class Sources<string id> : Named<id, id>;
def SourcesAny : Sources<"any">;
def SourcesRegisters : Sources<"registers">;  // no constant among them
def SourcesConstant : Sources<"constant">;    // at least one constant

class Encoding<Profile profile, Insn insn> {
  Profile For = profile;
  Insn Of = insn;
  list<Codec> Codecs = [];       // in order; a later codec may look at roles that an earlier one decoded
  list<Limit> Limits = [];
  Sources WithSources = SourcesAny;  // encode: only when the sources are these (several encodings of one Insn)
  list<RoleValue> When = [];     // encode: use this encoding when one of the values holds (several encodings of one Insn)
  list<Encoding> SpecialOf = []; // this one is a marked special case of those: it wins when both match
}

/// The meaning of operand codes `First`..`Last` of one operand file; constants and numbers count up from `Value`.
class OperandCode<Profile profile, string file, int first, int last, string kind, string post = "none", int value = 0> {
  Profile For = profile;
  string File = file;            // "re" or "ur"
  int First = first;
  int Last = last;
  string Kind = kind;            // OperandKind
  string Bank = "none";          // of GPRs, where the code itself holds the bank
  string Post = post;
  int Value = value;
  bit Source = 1;
  bit Dest = 1;
}

class Csr<Profile profile, int offset, string name, int wr = -1, int rd = -1, int use = -1> {
  Profile For = profile;
  string Name = name;
  int Offset = offset;
  int WriteLatency = wr;
  int ReadLatency = rd;
  int UseLatency = use;
  bit Writable = 1;
  list<State> Holds = ?;         // what of the engine's state it shows; [] = a plain register
  bit Private = ?;               // a write is seen by nobody outside the engine, and changes nothing that others change
  string Doc = "";
}
class InputState<Profile profile, string name, int value> {
  Profile For = profile;
  string Name = name;
  int Value = value;
}
/// An event bit that always means the same; profiles without such records number their signals freely.
class SignalName<Profile profile, string name, int value, string doc> {
  Profile For = profile;
  string Name = name;
  int Value = value;
  string Doc = doc;
}
class CapCsr<Profile profile, string name, int value> {
  Profile For = profile;
  string Name = name;
  int Value = value;
}
