// Buffer pools: which memory is cut into buffers, and where buffers lie that nobody uses. Tables: which memory outlives
// packets.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "weft/emulator/units.h"

namespace weft::emulator {

struct BufferPool {
  enum class List : uint8_t { scratch_ring, sram_ring, sram_queue };

  std::string name;
  List list = List::scratch_ring;
  unsigned list_number = 0;   ///< ring, or entry of the queue array
  unsigned list_channel = 0;  ///< SRAM channel of the free list
  MemorySpace space = MemorySpace::dram;
  unsigned channel = 0;
  uint64_t base = 0, size = 0, count = 0;  ///< bytes; buffer i is at base + i * size
  unsigned shift = 0;                      ///< a handle is the byte address of the buffer >> shift

  std::optional<uint32_t> buffer_at(uint64_t byte_address) const {
    if (byte_address < base || size == 0 || (byte_address - base) / size >= count) return std::nullopt;
    return static_cast<uint32_t>((byte_address - base) / size);
  }
  std::optional<uint32_t> buffer_of_handle(uint32_t handle) const { return buffer_at(uint64_t{handle} << shift); }
};

/// Memory that outlives packets, such as tables and counters: no packet is handed over by what lies there.
struct TableMemory {
  MemorySpace space = MemorySpace::scratch;
  unsigned channel = 0;          ///< of SRAM
  uint64_t base = 0, bytes = 0;  ///< byte address within the channel
};

/// The pool whose free list that is.
inline std::optional<size_t> find_pool(std::span<const BufferPool> pools, BufferPool::List list, unsigned channel,
                                       unsigned number) {
  for (size_t p = 0; p < pools.size(); ++p)
    if (pools[p].list == list && pools[p].list_number == number &&
        (list == BufferPool::List::scratch_ring || pools[p].list_channel == channel))
      return p;
  return std::nullopt;
}

}  // namespace weft::emulator
