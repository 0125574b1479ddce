#include "project/taken.h"

#include <fmt/format.h>

#include <algorithm>

#include "project/control_processor.h"

namespace weft::workbench {
namespace {

using image::Region;

Region sram_region(unsigned channel) {
  return static_cast<Region>(static_cast<unsigned>(Region::sram0) + std::min(channel, 3u));
}

std::pair<Region, uint64_t> place_of(const Taken& taken) { return {taken.region, taken.begin}; }

}  // namespace

bool overlap(const Taken& a, const Taken& b) { return a.region == b.region && a.begin < b.end && b.begin < a.end; }

std::string ring_name(const RingEntry& ring) {
  return ring.sram ? fmt::format("sram{} ring {}", ring.channel, ring.number)
                   : fmt::format("scratch ring {}", ring.number);
}

Taken taken_by(const RingEntry& ring) {
  return {ring.sram ? sram_region(ring.channel) : Region::scratch, ring.base, ring.base + 4 * uint64_t{ring.longwords},
          ring.name.empty() ? ring_name(ring) : fmt::format("{} ('{}')", ring_name(ring), ring.name), ring.range};
}

Taken taken_by(const PoolEntry& entry) {
  const emulator::BufferPool& pool = entry.pool;
  return {pool.space == emulator::MemorySpace::dram ? Region::dram : sram_region(pool.channel), pool.base,
          pool.base + pool.size * pool.count, fmt::format("pool '{}'", entry.name), entry.range};
}

namespace {

void add_rings_and_pools(const control::ControlSetup& control, std::vector<Taken>& out) {
  for (const control::RingSetup& ring : control.rings)
    out.push_back({Region::scratch,
                   ring.base,
                   ring.base + 4 * uint64_t{ring.longwords},
                   fmt::format("scratch ring {} of the control program", ring.ring),
                   {}});
  for (const control::PoolSetup& pool : control.pools)
    out.push_back({Region::dram,
                   pool.base,
                   pool.base + uint64_t{pool.bytes} * pool.count,
                   fmt::format("pool '{}' of the control program", pool.name),
                   {}});
}

void add_rings_and_pools(const Project& project, const Built& built, unsigned chip, std::vector<Taken>& out) {
  for (size_t i = 0; i < project.rings.size(); ++i)
    if (built.ring_chips[i] == chip) out.push_back(taken_by(project.rings[i]));
  for (size_t i = 0; i < project.pools.size(); ++i)
    if (built.pool_chips[i] == chip) out.push_back(taken_by(project.pools[i]));
}

}  // namespace

std::vector<Taken> taken_by_control(const Built& built, unsigned chip) {
  std::vector<Taken> out;
  if (!built.control || built.control_chip != chip) return out;
  add_rings_and_pools(*built.control, out);
  for (const image::MemoryWrite& write : built.control->memory)
    if (write.region != Region::local)
      out.push_back({write.region,
                     write.address,
                     write.address + 4 * uint64_t{write.values.size()},
                     "tables of the control program",
                     {}});
  return out;
}

std::vector<Taken> rings_and_pools(const Project& project, const Built& built, unsigned chip) {
  std::vector<Taken> out;
  if (built.control && built.control_chip == chip) add_rings_and_pools(*built.control, out);
  add_rings_and_pools(project, built, chip, out);
  return out;
}

std::vector<Taken> taken_by_programs(const Project& project, const Built& built, unsigned chip) {
  std::vector<Taken> out;
  add_rings_and_pools(project, built, chip, out);
  for (const image::Placement& block : built.chips[chip].linked.placements)
    if (block.region != Region::local)
      out.push_back({block.region,
                     block.address,
                     block.address + block.size,
                     fmt::format("the memory block '{}'", block.name),
                     {}});
  return out;
}

bool check_free(const Taken& mine, const std::vector<Taken>& taken, const char* code, Diagnostics& out) {
  for (const Taken& other : taken) {
    if (!overlap(mine, other)) continue;
    auto& d = out.error(code, mine.range,
                        fmt::format("{} from {:#x} to {:#x} lies over {}", mine.what, mine.begin, mine.end, other.what),
                        "give each address to one of them");
    if (other.range)
      d.notes.push_back({other.range, fmt::format("this goes from {:#x} to {:#x}", other.begin, other.end)});
    return false;
  }
  return true;
}

uint64_t memory_bytes(image::Region region, const emulator::ChipOnBoard& on) {
  const HostAddress at = host_address(region, 0);
  return at.space == emulator::MemorySpace::scratch ? on.chip.scratch.bytes
         : at.space == emulator::MemorySpace::dram  ? on.dram.bytes
         : at.address >> 30 < on.sram.size()        ? on.sram[at.address >> 30].bytes
                                                    : 0;
}

const image::Placement* find_block(const BuiltChip& chip, const std::string& name, const SourceRange& range,
                                   const char* code, Diagnostics& out) {
  std::vector<std::string> names;
  for (const image::Placement& p : chip.linked.placements)
    if (p.name == name && p.region != Region::local) return &p;
  for (const image::Placement& p : chip.linked.placements)
    if (p.region != Region::local) names.push_back(p.name);
  const auto close = nearest(name, names);
  out.error(code, range, fmt::format("no program has a memory block '{}'", name),
            close ? fmt::format("did you mean '{}'?", *close)
                  : "name a block of .alloc_mem in scratch, SRAM or DRAM, or give \"memory\" and \"address\"");
  return nullptr;
}

TakenPlaces::TakenPlaces(std::vector<Taken> taken) : taken_(std::move(taken)) {
  std::ranges::stable_sort(taken_, {}, place_of);
  for (size_t i = 0; i < taken_.size(); ++i) {
    const bool inside =
        i > 0 && taken_[i].region == taken_[i - 1].region && taken_[i].end <= taken_[furthest_.back()].end;
    furthest_.push_back(inside ? furthest_.back() : i);
  }
}

const Taken* TakenPlaces::under(const Taken& mine) const {
  const auto after = std::ranges::lower_bound(taken_, std::pair(mine.region, mine.end), {}, place_of);
  if (after == taken_.begin()) return nullptr;
  const Taken& last = taken_[furthest_[static_cast<size_t>(after - taken_.begin()) - 1]];
  return overlap(mine, last) ? &last : nullptr;
}

}  // namespace weft::workbench
