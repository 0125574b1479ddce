// ids.h: the enumerations that every room uses.
#include "emitters.h"

namespace weft::tblgen {
namespace {

void values(std::ostream& os, const Model& model, const char* set, const char* name, const char* type) {
  os << "enum class " << name << " : " << type << " {";
  const char* sep = " ";
  auto it = model.sets.find(set);
  if (it != model.sets.end())
    for (const Named& n : it->second) {
      os << sep << n.id << " = " << n.value;
      sep = ", ";
    }
  os << " };\n";
}

}  // namespace

void emit_ids(std::ostream& os, const Model& model) {
  os << "// Names of instructions, operators, units, tokens and CSRs.\n" << kBanner << "#pragma once\n\n";
  os << "#include <cstddef>\n#include <cstdint>\n\nnamespace weft::isa {\n\nenum class InsnId : uint16_t {\n";
  for (const Insn& i : model.insns) os << "  " << i.id << ",  // " << i.summary << "\n";
  os << "};\ninline constexpr size_t kInsnCount = " << model.insns.size() << ";\n\n";
  values(os, model, "AluOp", "AluOp", "uint8_t");
  values(os, model, "Unit", "Unit", "uint8_t");
  os << "enum class TokenId : uint8_t {";
  const char* sep = " ";
  for (const Named& n : model.sets.at("Token")) {
    os << sep << n.id;
    sep = ", ";
  }
  os << " };\n";
  values(os, model, "CrcType", "CrcType", "uint8_t");
  values(os, model, "CrcBytes", "CrcBytes", "uint8_t");
  values(os, model, "MulSize", "MulSize", "uint8_t");
  values(os, model, "MulStep", "MulStep", "uint8_t");
  os << "\n/// Local CSRs of me2 by byte offset.\nenum class Csr : uint32_t {\n";
  for (const Csr& c : model.csrs)
    if (c.profile == "me2") os << "  " << lower(c.name) << " = " << hex(static_cast<uint64_t>(c.offset)) << ",\n";
  os << "};\n\n}  // namespace weft::isa\n";
}

}  // namespace weft::tblgen
