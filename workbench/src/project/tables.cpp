// Tables of a project: memory that outlives packets, by which none is handed over.
#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "project/control_processor.h"
#include "project/design.h"
#include "project/taken.h"

namespace weft::workbench {

void add_tables(const Project& project, Built& built, Diagnostics& out) {
  built.tables.clear();
  std::vector<std::optional<TakenPlaces>> handing_over(built.board.chips.size());
  for (const TableEntry& entry : project.tables) {
    const size_t before = out.size();
    const unsigned chip = chip_of(entry.chip, "this table", built.board, out);
    if (out.size() != before) continue;
    std::vector<Taken> parts;  // microengines may have a block of the same name each
    if (entry.block.empty()) {
      parts.push_back({entry.region, entry.address, entry.address + entry.bytes, "the table", entry.range});
      const uint64_t room = memory_bytes(entry.region, built.board.chips[chip]);
      if (parts.front().end > room) {
        out.error(
            "project-table", entry.range,
            fmt::format("the table from {:#x} to {:#x} does not lie in that memory", entry.address, parts.front().end),
            fmt::format("it ends at {:#x}", room));
        continue;
      }
    } else {
      if (find_block(built.chips[chip], entry.block, entry.range, "project-table", out) == nullptr) continue;
      for (const image::Placement& block : built.chips[chip].linked.placements)
        if (block.name == entry.block && block.region != image::Region::local)
          parts.push_back({block.region, block.address, block.address + block.size,
                           fmt::format("the table '{}'", block.name), entry.range});
    }
    // Packets go by rings and buffers: what is there would not be followed.
    if (!handing_over[chip]) handing_over[chip].emplace(rings_and_pools(project, built, chip));
    for (const Taken& part : parts) {
      if (const Taken* other = handing_over[chip]->under(part)) {
        check_free(part, {*other}, "project-table", out);
        break;
      }
      const HostAddress at = host_address(part.region, 0);
      const unsigned channel = at.space == emulator::MemorySpace::sram ? at.address >> 30 : 0;
      built.tables.emplace_back(chip, emulator::TableMemory{at.space, channel, part.begin, part.end - part.begin});
    }
  }
}

}  // namespace weft::workbench
