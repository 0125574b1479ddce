#include "weft/base/random.h"

namespace weft {

uint64_t Random::below(uint64_t bound) {
  // Rejection keeps the result uniform: the top partial range is thrown away.
  const uint64_t limit = UINT64_MAX - (UINT64_MAX % bound + 1) % bound;
  uint64_t value = engine_();
  while (value > limit) value = engine_();
  return value % bound;
}

}  // namespace weft
