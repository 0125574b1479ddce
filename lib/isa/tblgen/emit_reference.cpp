// reference.md: the instruction reference.
#include <algorithm>

#include "emitters.h"

namespace weft::tblgen {
namespace {

std::string written(const Insn& i, const std::vector<Arg>& form) {
  std::string out = i.mnemonic;
  std::string args = i.subcommand, after;
  for (const Arg& a : form) {
    std::string text = a.cls_text;
    if (a.cls == "mul_step") {
      after += ", " + text;
      continue;
    }
    if (a.optional) text = "{" + text + "}";
    args += (args.empty() ? "" : ", ") + text;
  }
  if (!args.empty()) out += "[" + args + "]";
  return out + after;
}

/// What the tables say it does, as far as the text above does not.
void effects(std::ostream& os, const Insn& i) {
  if (i.bytes == 16)
    os << "* Keeps the bytes of its destination that the mask does not name\n";
  else if (i.bytes != 0 && i.bytes != 15)
    os << "* Keeps bytes of its destination\n";
  for (const Hazard& h : i.late)
    os << "* Counts later: " << h.text << ", for words more than " << h.cycles << (h.cycles == 1 ? " cycle" : " cycles")
       << " after\n";
  if (i.alignment > 1) os << "* Address: a multiple of " << i.alignment << " bytes\n";
  if (!i.does.empty() && i.max_longwords != 32) os << "* Moves at most " << i.max_longwords << " longwords\n";
}

void instruction(std::ostream& os, const Model& model, const Insn& i) {
  os << "### " << i.id << "\n\n" << i.summary << "\n\n```\n";
  for (const auto& form : i.forms) os << written(i, form) << "\n";
  os << "```\n\n" << i.doc << "\n\n";
  for (const auto& form : i.forms)
    for (const Arg& a : form) {
      os << "* `" << a.role << "`: " << a.cls_doc;
      if (a.max) os << ", " << a.min << "-" << a.max;
      os << (a.optional ? " (may be `--`)" : "") << "\n";
    }
  for (size_t t = 0; t < i.tokens.size(); ++t) {
    const bool named = i.token_texts[t].starts_with("`");  // a text that shows how it is written
    os << "* token " << (named ? "" : "`" + i.tokens[t] + "`: ") << i.token_texts[t] << "\n";
  }
  os << "\nTime: " << i.cycles_doc << ". Condition codes: " << (i.sets_cc ? "set" : "untouched")
     << (i.reads_cc ? ", read" : "") << ".";
  const bool me1_only = i.profiles == std::vector<std::string>{"me1"},
             me2_only = i.profiles == std::vector<std::string>{"me2"};
  const int64_t slots = me1_only ? i.me1_defer_max : i.defer_max;
  if (slots)
    os << " Deferred slots: up to " << slots
       << (me1_only || me2_only ? "" : ", on me1 " + std::to_string(i.me1_defer_max)) << ".";
  os << "\n\n";
  effects(os, i);
  for (const std::string& h : i.hazards) os << "* Hazard: " << h << "\n";
  for (const std::string& s : i.suspends) os << "* Leaves Executing: " << s << "\n";
  for (const std::string& d : i.decisions)
    for (const Decision& x : model.decisions)
      if (x.record == d) os << "* Decided by us: " << x.title << "\n";
  os << "* Profiles: ";
  const char* sep = "";
  for (const Profile& p : model.profiles)
    if (model.encodes(p, i)) {
      os << sep << p.id;
      sep = ", ";
    }
  os << "\n";
  bool first = true;
  for (const Example& e : model.examples) {
    if (e.insn != i.id) continue;
    if (first) os << "\nWorked examples:\n\n| before | code | after |\n|---|---|---|\n";
    first = false;
    auto join = [](const std::vector<std::string>& list) {
      std::string out;
      for (const std::string& s : list) out += (out.empty() ? "`" : ", `") + s + "`";
      return out;
    };
    std::string code = "`";
    for (char c : e.code) {
      if (c == '\n')
        code += "` `";
      else if (c == '|')
        code += "\\|";
      else
        code += c;
    }
    os << "| " << join(e.before) << " | " << code << "` | " << join(e.after) << " |\n";
  }
  os << "\n";
}

/// The word of an encoding: fixed bits, and the fields with their places, highest first.
std::string layout(const Profile& p, const Encoding& e) {
  std::string bits, fields;
  for (int64_t b = p.bits - 1; b >= 0; --b) bits += e.mask >> b & 1 ? (e.value >> b & 1 ? '1' : '0') : '.';
  std::vector<const Field*> open;
  for (const Field& f : e.fields)
    if (!f.bits.empty() && !f.fixed && !f.reserved()) open.push_back(&f);
  std::sort(open.begin(), open.end(),
            [](const Field* a, const Field* b) { return a->bits.back().word_bit > b->bits.back().word_bit; });
  for (const Field* f : open)
    fields +=
        " " + f->name + " " + std::to_string(f->bits.back().word_bit) + ":" + std::to_string(f->bits.front().word_bit);
  return "`" + bits + "` |" + fields;
}

void profile_part(std::ostream& os, const Model& model, const Profile& p) {
  os << "\n## Profile " << p.id << "\n\n"
     << p.bits << "-bit words. A word can name " << p.sizes[0] << " relative and " << p.sizes[1]
     << " absolute GPRs of each bank, " << p.sizes[2] << " transfer registers of each kind, " << p.sizes[3]
     << " neighbor registers, and targets up to word " << p.sizes[4] - 1 << "; " << p.sizes[5]
     << " contexts.\n\n### Encodings of " << p.id << "\n\nBit " << p.bits - 1
     << " first; `.` belongs to a field or is reserved.\n\n| instruction | fixed bits | fields |\n|---|---|---|\n";
  for (const Encoding& e : model.encodings)
    if (e.profile == p.record) os << "| " << e.insn << " | " << layout(p, e) << " |\n";
  os << "\n### Operand codes of " << p.id << "\n\n| file | codes | operand | bank | modify |\n|---|---|---|---|---|\n";
  for (const OperandCode& c : model.operand_codes)
    if (c.profile == p.record)
      os << "| " << c.file << " | " << hex(static_cast<uint64_t>(c.first)) << "-" << hex(static_cast<uint64_t>(c.last))
         << " | " << c.kind << " from " << c.value << " | " << c.bank << " | " << c.post << " |\n";
  os << "\n### Local CSRs of " << p.id
     << "\n\n| offset | name | write | read | use | seen by others | |\n|---|---|---|---|---|---|---|\n";
  auto latency = [](int64_t n) { return n < 0 ? std::string("-") : std::to_string(n); };
  for (const Csr& c : model.csrs)
    if (c.profile == p.record)
      os << "| " << hex(static_cast<uint64_t>(c.offset)) << " | " << c.name << " | " << latency(c.write_latency)
         << " | " << latency(c.read_latency) << " | " << latency(c.use_latency) << " | "
         << (c.is_private ? "no" : "yes") << " | " << c.doc << " |\n";
  auto names = [&](const char* title, const std::vector<ProfileName>& list) {
    os << "\n### " << title << " of " << p.id << "\n\n| number | name | |\n|---|---|---|\n";
    for (const ProfileName& n : list)
      if (n.profile == p.record)
        os << "| " << hex(static_cast<uint64_t>(n.value)) << " | " << n.name << " | " << n.doc << " |\n";
  };
  names("CSRs outside the engine", model.cap_csrs);
  names("Input states", model.input_states);
  names("Signals with a fixed meaning", model.signal_names);
}

}  // namespace

void emit_reference(std::ostream& os, const Model& model) {
  for (const Named& g : model.sets.at("Group")) {
    os << "## " << g.text << "\n\n";
    for (const Insn& i : model.insns)
      if (i.group == g.id) instruction(os, model, i);
  }
  os << "## Other spellings\n\n| spelling | means |\n|---|---|\n";
  for (const Alias& a : model.aliases) os << "| `" << a.spelling << "` | `" << a.insn << "` |\n";
  for (const Profile& p : model.profiles) profile_part(os, model, p);
  os << "\n## What we decided\n\nWhere the public facts are silent:\n\n";
  for (const Decision& d : model.decisions) os << "* **" << d.title << "**: " << d.text << "\n";
}

}  // namespace weft::tblgen
