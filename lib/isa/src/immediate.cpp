// Which immed makes a 32-bit value.
#include "weft/isa/isa.h"

namespace weft::isa {

std::optional<Immediate> fit_immediate(uint32_t value, std::optional<uint32_t> shift) {
  if (shift) {
    if (*shift != 0 && *shift != 8 && *shift != 16) return std::nullopt;
    if (value <= 0xffff) return Immediate{value, *shift, false};
    if (~value <= 0xffff) return Immediate{~value, *shift, true};
    return std::nullopt;
  }
  for (bool invert : {false, true}) {
    const uint32_t plain = invert ? ~value : value;
    for (uint32_t s : {0u, 8u, 16u})
      if ((plain >> s) <= 0xffff && (plain >> s) << s == plain) return Immediate{plain >> s, s, invert};
  }
  return std::nullopt;
}

uint32_t immediate_value(const Immediate& i) {
  const uint32_t v = i.value << i.shift;
  return i.invert ? ~v : v;
}

}  // namespace weft::isa
