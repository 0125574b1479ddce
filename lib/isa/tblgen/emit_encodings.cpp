// encodings.inc: one row per encoding, and for each profile an index by the top byte of the word.
#include <algorithm>
#include <set>

#include "emitters.h"

namespace weft::tblgen {
namespace {

/// Runs of bits that go together: {lowest word bit, width, lowest field bit}.
std::string pieces(const Field& f, unsigned& count) {
  std::string out;
  count = 0;
  for (size_t i = 0; i < f.bits.size();) {
    size_t n = 1;
    while (i + n < f.bits.size() && f.bits[i + n].word_bit == f.bits[i].word_bit + n &&
           f.bits[i + n].field_bit == f.bits[i].field_bit + n)
      ++n;
    if (count) out += ", ";
    out += "{" + std::to_string(f.bits[i].word_bit) + ", " + std::to_string(n) + ", " +
           std::to_string(f.bits[i].field_bit) + "}";
    ++count;
    i += n;
  }
  return out;
}

std::string field_ref(const Encoding& e, const std::string& name) {
  unsigned count = 0;
  const std::string list = pieces(*e.field(name), count);
  return "{" + std::to_string(e.field(name)->width) + ", " + std::to_string(count) + ", {{" + list + "}}}";
}

void rows(std::ostream& os, const Model& model, const Profile& profile, std::vector<const Encoding*>& order) {
  for (const Encoding& e : model.encodings)
    if (e.profile == profile.record) order.push_back(&e);
  // Special cases come first, so that they win.
  std::stable_sort(order.begin(), order.end(),
                   [](const Encoding* a, const Encoding* b) { return a->special_of.empty() < b->special_of.empty(); });
  for (const Encoding* e : order) {
    const std::string n = e->record;
    size_t k = 0;
    for (const Codec& c : e->codecs) {
      if (!c.params.empty()) {
        os << "constexpr int32_t " << n << "_params_" << k << "[] = {";
        for (size_t i = 0; i < c.params.size(); ++i) os << (i ? ", " : "") << c.params[i];
        os << "};\n";
      }
      ++k;
    }
    os << "constexpr CodecUse " << n << "_codecs[] = {\n";
    k = 0;
    for (const Codec& c : e->codecs) {
      os << "    {&codec::" << c.function << ", {{";
      for (size_t i = 0; i < c.fields.size(); ++i) os << (i ? ", " : "") << field_ref(*e, c.fields[i]);
      os << "}}, {{";
      for (size_t i = 0; i < c.roles.size(); ++i) os << (i ? ", " : "") << "Role::" << c.roles[i];
      os << "}}, ";
      if (c.params.empty())
        os << "{}";
      else
        os << n << "_params_" << k;
      os << "},\n";
      ++k;
    }
    os << "};\n";
    if (!e->limits.empty()) {
      k = 0;
      for (const Limit& l : e->limits) {
        os << "constexpr uint32_t " << n << "_limit_" << k++ << "[] = {";
        for (size_t i = 0; i < l.values.size(); ++i) os << (i ? ", " : "") << l.values[i];
        os << "};\n";
      }
      os << "constexpr FieldLimit " << n << "_limits[] = {";
      k = 0;
      for (const Limit& l : e->limits)
        os << (k ? ", " : "") << "{" << field_ref(*e, l.field) << ", " << n << "_limit_" << k << "}", ++k;
      os << "};\n";
    }
    if (!e->when.empty()) {
      os << "constexpr RoleIs " << n << "_when[] = {";
      k = 0;
      for (const RoleValue& w : e->when) os << (k++ ? ", " : "") << "{Role::" << w.role << ", " << w.value << "}";
      os << "};\n";
    }
  }
  os << "constexpr EncodingRow " << profile.id << "_rows[] = {\n";
  for (const Encoding* e : order) {
    std::set<std::string> roles;
    for (const Codec& c : e->codecs) roles.insert(c.roles.begin(), c.roles.end());
    os << "    {InsnId::" << e->insn << ", " << hex(e->mask) << ", " << hex(e->value) << ", " << e->record
       << "_codecs, ";
    os << (e->limits.empty() ? "{}" : e->record + "_limits") << ", ";
    os << (e->when.empty() ? "{}" : e->record + "_when") << ", ";
    os << "Sources::" << e->sources << ", ";
    if (roles.empty()) os << "0";
    size_t k = 0;
    for (const std::string& r : roles) os << (k++ ? " | " : "") << "role_bit(Role::" << r << ")";
    os << "},\n";
  }
  os << "};\n\n";
}

/// For each value of the word's top byte: the rows that can match, in order.
void index(std::ostream& os, const Profile& profile, const std::vector<const Encoding*>& order) {
  const unsigned shift = static_cast<unsigned>(profile.bits) - 8;
  std::string starts, list;
  size_t total = 0;
  for (uint64_t top = 0; top < 256; ++top) {
    starts += std::to_string(total) + ", ";
    for (size_t i = 0; i < order.size(); ++i)
      if (((top ^ order[i]->value >> shift) & (order[i]->mask >> shift) & 0xff) == 0) {
        list += std::to_string(i) + ", ";
        ++total;
      }
  }
  os << "constexpr uint16_t " << profile.id << "_starts[257] = {" << starts << total << "};\n";
  os << "constexpr uint16_t " << profile.id << "_candidates[] = {" << list << "};\n\n";
}

}  // namespace

void emit_encodings(std::ostream& os, const Model& model) {
  os << kBanner;
  for (const Profile& p : model.profiles) {
    std::vector<const Encoding*> order;
    rows(os, model, p, order);
    index(os, p, order);
  }
  os << "constexpr ProfileTables kProfiles[] = {\n";
  for (const Profile& p : model.profiles)
    os << "    {Profile::" << p.id << ", " << p.bits << ", " << p.id << "_rows, " << p.id << "_starts, " << p.id
       << "_candidates},\n";
  os << "};\n";
}

}  // namespace weft::tblgen
