// csrs.inc: the local CSRs of each profile, by offset.
#include <algorithm>

#include "emitters.h"

namespace weft::tblgen {

void emit_csrs(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Profile& p : model.profiles) {
    std::vector<const Csr*> list;
    for (const Csr& c : model.csrs)
      if (c.profile == p.record) list.push_back(&c);
    std::sort(list.begin(), list.end(), [](const Csr* a, const Csr* b) { return a->offset < b->offset; });
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
