// What a command is about to write into memories and media buffers: for those who look for the writer of a longword.
#pragma once

#include <vector>

#include "weft/emulator/unit_look.h"

namespace weft::emulator {

struct Extent {
  bool in_buffer = false;
  MemorySpace space = MemorySpace::scratch;  ///< memories
  unsigned channel = 0;                      ///< of SRAM
  MediaBuffer buffer = MediaBuffer::rbuf;    ///< media buffers
  uint64_t begin = 0, end = 0;               ///< bytes
  bool contains(uint64_t byte) const { return byte >= begin && byte < end; }
};

/// To be called in CommandWatcher::on_serve, where the unit has done nothing yet. Also what is written with the value
/// that stands there already.
std::vector<Extent> writes_of(const Command& command, Units& units);
/// Where a longword goes that is put on a scratch ring now; nothing when there is no room.
std::vector<Extent> ring_put_of(unsigned ring, unsigned before, Units& units);

}  // namespace weft::emulator
