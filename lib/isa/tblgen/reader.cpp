// The only file that knows LLVM: TableGen's driver, and the turning of records into plain values.
#include <algorithm>
#include <sstream>

#include "checks.h"
#include "emitters.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/InitLLVM.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Main.h"
#include "llvm/TableGen/Record.h"
#include "model.h"

namespace weft::tblgen {
namespace {

using llvm::Record;

std::string text_of(llvm::StringRef s) { return s.str(); }

class Reader : public Report {
 public:
  explicit Reader(llvm::RecordKeeper& keeper) : keeper_(keeper) {}

  Model read() {
    Model m;
    for (const char* set : {"Role", "ArgClass", "Token", "Unit", "AluOp", "CrcType", "CrcBytes", "MulSize", "MulStep",
                            "Group", "CycleClass", "XferUse", "SignalUse", "State"})
      for (const Record* r : all(set)) m.sets[set].push_back(named(*r));
    for (const Record* r : all("Profile"))
      m.profiles.push_back({name(*r), str(*r, "Id"), r->getValueAsInt("Bits"), profile_sizes(*r), place(*r)});
    for (const Record* r : all("Insn")) m.insns.push_back(insn(*r));
    for (const Record* r : all("Alias"))
      m.aliases.push_back({str(*r, "Spelling"), name(*r->getValueAsDef("Of")), role_values(*r, "Values"),
                           r->getValueAsBit("Printed"), place(*r)});
    for (const Record* r : all("Example"))
      m.examples.push_back({name(*r->getValueAsDef("Of")), str(*r, "Code"), strings(*r, "Before"), strings(*r, "After"),
                            str(*r, "In"), place(*r)});
    for (const Record* r : all("Decision"))
      m.decisions.push_back({name(*r), str(*r, "Title"), str(*r, "Text"), place(*r)});
    read_formats(m);
    for (const Record* r : all("Encoding")) m.encodings.push_back(encoding(*r));
    for (const Record* r : all("OperandCode"))
      m.operand_codes.push_back({name(*r->getValueAsDef("For")), str(*r, "File"), str(*r, "Kind"), str(*r, "Post"),
                                 str(*r, "Bank"), r->getValueAsInt("First"), r->getValueAsInt("Last"),
                                 r->getValueAsInt("Value"), r->getValueAsBit("Source"), r->getValueAsBit("Dest"),
                                 place(*r)});
    for (const Record* r : all("Csr")) m.csrs.push_back(csr(*r));
    for (const Record* r : all("InputState")) m.input_states.push_back(profile_name(*r));
    for (const Record* r : all("CapCsr")) m.cap_csrs.push_back(profile_name(*r));
    for (const Record* r : all("SignalName")) m.signal_names.push_back(profile_name(*r));
    return m;
  }

  void error(Place p, const std::string& text) override {
    failed_ = true;
    if (p < 0)
      llvm::PrintError(text);
    else
      llvm::PrintError(places_[static_cast<size_t>(p)], text);
  }
  void note(Place p, const std::string& text) override {
    if (p >= 0) llvm::PrintNote(places_[static_cast<size_t>(p)], text);
  }
  bool failed() const { return failed_; }

 private:
  /// In the order of the source, not the alphabetical one of TableGen; nothing when the class does not exist.
  std::vector<Record*> all(const char* cls) {
    if (!keeper_.getClass(cls)) return {};
    auto records = keeper_.getAllDerivedDefinitions(cls);
    std::sort(records.begin(), records.end(), llvm::LessRecordByID());
    return records;
  }
  Place place(const Record& r) {
    places_.push_back(r.getLoc());
    return static_cast<Place>(places_.size()) - 1;
  }
  static std::string name(const Record& r) { return text_of(r.getName()); }
  static std::string str(const Record& r, const char* field) { return text_of(r.getValueAsString(field)); }
  static std::vector<std::string> strings(const Record& r, const char* field) {
    std::vector<std::string> out;
    for (auto s : r.getValueAsListOfStrings(field)) out.push_back(text_of(s));
    return out;
  }
  /// The id of a def that a field must name; an error when the field was left open.
  std::string def_id(const Record& r, const char* field) {
    if (r.isValueUnset(field)) {
      error(place(r), "'" + name(r) + "' does not say its " + field);
      return "";
    }
    return str(*r.getValueAsDef(field), "Id");
  }

