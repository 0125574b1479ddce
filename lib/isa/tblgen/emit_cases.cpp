// not_me2.inc: `case` labels of the instructions that the profile me2 does not have, for switches over InsnId that
// serve me2 alone and must name every instruction.
#include "emitters.h"

namespace weft::tblgen {

void emit_cases(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Profile& p : model.profiles) {
    if (p.id != "me2") continue;
    for (const Insn& i : model.insns)
      if (!model.encodes(p, i)) os << "case ::weft::isa::InsnId::" << i.id << ":\n";
  }
}

}  // namespace weft::tblgen
