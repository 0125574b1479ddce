// Engines in the order of their next events: by tick, then by number.
#pragma once

#include "schedule/key_order.h"

namespace weft::emulator {

class EngineOrder : public KeyOrder<kPlaces - kEnginePlace> {
 public:
  /// Whose key it is, which is not kNever.
  static unsigned engine_of(Key key) { return static_cast<unsigned>(key & (kPlaces - 1)) - kEnginePlace; }
};

}  // namespace weft::emulator
