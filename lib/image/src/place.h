// Finds room for memory blocks in the spaces of the project.
#pragma once

#include <map>
#include <vector>

#include "weft/image/link.h"

namespace weft::image {

/// First fit into the spaces of a region, in their order. A cursor per space: blocks are never given back.
class SpaceMap {
 public:
  explicit SpaceMap(const std::vector<Space>& spaces);
  /// Keeps [begin, begin + size) free of blocks that are placed; false when something is kept there already.
  bool reserve(const MemoryBlock& block, unsigned engine);
  /// An address for the block, or nothing when no space has room. The microengine matters for local memory only.
  std::optional<uint64_t> take(const MemoryBlock& block, unsigned engine);
  /// The largest stretch that is left in a region.
  uint64_t largest(Region region, unsigned engine) const;

 private:
  struct Cursor {
    Region region;
    uint64_t at, end;
  };
  struct Reserved {
    Region region;
    unsigned engine;  ///< of local memory, else 0
    uint64_t begin, end;
  };
  const Reserved* overlap(Region region, unsigned engine, uint64_t begin, uint64_t end) const;

  std::vector<Cursor> shared_;
  std::vector<Reserved> reserved_;
  std::vector<Cursor> local_;  ///< as given; copied per engine on first use
  std::map<unsigned, std::vector<Cursor>> engines_;
};

/// Where every memory block of every program stands.
class BlockMap {
 public:
  static BlockMap place(const LinkInput& input, std::vector<Placement>& placements, Diagnostics& out);
  /// The placement that a name means on an engine; null when there is none.
  const Placement* find(const std::string& name, unsigned engine) const;

 private:
  std::map<std::pair<int, std::string>, Placement> blocks_;  ///< by engine (-1: global) and name
};

}  // namespace weft::image
