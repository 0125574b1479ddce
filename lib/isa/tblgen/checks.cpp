// Holes, overlaps, lost bits, idle fields, collisions, missing encodings, missing documents.
#include "checks.h"

#include <algorithm>
#include <set>

#include "emitters.h"

namespace weft::tblgen {
namespace {

std::string bit_list(uint64_t bits) {
  std::string out;
  for (int b = 63; b >= 0; --b)
    if (bits >> b & 1) out += (out.empty() ? "" : ", ") + std::to_string(b);
  return out;
}

/// True when the layout is sound.
bool check_fields(const Encoding& e, const char* what, Report& report) {
  const std::string who = std::string(what) + " '" + e.record + "': ";
  bool sound = e.placed_twice == 0 && e.unplaced == 0;
  if (e.placed_twice)
    report.error(e.place, who + "bits " + bit_list(e.placed_twice) + " are both fixed and part of a field");
  if (e.unplaced)
    report.error(e.place, who + "bits " + bit_list(e.unplaced) +
                              " are unassigned; name them as a field 'reserved...' if they mean nothing");
  for (const Field& f : e.fields) {
    if (f.fixed) continue;
    uint64_t seen = 0;
    for (const FieldBit& b : f.bits) {
      if (seen >> b.field_bit & 1) {
        sound = false;
        report.error(e.place,
                     who + "bit " + std::to_string(b.field_bit) + " of field '" + f.name + "' is placed twice");
      }
      seen |= uint64_t{1} << b.field_bit;
    }
    const uint64_t all = f.width == 64 ? ~uint64_t{0} : (uint64_t{1} << f.width) - 1;
    if (seen == all) continue;
    sound = false;
    report.error(e.place, who + "field '" + f.name + "' of " + std::to_string(f.width) + " bits places " +
                              std::to_string(f.bits.size()) + "; bits " + bit_list(all & ~seen) +
                              " are lost (not placed, or overwritten by a later field)");
  }
  return sound;
}

/// True when every open field has one codec and every limit fits.
bool check_codecs(const Encoding& e, Report& report) {
  bool sound = true;
  auto fault = [&](const std::string& text) {
    sound = false;
    report.error(e.place, "encoding '" + e.record + "': " + text);
  };
  std::set<std::string> used;
  for (const Codec& c : e.codecs)
    for (const std::string& name : c.fields) {
      const Field* f = e.field(name);
      if (!f)
        fault("codec '" + c.function + "' names the field '" + name + "', which the format does not have");
      else if (f->fixed)
        fault("codec '" + c.function + "' writes the field '" + name + "', which has a fixed value");
      else if (!used.insert(name).second)
        fault("field '" + name + "' is written by two codecs");
    }
  for (const Field& f : e.fields)
    if (!f.fixed && !f.reserved() && !used.count(f.name))
      fault("field '" + f.name + "' has neither a fixed value nor a codec that fills it");
  for (const Limit& l : e.limits) {
    const Field* f = e.field(l.field);
    if (!f || f->fixed) {
      fault("the limit on '" + l.field + "' has no such open field");
      continue;
    }
    for (int64_t v : l.values)
      if (v < 0 || (f->width < 63 && v >> f->width != 0))
        fault("the limit value " + std::to_string(v) + " does not fit '" + l.field + "'");
  }
  return sound;
}

/// Value and mask of the word when `field` holds `value`.
uint64_t scatter(const Field& field, uint64_t value) {
  uint64_t word = 0;
  for (const FieldBit& b : field.bits)
    if (value >> b.field_bit & 1) word |= uint64_t{1} << b.word_bit;
  return word;
}

struct Pattern {
  uint64_t mask, value;
};
/// One pattern per combination of the enumerated values of the limited fields.
std::vector<Pattern> patterns(const Encoding& e) {
  std::vector<Pattern> out{{e.mask, e.value}};
  for (const Limit& l : e.limits) {
    const Field* f = e.field(l.field);
    if (!f) continue;
    const uint64_t mask = scatter(*f, ~uint64_t{0});
    std::vector<Pattern> next;
    for (const Pattern& p : out)
      for (int64_t v : l.values) next.push_back({p.mask | mask, p.value | scatter(*f, static_cast<uint64_t>(v))});
    out = std::move(next);
  }
  return out;
}

bool is_special(const Encoding& a, const Encoding& b) {
  return std::find(a.special_of.begin(), a.special_of.end(), b.record) != a.special_of.end();
}

void check_collisions(const Model& model, Report& report) {
  std::vector<std::vector<Pattern>> all;
  for (const Encoding& e : model.encodings) all.push_back(patterns(e));
  for (size_t i = 0; i < all.size(); ++i)
    for (size_t j = i + 1; j < all.size(); ++j) {
      const Encoding &a = model.encodings[i], &b = model.encodings[j];
      if (a.profile != b.profile || is_special(a, b) || is_special(b, a)) continue;
      for (const Pattern& p : all[i]) {
        auto hit = std::find_if(all[j].begin(), all[j].end(),
                                [&](const Pattern& q) { return ((p.value ^ q.value) & p.mask & q.mask) == 0; });
        if (hit == all[j].end()) continue;
        report.error(b.place, "encoding '" + b.record + "' collides with '" + a.record + "': both read the word " +
                                  hex(p.value | hit->value));
        report.note(a.place, "'" + a.record + "' is defined here");
        break;
      }
    }
}

bool has(const std::vector<std::string>& list, const std::string& text) {
  return std::find(list.begin(), list.end(), text) != list.end();
}

void check_presence(const Model& model, Report& report) {
  for (const Profile& p : model.profiles)
    for (const Insn& i : model.insns) {
      const bool found = model.encodes(p, i);
      const bool wanted = has(i.profiles, p.id) || i.profiles.empty();
      if (found == wanted) continue;
      report.error(i.place, "instruction '" + i.id + "' has " + (found ? "an" : "no") + " encoding for the profile '" +
                                p.id + "'" + (found ? ", which it does not name" : ""));
      report.note(p.place, "the profile is defined here");
    }
  for (const Insn& i : model.insns)
    for (const std::string& id : i.profiles)
      if (std::none_of(model.profiles.begin(), model.profiles.end(), [&](const Profile& p) { return p.id == id; }))
        report.error(i.place, "instruction '" + i.id + "' names the profile '" + id + "', which does not exist");
}

void check_documents(const Model& model, Report& report) {
  for (const Insn& i : model.insns) {
    if (i.summary.empty()) report.error(i.place, "instruction '" + i.id + "' has no summary");
    if (i.doc.empty()) report.error(i.place, "instruction '" + i.id + "' has no documentation");
    const auto count =
        std::count_if(model.examples.begin(), model.examples.end(), [&](const Example& e) { return e.insn == i.id; });
    if (count < 3)
      report.error(i.place,
                   "instruction '" + i.id + "' has " + std::to_string(count) + " worked examples; it needs at least 3");
    for (const std::string& d : i.decisions)
      if (std::none_of(model.decisions.begin(), model.decisions.end(),
                       [&](const Decision& x) { return x.record == d; }))
        report.error(i.place, "instruction '" + i.id + "' refers to the decision '" + d + "', which does not exist");
  }
  for (const Example& e : model.examples)
    if (e.after.empty()) report.error(e.place, "a worked example of '" + e.insn + "' says nothing about what follows");
}

/// What an instruction says it does must fit its forms.
void check_effects(const Model& model, Report& report) {
  for (const Insn& i : model.insns) {
    const auto fault = [&](const std::string& text) { report.error(i.place, "instruction '" + i.id + "' " + text); };
    const auto has_role = [&](const char* role) {
      return std::any_of(i.forms.begin(), i.forms.end(), [&](const std::vector<Arg>& form) {
        return std::any_of(form.begin(), form.end(), [&](const Arg& a) { return a.role == role; });
      });
    };
    if (has_role("dest") != (i.bytes != 0))
      fault(i.bytes == 0 ? "has a dest, but says that it writes no bytes of it"
                         : "writes bytes of a dest that it has not");
    if (i.bytes == 16 && !has_role("mask")) fault("takes its bytes from a mask that it has not");
    if (i.bytes < 0 || i.bytes > 16)
      fault("says " + std::to_string(i.bytes) + " for its Bytes; 0 to 16 mean something");
    if ((i.does == "media_in" || i.does == "media_out") != (i.buffer_longwords != 0))
      fault(i.buffer_longwords == 0 ? "does not say its BufferLongwords"
                                    : "moves no data of media buffers, but says its BufferLongwords");
    for (const std::string& other : {i.behind, i.before})
      if (!other.empty() && model.insn(other) == nullptr) fault("names '" + other + "', which does not exist");
  }
  for (const Csr& c : model.csrs)
    if (active_form(model, c) == nullptr) report.error(c.place, "'" + c.name + "' has no ACTIVE_ form");
}

void check_operand_codes(const Model& model, Report& report) {
  for (size_t i = 0; i < model.operand_codes.size(); ++i)
    for (size_t j = 0; j < i; ++j) {
      const OperandCode &a = model.operand_codes[j], &b = model.operand_codes[i];
      if (a.profile != b.profile || a.file != b.file) continue;
      if (!((a.source && b.source) || (a.dest && b.dest))) continue;
      if (b.first > a.last || a.first > b.last) continue;
      report.error(b.place, "operand codes " + hex(static_cast<uint64_t>(b.first)) + "-" +
                                hex(static_cast<uint64_t>(b.last)) + " have two meanings");
      report.note(a.place, "the other one is here");
    }
}

template <typename T, typename Key>
void check_unique(const std::vector<T>& list, const char* what, Key key, Report& report) {
  for (size_t i = 0; i < list.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      if (key(list[i]) == key(list[j])) {
        report.error(list[i].place, std::string(what) + " given twice");
        report.note(list[j].place, "the other one is here");
      }
}

}  // namespace

void check(const Model& model, const CheckOptions& options, Report& report) {
  bool sound = true;
  for (const Encoding& f : model.formats) sound &= check_fields(f, "format", report);
  if (!sound) return;  // every encoding of the format would only repeat it
  for (const Encoding& e : model.encodings) sound &= check_fields(e, "encoding", report) && check_codecs(e, report);
  if (sound) check_collisions(model, report);
  check_presence(model, report);
  check_effects(model, report);
  check_operand_codes(model, report);
  check_unique(
      model.csrs, "CSR offset", [](const Csr& c) { return c.profile + std::to_string(c.offset); }, report);
  check_unique(
      model.csrs, "CSR name", [](const Csr& c) { return c.profile + c.name; }, report);
  check_unique(
      model.input_states, "input state", [](const ProfileName& s) { return s.profile + std::to_string(s.value); },
      report);
  check_unique(
      model.signal_names, "signal", [](const ProfileName& s) { return s.profile + std::to_string(s.value); }, report);
  if (options.documentation) check_documents(model, report);
}

}  // namespace weft::tblgen
