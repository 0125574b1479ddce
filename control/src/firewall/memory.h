// Where the firewall's tables lie in SRAM, and how they stand before cycle 0. They take the upper end of both channels;
// what is left below belongs to the lookup tables of the router.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "firewall/config.h"
#include "weft/image/link.h"

namespace weft::control::firewall {

/// Addresses as the microcode writes them: channel << 30 | byte.
struct FirewallMemory {
  uint32_t entries = 0, entry_count = 0;
  uint32_t buckets = 0, bucket_mask = 0;
  uint32_t free = 0, free_mask = 0;
  uint32_t ports = 0;
  uint32_t mapping_buckets = 0;  ///< as many as `buckets`
  uint32_t mappings = 0, mapping_count = 0;
  uint32_t fragments = 0, fragment_mask = 0;
  uint32_t rules = 0;              ///< two tables of kFilterTableBytes
  std::array<uint64_t, 2> left{};  ///< bytes of each channel below all of these

  /// Fails with "control-connections" when the tables do not fit beside the least that the lookup tables need.
  static Result<FirewallMemory> plan(const FirewallConfig& config, const std::array<uint64_t, 2>& sram_bytes,
                                     const std::string& file);

  uint32_t mapping(uint32_t index) const { return mappings + index * kMappingBytes; }
  uint32_t entry(uint32_t index) const { return entries + index * kEntryBytes; }
  /// What is not 0 at the start.
  std::vector<image::MemoryWrite> image(const FirewallConfig& config) const;
  std::map<std::string, uint64_t> constants() const;
};

/// Bit n & 31 of longword n >> 5: ports that are never given.
std::vector<uint32_t> closed_ports(const FirewallConfig& config, uint8_t protocol);

/// The longwords from kFirewallConfig on, those of kRunning among them. `outside`: bit n for port n.
std::vector<uint32_t> configuration_words(const FirewallConfig& config, uint32_t outside, uint64_t engine_kilohertz);

}  // namespace weft::control::firewall
