#include "firewall/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>

#include "firewall/filter_program.h"
#include "firewall/times.h"
#include "table_memory.h"

namespace weft::control::firewall {

namespace {

/// The roots of the tries, and on channel 0 the next hops of a small network; nodes may lie on either channel.
constexpr uint64_t kMinForTables = kNextHopBase + 16 * kNodeBytes;
/// What a fragmented packet takes: a bucket, and their number is rounded up to a power of two.
constexpr uint64_t kBucketBytes = uint64_t{kFragmentWays} * kFragmentLongwords * 4;
constexpr uint64_t kGrid =
    128;  ///< addresses below end on multiples of it: those of entries on multiples of 32, others as they like

}  // namespace

Result<FirewallMemory> FirewallMemory::plan(const FirewallConfig& config, const std::array<uint64_t, 2>& sram_bytes,
                                            const std::string& file) {
  FirewallMemory m;
  m.left = sram_bytes;
  bool fits = true;
  const auto take = [&](unsigned channel, uint64_t bytes) -> uint32_t {
    const uint64_t size = (bytes + kGrid - 1) / kGrid * kGrid;
    if (size + kMinForTables > m.left[channel]) {
      fits = false;
      return 0;
    }
    m.left[channel] = (m.left[channel] - size) / kGrid * kGrid;
    return static_cast<uint32_t>(m.left[channel]) | channel << 30;
  };
  m.entry_count = config.connections;
  m.entries = take(0, uint64_t{config.connections} * kEntryBytes);
  const uint32_t free = std::bit_ceil(config.connections), buckets = std::bit_ceil(config.connections * 2),
                 fragments = std::bit_ceil(config.fragments) * kFragmentWays;
  m.free = take(1, uint64_t{free} * 4);
  m.free_mask = free - 1;
  m.buckets = take(1, uint64_t{buckets} * 4);
  m.bucket_mask = buckets - 1;
  m.ports = take(1, 3 * kPortMapBytes);
  m.mapping_count = config.nat ? config.connections + kMappingsInHands : 0;
  m.mapping_buckets = take(1, config.nat ? uint64_t{buckets} * 4 : 0);
  m.mappings = take(1, uint64_t{m.mapping_count} * kMappingBytes);
  m.fragments = take(1, uint64_t{fragments} * kFragmentLongwords * 4);
  m.fragment_mask = fragments - 1;
  m.rules = take(1, 2 * kFilterTableBytes);
  if (!fits) {
    // Of two lines that of the larger table is to blame.
    const bool fragments_first = !config.connections_range || uint64_t{fragments} * kFragmentLongwords * 4 >
                                                                  uint64_t{config.connections} * kEntryBytes;
    const SourceRange& blame =
        fragments_first && config.fragments_range ? config.fragments_range : config.connections_range;
    return fail(
        "control-connections", blame ? blame : whole_file(file),
        fmt::format("{} connections and {} fragments do not fit into {} + {} bytes of SRAM", config.connections,
                    config.fragments, sram_bytes[0], sram_bytes[1]),
        fmt::format(
            "a connection takes {} bytes of channel 0 and 12 to 24 of channel 1, with nat 36 to 56, a fragmented "
            "packet {} to {} of channel 1, and the routes need {} on each: lower connections or fragments",
            kEntryBytes, kBucketBytes, 2 * kBucketBytes, kMinForTables));
  }
  return m;
}

std::vector<uint32_t> closed_ports(const FirewallConfig& config, uint8_t protocol) {
  std::vector<uint32_t> map(kPortMapBytes / 4, 0);
  map[0] = 1;
  for (const Forwarding& f : config.forwardings) {
    if (f.protocol == protocol) map[f.public_port >> 5] |= uint32_t{1} << (f.public_port & 31);
  }
  return map;
}

std::vector<image::MemoryWrite> FirewallMemory::image(const FirewallConfig& config) const {
  std::vector<image::MemoryWrite> out;
  image::MemoryWrite list{region_of(free), byte_of(free), {}};
  for (uint32_t i = 0; i < entry_count; ++i) list.values.push_back(entry(i));
  out.push_back(std::move(list));
  image::MemoryWrite maps{region_of(ports), byte_of(ports), {}};
  for (const uint8_t protocol : {6, 17, 1}) {
    const auto map = closed_ports(config, protocol);
    maps.values.insert(maps.values.end(), map.begin(), map.end());
  }
  out.push_back(std::move(maps));
  image::MemoryWrite free_mappings{region_of(mappings), byte_of(mappings), {}};
  for (uint32_t i = 1; i < mapping_count; ++i)
    free_mappings.values.insert(free_mappings.values.end(), {mapping(i), 0, 0, 0});
  if (mapping_count != 0) out.push_back(std::move(free_mappings));
  return out;
}

std::map<std::string, uint64_t> FirewallMemory::constants() const {
  return {{"fw_entries", entries},     {"fw_entry_count", entry_count},
          {"fw_buckets", buckets},     {"fw_bucket_mask", bucket_mask},
          {"fw_free", free},           {"fw_free_mask", free_mask},
          {"fw_ports", ports},         {"fw_mapping_buckets", mapping_buckets},
          {"fw_fragments", fragments}, {"fw_fragment_mask", fragment_mask},
          {"fw_grace", kGraceUnits},   {"fw_config", kFirewallConfig},
          {"fw_running", kRunning}};
}

std::vector<uint32_t> configuration_words(const FirewallConfig& config, uint32_t outside, uint64_t engine_kilohertz) {
  std::vector<uint32_t> words(kAllLongwords, 0);
  const TickClock clock(config.tick, engine_kilohertz);
  assert(clock.units() <= kMaxTickUnits);     // check_times() has seen to it
  const auto ticks = [&](Nanoseconds time) {  // at least one: those of the table that no name means are 0
    const uint64_t count = std::max<uint64_t>(1, clock.ticks(time));
    assert(count <= kMaxTicks);
    return static_cast<uint32_t>(count);
  };
  words[kPublicAddress] = config.nat ? config.nat->address : 0;
  words[kZones] = outside;
  words[kSwitches] = config.switches;
  words[kPortRange] = config.nat ? uint32_t{config.nat->first_port} << 16 | config.nat->last_port : 0;
  words[kForwardings] = static_cast<uint32_t>(config.forwardings.size());
  words[kTickUnits] = static_cast<uint32_t>(clock.units());
  // In a tick all of them at most: none can end between two.
  const uint64_t scan = std::max<uint64_t>(1, clock.units_of(config.scan));
  words[kScanEntries] = static_cast<uint32_t>(
      std::min<uint64_t>((config.connections * clock.units() + scan - 1) / scan, config.connections));
  words[kFragmentLife] = ticks(config.fragment_life);
  for (size_t i = 0; i < kTimeoutCount; ++i) words[kTimeouts + i] = ticks(config.timeouts[i]);
  size_t at = kForwardingList;
  for (const Forwarding& f : config.forwardings) {
    words[at++] = uint32_t{f.protocol} << 16 | f.public_port;
    words[at++] = f.inside;
    words[at++] = f.inside_port;
  }
  words[kConfigurationLongwords + kFreeTail] = config.connections;
  words[kIdentifierRange] = uint32_t{kFirstIdentifier} << 16 | kLastIdentifier;
  return words;
}

}  // namespace weft::control::firewall
