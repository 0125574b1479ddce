#include "engine/cam.h"

#include <algorithm>

namespace weft::emulator {
namespace {

void make_most_recent(CamState& cam, unsigned entry) {
  auto at = std::find(cam.order.begin(), cam.order.end(), static_cast<uint8_t>(entry));
  std::rotate(at, at + 1, cam.order.end());
}

}  // namespace

void cam_clear(CamState& cam) { cam = CamState{}; }

CamAnswer cam_lookup(CamState& cam, uint32_t tag) {
  auto at = std::find(cam.tag.begin(), cam.tag.end(), tag);
  if (at == cam.tag.end()) return {.hit = false, .entry = cam.order.front(), .state = 0};
  auto entry = static_cast<uint8_t>(at - cam.tag.begin());
  make_most_recent(cam, entry);
  return {.hit = true, .entry = entry, .state = cam.state[entry]};
}

void cam_write(CamState& cam, unsigned entry, uint32_t tag, unsigned state) {
  cam.tag[entry & 15] = tag;
  cam.state[entry & 15] = static_cast<uint8_t>(state & 15);
  make_most_recent(cam, entry & 15);
}

void cam_write_state(CamState& cam, unsigned entry, unsigned state) {
  cam.state[entry & 15] = static_cast<uint8_t>(state & 15);
}

}  // namespace weft::emulator
