// SRAM of the lookup tables: who has which node and next hop, and when something that was taken out may be used again.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "weft/control/layout.h"
#include "weft/image/link.h"

namespace weft::control {

inline constexpr uint32_t kNodeBytes = kNodeEntries * 4;

/// What must be written for one change of the tables. Everything of `prepare` must stand in memory before the first of
/// `publish` is written: nothing leads to it yet. Those of `publish` may be written in any order, once each; after each
/// longword every address has its old answer or its new one.
struct TableWrite {
  uint32_t address = 0;  ///< as the microcode writes addresses: channel << 30 | byte
  std::vector<uint32_t> values;
};
struct TableChange {
  std::vector<TableWrite> prepare;
  std::vector<std::pair<uint32_t, uint32_t>>
      publish;  ///< longwords: address, value; of two for one address the last counts

  bool empty() const { return prepare.empty() && publish.empty(); }
  /// `publish` by address, each once, neighbours joined.
  std::vector<TableWrite> publish_runs() const;
};

/// The region and the byte in it of an address as the microcode writes it.
constexpr image::Region region_of(uint32_t address) {
  return address >> 30 == 0 ? image::Region::sram0 : image::Region::sram1;
}
constexpr uint32_t byte_of(uint32_t address) { return address & 0x3fffffff; }

/// Nodes lie in channel 1 while there is room, then in channel 0; next hops in channel 0 first, 32 on a page.
class TableMemory {
 public:
  TableMemory() = default;
  explicit TableMemory(const std::array<uint64_t, 2>& sram_bytes);

  bool has_roots() const { return used_[0] <= limit_[0] && used_[1] <= limit_[1]; }
  /// Whether so many nodes, and next hops besides, can be had.
  bool has_room(size_t nodes, size_t hops) const;
  std::optional<uint32_t> take_node();
  std::optional<uint32_t> take_hop();
  void give_hop(uint32_t address) { free_hops_.push_back(address); }

  /// Packets may still be in a node that is taken out: it is free after two calls of age(), so after a whole time
  /// between two calls.
  void retire_node(uint32_t address) { retired_.push_back({address, generation_}); }
  void age();
  bool aging() const { return !retired_.empty(); }
  uint64_t generation() const { return generation_; }
  constexpr static uint64_t kGenerations = 2;

  uint64_t nodes_in_use() const { return nodes_; }
  uint64_t nodes_retired() const { return retired_.size(); }

 private:
  std::optional<uint32_t> take_page(unsigned channel);
  uint64_t pages_left(unsigned channel) const {
    return used_[channel] >= limit_[channel] ? 0 : (limit_[channel] - used_[channel]) / kNodeBytes;
  }

  struct Retired {
    uint32_t address = 0;
    uint64_t generation = 0;
  };
  std::array<uint64_t, 2> used_{}, limit_{};
  std::vector<uint32_t> free_nodes_, free_hops_;
  std::vector<Retired> retired_;
  uint64_t generation_ = 0, nodes_ = 0;
};

}  // namespace weft::control
