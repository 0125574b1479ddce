// names.inc: input states and the known CSRs behind the CAP.
#include "emitters.h"

namespace weft::tblgen {
namespace {

void list(std::ostream& os, const Profile& p, const std::vector<ProfileName>& names, const char* what) {
  os << "constexpr NamedValue " << p.id << "_" << what << "[] = {\n";
  for (const ProfileName& n : names)
    if (n.profile == p.record) os << "    {" << quoted(n.name) << ", " << hex(static_cast<uint64_t>(n.value)) << "},\n";
  os << "};\n";
}

}  // namespace

void emit_names(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Profile& p : model.profiles) {
    list(os, p, model.input_states, "input_states");
    list(os, p, model.cap_csrs, "cap_csrs");
  }
  os << "constexpr NameFile kNameFiles[] = {\n";
  for (const Profile& p : model.profiles)
    os << "    {Profile::" << p.id << ", " << p.id << "_input_states, " << p.id << "_cap_csrs},\n";
  os << "};\n";
}

}  // namespace weft::tblgen
