// The content-addressable memory: 16 tags with state, compared at once, in least-recently-used order (isa.md 10.7).
#pragma once

#include <algorithm>

#include "semantics/codes.h"

namespace weft::emulator::semantics {

struct CamAnswer {
  bool hit = false;
  uint8_t entry = 0;
  uint8_t state = 0;

  /// As the destination register receives it: state 11:8, hit 7, entry 6:3.
  uint32_t word() const { return uint32_t{state} << 8 | uint32_t{hit} << 7 | uint32_t{entry} << 3; }
};

inline void make_most_recent(CamState& cam, unsigned entry) {
  auto at = std::find(cam.order.begin(), cam.order.end(), static_cast<uint8_t>(entry));
  std::rotate(at, at + 1, cam.order.end());
}

/// A hit gives the lowest entry with the tag and makes it the most recent; a miss gives the least recent and moves
/// nothing.
inline CamAnswer look_up(CamState& cam, uint32_t tag) {
  auto at = std::find(cam.tag.begin(), cam.tag.end(), tag);
  if (at == cam.tag.end()) return {.hit = false, .entry = cam.order.front(), .state = 0};
  auto entry = static_cast<uint8_t>(at - cam.tag.begin());
  make_most_recent(cam, entry);
  return {.hit = true, .entry = entry, .state = cam.state[entry]};
}

template <class View>
void cam_clear(View v) {
  v.state().cam = CamState{};
}

// E10: the loaded local-memory pointer is entry << 6 with the two-bit constant above it, seen as late as a CSR write.
template <class View>
void cam_lookup(View v) {
  const uint32_t tag = v.left();
  const CamAnswer answer = look_up(v.state().cam, tag);
  finish(v, tag, 0, answer.word());
  const auto& word = v.word();
  if (word.lm_select != 0)
    v.write_lm(word.lm_select - 1u, uint32_t{word.lm_constant} << 10 | uint32_t{answer.entry} << 6);
}

template <class View>
void cam_write_state(View v) {
  v.state().cam.state[v.right() & 15] = v.word().cam_state & 15;
}

template <class View>
void cam_write(View v) {
  CamState& cam = v.state().cam;
  const unsigned entry = v.right() & 15;
  cam.tag[entry] = v.left();
  cam.state[entry] = v.word().cam_state & 15;
  make_most_recent(cam, entry);
}

template <class View>
void cam_read_tag(View v) {
  const uint32_t entry = v.right();
  finish(v, 0, entry, v.state().cam.tag[entry & 15]);
}

template <class View>
void cam_read_state(View v) {
  const uint32_t entry = v.right();
  finish(v, 0, entry, uint32_t{v.state().cam.state[entry & 15]} << 8);
}

}  // namespace weft::emulator::semantics
