// Which longwords a command will touch when it is served: worked out from the command and from what its unit knows at
// that moment, so that the units need not tell.
#pragma once

#include <array>
#include <cstdint>

#include "weft/emulator/units.h"

namespace weft::emulator {

/// A longword somewhere: memory space, channel and longword number in one value. Never 0.
using Cell = uint64_t;
inline constexpr Cell kNoCell = 0;
inline Cell cell_of(MemorySpace space, unsigned channel, uint64_t byte_address) {
  return (uint64_t{1} + static_cast<uint64_t>(space)) << 48 | uint64_t{channel} << 40 | byte_address / 4;
}

struct CommandAccess {
  enum class Kind : uint8_t {
    none,  ///< registers of a unit, arithmetic, a lock alone, or nothing that is followed
    read,
    write,
    atomic,  ///< one longword, read and written in one step
    ring_get,
    ring_put,  ///< `list`: ring number
    enqueue,
    dequeue,  ///< `list`: entry of the queue array, or a hardware list; `link`: the buffer's longword address, 0 = none
    media_in,
    media_out,  ///< between DRAM and media buffers: `cells` in DRAM, `buffer` the first byte of the buffer
    media_read,
    media_write,  ///< between media buffers and transfer registers
  } kind = Kind::none;
  bool answers = false;  ///< atomics: the old value goes back
  /// IXP1200: the command takes the lock of its first longword before the access, or gives it back after it.
  enum class Lock : uint8_t { none, take, give } lock = Lock::none;
  Cell locked = kNoCell;
  MemorySpace space = MemorySpace::scratch;
  unsigned channel = 0, list = 0;
  uint32_t link = 0, buffer = 0;
  unsigned count = 0;
  /// The first `count`, in the order of transfer registers; kNoCell = that longword is not in memory. The others have
  /// no value: most commands need a few.
  std::array<Cell, 32> cells;
};

/// To be called in CommandWatcher::on_serve: the unit has done nothing yet.
CommandAccess access_of(const Command& command, Units& units);

}  // namespace weft::emulator
