// Text inside XML and HTML.
#pragma once

#include <string>
#include <string_view>

namespace weft {

/// With the four characters that have a meaning there as entities. Control characters other than newline and tab are
/// left out: XML 1.0 (2.2) has none.
std::string escaped_markup(std::string_view text);

}  // namespace weft
