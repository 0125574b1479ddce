// names.inc: input states, the known CSRs outside the engine, and signals with a fixed meaning.
#include "emitters.h"

namespace weft::tblgen {
namespace {

void list(std::ostream& os, const Profile& p, const std::vector<ProfileName>& names, const char* what) {
  std::string rows;
  size_t count = 0;
  for (const ProfileName& n : names) {
    if (n.profile != p.record) continue;
    rows += "    {" + quoted(n.name) + ", " + hex(static_cast<uint64_t>(n.value)) + "},\n";
    ++count;
  }
  os << "constexpr std::array<NamedValue, " << count << "> " << p.id << "_" << what << " = {";
  os << (count ? "{\n" + rows + "}" : "") << "};\n";
}

}  // namespace

void emit_names(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Profile& p : model.profiles) {
    list(os, p, model.input_states, "input_states");
    list(os, p, model.cap_csrs, "cap_csrs");
    list(os, p, model.signal_names, "signal_names");
  }
  os << "constexpr NameFile kNameFiles[] = {\n";
  for (const Profile& p : model.profiles)
    os << "    {Profile::" << p.id << ", " << p.id << "_input_states, " << p.id << "_cap_csrs, " << p.id
       << "_signal_names},\n";
  os << "};\n";
  for (const Profile& p : model.profiles) {
    os << "constexpr ProfileSizes " << p.id << "_sizes = {";
    for (size_t i = 0; i < p.sizes.size(); ++i)
      os << (i ? ", " : "") << (i < 7 ? std::to_string(p.sizes[i]) : p.sizes[i] ? "true" : "false");
    os << "};\n";
  }
  os << "constexpr SizesRow kSizes[] = {\n";
  for (const Profile& p : model.profiles) os << "    {Profile::" << p.id << ", " << p.id << "_sizes},\n";
  os << "};\n";
}

}  // namespace weft::tblgen
