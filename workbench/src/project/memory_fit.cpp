#include "project/memory_fit.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::workbench {
namespace {

using image::Region;

/// What a memory of a chip is called in a project, and how many bytes it has; 0 where there is none.
struct Memory {
  std::string name;
  uint64_t bytes = 0;
};

Memory sram_of(const emulator::ChipOnBoard& chip, unsigned channel) {
  return {fmt::format("sram{}", channel), channel < chip.sram.size() ? chip.sram[channel].bytes : 0};
}
Memory memory_of(const emulator::ChipOnBoard& chip, Region region) {
  switch (region) {
    case Region::scratch: return {"scratch", chip.chip.scratch.bytes};
    case Region::sram0: return sram_of(chip, 0);
    case Region::sram1: return sram_of(chip, 1);
    case Region::sram2: return sram_of(chip, 2);
    case Region::sram3: return sram_of(chip, 3);
    case Region::dram:
    case Region::local: break;
  }
  return {"dram", chip.dram.bytes};
}

std::string chip_text(const emulator::ChipOnBoard& chip) {
  return chip.name.empty() ? chip.chip.name : fmt::format("{} ({})", chip.name, chip.chip.name);
}

std::string memory_list(const emulator::ChipOnBoard& chip) {
  std::string out;
  for (const Region region :
       {Region::scratch, Region::sram0, Region::sram1, Region::sram2, Region::sram3, Region::dram})
    if (const Memory m = memory_of(chip, region); m.bytes != 0)
      out += fmt::format("{}{} with {} bytes", out.empty() ? "" : ", ", m.name, m.bytes);
  return out;
}

/// True when [begin, end) lies inside the memory.
bool check_fit(const char* what, const Memory& memory, uint64_t begin, uint64_t end, const emulator::ChipOnBoard& chip,
               const SourceRange& at, Diagnostics& out) {
  if (memory.bytes == 0) {
    out.error("project-memory", at, fmt::format("{} has no {}", chip_text(chip), memory.name),
              fmt::format("its memories are {}", memory_list(chip)));
    return false;
  }
  if (begin <= end && end <= memory.bytes) return true;
  out.error("project-memory", at,
            fmt::format("{} from {:#x} to {:#x} does not lie in {}, which has {} bytes on {}", what, begin, end,
                        memory.name, memory.bytes, chip_text(chip)),
            fmt::format("use addresses below {:#x}", memory.bytes));
  return false;
}

/// The list of free buffers must exist.
void check_list(const emulator::BufferPool& pool, const emulator::ChipOnBoard& chip, const SourceRange& at,
                Diagnostics& out) {
  using List = emulator::BufferPool::List;
  if (chip.chip.profile != isa::Profile::me2) return;  // its queues are in hardware lists and plain memory
  if (pool.list == List::scratch_ring) {
    if (pool.list_number >= chip.chip.scratch.rings)
      out.error("project-memory", at, fmt::format("{} has no scratch ring {}", chip_text(chip), pool.list_number),
                fmt::format("its rings are 0 to {}", chip.chip.scratch.rings - 1));
  } else if (pool.list_channel >= chip.sram.size()) {
    out.error("project-memory", at, fmt::format("{} has no SRAM channel {}", chip_text(chip), pool.list_channel),
              fmt::format("its channels are 0 to {}", chip.sram.size() - 1));
  } else if (pool.list_number >= chip.chip.sram.queue_array) {
    out.error("project-memory", at,
              fmt::format("the queue array of {} has no entry {}", chip_text(chip), pool.list_number),
              fmt::format("its entries are 0 to {}", chip.chip.sram.queue_array - 1));
  }
}

void check_pool(const PoolEntry& entry, const emulator::ChipOnBoard& chip, Diagnostics& out) {
  const emulator::BufferPool& pool = entry.pool;
  const Memory memory =
      pool.space == emulator::MemorySpace::dram ? memory_of(chip, Region::dram) : sram_of(chip, pool.channel);
  // Size and count are limited by the reader; the base may be anything.
  const uint64_t bytes = pool.size * pool.count, end = pool.base + std::min(bytes, UINT64_MAX - pool.base);
  if (check_fit(fmt::format("the pool of {} buffers of {} bytes", pool.count, pool.size).c_str(), memory, pool.base,
                end, chip, entry.range, out))
    check_list(pool, chip, entry.range, out);
}

}  // namespace

void check_memories(const Project& project, const Built& built, Diagnostics& out) {
  const auto& chips = built.board.chips;
  // As the reader of the project went through them.
  size_t number = 0;
  for (const auto& [name, list] : project.document.root().get("memory").members())
    for (const JsonNode& node : list.items()) {
      const image::Space& space = project.spaces.at(number++);
      for (size_t c = 0; c < chips.size(); ++c)
        if (!built.chips[c].programs.empty() && !check_fit("the space", memory_of(chips[c], space.region), space.begin,
                                                           space.end, chips[c], node.range(), out))
          break;
    }
  for (size_t i = 0; i < project.pools.size(); ++i) check_pool(project.pools[i], chips[built.pool_chips[i]], out);
}

void check_placements(const BuiltChip& built, const emulator::ChipOnBoard& chip, Diagnostics& out) {
  for (const image::Placement& block : built.linked.placements) {
    if (block.region == Region::local) continue;
    const Memory memory = memory_of(chip, block.region);
    if (block.address <= memory.bytes && block.size <= memory.bytes - block.address) continue;
    std::string program = block.name;
    for (const auto& p : built.programs)
      if (std::ranges::any_of(p->image.memory, [&](const image::MemoryBlock& m) { return m.name == block.name; }))
        program = p->image.name;
    check_fit(fmt::format("the memory block '{}'", block.name).c_str(), memory, block.address,
              block.address + block.size, chip, whole_file(program), out);
  }
}

}  // namespace weft::workbench
