// What the reference says of a word of the language, without a program around it: an instruction, a CSR, an input
// state, an event.
#include <fmt/format.h>

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resolver/forms.h"
#include "weft/assembler/index.h"
#include "weft/isa/isa.h"

namespace weft::assembler {
namespace {

using isa::Profile;

constexpr Profile kProfiles[] = {Profile::me2, Profile::me1};

const char* chips_of(Profile profile) { return profile == Profile::me1 ? "IXP1200" : "IXP2400 and IXP2800"; }

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// "sram[read_lock]"
std::string written(const isa::InsnInfo& info) {
  return info.subcommand.empty() ? std::string(info.mnemonic) : fmt::format("{}[{}]", info.mnemonic, info.subcommand);
}

std::string in_full(const isa::InsnInfo& info) {
  const bool first = isa::enabled(Profile::me1, info.id), later = isa::enabled(Profile::me2, info.id);
  std::string out = fmt::format("{}: {}\n\n", written(info), info.summary);
  for (const isa::Form& form : info.forms) out += fmt::format("  {}\n", form_text(info, form));
  out += fmt::format("\n{}\n", info.doc);
  if (!info.tokens.empty()) {
    out += "\nOptions:";
    for (const isa::TokenId token : info.tokens) out += fmt::format(" {}", isa::token_name(token));
    out += "\n";
  }
  return out + fmt::format("\nChips: {}{}{}\n", first ? chips_of(Profile::me1) : "", first && later ? ", " : "",
                           later ? chips_of(Profile::me2) : "");
}

std::string of_instructions(const std::string& word) {
  std::vector<const isa::InsnInfo*> found;
  for (const isa::InsnInfo& info : isa::all_instructions()) {
    // An id such as "sram_read_lock" means one of several.
    if (word == info.name || word == written(info)) return in_full(info);
    if (word == info.mnemonic) found.push_back(&info);
  }
  if (found.size() == 1) return in_full(*found.front());
  std::string out;
  for (const isa::InsnInfo* info : found) out += fmt::format("  {:<28} {}\n", written(*info), info->summary);
  if (!out.empty())
    return fmt::format("{} has several forms; weft explain '{}' says more of one:\n\n{}", word, written(*found.front()),
                       out);
  for (const Profile profile : kProfiles)
    for (const isa::Alias& alias : isa::aliases(profile))
      if (alias.spelling == word)
        return fmt::format("{} is another spelling.\n\n{}", word, in_full(isa::info(alias.instruction.id)));
  return {};
}

void add_values(std::string& out, const std::string& word, Profile profile, std::span<const isa::NamedValue> values,
                std::string_view what) {
  for (const isa::NamedValue& value : values)
    if (lower(value.name) == word)
      out += fmt::format("{}: {} {:#x} ({})\n", value.name, what, value.value, chips_of(profile));
}

}  // namespace

std::string explain_word(std::string_view text) {
  const std::string word = lower(text);
  std::string out = of_instructions(word);
  if (!out.empty()) return out;
  for (const Profile profile : kProfiles) {
    if (const isa::CsrInfo* csr = isa::find_csr(profile, word))
      out += fmt::format("{}: a local CSR{}, offset {:#x} ({})\n\n{}\n", csr->name, csr->writable ? "" : " to read",
                         csr->offset, chips_of(profile), csr->doc);
    add_values(out, word, profile, isa::cap_csrs(profile),
               profile == Profile::me1 ? "a CSR of the FBI, at" : "a CSR of CAP, at");
    add_values(out, word, profile, isa::input_states(profile), "an input state of br_inp_state, number");
    add_values(out, word, profile, isa::signal_names(profile), "an event, number");
  }
  return out;
}

}  // namespace weft::assembler
