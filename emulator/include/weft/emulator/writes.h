// What a command is about to write into memories and media buffers, and what it moves from where to where: for those
// who look for the writer of a longword, or for its readers.
#pragma once

#include <optional>
#include <vector>

#include "weft/emulator/unit_inspector.h"

namespace weft::emulator {

struct Extent {
  bool in_buffer = false;
  MemorySpace space = MemorySpace::scratch;  ///< memories
  unsigned channel = 0;                      ///< of SRAM
  MediaBuffer buffer = MediaBuffer::rbuf;    ///< media buffers
  uint64_t begin = 0, end = 0;               ///< bytes
  bool contains(uint64_t byte) const { return byte >= begin && byte < end; }
};

/// Longwords between memory, media buffers and transfer registers, the one of Command::xfer first.
struct Moved {
  bool reads = false, writes = false;  ///< memory
  MemorySpace space = MemorySpace::scratch;
  unsigned channel = 0;
  static constexpr uint64_t kElsewhere = ~uint64_t{0};  ///< in no memory
  std::vector<uint64_t> bytes;                          ///< addresses in memory; empty: no memory takes part
  std::optional<MediaBuffer> buffer;                    ///< takes part too
  bool from_buffer = false;
  uint32_t first = 0;  ///< byte of the buffer
  unsigned count = 0;  ///< longwords
};
/// To be called where writes_of() is.
Moved moved_by(const Command& command, Units& units);

/// To be called in CommandWatcher::on_serve, where the unit has done nothing yet. Also what is written with the value
/// that stands there already.
std::vector<Extent> writes_of(const Command& command, Units& units);
/// Where a longword goes that is put on a scratch ring now; nothing when there is no room.
std::vector<Extent> ring_put_of(unsigned ring, unsigned before, Units& units);

}  // namespace weft::emulator
