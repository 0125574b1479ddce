// Facts about instructions and names: the generated tables after the functions of isa.h.
#include <algorithm>
#include <cctype>
#include <vector>

#include "tables.h"

namespace weft::isa {
namespace {

// info.inc names the forms of syntax.inc.
// clang-format off
#include "syntax.inc"
#include "info.inc"
#include "csrs.inc"
#include "names.inc"
#include "examples.inc"
// clang-format on

bool same_text(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](unsigned char x, unsigned char y) { return std::tolower(x) == std::tolower(y); });
}

std::vector<Alias> make_aliases(Profile profile) {
  std::vector<Alias> out;
  for (const AliasRow& row : kAliasRows) {
    if (!enabled(profile, row.id)) continue;
    Alias a{row.spelling, {}, row.printed};
    a.instruction.id = row.id;
    for (const RoleIs& v : row.values) a.instruction[v.role] = v.value;
    out.push_back(a);
  }
  return out;
}

}  // namespace

const InsnInfo& info(InsnId id) { return kInfo[static_cast<size_t>(id)]; }
std::span<const InsnInfo> all_instructions() { return kInfo; }

std::span<const InsnId> by_mnemonic(Profile profile, std::string_view mnemonic) {
  for (const MnemonicFile& file : kMnemonicFiles) {
    if (file.profile != profile) continue;
    const auto it = std::lower_bound(file.rows.begin(), file.rows.end(), mnemonic,
                                     [](const MnemonicRow& row, std::string_view m) { return row.mnemonic < m; });
    if (it != file.rows.end() && it->mnemonic == mnemonic) return it->ids;
  }
  return {};
}

std::span<const Alias> aliases(Profile profile) {
  static const std::vector<Alias> me1 = make_aliases(Profile::me1), me2 = make_aliases(Profile::me2);
  return profile == Profile::me1 ? me1 : me2;
}

std::span<const CsrInfo> csrs(Profile profile) {
  for (const CsrFile& f : kCsrFiles)
    if (f.profile == profile) return f.csrs;
  return {};
}
const CsrInfo* find_csr(Profile profile, std::string_view name) {
  for (const CsrInfo& c : csrs(profile))
    if (same_text(c.name, name)) return &c;
  return nullptr;
}
const CsrInfo* find_csr(Profile profile, uint32_t offset) {
  for (const CsrInfo& c : csrs(profile))
    if (c.offset == offset) return &c;
  return nullptr;
}

std::span<const NamedValue> input_states(Profile profile) {
  for (const NameFile& f : kNameFiles)
    if (f.profile == profile) return f.input_states;
  return {};
}
std::span<const NamedValue> cap_csrs(Profile profile) {
  for (const NameFile& f : kNameFiles)
    if (f.profile == profile) return f.cap_csrs;
  return {};
}

std::span<const NamedValue> signal_names(Profile profile) {
  for (const NameFile& f : kNameFiles)
    if (f.profile == profile) return f.signal_names;
  return {};
}

const ProfileSizes& sizes(Profile profile) {
  for (const SizesRow& row : kSizes)
    if (row.profile == profile) return row.sizes;
  return kSizes[0].sizes;
}

std::span<const NamedValue> alu_ops() { return kAluOps; }
std::span<const NamedValue> crc_types() { return kCrcTypes; }
std::span<const NamedValue> mul_sizes() { return kMulSizes; }
std::span<const NamedValue> mul_steps() { return kMulSteps; }
std::string_view token_name(TokenId token) { return kTokenNames[static_cast<size_t>(token)]; }
std::string_view role_name(Role role) { return kRoleNames[static_cast<size_t>(role)]; }
std::span<const Example> examples() { return kExamples; }

}  // namespace weft::isa
