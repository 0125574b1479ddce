// The ISA description as plain values: what the reader makes of the .td records and what every emitter works on.
// No LLVM type appears here.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace weft::tblgen {

/// A place in a .td file, as an index into what the reader keeps; -1 = none.
using Place = int;

struct Named {
  std::string record, id, text, doc;
  int64_t value = 0;
  Place place = -1;
  bool logical = false, shifts = false, reads_carry = false;  ///< operators of alu
};

struct Arg {
  std::string role, cls;  ///< ids
  std::string cls_text, cls_doc;
  int64_t min = 0, max = 0;
  bool optional = false;
};

struct Example {
  std::string insn, code;
  std::vector<std::string> before, after;
  std::string profile;  ///< id
  Place place = -1;
};

struct Hazard {
  std::string state, text;
  int64_t cycles = 0;
};

struct Insn {
  std::string id, mnemonic, subcommand, summary, doc;
  std::vector<std::vector<Arg>> forms;
  std::vector<std::string> tokens, token_texts;
  std::string group, cycles, cycles_doc, unit, transfer, signals;
  int64_t defer_max = 0, me1_defer_max = 0, longwords_per_count = 0;
  bool sets_cc = false, reads_cc = false, previous_alu = false, falls_through = true;
  std::vector<std::string> hazards, suspends, decisions;
  int64_t bytes = 0, alignment = 1, buffer_longwords = 0, max_longwords = 0;
  bool pairs_dest = false, right_in_a = false, right_is_cam_entry = false, needs_indirect = false, byte_mask = false;
  std::vector<std::string> reads, writes;  ///< ids of State
  std::vector<Hazard> late;
  std::string behind, before;                       ///< ids of Insn
  std::string branch_if, goes, does, atomic, lock;  ///< ids; empty = none
  std::vector<std::string> profiles;                ///< ids; empty = all
  std::string body;                                 ///< function that executes it
  Place place = -1;
};

struct RoleValue {
  std::string role;
  int64_t value = 0;
};

struct Alias {
  std::string spelling, insn;
  std::vector<RoleValue> values;
  bool printed = false;
  Place place = -1;
};

struct Codec {
  std::string function;
  std::vector<std::string> fields, roles;
  std::vector<int64_t> params;
};

struct Limit {
  std::string field;
  std::vector<int64_t> values;
};

/// Where bit `bit` of a field stands in the word.
struct FieldBit {
  unsigned word_bit = 0, field_bit = 0;
};
struct Field {
  std::string name;
  unsigned width = 0;
  std::vector<FieldBit> bits;  ///< ascending by word bit; empty when the encoding fixed the field
  bool fixed = false;          ///< given a value by the encoding
  bool reserved() const { return name.rfind("reserved", 0) == 0; }
};

struct Encoding {
  std::string record, profile, insn;
  uint64_t mask = 0, value = 0;  ///< bits with a fixed value
  uint64_t placed_twice = 0;     ///< bits that are both fixed and part of a field
  uint64_t unplaced = 0;         ///< bits that are neither
  std::vector<Field> fields;
  std::vector<Codec> codecs;
  std::vector<Limit> limits;
  std::vector<RoleValue> when;
  std::string sources;  ///< any, registers, constant
  std::vector<std::string> special_of;
  Place place = -1;

  const Field* field(const std::string& name) const {
    for (const auto& f : fields)
      if (f.name == name) return &f;
    return nullptr;
  }
};

struct Profile {
  std::string record, id;
  int64_t bits = 0;
  std::vector<int64_t> sizes;  ///< in the order of isa::ProfileSizes
  Place place = -1;
};

struct OperandCode {
  std::string profile, file, kind, post, bank;
  int64_t first = 0, last = 0, value = 0;
  bool source = true, dest = true;
  Place place = -1;
};

struct Csr {
  std::string profile, name, doc;
  int64_t offset = 0, write_latency = -1, read_latency = -1, use_latency = -1;
  bool writable = true, is_private = false;
  std::vector<std::string> holds;  ///< ids of State
  Place place = -1;
};

struct ProfileName {
  std::string profile, name, doc;
  int64_t value = 0;
  Place place = -1;
};

struct Decision {
  std::string record, title, text;
  Place place = -1;
};

struct Model {
  std::map<std::string, std::vector<Named>> sets;  ///< by class name: "AluOp", "Token", "Role", ...
  std::vector<Profile> profiles;
  std::vector<Insn> insns;
  std::vector<Alias> aliases;
  std::vector<Example> examples;
  std::vector<Encoding> formats;  ///< bit layouts by themselves: record, place and bits
  std::vector<Encoding> encodings;
  std::vector<OperandCode> operand_codes;
  std::vector<Csr> csrs;
  std::vector<ProfileName> input_states, cap_csrs, signal_names;
  std::vector<Decision> decisions;

  const Insn* insn(const std::string& id) const {
    for (const auto& i : insns)
      if (i.id == id) return &i;
    return nullptr;
  }
  /// True when the profile has an encoding of the instruction.
  bool encodes(const Profile& profile, const Insn& insn) const {
    for (const auto& e : encodings)
      if (e.profile == profile.record && e.insn == insn.id) return true;
    return false;
  }
};

/// Local CSRs of a profile by offset.
std::vector<const Csr*> csrs_of(const Model& model, const Profile& profile);
/// The ACTIVE_ form of an INDIRECT_ CSR, itself for the others; null when there is none.
const Csr* active_form(const Model& model, const Csr& csr);

/// Says what is wrong and where, in the manner of a compiler.
class Report {
 public:
  virtual ~Report() = default;
  virtual void error(Place place, const std::string& text) = 0;
  virtual void note(Place place, const std::string& text) = 0;
};

}  // namespace weft::tblgen
