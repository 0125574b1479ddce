// What the lookup tables answer: where a packet goes, or why it goes nowhere.
#pragma once

#include <array>
#include <cstdint>

#include "weft/control/address.h"
#include "weft/control/layout.h"
#include "weft/control/mpls/label.h"

namespace weft::control {

struct NextHop {
  uint8_t reason = 0;  ///< 0 = forward; otherwise a Reason
  uint8_t port = 0;
  uint16_t vlan = 0;  ///< 0: untagged
  uint16_t mtu = 0;
  Mac destination{}, source{};
  mpls::LabelStack labels{};  ///< pushed onto IP packets
  bool operator==(const NextHop&) const = default;
  auto operator<=>(const NextHop&) const = default;
};

/// As it lies in SRAM (layout.h).
using NextHopWords = std::array<uint32_t, kNextHopLongwords>;
NextHopWords words_of(const NextHop& hop);
NextHop hop_of(const NextHopWords& words);

}  // namespace weft::control