  std::string optional_id(const Record& r, const char* field) {
    return r.isValueUnset(field) ? "" : str(*r.getValueAsDef(field), "Id");
  }
  /// A fact that `who` must state.
  bool said(const Record& r, const char* field, const std::string& who) {
    if (!r.isValueUnset(field)) return true;
    error(place(r), "'" + who + "' does not say its " + field);
    return false;
  }
  static std::vector<std::string> ids(const Record& r, const char* field) {
    std::vector<std::string> out;
    for (const Record* s : r.getValueAsListOfDefs(field)) out.push_back(str(*s, "Id"));
    return out;
  }

  Csr csr(const Record& r) {
    Csr c;
    c.profile = name(*r.getValueAsDef("For"));
    c.name = str(r, "Name");
    c.doc = str(r, "Doc");
    c.offset = r.getValueAsInt("Offset");
    c.write_latency = r.getValueAsInt("WriteLatency");
    c.read_latency = r.getValueAsInt("ReadLatency");
    c.use_latency = r.getValueAsInt("UseLatency");
    c.writable = r.getValueAsBit("Writable");
    if (said(r, "Holds", c.name)) c.holds = ids(r, "Holds");
    if (said(r, "Private", c.name)) c.is_private = r.getValueAsBit("Private");
    c.place = place(r);
    return c;
  }

  /// What an instruction does; what must be said depends on its group.
  void effects(const Record& r, Insn& i) {
    if (said(r, "Bytes", i.id)) i.bytes = r.getValueAsInt("Bytes");
    i.pairs_dest = r.getValueAsBit("PairsDest");
    i.right_in_a = r.getValueAsBit("RightInA");
    i.right_is_cam_entry = r.getValueAsBit("RightIsCamEntry");
    i.reads = ids(r, "Reads");
    i.writes = ids(r, "Writes");
    for (const Record* h : r.getValueAsListOfDefs("Late")) {
      const Record* state = h->getValueAsDef("What");
      i.late.push_back({str(*state, "Id"), str(*state, "Text"), h->getValueAsInt("Cycles")});
    }
    i.behind = str(r, "Behind");
    i.before = str(r, "Before");
    if (i.group == "branch") {
      i.branch_if = def_id(r, "BranchIf");
      i.goes = def_id(r, "Goes");
    }
    if (i.group == "command") {
      i.does = def_id(r, "Does");
      if (said(r, "Alignment", i.id)) i.alignment = r.getValueAsInt("Alignment");
      i.buffer_longwords = r.getValueAsInt("BufferLongwords");
      i.max_longwords = r.getValueAsInt("MostLongwords");
    }
    i.atomic = i.does == "atomic" ? def_id(r, "Atomic") : "";
    i.lock = optional_id(r, "Lock");
    i.needs_indirect = r.getValueAsBit("NeedsIndirect");
    i.byte_mask = r.getValueAsBit("ByteMask");
  }

  Named named(const Record& r) {
    Named n;
    n.record = name(r);
    n.id = str(r, "Id");
    n.text = str(r, "Text");
    if (r.getValue("Doc")) n.doc = str(r, "Doc");
    if (r.getValue("Value")) n.value = r.getValueAsInt("Value");
    if (r.getValue("Logical")) n.logical = r.getValueAsBit("Logical");
    if (r.getValue("Shifts")) n.shifts = r.getValueAsBit("Shifts");
    if (r.getValue("ReadsCarry")) n.reads_carry = r.getValueAsBit("ReadsCarry");
    n.place = place(r);
    return n;
  }
  ProfileName profile_name(const Record& r) {
    return {name(*r.getValueAsDef("For")), str(r, "Name"), r.getValue("Doc") ? str(r, "Doc") : "",
            r.getValueAsInt("Value"), place(r)};
  }
  static std::vector<int64_t> profile_sizes(const Record& r) {
    std::vector<int64_t> out;
    for (const char* n :
         {"RelativeGprs", "AbsoluteGprs", "Transfers", "Neighbors", "ControlStore", "Contexts", "NeighborLatency"})
      out.push_back(r.getValueAsInt(n));
    for (const char* n : {"NumberedSignals", "LocalMemory"}) out.push_back(r.getValueAsBit(n));
    return out;
  }
  static std::vector<RoleValue> role_values(const Record& r, const char* field) {
    std::vector<RoleValue> out;
    for (const Record* v : r.getValueAsListOfDefs(field))
      out.push_back({str(*v->getValueAsDef("For"), "Id"), v->getValueAsInt("Value")});
    return out;
  }

