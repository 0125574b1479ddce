// Words to source text. The text assembles to the same words: what is not canonical is written as .word.

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

#include "output/linked_text.h"
#include "resolver/physical.h"
#include "weft/assembler/assembler.h"

namespace weft::assembler {
namespace {

using isa::Role;

/// Whether an instruction names a word address. A target of ctx_arb counts only when br[] is there, and the address
/// part of rtn is none.
bool has_target(const isa::Instruction& insn) {
  if (isa::info(insn.id).group == isa::Group::context) return insn[Role::has_target] != 0;
  const isa::BranchTo goes = isa::effects(insn.id).goes;
  return goes == isa::BranchTo::word || goes == isa::BranchTo::indexed;
}

bool is_for_four_contexts(isa::Profile profile, const isa::Instruction& insn) {
  for (const Role role : {Role::dest, Role::left, Role::right, Role::xfer})
    if (needs_four_contexts(profile, insn.operand(role))) return true;
  return isa::sizes(profile).contexts == 8 && transfer_end(insn) > isa::sizes(profile).transfers / 2;
}

class PrintedNames final : public isa::PrintNames {
 public:
  explicit PrintedNames(const image::Image* image) {
    if (!image) return;
    std::set<std::string> used;
    for (const image::Label& label : image->labels) {
      if (used.insert(label.name).second) labels_[label.address].push_back(label.name);
    }
  }
  std::string label(uint32_t address) const override {
    const auto found = labels_.find(address);
    return found == labels_.end() ? fmt::format("l{}#", address) : found->second.front();
  }
  void need(uint32_t address) {
    if (!labels_.contains(address)) labels_[address].push_back(fmt::format("l{}#", address));
  }
  const std::vector<std::string>& at(uint32_t address) const {
    static const std::vector<std::string> none;
    const auto found = labels_.find(address);
    return found == labels_.end() ? none : found->second;
  }

 private:
  std::map<uint32_t, std::vector<std::string>> labels_;
};

std::string mark_line(const image::Mark& mark) {
  switch (mark.kind) {
    case image::Mark::Kind::block: return fmt::format(".block {}\n", mark.text);
    case image::Mark::Kind::stage: return fmt::format(".stage {}\n", mark.text);
    case image::Mark::Kind::drop: return fmt::format(".drop {}\n", mark.text);
    case image::Mark::Kind::exception: return fmt::format(".exception {}\n", mark.text);
  }
  return {};
}

std::string text_of(isa::Profile profile, const std::vector<uint64_t>& words, const image::Image* image) {
  PrintedNames names(image);
  const auto size = static_cast<uint32_t>(words.size());
  // A target after the last word has no place for its label, so such a word is written raw.
  const auto as_text = [&](uint64_t word) -> std::optional<isa::Instruction> {
    auto insn = isa::decode(profile, word);
    if (!insn || !isa::is_canonical(profile, word)) return std::nullopt;
    if (has_target(*insn) && (*insn)[Role::target] > size) return std::nullopt;
    if (transfer_end(*insn) > isa::sizes(profile).transfers) return std::nullopt;  // into those of another context
    if (image && image->contexts != 4 && is_for_four_contexts(profile, *insn)) return std::nullopt;
    return insn;
  };
  // Words alone do not say how many contexts run; their registers may.
  bool four_contexts = image && image->contexts == 4;
  for (uint64_t word : words) {
    const auto insn = as_text(word);
    if (insn && has_target(*insn)) names.need((*insn)[Role::target]);
    four_contexts = four_contexts || (insn && is_for_four_contexts(profile, *insn));
  }
  const unsigned digits = 2 * isa::word_bytes(profile);
  std::string out = ".registers physical\n";
  if (four_contexts) out += ".num_contexts 4\n";
  if (image && image->nn_self) out += ".init_nn_mode self\n";
  for (size_t i = 0; image && i < image->lm_absolute.size(); ++i)
    if (image->lm_absolute[i]) out += fmt::format(".local_mem{}_mode abs\n", i);
  std::map<uint32_t, const image::ImportUse*> uses;
  if (image) {
    out += linked_directives(*image);
    for (const image::ImportUse& use : image->uses) uses.emplace(use.address, &use);
  }
  for (uint32_t i = 0; i <= size; ++i) {
    for (const std::string& label : names.at(i)) out += label + ":\n";
    if (i == size) break;
    if (image) {
      for (const image::Mark& mark : image->marks) {
        if (mark.address == i) out += mark_line(mark);
      }
    }
    if (const auto insn = as_text(words[i])) {
      std::string text = isa::print(profile, *insn, names);
      if (const auto use = uses.find(i); use != uses.end()) text = with_import(*insn, std::move(text), *use->second);
      out += fmt::format("    {}\n", text);
    } else if (const auto reading = isa::decode(profile, words[i])) {
      out += fmt::format("    .word 0x{:0{}x}  ; {}\n", words[i], digits, isa::print(profile, *reading, names));
    } else {
      out += fmt::format("    .word 0x{:0{}x}\n", words[i], digits);
    }
  }
  return out;
}

}  // namespace

std::string disassemble(isa::Profile profile, const std::vector<uint64_t>& words) {
  return text_of(profile, words, nullptr);
}

std::string disassemble(const image::Image& image) { return text_of(image.profile, image.words, &image); }

}  // namespace weft::assembler
