// csrs.inc: the local CSRs of each profile, by offset.
#include <algorithm>

#include "emitters.h"

namespace weft::tblgen {

std::vector<const Csr*> csrs_of(const Model& model, const Profile& profile) {
  std::vector<const Csr*> list;
  for (const Csr& c : model.csrs)
    if (c.profile == profile.record) list.push_back(&c);
  std::sort(list.begin(), list.end(), [](const Csr* a, const Csr* b) { return a->offset < b->offset; });
  return list;
}

const Csr* active_form(const Model& model, const Csr& csr) {
  const std::string prefix = "INDIRECT_";
  if (!csr.name.starts_with(prefix)) return &csr;
  for (const Csr& c : model.csrs)
    if (c.profile == csr.profile && c.name == "ACTIVE_" + csr.name.substr(prefix.size())) return &c;
  return nullptr;
}

void emit_csrs(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Profile& p : model.profiles) {
    const std::vector<const Csr*> list = csrs_of(model, p);
    os << "constexpr CsrInfo " << p.id << "_csrs[] = {\n";
    for (const Csr* c : list)
      os << "    {" << quoted(c->name) << ", " << hex(static_cast<uint64_t>(c->offset)) << ", " << c->write_latency
         << ", " << c->read_latency << ", " << c->use_latency << ", " << (c->writable ? "true" : "false") << ", "
         << quoted(c->doc) << "},\n";
    os << "};\n";
  }
  os << "constexpr CsrFile kCsrFiles[] = {\n";
  for (const Profile& p : model.profiles) os << "    {Profile::" << p.id << ", " << p.id << "_csrs},\n";
  os << "};\n";
}

}  // namespace weft::tblgen
