// The content-addressable memory: 16 tags with state, compared at once, in least-recently-used order (isa.md 10.7).
#pragma once

#include <cstdint>

#include "weft/emulator/engine.h"

namespace weft::emulator {

struct CamAnswer {
  bool hit = false;
  uint8_t entry = 0;
  uint8_t state = 0;

  /// As the destination register receives it: state 11:8, hit 7, entry 6:3.
  uint32_t word() const { return uint32_t{state} << 8 | uint32_t{hit} << 7 | uint32_t{entry} << 3; }
};

void cam_clear(CamState& cam);
/// A hit gives the lowest entry with the tag and makes it the most recent; a miss gives the least recent and moves
/// nothing.
CamAnswer cam_lookup(CamState& cam, uint32_t tag);
void cam_write(CamState& cam, unsigned entry, uint32_t tag, unsigned state);
void cam_write_state(CamState& cam, unsigned entry, unsigned state);

}  // namespace weft::emulator
