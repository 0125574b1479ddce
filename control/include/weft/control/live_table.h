// The lookup table of the IPv4 microcode while it is in use: what is in memory, and which longwords a new route changes.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/control/config.h"
#include "weft/control/trie.h"

namespace weft::control {

/// Longwords to write from an address on, as the microcode writes addresses: channel << 30 | byte.
struct TableWrite {
  uint32_t address = 0;
  std::vector<uint32_t> values;
};

struct NewRoute {
  Prefix prefix;
  NextHop hop;
};

/// Copies share the table as it was built; each keeps its own changes.
class LiveTable {
 public:
  LiveTable() = default;
  LiveTable(const RouterConfig& config, const std::vector<TrieRoute>& routes, const std::vector<NextHop>& hops, const TrieImage& image,
            const std::array<uint64_t, 2>& sram_bytes);

  /// "route PREFIX via ADDRESS" or "route PREFIX discard". Diagnostics: control-command, and those of configurations.
  Result<NewRoute> parse(const std::string& command) const;
  /// The writes in the order in which they must be made: next hop, new nodes, entries. Nothing when the memory is full.
  std::vector<TableWrite> insert(const NewRoute& route);

 private:
  struct Built {
    std::vector<image::MemoryWrite> memory;          ///< SRAM, by address
    std::map<std::pair<uint8_t, uint32_t>, uint32_t> routes;  ///< (length, address) to the address of the next hop
    std::vector<Interface> interfaces;
    std::vector<Neighbour> neighbours;
  };
  uint32_t at(uint32_t address) const;
  void set(uint32_t address, uint32_t value) { changed_[address] = value; }
  /// Length of the longest prefix of at most `most` bits that covers the address.
  unsigned covering(uint32_t address, unsigned most) const;
  void fill(uint32_t table, uint32_t first, uint32_t count, unsigned table_bits, uint32_t base, const Prefix& prefix, uint32_t leaf,
            std::vector<TableWrite>& out);
  uint32_t child(uint32_t entry, std::vector<TableWrite>& nodes, std::vector<TableWrite>& links);
  uint32_t allocate(uint32_t bytes);
  /// The entry of a next hop, the same one for all routes that were added with it; 0 when there is no room.
  uint32_t hop_entry(const std::vector<uint32_t>& words, std::vector<TableWrite>& hops);

  std::shared_ptr<const Built> built_;
  std::map<uint32_t, uint32_t> changed_;                     ///< longwords
  std::map<std::pair<uint8_t, uint32_t>, uint32_t> added_;
  std::map<std::vector<uint32_t>, uint32_t> hops_;           ///< next hops of added routes
  std::array<uint64_t, 2> used_{}, limit_{};
  struct Gap {
    uint64_t begin = 0, end = 0;
  };
  std::array<Gap, 2> gap_{};  ///< left free in front of the last node, which stands at a multiple of its size
};

}  // namespace weft::control
