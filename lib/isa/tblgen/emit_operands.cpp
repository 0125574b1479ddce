// operands.inc: what operand codes mean, per profile and operand file.
#include "emitters.h"

namespace weft::tblgen {

void emit_operands(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Profile& p : model.profiles)
    for (const char* file : {"re", "ur"}) {
      os << "constexpr CodeRange " << p.id << "_" << file << "[] = {\n";
      for (const OperandCode& c : model.operand_codes) {
        if (c.profile != p.record || c.file != file) continue;
        os << "    {" << hex(static_cast<uint64_t>(c.first)) << ", " << hex(static_cast<uint64_t>(c.last))
           << ", OperandKind::" << c.kind << ", Post::" << c.post << ", Bank::" << c.bank << ", " << c.value << ", "
           << (c.source ? "true" : "false") << ", " << (c.dest ? "true" : "false") << "},\n";
      }
      os << "};\n";
    }
  os << "constexpr OperandFile kOperandFiles[] = {\n";
  for (const Profile& p : model.profiles)
    os << "    {Profile::" << p.id << ", " << p.id << "_re, " << p.id << "_ur},\n";
  os << "};\n";
}

}  // namespace weft::tblgen
