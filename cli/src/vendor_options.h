// Command lines of other assemblers: the options of the vendor's tools, as old Makefiles carry them (isa.md 6.1).
#pragma once

#include <string>
#include <tl/expected.hpp>
#include <vector>

namespace weft::cli {

/// The words after `weft asm` with such options replaced by ours; options without a meaning here are left out. What
/// cannot be obeyed is an error that says what to write instead.
tl::expected<std::vector<std::string>, std::string> translate_vendor_options(const std::vector<std::string>& words);

}  // namespace weft::cli
