#include "place.h"

#include <fmt/format.h>

#include <algorithm>

#include "names.h"

namespace weft::image {
namespace {

constexpr uint64_t kLocalMemoryBytes = 640u * 4u;  // isa.md 2.1: longwords 0x280 to 0x3ff do not exist

uint64_t align_up(uint64_t address, uint64_t align) { return (address + align - 1) & ~(align - 1); }

}  // namespace

SpaceMap::SpaceMap(const std::vector<Space>& spaces) {
  for (const Space& space : spaces) {
    (space.region == Region::local ? local_ : shared_).push_back({space.region, space.begin, space.end});
  }
  if (local_.empty()) local_.push_back({Region::local, 0, kLocalMemoryBytes});
}

const SpaceMap::Reserved* SpaceMap::overlap(Region region, unsigned engine, uint64_t begin, uint64_t end) const {
  for (const Reserved& r : reserved_) {
    if (r.region == region && r.engine == engine && begin < r.end && r.begin < end) return &r;
  }
  return nullptr;
}

bool SpaceMap::reserve(const MemoryBlock& block, unsigned engine) {
  if (block.region != Region::local) engine = 0;
  const uint64_t begin = *block.address, end = begin + block.size;
  if (overlap(block.region, engine, begin, end)) return false;
  reserved_.push_back({block.region, engine, begin, end});
  return true;
}

std::optional<uint64_t> SpaceMap::take(const MemoryBlock& block, unsigned engine) {
  std::vector<Cursor>& cursors =
      block.region == Region::local ? engines_.try_emplace(engine, local_).first->second : shared_;
  for (Cursor& cursor : cursors) {
    if (cursor.region != block.region) continue;
    uint64_t address = align_up(cursor.at, block.align);
    while (const Reserved* kept =
               overlap(block.region, block.region == Region::local ? engine : 0, address, address + block.size)) {
      address = align_up(kept->end, block.align);
    }
    if (address > cursor.end || cursor.end - address < block.size) continue;
    cursor.at = address + block.size;
    return address;
  }
  return std::nullopt;
}

uint64_t SpaceMap::largest(Region region, unsigned engine) const {
  uint64_t best = 0;
  const auto own = engines_.find(engine);
  const std::vector<Cursor>& cursors = region != Region::local ? shared_ : own != engines_.end() ? own->second : local_;
  for (const Cursor& cursor : cursors) {
    if (cursor.region == region) best = std::max(best, cursor.end - std::min(cursor.at, cursor.end));
  }
  return best;
}

BlockMap BlockMap::place(const LinkInput& input, std::vector<Placement>& placements, Diagnostics& out) {
  BlockMap map;
  SpaceMap spaces(input.spaces);
  std::map<std::string, std::pair<MemoryBlock, std::string>> globals;  // the block, and the program that named it first

  const auto take = [&](const MemoryBlock& block, const Image& image, int engine) {
    const unsigned on = engine < 0 ? 0 : static_cast<unsigned>(engine);
    const auto address = block.address ? block.address : spaces.take(block, on);
    if (!address) {
      out.error(
          "link-no-room", whole_file(image.name),
          fmt::format("no room for the memory block '{}': {} bytes of {}, the largest free stretch has {}", block.name,
                      block.size, name_of(region_names(), block.region), spaces.largest(block.region, on)),
          "give the project more memory in this region, or make the block smaller");
      return;
    }
    const Placement placement{block.name, block.region, *address, block.size, engine};
    placements.push_back(placement);
    map.blocks_[{engine, block.name}] = placement;
  };

  // Blocks at fixed addresses come first: the others go around them.
  const auto reserve = [&](const MemoryBlock& block, const Image& image, unsigned engine) {
    if (block.region == Region::local && *block.address + block.size > kLocalMemoryBytes) {
      out.error("link-no-room", whole_file(image.name),
                fmt::format("the memory block '{}' ends at byte {:#x} of local memory, which has {} bytes", block.name,
                            *block.address + block.size, kLocalMemoryBytes));
    } else if (!spaces.reserve(block, engine)) {
      out.error("link-blocks-overlap", whole_file(image.name),
                fmt::format("the memory block '{}' at {:#x} of {} lies over another block at a fixed address",
                            block.name, *block.address, name_of(region_names(), block.region)),
                "declare it global to share one block, or give the two other addresses");
    }
  };
  std::map<std::string, bool> fixed_globals;
  for (const LinkInput::Assignment& program : input.programs) {
    for (const MemoryBlock& block : program.image->memory) {
      if (!block.address) continue;
      if (block.global && block.region != Region::local) {
        if (fixed_globals.try_emplace(block.name, true).second) reserve(block, *program.image, 0);
        continue;
      }
      for (unsigned engine : program.engines) reserve(block, *program.image, engine);
    }
  }

  for (const LinkInput::Assignment& program : input.programs) {
    for (const MemoryBlock& block : program.image->memory) {
      if (!block.global || block.region == Region::local) {
        for (unsigned engine : program.engines) {
          if (!map.blocks_.contains({static_cast<int>(engine), block.name})) {
            take(block, *program.image, static_cast<int>(engine));
          }
        }
        continue;
      }
      const auto [known, is_new] = globals.try_emplace(block.name, block, program.image->name);
      if (is_new) {
        take(block, *program.image, -1);
        continue;
      }
      const MemoryBlock& first = known->second.first;
      if (first.region != block.region || first.size != block.size || first.align != block.align ||
          first.address != block.address) {
        out.error("link-block-differs", whole_file(program.image->name),
                  fmt::format("the global memory block '{}' is {} bytes of {} here, but {} bytes of {} in '{}'",
                              block.name, block.size, name_of(region_names(), block.region), first.size,
                              name_of(region_names(), first.region), known->second.second),
                  "declare it alike in all programs, best in one included file");
      }
    }
  }
  return map;
}

const Placement* BlockMap::find(const std::string& name, unsigned engine) const {
  auto found = blocks_.find({static_cast<int>(engine), name});
  if (found == blocks_.end()) found = blocks_.find({-1, name});
  return found == blocks_.end() ? nullptr : &found->second;
}

}  // namespace weft::image