  Insn insn(const Record& r) {
    Insn i;
    i.id = name(r);
    i.mnemonic = str(r, "Mnemonic");
    i.subcommand = str(r, "Subcommand");
    i.summary = str(r, "Summary");
    i.doc = str(r, "Doc");
    i.place = place(r);
    for (const Record* form : r.getValueAsListOfDefs("Forms")) {
      std::vector<Arg> args;
      for (const Record* a : form->getValueAsListOfDefs("Args")) {
        const Record* cls = a->getValueAsDef("Class");
        args.push_back({str(*a->getValueAsDef("ArgRole"), "Id"), str(*cls, "Id"), str(*cls, "Text"), str(*cls, "Doc"),
                        a->getValueAsInt("Min"), a->getValueAsInt("Max"), a->getValueAsBit("Optional")});
      }
      i.forms.push_back(std::move(args));
    }
    for (const Record* t : r.getValueAsListOfDefs("Tokens")) {
      i.tokens.push_back(str(*t, "Id"));
      i.token_texts.push_back(str(*t, "Doc"));
    }
    i.group = def_id(r, "InGroup");
    i.cycles = def_id(r, "Cycles");
    if (!i.cycles.empty()) i.cycles_doc = str(*r.getValueAsDef("Cycles"), "Text");
    i.unit = def_id(r, "ServedBy");
    i.transfer = def_id(r, "Transfer");
    i.signals = def_id(r, "Signals");
    i.defer_max = r.getValueAsInt("DeferMax");
    i.me1_defer_max = r.getValueAsInt("Me1DeferMax");
    i.longwords_per_count = r.getValueAsInt("LongwordsPerCount");
    i.sets_cc = r.getValueAsBit("SetsCc");
    i.reads_cc = r.getValueAsBit("ReadsCc");
    i.previous_alu = r.getValueAsBit("PreviousAlu");
    i.falls_through = r.getValueAsBit("FallsThrough");
    i.hazards = strings(r, "Hazards");
    i.suspends = strings(r, "Suspends");
    i.decisions = strings(r, "Decisions");
    i.profiles = strings(r, "Profiles");
    i.body = str(r, "Body").empty() ? i.id : str(r, "Body");
    effects(r, i);
    return i;
  }

  Encoding encoding(const Record& r) {
    Encoding e;
    e.record = name(r);
    e.profile = name(*r.getValueAsDef("For"));
    e.insn = name(*r.getValueAsDef("Of"));
    e.place = place(r);
    for (const Record* c : r.getValueAsListOfDefs("Codecs")) {
      Codec codec{str(*c, "Function"), strings(*c, "Fields"), {}, c->getValueAsListOfInts("Params")};
      for (const Record* role : c->getValueAsListOfDefs("Roles")) codec.roles.push_back(str(*role, "Id"));
      e.codecs.push_back(std::move(codec));
    }
    for (const Record* l : r.getValueAsListOfDefs("Limits"))
      e.limits.push_back({str(*l, "Field"), l->getValueAsListOfInts("Values")});
    e.when = role_values(r, "When");
    e.sources = str(*r.getValueAsDef("WithSources"), "Id");
    for (const Record* s : r.getValueAsListOfDefs("SpecialOf")) e.special_of.push_back(name(*s));
    read_bits(r, e);
    return e;
  }

  /// Formats are the classes with a Word that no encoding has touched yet: there a lost bit is still visible.
  void read_formats(Model& m) {
    for (const auto& [cls_name, cls] : keeper_.getClasses()) {
      if (!cls->getValue("Word") || !cls->getValue("Fixed") || cls->getValue("Codecs")) continue;
      Encoding e;
      e.record = cls_name;
      e.place = place(*cls);
      read_bits(*cls, e);
      if (!e.fields.empty()) m.formats.push_back(std::move(e));
    }
  }

