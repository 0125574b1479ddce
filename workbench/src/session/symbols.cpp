// Names of places in memories: what the linker placed, what the control program set up, the project's buffer pools.
#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "session/impl.h"
#include "weft/image/region.h"
#include "weft/workbench/state.h"

namespace weft::workbench {

namespace {

std::string memory_of(image::Region region, int engine) {
  if (region == image::Region::local) return fmt::format("me{}.lm", std::max(engine, 0));
  return std::string(image::region_name(region));
}

}  // namespace

std::vector<MemorySymbol> Session::symbols(unsigned chip) const {
  std::vector<MemorySymbol> out;
  const Impl& self = *impl_;
  if (chip >= self.chips.size()) return out;
  for (const image::Placement& p : self.built.chips[chip].linked.placements)
    out.push_back({p.name, memory_of(p.region, p.engine), p.address, p.size});
  if (self.built.control && self.built.control_chip == chip) {
    const control::ControlSetup& setup = *self.built.control;
    // A table is what the control program writes; the program finds it by a constant, which is its name.
    for (const image::MemoryWrite& w : setup.memory)
      for (const auto& [name, value] : setup.constants)
        if (value == w.address && w.values.size() > 1)
          out.push_back({name, memory_of(w.region, w.engine), w.address, w.values.size() * 4});
    for (const control::RingSetup& ring : setup.rings)
      out.push_back({ring.name.empty() ? fmt::format("ring {}", ring.ring) : ring.name, "scratch", ring.base,
                     uint64_t{ring.longwords} * 4});
    for (const control::PoolSetup& pool : setup.pools) out.push_back({pool.name, "dram", pool.base, 0});
  }
  for (size_t i = 0; i < self.project.rings.size(); ++i)
    if (const RingEntry& ring = self.project.rings[i]; self.built.ring_chips[i] == chip)
      out.push_back({ring.name.empty() ? fmt::format("ring {}", ring.number) : ring.name,
                     ring.sram ? fmt::format("sram{}", ring.channel) : "scratch", ring.base,
                     uint64_t{ring.longwords} * 4});
  for (const auto& [on, c] : self.built.counters)
    if (on == chip)
      out.push_back({fmt::format("{}{}{}", c.row.empty() ? "" : c.row + " ", c.reason,
                                 c.port == control::CounterSetup::kAllPorts ? "" : fmt::format(" (port {})", c.port)),
                     memory_of(c.region, 0), c.address, 4});
  std::ranges::stable_sort(out, [](const MemorySymbol& a, const MemorySymbol& b) {
    return std::tie(a.memory, a.address) < std::tie(b.memory, b.address);
  });
  const auto same = std::unique(out.begin(), out.end(), [](const MemorySymbol& a, const MemorySymbol& b) {
    return a.name == b.name && a.memory == b.memory && a.address == b.address;
  });
  out.erase(same, out.end());
  return out;
}

}  // namespace weft::workbench
