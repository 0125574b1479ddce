// encode, decode and what follows from them, driven by the generated rows.
#include <bit>
#include <vector>

#include "codecs.h"

namespace weft::isa {
namespace {

#include "encodings.inc"

const ProfileTables* tables(Profile profile) {
  for (const ProfileTables& t : kProfiles)
    if (t.profile == profile) return &t;
  return nullptr;
}

bool applies(const EncodingRow& row, const Instruction& insn) {
  if (row.sources != Sources::any) {
    const bool constant = insn.left.kind == OperandKind::constant || insn.right.kind == OperandKind::constant;
    if (constant != (row.sources == Sources::constant)) return false;
  }
  if (row.when.empty()) return true;
  for (const RoleIs& w : row.when)
    if (insn[w.role] == w.value) return true;
  return false;
}

/// Parts that this encoding has no place for must be empty.
Encoded check_unused(const EncodingRow& row, const Instruction& insn) {
  for (unsigned i = 0; i < kRoleCount; ++i) {
    const Role role = static_cast<Role>(i);
    if (row.roles & role_bit(role)) continue;
    const bool used = role <= Role::xfer ? insn.operand(role).present() : insn[role] != 0;
    if (used)
      return codec::refuse(role,
                           std::string(info(insn.id).mnemonic) + " has no " + std::string(role_name(role)) + " here",
                           "leave it out");
  }
  return {};
}

Encoded encode_row(const EncodingRow& row, Profile profile, const Instruction& insn, uint64_t& word) {
  if (auto ok = check_unused(row, insn); !ok) return ok;
  word = row.value;
  for (const CodecUse& use : row.codecs)
    if (auto ok = use.codec->encode(use, profile, insn, word); !ok) return ok;
  for (const FieldLimit& limit : row.limits) {
    bool found = false;
    for (uint32_t v : limit.values) found |= v == limit.field.get(word);
    if (!found)
      return codec::refuse(Role::op,
                           "a value of " + std::string(info(insn.id).mnemonic) + " has no code in this profile",
                           "see the instruction's forms");
  }
  return {};
}

bool decode_row(const EncodingRow& row, Profile profile, uint64_t word, Instruction& insn) {
  if ((word & row.mask) != row.value) return false;
  for (const FieldLimit& limit : row.limits) {
    bool found = false;
    for (uint32_t v : limit.values) found |= v == limit.field.get(word);
    if (!found) return false;
  }
  insn = Instruction{};
  insn.id = row.id;
  for (const CodecUse& use : row.codecs)
    if (!use.codec->decode(use, profile, word, insn)) return false;
  return true;
}

}  // namespace

tl::expected<uint64_t, EncodeError> encode(Profile profile, const Instruction& insn) {
  const ProfileTables* t = tables(profile);
  bool known = false;
  if (t)
    for (const EncodingRow& row : t->rows) {
      if (row.id != insn.id) continue;
      known = true;
      if (!applies(row, insn)) continue;
      uint64_t word = 0;
      if (auto ok = encode_row(row, profile, insn, word); !ok) return tl::unexpected(ok.error());
      return word;
    }
  if (known && insn.id != InsnId::mul_step)
    return codec::refuse(Role::right, "no encoding takes these sources", "name registers or constants");
  if (known) return codec::refuse(Role::mul_step, "no such step", "steps are start, step1 to step4, last, last2");
  return codec::refuse(Role::op, std::string(info(insn.id).mnemonic) + " does not exist in this profile",
                       "choose another instruction");
}

std::optional<Instruction> decode(Profile profile, uint64_t word) {
  const ProfileTables* t = tables(profile);
  if (!t || word >> t->bits != 0) return std::nullopt;
  const size_t top = word >> (t->bits - 8);
  Instruction insn;
  for (size_t i = t->starts[top]; i < t->starts[top + 1]; ++i)
    if (decode_row(t->rows[t->candidates[i]], profile, word, insn)) return insn;
  return std::nullopt;
}

bool is_canonical(Profile profile, uint64_t word) {
  const auto insn = decode(profile, word);
  if (!insn) return false;
  const auto again = encode(profile, *insn);
  return again && *again == word;
}

unsigned word_bits(Profile profile) { return profile == Profile::me1 ? 32 : 40; }
unsigned word_bytes(Profile profile) { return word_bits(profile) / 8; }

uint64_t with_parity(uint64_t word) {
  const uint64_t low = word & 0xfffff, high = word >> 20 & 0xfffff;
  word &= 0xffffffffff;
  return word | static_cast<uint64_t>(std::popcount(low) & 1) << 40 |
         static_cast<uint64_t>(std::popcount(high) & 1) << 41;
}

namespace {

/// Of each instruction of a profile.
struct Encoded {
  uint32_t signal = 0;  ///< unit_signal()
  bool exists = false;  ///< enabled()
};

std::vector<Encoded> all_encoded(Profile profile) {
  std::vector<Encoded> out(all_instructions().size());
  if (const ProfileTables* t = tables(profile))
    for (const EncodingRow& row : t->rows) {
      Encoded& encoded = out.at(static_cast<size_t>(row.id));
      encoded.exists = true;
      for (const CodecUse& use : row.codecs)
        if (encoded.signal == 0 && use.codec == &codec::unit_signal)
          encoded.signal = static_cast<uint32_t>(use.params[0]);
    }
  return out;
}

const Encoded& encoded(Profile profile, InsnId id) {
  static const std::vector<Encoded> me1 = all_encoded(Profile::me1), me2 = all_encoded(Profile::me2);
  return (profile == Profile::me1 ? me1 : me2)[static_cast<size_t>(id)];
}

}  // namespace

uint32_t unit_signal(Profile profile, InsnId id) { return encoded(profile, id).signal; }

bool enabled(Profile profile, InsnId id) { return encoded(profile, id).exists; }

}  // namespace weft::isa
