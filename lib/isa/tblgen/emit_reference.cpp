// reference.md: the instruction reference.
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
  for (const std::string& t : i.token_texts) os << "* token " << t << "\n";
  os << "\nTime: " << i.cycles_doc << ". Condition codes: " << (i.sets_cc ? "set" : "untouched")
     << (i.reads_cc ? ", read" : "") << ".";
  if (i.defer_max) os << " Deferred slots: up to " << i.defer_max << ".";
  os << "\n\n";
  for (const std::string& h : i.hazards) os << "* Hazard: " << h << "\n";
  for (const std::string& s : i.suspends) os << "* Leaves Executing: " << s << "\n";
  for (const std::string& d : i.decisions)
    for (const Decision& x : model.decisions)
      if (x.record == d) os << "* Decided by us: " << x.title << "\n";
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

}  // namespace

void emit_reference(std::ostream& os, const Model& model) {
  for (const Named& g : model.sets.at("Group")) {
    os << "## " << g.text << "\n\n";
    for (const Insn& i : model.insns)
      if (i.group == g.id) instruction(os, model, i);
  }
  os << "## Other spellings\n\n| spelling | means |\n|---|---|\n";
  for (const Alias& a : model.aliases) os << "| `" << a.spelling << "` | `" << a.insn << "` |\n";
  os << "\n## Local CSRs\n\n| offset | name | write | read | use | |\n|---|---|---|---|---|---|\n";
  auto latency = [](int64_t n) { return n < 0 ? std::string("-") : std::to_string(n); };
  for (const Csr& c : model.csrs)
    os << "| " << hex(static_cast<uint64_t>(c.offset)) << " | " << c.name << " | " << latency(c.write_latency) << " | "
       << latency(c.read_latency) << " | " << latency(c.use_latency) << " | " << c.doc << " |\n";
  os << "\n## Input states\n\n| number | name |\n|---|---|\n";
  for (const ProfileName& s : model.input_states) os << "| " << s.value << " | " << s.name << " |\n";
  os << "\n## What we decided\n\nWhere the public facts are silent:\n\n";
  for (const Decision& d : model.decisions) os << "* **" << d.title << "**: " << d.text << "\n";
}

}  // namespace weft::tblgen
