#include "source/message_limits.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

namespace weft::assembler {

Diagnostic too_many_errors(const Sources& sources, const Origin& origin) {
  return sources.diagnostic(Severity::error, "asm-too-many-errors", origin,
                            fmt::format("there are {} errors up to here; what follows is not looked at", kMaxErrors),
                            "cure the first ones; the others often go with them");
}

Diagnostics without_cascades(Diagnostics all) {
  constexpr size_t kKept = 10;
  if (all.size() <= kKept) return all;
  std::map<std::tuple<const SourceFile*, Position, std::string_view>, size_t> count;
  const auto of = [&](const Diagnostic& d) -> size_t& { return count[{d.range.file.get(), d.range.begin, d.code}]; };
  for (const Diagnostic& d : all) ++of(d);
  std::map<std::tuple<const SourceFile*, Position, std::string_view>, size_t> seen;
  return all.changed([&](Diagnostic& d) {
    const size_t number = ++seen[{d.range.file.get(), d.range.begin, d.code}];
    if (!d.range.file || number < kKept) return true;
    if (number > kKept) return false;
    if (const size_t left_out = of(d) - number; left_out != 0)
      d.notes.push_back(
          {{}, fmt::format("the same is said here {} more time{}, left out", left_out, left_out == 1 ? "" : "s")});
    return true;
  });
}

}  // namespace weft::assembler
