#include "refused.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "weft/control/route_file.h"

namespace weft::control::firewall {

namespace {

bool is_v6(std::string_view text) {
  const auto address = parse_address(text.substr(0, text.find('/')));
  return address && address->is_v6();
}

}  // namespace

decltype(ConfigExtension::refuse) lines_refused_by(std::string program) {
  return [program = std::move(program)](const SourceFilePtr& file, uint32_t line, const std::vector<Word>& words,
                                        Diagnostics& out) {
    const std::string_view kind = words[0].text;
    const bool push = kind == "route" && words.size() > 2 && words[2].text == "push";
    if (kind == "mpls" || kind == "label" || push) {
      out.error(
          "control-labels", range_of(file, line, words[push ? 2 : 0]),
          fmt::format("the program '{}' switches no labels", program),
          push ? fmt::format("leave them out: route {} via 192.0.2.2; labels are for the program 'mpls'", words[1].text)
               : "remove the line; labels are for the program 'mpls'");
      return true;
    }
    constexpr std::array<std::string_view, 5> kWithAddresses{"address", "neighbour", "neighbor", "route",
                                                             "routes-from"};
    if (std::ranges::find(kWithAddresses, kind) == kWithAddresses.end()) return false;
    const auto six = std::find_if(words.begin() + 1, words.end(), [](const Word& w) { return is_v6(w.text); });
    if (six == words.end()) return false;
    out.error("control-family", range_of(file, line, *six),
              fmt::format("the program '{}' forwards no IPv6: {} would be without effect", program, six->text),
              "remove the line, or name an IPv4 address");
    return true;
  };
}

}  // namespace weft::control::firewall
