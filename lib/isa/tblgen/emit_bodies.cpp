// bodies.inc: which function executes which instruction, as lists of macro calls (emulator/src/semantics/bodies.h).
#include <set>

#include "emitters.h"

namespace weft::tblgen {
namespace {

void list(std::ostream& os, const char* macro, const char* what, const std::vector<std::string>& arguments) {
  os << "\n// " << what << "\n#ifdef " << macro << "\n";
  for (const std::string& a : arguments) os << macro << "(" << a << ")\n";
  os << "#undef " << macro << "\n#endif\n";
}

}  // namespace

void emit_bodies(std::ostream& os, const Model& model) {
  std::vector<std::string> bodies, of, operations;
  std::set<std::string> seen;
  for (const Insn& i : model.insns) {
    if (seen.insert(i.body).second) bodies.push_back(i.body);
    of.push_back(i.id + ", " + i.body);
  }
  for (const Named& n : model.sets.at("AluOp")) operations.push_back(n.id);
  os << kBanner;
  list(os, "WEFT_BODY", "Each body once.", bodies);
  list(os, "WEFT_BODY_OF", "Each instruction with its body.", of);
  list(os, "WEFT_ALU_OP", "The operations of alu.", operations);
}

}  // namespace weft::tblgen
