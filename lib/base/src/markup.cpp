#include "weft/base/markup.h"

namespace weft {

// XML 1.0 has no control characters but line ends and tabs, and neither U+FFFE nor U+FFFF.
std::string escaped_markup(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (text.substr(i).starts_with("\xef\xbf\xbe") || text.substr(i).starts_with("\xef\xbf\xbf")) {
      out += "\xef\xbf\xbd";  // U+FFFD
      i += 2;
      continue;
    }
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      default:
        if (static_cast<unsigned char>(c) >= 32 || c == '\n' || c == '\t') out += c;
    }
  }
  return out;
}

}  // namespace weft
