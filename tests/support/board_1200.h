// What a control program is told of the board nctu-1200.
#pragma once

#include "weft/control/control.h"

namespace weft::test {

inline control::ControlOptions nctu_options() {
  control::ControlOptions out;
  out.sram_bytes = {2u << 20, 0};
  out.dram_bytes = 256u << 20;
  out.ports = 9;
  return out;
}

}  // namespace weft::test
