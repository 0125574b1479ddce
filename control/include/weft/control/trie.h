// The longest-prefix-match table of the IPv4 microcode: a trie with strides 16, 8 and 8 bits in SRAM, leaves pushed
// down so that a lookup reads one to three longwords and never backs up.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/control/address.h"
#include "weft/image/link.h"

namespace weft::control {

struct NextHop {
  uint8_t reason = 0;  ///< 0 = forward; otherwise a Reason
  uint8_t port = 0;
  uint16_t mtu = 0;
  Mac destination{}, source{};
  bool operator==(const NextHop&) const = default;
  auto operator<=>(const NextHop&) const = default;
};

/// Prefix to index into a list of next hops. Of two entries for one prefix the last counts.
struct TrieRoute {
  Prefix prefix;
  uint32_t next_hop = 0;
};

struct TrieImage {
  std::vector<image::MemoryWrite> memory;  ///< regions sram0 and sram1
  uint32_t root = 0;                       ///< address as the microcode uses it: channel << 30 | byte
  uint32_t next_hops = 0;                  ///< of next hop 0
  uint64_t nodes = 0;                      ///< besides the root
  uint64_t bytes = 0;
};

/// Entry 0 of `next_hops` answers every address that no route covers. Fails with "control-trie-full" when the table does
/// not fit into the SRAM of the board.
Result<TrieImage> build_trie(std::vector<TrieRoute> routes, const std::vector<NextHop>& next_hops,
                             const std::array<uint64_t, 2>& sram_bytes, const SourceRange& blame);

}  // namespace weft::control
