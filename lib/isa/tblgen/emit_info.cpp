// info.inc: one InsnInfo per instruction, in the order of InsnId.
#include "emitters.h"

namespace weft::tblgen {
namespace {
const char* flag(bool b) { return b ? "true" : "false"; }
}  // namespace

void emit_info(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Insn& i : model.insns) {
    if (i.tokens.empty()) continue;
    os << "constexpr TokenId " << i.id << "_tokens[] = {";
    for (size_t k = 0; k < i.tokens.size(); ++k) os << (k ? ", " : "") << "TokenId::" << i.tokens[k];
    os << "};\n";
  }
  os << "constexpr InsnInfo kInfo[] = {\n";
  for (const Insn& i : model.insns) {
    os << "    {InsnId::" << i.id << ", " << quoted(i.id) << ", " << quoted(i.mnemonic) << ", " << quoted(i.subcommand)
       << ",\n     " << quoted(i.summary) << ",\n     " << quoted(i.doc) << ",\n     " << i.id << "_forms, "
       << (i.tokens.empty() ? "{}" : i.id + "_tokens") << ", Group::" << i.group << ", CycleClass::" << i.cycles
       << ", Unit::" << i.unit << ", " << i.defer_max << ", " << i.me1_defer_max << ", " << flag(i.sets_cc) << ", "
       << flag(i.reads_cc) << ", " << flag(i.previous_alu) << ", " << flag(i.falls_through)
       << ", XferUse::" << i.transfer << ", " << i.longwords_per_count << ", SignalUse::" << i.signals << "},\n";
  }
  os << "};\n";
}

}  // namespace weft::tblgen
