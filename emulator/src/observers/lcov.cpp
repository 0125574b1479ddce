#include "weft/emulator/observers/lcov.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "weft/base/paths.h"

namespace weft::emulator {

void append_lcov(std::string& out, const std::string& file, const LcovRecord& record) {
  auto to = std::back_inserter(out);
  fmt::format_to(to, "SF:{}\n", printable(file));  // the format has no way to write the end of a line in a name
  for (const auto& f : record.functions) fmt::format_to(to, "FN:{},{}\n", f.line, f.name);
  for (const auto& f : record.functions) fmt::format_to(to, "FNDA:{},{}\n", f.executed, f.name);
  const auto hit =
      std::count_if(record.functions.begin(), record.functions.end(), [](const auto& f) { return f.executed > 0; });
  fmt::format_to(to, "FNF:{}\nFNH:{}\n", record.functions.size(), hit);
  size_t branches_hit = 0;
  for (const auto& b : record.branches) {
    const bool reached = b.taken + b.not_taken > 0;
    const auto text = [&](uint64_t count) { return reached ? std::to_string(count) : std::string("-"); };
    fmt::format_to(to, "BRDA:{0},{1},0,{2}\nBRDA:{0},{1},1,{3}\n", b.line, b.block, text(b.taken), text(b.not_taken));
    branches_hit += (b.taken > 0) + (b.not_taken > 0);
  }
  fmt::format_to(to, "BRF:{}\nBRH:{}\n", 2 * record.branches.size(), branches_hit);
  size_t lines_hit = 0;
  for (const auto& [line, count] : record.lines) {
    fmt::format_to(to, "DA:{},{}\n", line, count);
    lines_hit += count > 0;
  }
  fmt::format_to(to, "LF:{}\nLH:{}\nend_of_record\n", record.lines.size(), lines_hit);
}

}  // namespace weft::emulator
