#include "next_hop.h"

#include "mpls/layout.h"

namespace weft::control {

namespace {

constexpr uint32_t kTagType = 0x8100;

uint32_t four(uint8_t a, uint8_t b, uint8_t c, uint8_t d) {
  return uint32_t{a} << 24 | uint32_t{b} << 16 | uint32_t{c} << 8 | d;
}

}  // namespace

NextHopWords words_of(const NextHop& h) {
  const Mac& d = h.destination;
  const Mac& s = h.source;
  const bool tagged = h.vlan != 0;
  return {uint32_t{h.reason} << 24 | uint32_t{h.labels.count} << mpls::kHopLabelsShift | (tagged ? kNextHopTagged : 0) |
              uint32_t{h.port} << 16 | h.mtu,
          four(d[0], d[1], d[2], d[3]),
          four(d[4], d[5], s[0], s[1]),
          four(s[2], s[3], s[4], s[5]),
          tagged ? kTagType << 16 | h.vlan : 0,
          h.labels.words[0],
          h.labels.words[1],
          h.labels.words[2]};
}

NextHop hop_of(const NextHopWords& w) {
  NextHop h;
  h.reason = static_cast<uint8_t>(w[0] >> 24);
  h.port = static_cast<uint8_t>(w[0] >> 16 & 0xf);
  h.mtu = static_cast<uint16_t>(w[0]);
  h.labels.count = w[0] >> mpls::kHopLabelsShift & 3;
  for (size_t i = 0; i < h.labels.count; ++i) h.labels.words[i] = w[mpls::kHopFirstLabel + i];
  if (w[0] & kNextHopTagged) h.vlan = static_cast<uint16_t>(w[4]);
  for (size_t i = 0; i < 12; ++i) {
    const auto byte = static_cast<uint8_t>(w[1 + i / 4] >> (24 - 8 * (i % 4)));
    (i < 6 ? h.destination[i] : h.source[i - 6]) = byte;
  }
  return h;
}

}  // namespace weft::control