  /// Fields are the bits<n> values of the record besides Word and Fixed.
  void read_bits(const Record& r, Encoding& e) {
    const llvm::RecordVal* word_value = r.getValue("Word");
    const llvm::RecordVal* fixed_value = r.getValue("Fixed");
    if (!word_value || !fixed_value) {
      error(e.place, "encoding '" + e.record + "' has no format: it needs Word and Fixed");
      return;
    }
    for (const llvm::RecordVal& v : r.getValues()) {
      const auto* type = llvm::dyn_cast<llvm::BitsRecTy>(v.getType());
      if (!type || v.getName() == "Word" || v.getName() == "Fixed") continue;
      Field f;
      f.name = text_of(v.getName());
      f.width = type->getNumBits();
      if (const auto* bits = llvm::dyn_cast<llvm::BitsInit>(v.getValue()))
        f.fixed = f.width > 0 && llvm::isa<llvm::BitInit>(bits->getBit(0));
      e.fields.push_back(std::move(f));
    }
    const llvm::BitsInit* word = r.getValueAsBitsInit("Word");
    const llvm::BitsInit* fixed = r.getValueAsBitsInit("Fixed");
    for (unsigned bit = 0; bit < word->getNumBits(); ++bit) {
      const uint64_t at = uint64_t{1} << bit;
      bool given = false;
      if (const auto* b = llvm::dyn_cast<llvm::BitInit>(fixed->getBit(bit))) {
        e.mask |= at;
        if (b->getValue()) e.value |= at;
        given = true;
      }
      const llvm::Init* init = word->getBit(bit);
      bool placed = true;
      if (const auto* b = llvm::dyn_cast<llvm::BitInit>(init)) {
        e.mask |= at;
        if (b->getValue()) e.value |= at;
      } else if (const auto* vb = llvm::dyn_cast<llvm::VarBitInit>(init)) {
        add_bit(e, vb->getBitVar(), bit, vb->getBitNum());
      } else if (llvm::isa<llvm::VarInit>(init)) {
        add_bit(e, init, bit, 0);  // a field declared `bit x`
      } else {
        placed = false;
      }
      if (given && placed) e.placed_twice |= at;
      if (!given && !placed) e.unplaced |= at;
    }
  }
  void add_bit(Encoding& e, const llvm::Init* variable, unsigned word_bit, unsigned field_bit) {
    const std::string field = variable->getAsUnquotedString();
    for (Field& f : e.fields)
      if (f.name == field) f.bits.push_back({word_bit, field_bit});
  }

  llvm::RecordKeeper& keeper_;
  std::vector<std::vector<llvm::SMLoc>> places_;
  bool failed_ = false;
};

enum class Action {
  check,
  ids,
  bodies,
  encodings,
  info,
  syntax,
  operands,
  csrs,
  effects,
  names,
  words,
  examples,
  example_tests,
  reference
};

llvm::cl::opt<Action> action(
    llvm::cl::desc("What to write:"), llvm::cl::init(Action::check),
    llvm::cl::values(clEnumValN(Action::check, "check", "nothing; only check the description (default)"),
                     clEnumValN(Action::ids, "gen-ids", "the enumerations"),
                     clEnumValN(Action::bodies, "gen-bodies", "which function executes which instruction"),
                     clEnumValN(Action::encodings, "gen-encodings", "encode and decode tables"),
                     clEnumValN(Action::info, "gen-info", "facts about instructions"),
                     clEnumValN(Action::syntax, "gen-syntax", "written forms, aliases and spellings"),
                     clEnumValN(Action::operands, "gen-operands", "operand codes"),
                     clEnumValN(Action::csrs, "gen-csrs", "local CSRs"),
                     clEnumValN(Action::effects, "gen-effects", "what instructions and local CSRs do"),
                     clEnumValN(Action::names, "gen-names", "input states and CAP CSRs"),
                     clEnumValN(Action::words, "gen-words", "word lists for editors, JSON"),
                     clEnumValN(Action::examples, "gen-examples", "worked examples"),
                     clEnumValN(Action::example_tests, "gen-example-tests", "worked examples as a test table, JSON"),
                     clEnumValN(Action::reference, "gen-reference", "the reference manual, Markdown")));
llvm::cl::opt<bool> draft("draft", llvm::cl::desc("Do not ask for documentation and examples"));

bool emit(llvm::raw_ostream& os, llvm::RecordKeeper& keeper) {
  Reader reader(keeper);
  const Model model = reader.read();
  if (!reader.failed()) check(model, {.documentation = !draft}, reader);
  if (reader.failed()) return true;
  std::ostringstream out;
  switch (action) {
    case Action::check: break;
    case Action::ids: emit_ids(out, model); break;
    case Action::bodies: emit_bodies(out, model); break;
    case Action::encodings: emit_encodings(out, model); break;
    case Action::info: emit_info(out, model); break;
    case Action::syntax: emit_syntax(out, model); break;
    case Action::operands: emit_operands(out, model); break;
    case Action::csrs: emit_csrs(out, model); break;
    case Action::effects: emit_effects(out, model); break;
    case Action::names: emit_names(out, model); break;
    case Action::words: emit_words(out, model); break;
    case Action::examples: emit_examples(out, model); break;
    case Action::example_tests: emit_example_tests(out, model); break;
    case Action::reference: emit_reference(out, model); break;
  }
  os << out.str();
  return false;
}

}  // namespace
}  // namespace weft::tblgen

int main(int argc, char** argv) {
  llvm::InitLLVM init(argc, argv);
  llvm::cl::ParseCommandLineOptions(argc, argv, "weft-tblgen: the instruction set, said once\n");
  return llvm::TableGenMain(argv[0], &weft::tblgen::emit);
}
