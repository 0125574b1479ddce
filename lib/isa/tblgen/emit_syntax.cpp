// syntax.inc: written forms, mnemonics, aliases and the spellings of operators and tokens.
#include <map>

#include "emitters.h"

namespace weft::tblgen {
namespace {

void forms(std::ostream& os, const Insn& i) {
  for (size_t f = 0; f < i.forms.size(); ++f) {
    if (i.forms[f].empty()) continue;
    os << "constexpr Arg " << i.id << "_form_" << f << "[] = {";
    for (size_t k = 0; k < i.forms[f].size(); ++k) {
      const Arg& a = i.forms[f][k];
      os << (k ? ", " : "") << "{Role::" << a.role << ", ArgClass::" << a.cls << ", " << (a.optional ? "true" : "false")
         << ", " << a.min << ", " << a.max << "}";
    }
    os << "};\n";
  }
  os << "constexpr Form " << i.id << "_forms[] = {";
  for (size_t f = 0; f < i.forms.size(); ++f) {
    os << (f ? ", " : "");
    if (i.forms[f].empty())
      os << "{}";
    else
      os << "{" << i.id << "_form_" << f << "}";
  }
  os << "};\n";
}

/// Instructions by mnemonic, sorted; only those that the profile has.
void mnemonics(std::ostream& os, const Model& model, const Profile& p) {
  std::map<std::string, std::vector<const Insn*>> by_mnemonic;
  for (const Insn& i : model.insns)
    if (model.encodes(p, i)) by_mnemonic[i.mnemonic].push_back(&i);
  std::string rows;
  size_t k = 0;
  for (const auto& [mnemonic, list] : by_mnemonic) {
    const std::string name = p.id + "_mnemonic_" + std::to_string(k++);
    os << "constexpr InsnId " << name << "[] = {";
    for (size_t n = 0; n < list.size(); ++n) os << (n ? ", " : "") << "InsnId::" << list[n]->id;
    os << "};\n";
    rows += "    {" + quoted(mnemonic) + ", " + name + "},\n";
  }
  os << "constexpr MnemonicRow " << p.id << "_mnemonics[] = {\n" << rows << "};\n";
}

void spellings(std::ostream& os, const Model& model, const char* set, const char* name) {
  os << "constexpr NamedValue " << name << "[] = {";
  for (const Named& n : model.sets.at(set)) os << "{" << quoted(n.text) << ", " << n.value << "}, ";
  os << "};\n";
}

}  // namespace

void emit_syntax(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Insn& i : model.insns) forms(os, i);

  for (const Profile& p : model.profiles) mnemonics(os, model, p);
  os << "constexpr MnemonicFile kMnemonicFiles[] = {\n";
  for (const Profile& p : model.profiles) os << "    {Profile::" << p.id << ", " << p.id << "_mnemonics},\n";
  os << "};\n";

  for (size_t a = 0; a < model.aliases.size(); ++a) {
    if (model.aliases[a].values.empty()) continue;
    os << "constexpr RoleIs alias_" << a << "[] = {";
    for (const RoleValue& v : model.aliases[a].values) os << "{Role::" << v.role << ", " << v.value << "}, ";
    os << "};\n";
  }
  os << "constexpr AliasRow kAliasRows[] = {\n";
  for (size_t a = 0; a < model.aliases.size(); ++a) {
    const Alias& alias = model.aliases[a];
    os << "    {" << quoted(alias.spelling) << ", InsnId::" << alias.insn << ", "
       << (alias.values.empty() ? "{}" : "alias_" + std::to_string(a)) << ", " << (alias.printed ? "true" : "false")
       << "},\n";
  }
  os << "};\n";

  spellings(os, model, "AluOp", "kAluOps");
  spellings(os, model, "CrcType", "kCrcTypes");
  spellings(os, model, "MulSize", "kMulSizes");
  spellings(os, model, "MulStep", "kMulSteps");
  os << "constexpr std::string_view kTokenNames[] = {";
  for (const Named& n : model.sets.at("Token")) os << quoted(n.text) << ", ";
  os << "};\n";
  os << "constexpr std::string_view kRoleNames[] = {";
  for (const Named& n : model.sets.at("Role")) os << quoted(n.text) << ", ";
  os << "};\n";
}

}  // namespace weft::tblgen
