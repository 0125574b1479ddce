// What the programs that try schedulers write into each frame: its class, its port, its number and its length.
#pragma once

#include "weft/packet/bytes.h"

namespace weft::test {

struct ServedFrame {
  uint8_t cls;
  uint32_t number, bytes;
  bool right;  ///< addresses, type, port and length are what they should be

  ServedFrame(const packet::Bytes& b, unsigned port) : cls(b[14]), number(longword(b, 16)), bytes(longword(b, 20)) {
    right = longword(b, 0) == 0x02000000 && longword(b, 4) == 0x00010200 && longword(b, 8) == 2 &&
            longword(b, 12) >> 16 == 0x88b5 && b[15] == port && b.size() == bytes;
  }

 private:
  static uint32_t longword(const packet::Bytes& b, size_t at) {
    return uint32_t{b[at]} << 24 | uint32_t{b[at + 1]} << 16 | uint32_t{b[at + 2]} << 8 | b[at + 3];
  }
};

}  // namespace weft::test
