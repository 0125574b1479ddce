#include "vendor_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

namespace weft::cli {
namespace {

struct Translation {
  std::string_view option;
  std::array<std::string_view, 2> ours;  ///< empty: nothing to say
};
constexpr Translation kTranslations[] = {
    {"-ixp1200", {"--chip", "ixp1200"}},
    {"-ixp2400", {"--chip", "ixp2400"}},
    {"-ixp2800", {"--chip", "ixp2800"}},
    {"-chip", {"--chip"}},
    {"-preproc32", {}},
    {"-preproc64", {"--preproc64"}},
    {"-preproc_c", {"--preproc-c"}},
    {"-Of", {"--repair-banks"}},
    {"-Os", {"--spill"}},
    {"-P", {"-E"}},
    {"-W0", {"-Wno-all"}},
    {"-W1", {}},
    {"-W2", {}},
    {"-W3", {}},
    {"-W4", {"-Wall"}},
    {"-w", {"-Wno-all"}},
    {"-WX", {"-Werror"}},
    {"-R", {}},
    {"-g", {}},
};

struct Refusal {
  std::string_view option;
  std::string_view why;
};
constexpr Refusal kRefusals[] = {
    {"-ixp2xxx", "an Image is made for one chip: write --chip ixp2400 or --chip ixp2800"},
    {"-r", "registers and signals are always declared: leave it out, and add the .reg and .sig lines that are missing"},
    {"-lm",
     "the linker places blocks in local memory: reserve what the program uses with .local_mem name local+address size"},
    {"-lr",
     "the linker places blocks in local memory: reserve what the program uses with .local_mem name local+address size"},
    {"-ctx_start", "all contexts run the program from its first word: send those that are not meant to ctx_arb[kill]"},
    {"-ctx_end", "all contexts run the program from its first word: send those that are not meant to ctx_arb[kill]"},
    {"-pml", "it belongs to tools for later parts; leave it out"},
    {"-N", "it has no meaning here; leave it out"},
};

/// "A0" is 0x00, "B1" is 0x11; numbers stay as they are.
std::string revision(std::string_view text) {
  if (text.size() == 2 && text[0] >= 'A' && text[0] <= 'P' && text[1] >= '0' && text[1] <= '9') {
    return fmt::format("0x{:02x}", (text[0] - 'A') * 16 + (text[1] - '0'));
  }
  return std::string(text);
}

}  // namespace

tl::expected<std::vector<std::string>, std::string> translate_vendor_options(const std::vector<std::string>& words) {
  std::vector<std::string> out;
  for (const std::string& word : words) {
    // The word after an option that takes one is a value, whatever it looks like.
    static constexpr std::string_view kTakeValues[] = {
        "-o", "-I", "-D", "-W", "--chip", "--emit", "--list", "--dump", "--pin", "--diagnostics", "-MD"};
    const bool value =
        !out.empty() && std::find(std::begin(kTakeValues), std::end(kTakeValues), out.back()) != std::end(kTakeValues);
    if (value) {
      out.push_back(word);
      continue;
    }
    const auto same = [&](const auto& row) { return row.option == word; };
    if (const auto found = std::find_if(std::begin(kTranslations), std::end(kTranslations), same);
        found != std::end(kTranslations)) {
      for (std::string_view ours : found->ours)
        if (!ours.empty()) out.emplace_back(ours);
      continue;
    }
    if (const auto found = std::find_if(std::begin(kRefusals), std::end(kRefusals), same);
        found != std::end(kRefusals)) {
      return tl::unexpected(fmt::format("{} is an option of another assembler: {}", word, found->why));
    }
    static constexpr std::string_view kRevision = "-REVISION";
    const size_t equals = word.find('=');
    if (word.starts_with(kRevision) && equals != std::string::npos && equals + 1 < word.size()) {
      const std::string_view which = std::string_view(word).substr(kRevision.size(), equals - kRevision.size());
      const std::string number = revision(std::string_view(word).substr(equals + 1));
      if (which == "_MIN" || which.empty()) out.insert(out.end(), {"-D", "__REVISION_MIN=" + number});
      if (which == "_MAX" || which.empty()) out.insert(out.end(), {"-D", "__REVISION_MAX=" + number});
      if (which == "_MIN" || which == "_MAX" || which.empty()) continue;
    }
    out.push_back(word);
  }
  return out;
}

}  // namespace weft::cli
