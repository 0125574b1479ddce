#include "testing/times.h"

#include <fmt/format.h>

namespace weft::workbench::testing {

uint64_t read_nanoseconds(const JsonNode& node, const Row& row, Diagnostics& out) {
  const std::string text = row.text(node, out);
  const size_t unit = text.find_first_not_of("0123456789");
  const auto number = parse_number(std::string_view(text).substr(0, unit));
  const std::string name = unit == std::string::npos ? "" : text.substr(unit);
  const uint64_t factor = name == "ns"   ? 1
                          : name == "us" ? 1000
                          : name == "ms" ? 1'000'000
                          : name == "s"  ? 1'000'000'000
                          : text == "0"  ? 1
                                         : 0;
  if (number && factor != 0 && *number <= UINT64_MAX / factor / 16) return *number * factor;
  node.wrong(out, fmt::format("'{}' is not a time", text),
             "write a whole number with its unit: \"20us\"; units are ns, us, ms and s");
  return 0;
}

}  // namespace weft::workbench::testing
