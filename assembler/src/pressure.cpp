#include "pressure.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::assembler {
namespace {

bool live_at(const Web& web, uint32_t point) {
  return std::any_of(web.spans.begin(), web.spans.end(),
                     [&](const Span& span) { return span.begin <= point && point < span.end; });
}

}  // namespace

void report_pressure(const Program& program, const Sources& sources, const Liveness& liveness,
                     const std::vector<uint32_t>& rivals, uint32_t failed, unsigned room, const std::string& kind,
                     const std::string& remedy, Diagnostics& out) {
  const auto name = [&](uint32_t w) -> const std::string& {
    const Web& web = liveness.webs[w];
    return web.file == RegisterFile::signal ? program.signals[static_cast<size_t>(web.symbol)].name
                                            : program.vregs[static_cast<size_t>(web.symbol)].name;
  };
  const auto declared = [&](uint32_t w) -> const Origin& {
    const Web& web = liveness.webs[w];
    return web.file == RegisterFile::signal ? program.signals[static_cast<size_t>(web.symbol)].declared
                                            : program.vregs[static_cast<size_t>(web.symbol)].declared;
  };
  const auto weight = [&](uint32_t w) {
    const Web& web = liveness.webs[w];
    return web.file == RegisterFile::signal && program.signals[static_cast<size_t>(web.symbol)].doubled ? 2u : 1u;
  };
  std::vector<uint32_t> load(liveness.points + 1, 0);
  for (uint32_t w : rivals) {
    for (const Span& span : liveness.webs[w].spans) {
      for (uint32_t p = span.begin; p < span.end; ++p) load[p] += weight(w);
    }
  }
  const auto peak = static_cast<uint32_t>(std::max_element(load.begin(), load.end()) - load.begin());
  std::vector<uint32_t> holders;
  for (uint32_t w : rivals) {
    if (live_at(liveness.webs[w], peak)) holders.push_back(w);
  }
  std::stable_sort(holders.begin(), holders.end(),
                   [&](uint32_t x, uint32_t y) { return liveness.webs[x].length() > liveness.webs[y].length(); });
  std::vector<std::string> names;
  for (uint32_t w : holders) names.push_back(name(w));

  const uint32_t index = std::min<uint32_t>(peak / 2, static_cast<uint32_t>(program.insns.size()) - 1);
  Diagnostic d = sources.diagnostic(
      Severity::error, "asm-no-register", program.insns[index].origin,
      fmt::format("no place is left for '{}' in {}: {} are needed at once here, there are {}; live are {}", name(failed),
                  kind, load[peak], room, fmt::join(names, ", ")),
      remedy);
  if (load[peak] <= room) {
    d.text = fmt::format("no place is left for '{}' in {}: although only {} of {} are in use at a time, their ranges "
                         "interlock; live at the fullest point are {}",
                         name(failed), kind, load[peak], room, fmt::join(names, ", "));
  }
  for (size_t k = 0; k < holders.size() && k < 4; ++k) {
    const Web& web = liveness.webs[holders[k]];
    d.notes.push_back({sources.range(declared(holders[k])),
                       fmt::format("'{}' is live for {} instructions{}", name(holders[k]), (web.length() + 1) / 2,
                                   web.everywhere ? ", the whole of its scope" : "")});
  }
  out.add(std::move(d));
}

}  // namespace weft::assembler
