// words.json: what editors colour and complete.
#include <set>

#include "emitters.h"

namespace weft::tblgen {
namespace {

void array(std::ostream& os, const char* name, const std::set<std::string>& words, bool last = false) {
  os << "  " << quoted(name) << ": [";
  const char* sep = "";
  for (const std::string& w : words) {
    os << sep << quoted(w);
    sep = ", ";
  }
  os << "]" << (last ? "\n" : ",\n");
}

}  // namespace

void emit_words(std::ostream& os, const Model& model) {
  std::set<std::string> mnemonics, subcommands, tokens, operators, csrs, states, cap;
  for (const Insn& i : model.insns) {
    mnemonics.insert(i.mnemonic);
    if (!i.subcommand.empty()) subcommands.insert(i.subcommand);
  }
  for (const Alias& a : model.aliases) mnemonics.insert(a.spelling);
  for (const Named& n : model.sets.at("Token")) tokens.insert(n.text);
  for (const Named& n : model.sets.at("AluOp")) operators.insert(n.text);
  for (const Csr& c : model.csrs) csrs.insert(c.name);
  for (const ProfileName& s : model.input_states) states.insert(s.name);
  for (const ProfileName& c : model.cap_csrs) cap.insert(c.name);
  os << "{\n";
  array(os, "mnemonics", mnemonics);
  array(os, "subcommands", subcommands);
  array(os, "tokens", tokens);
  array(os, "operators", operators);
  array(os, "csrs", csrs);
  array(os, "input_states", states);
  array(os, "cap_csrs", cap, true);
  os << "}\n";
}

}  // namespace weft::tblgen
