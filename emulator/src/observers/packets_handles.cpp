// The packet tracker: which longwords that are read hand a packet over. Tables are read by other packets than wrote
// them, so where buffers are known only what names a buffer of the packet does.
#include <algorithm>
#include <bit>
#include <iterator>

#include "observers/access.h"
#include "weft/emulator/observers/cell_ranges.h"
#include "weft/emulator/observers/packets.h"

namespace weft::emulator {

void CellRanges::add(MemorySpace space, unsigned channel, uint64_t base, uint64_t bytes) {
  if (bytes == 0) return;
  uint64_t first = cell_of(space, channel, base), end = cell_of(space, channel, base + bytes + 3);
  // One stretch of all that touch it: holds() looks at one only.
  for (auto at = ends_.upper_bound(end); at != ends_.begin();) {
    --at;
    if (at->second < first) break;
    first = std::min(first, at->first);
    end = std::max(end, at->second);
    at = ends_.erase(at);
  }
  ends_[first] = end;
}

bool CellRanges::holds(uint64_t cell) const {
  const auto after = ends_.upper_bound(cell);
  return after != ends_.begin() && cell < std::prev(after)->second;
}

bool PacketTracker::needs_handle(uint64_t cell, uint32_t packet) {
  if (pools_.empty() || buffers_.holds(cell)) return false;
  const Live* live = find(packet);
  return live != nullptr && live->in_pool;
}

// A handle may share its longword with other fields, below and above it.
bool PacketTracker::has_handle(uint32_t value, uint32_t packet) const {
  for (size_t p = 0; p < pools_.size(); ++p) {
    const BufferPool& pool = pools_[p];
    if (pool.size == 0 || pool.count == 0) continue;
    const auto names_buffer = [&](uint32_t handle, bool is_exact) {
      const auto buffer = pool.buffer_of_handle(handle);
      if (handle == 0 || !buffer) return false;
      if (is_exact && ((uint64_t{handle} << pool.shift) - pool.base) % pool.size != 0) return false;
      // Who owns which buffer is known of DRAM alone.
      return pool.space != MemorySpace::dram || owners_[p][*buffer] == packet;
    };
    const uint64_t last = (pool.base + pool.size * pool.count - 1) >> pool.shift;
    const auto bits = static_cast<unsigned>(std::bit_width(last));
    const uint32_t mask = bits >= 32 ? ~uint32_t{0} : (uint32_t{1} << bits) - 1;
    if (names_buffer(value & mask, false)) return true;  // also a place in the buffer, or flags in the low bits
    for (uint32_t rest = value >> 1; rest != 0; rest >>= 1)
      if (names_buffer(rest & mask, true)) return true;
  }
  return false;
}

bool PacketTracker::hands_over(const Open& open, unsigned i, uint32_t value) {
  const uint32_t packet = open.tags[i];
  if (packet == 0) return false;
  if ((open.by_handle >> i & 1) == 0) return true;
  const ContextShadow& c = context(open.from);
  return c.packet == packet || c.lent == packet || has_handle(value, packet);
}

}  // namespace weft::emulator
