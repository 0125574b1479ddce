#include "project/design.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "project/taken.h"

namespace weft::workbench {
namespace {

using image::Region;
using List = emulator::BufferPool::List;

constexpr uint32_t kSmallestSramRing = 512;  ///< longwords; size code 0

/// False when the ring cannot be where it is said to be.
bool check_place(const RingEntry& ring, const emulator::ChipOnBoard& chip, Diagnostics& out) {
  const auto wrong = [&](std::string text, std::string remedy) {
    out.error("project-ring", ring.range, std::move(text), std::move(remedy));
    return false;
  };
  if (chip.chip.profile != isa::Profile::me2)
    return wrong(fmt::format("{} has no rings in hardware", chip.chip.name),
                 "its programs keep queues in memory: declare a pool without them, or leave the ring out");
  uint64_t bytes = 0;
  if (ring.sram) {
    if (ring.channel >= chip.sram.size())
      return wrong(fmt::format("{} has no SRAM channel {}", chip.chip.name, ring.channel),
                   fmt::format("its channels are 0 to {}", chip.sram.size() - 1));
    if (ring.number >= chip.chip.sram.queue_array)
      return wrong(fmt::format("the queue array of {} has no entry {}", chip.chip.name, ring.number),
                   fmt::format("its entries are 0 to {}", chip.chip.sram.queue_array - 1));
    const uint32_t n = ring.longwords;
    if (n < kSmallestSramRing || n > 65536 || (n & (n - 1)) != 0)
      return wrong(fmt::format("a ring in SRAM cannot have {} longwords", n),
                   "its size is a power of two from 512 to 65536");
    bytes = chip.sram[ring.channel].bytes;
  } else {
    if (ring.number >= chip.chip.scratch.rings)
      return wrong(fmt::format("{} has no scratch ring {}", chip.chip.name, ring.number),
                   fmt::format("its rings are 0 to {}", chip.chip.scratch.rings - 1));
    const uint32_t n = ring.longwords;
    if (n != 128 && n != 256 && n != 512 && n != 1024)
      return wrong(fmt::format("a scratch ring cannot have {} longwords", n), "its size is 128, 256, 512 or 1024");
    bytes = chip.chip.scratch.bytes;
  }
  const uint64_t size = 4 * uint64_t{ring.longwords};
  if (ring.base % size != 0)
    return wrong(fmt::format("a ring of {} bytes cannot begin at {:#x}", size, ring.base),
                 fmt::format("let it begin at a multiple of its size, such as {:#x}", ring.base / size * size));
  if (ring.base > bytes || size > bytes - ring.base)
    return wrong(fmt::format("{} from {:#x} to {:#x} does not lie in its memory, which has {} bytes", ring_name(ring),
                             ring.base, ring.base + size, bytes),
                 fmt::format("let it end at {:#x} or before", bytes));
  if (ring.contents.size() > ring.longwords)
    return wrong(fmt::format("{} has {} longwords, and {} are to be on it", ring_name(ring), ring.longwords,
                             ring.contents.size()),
                 "give it more room, or fewer contents");
  return true;
}

/// What lies in the memories of a chip before its rings do.
std::vector<Taken> taken_before(const Project& project, const Built& built, unsigned chip) {
  std::vector<Taken> out = taken_by_control(built, chip);
  size_t number = 0;
  for (const auto& [name, list] : project.document.root().get("memory").members())
    for (const JsonNode& node : list.items()) {
      const image::Space& space = project.spaces.at(number++);
      out.push_back({space.region, space.begin, space.end, "a space for memory blocks", node.range()});
    }
  return out;
}

/// Buffers against what others have. They may lie in a space for memory blocks, as blocks of the programs.
void check_buffers(const Project& project, const Built& built, unsigned chip, Diagnostics& out) {
  std::vector<Taken> taken = taken_by_control(built, chip);
  for (size_t i = 0; i < project.rings.size(); ++i)
    if (built.ring_chips[i] == chip) taken.push_back(taken_by(project.rings[i]));
  for (size_t i = 0; i < project.pools.size(); ++i) {
    if (built.pool_chips[i] != chip) continue;
    const Taken mine = taken_by(project.pools[i]);
    // Who watches the buffers of the control program names them once more.
    const bool is_same = project.pools[i].pool.list == List::scratch_ring && built.control &&
                         built.control_chip == chip &&
                         std::ranges::any_of(built.control->pools, [&](const control::PoolSetup& p) {
                           return p.ring == project.pools[i].pool.list_number && p.base == mine.begin &&
                                  p.base + uint64_t{p.bytes} * p.count == mine.end && mine.region == Region::dram;
                         });
    if (!is_same) check_free(mine, taken, "project-pool", out);
    taken.push_back(mine);
  }
}

/// How many longwords the ring of a free list holds, and how many it has already; nothing when it is not set up.
std::optional<std::pair<uint64_t, uint64_t>> room_of(const Project& project, const Built& built, unsigned chip,
                                                     const emulator::BufferPool& pool) {
  for (size_t i = 0; i < project.rings.size(); ++i) {
    const RingEntry& ring = project.rings[i];
    if (built.ring_chips[i] != chip || ring.number != pool.list_number) continue;
    if (ring.sram != (pool.list == List::sram_ring) || (ring.sram && ring.channel != pool.list_channel)) continue;
    return std::pair<uint64_t, uint64_t>(ring.longwords, ring.contents.size());
  }
  if (pool.list == List::scratch_ring && built.control && built.control_chip == chip)
    for (const control::RingSetup& ring : built.control->rings)
      if (ring.ring == pool.list_number) return std::pair<uint64_t, uint64_t>(ring.longwords, ring.contents.size());
  return std::nullopt;
}

void check_fill(const Project& project, const Built& built, size_t number, Diagnostics& out) {
  const PoolEntry& entry = project.pools[number];
  const emulator::BufferPool& pool = entry.pool;
  const emulator::ChipOnBoard& chip = built.board.chips[built.pool_chips[number]];
  const auto wrong = [&](std::string text, std::string remedy) {
    out.error("project-pool", entry.range, std::move(text), std::move(remedy));
  };
  if (chip.chip.profile != isa::Profile::me2)
    return wrong(fmt::format("the free list of pool '{}' is not in hardware on {}", entry.name, chip.chip.name),
                 "let a program fill it, and leave \"fill\" out");
  const uint64_t unit = uint64_t{1} << pool.shift;
  if (pool.base % unit != 0 || pool.size % unit != 0)
    return wrong(fmt::format("the buffers of pool '{}' do not lie at multiples of {} bytes, so that a handle, which is "
                             "shifted by {}, names none of them",
                             entry.name, unit, pool.shift),
                 "change \"base\", \"size\" or \"shift\"");
  const uint64_t last = (pool.base + pool.size * (pool.count - 1)) >> pool.shift;
  if (pool.base >> pool.shift == 0)
    return wrong(fmt::format("the first buffer of pool '{}' would have the handle 0, which says that the list is empty",
                             entry.name),
                 "raise \"base\"");
  if (pool.list == List::sram_queue) {
    // The handle is the longword address of a link in the channel of the queue.
    if (last >= chip.sram[pool.list_channel].bytes / 4 || last > 0xffffff)
      wrong(
          fmt::format("handle {:#x} of pool '{}' is not a longword address in sram{}, where the queue keeps its links",
                      last, entry.name, pool.list_channel),
          "choose \"shift\" so that it is one, for example 2 for buffers in that channel");
    return;
  }
  if (last > UINT32_MAX)
    return wrong(fmt::format("handle {:#x} of pool '{}' has more than 32 bits", last, entry.name), "raise \"shift\"");
  const auto room = room_of(project, built, built.pool_chips[number], pool);
  if (!room)
    return wrong(fmt::format("pool '{}' is to be filled, and the ring of its free list is not set up", entry.name),
                 "add it to \"rings\"");
  uint64_t wanted = 0;  // several pools may share a list
  for (size_t i = 0; i < project.pools.size(); ++i) {
    const emulator::BufferPool& other = project.pools[i].pool;
    if (project.pools[i].fill && built.pool_chips[i] == built.pool_chips[number] && other.list == pool.list &&
        other.list_number == pool.list_number && other.list_channel == pool.list_channel)
      wanted += other.count;
  }
  if (room->second + wanted > room->first)
    wrong(fmt::format("the free list of pool '{}' holds {} longwords, and {} are to be on it", entry.name, room->first,
                      room->second + wanted),
          "give the ring more room, or the pool fewer buffers");
}

}  // namespace

void check_rings(const Project& project, const Built& built, Diagnostics& out) {
  for (unsigned chip = 0; chip < built.board.chips.size(); ++chip) {
    std::vector<Taken> taken;
    std::vector<std::pair<std::string, SourceRange>> names;
    if (built.control && built.control_chip == chip)
      for (const control::RingSetup& ring : built.control->rings)
        names.emplace_back(fmt::format("scratch ring {}", ring.ring), SourceRange{});
    for (size_t i = 0; i < project.rings.size(); ++i) {
      const RingEntry& ring = project.rings[i];
      if (built.ring_chips[i] != chip || !check_place(ring, built.board.chips[chip], out)) continue;
      if (taken.empty()) taken = taken_before(project, built, chip);
      const std::string name = ring_name(ring);
      const auto known = std::ranges::find(names, name, [](const auto& n) { return n.first; });
      if (known != names.end()) {
        auto& d = out.error("project-ring", ring.range, fmt::format("{} is set up twice", name),
                            known->second ? "set up each ring once" : "the control program does: leave it out");
        if (known->second) d.notes.push_back({known->second, "first here"});
        continue;
      }
      names.emplace_back(name, ring.range);
      const Taken mine = taken_by(ring);
      check_free(mine, taken, "project-ring", out);
      taken.push_back(mine);
    }
    check_buffers(project, built, chip, out);
  }
  for (size_t i = 0; i < project.pools.size(); ++i)
    if (project.pools[i].fill) check_fill(project, built, i, out);
}

void load_rings(const Project& project, const Built& built, unsigned chip, emulator::HostPort& host) {
  const auto put = [&](const emulator::BufferPool::List list, unsigned channel, unsigned number, uint32_t word) {
    switch (list) {
      case List::scratch_ring: host.ring_put(number, std::span(&word, 1)); return;
      case List::sram_queue: host.enqueue(channel, number, word); return;
      case List::sram_ring: break;
    }
    emulator::QueueView ring = host.queue(channel, number);
    const uint32_t size = kSmallestSramRing << ring.ring_size_code;
    host.write(emulator::MemorySpace::sram, channel << 30 | (ring.tail & 0xffffff) << 2, word);
    ring.tail = (ring.tail & ~(size - 1)) | ((ring.tail + 1) & (size - 1));
    ++ring.count;
    host.set_queue(channel, number, ring);
  };
  for (size_t i = 0; i < project.rings.size(); ++i) {
    const RingEntry& ring = project.rings[i];
    if (built.ring_chips[i] != chip) continue;
    if (ring.sram) {
      emulator::QueueView view;
      view.head = view.tail = static_cast<uint32_t>(ring.base / 4);
      while (kSmallestSramRing << view.ring_size_code < ring.longwords) ++view.ring_size_code;
      host.set_queue(ring.channel, ring.number, view);
    } else {
      host.set_ring(ring.number, static_cast<uint32_t>(ring.base), ring.longwords, ring.status_is_empty);
    }
    for (const uint32_t word : ring.contents)
      put(ring.sram ? List::sram_ring : List::scratch_ring, ring.channel, ring.number, word);
  }
  for (size_t i = 0; i < project.pools.size(); ++i) {
    const emulator::BufferPool& pool = project.pools[i].pool;
    if (!project.pools[i].fill || built.pool_chips[i] != chip) continue;
    for (uint64_t n = 0; n < pool.count; ++n)
      put(pool.list, pool.list_channel, pool.list_number,
          static_cast<uint32_t>((pool.base + n * pool.size) >> pool.shift));
  }
}

}  // namespace weft::workbench
