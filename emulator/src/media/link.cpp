#include "media/link.h"

#include <algorithm>

namespace weft::emulator {

Tick LinkEnd::next_event() const {
  Tick next = kNever;
  if (!state_.places_coming.empty()) next = state_.places_coming.front();
  if (!state_.coming.empty()) next = std::min(next, state_.coming.front().at);
  return next;
}

void LinkEnd::run(Tick now) {
  while (!state_.places_coming.empty() && state_.places_coming.front() <= now) {
    state_.places_coming.pop_front();
    ++state_.places;
  }
  while (!state_.coming.empty() && state_.coming.front().at <= now) {
    state_.stored.push_back(std::move(state_.coming.front()));
    state_.coming.pop_front();
    state_.counters.buffer_max = std::max<uint64_t>(state_.counters.buffer_max, state_.stored.size());
  }
}

bool LinkEnd::may_send(Tick now) {
  if (state_.places == 0) {
    if (state_.waits_since == kNever) {
      state_.waits_since = now;
      ++state_.counters.waits;
    }
    return false;
  }
  if (state_.waits_since != kNever) state_.counters.waited += now - state_.waits_since;
  state_.waits_since = kNever;
  return true;
}

void LinkEnd::send(std::vector<uint8_t> bytes, bool sop, bool eop, Tick now) {
  // An element may be written anew between its start and its end; then the place is taken all the same.
  if (state_.places != 0) --state_.places;
  ++state_.counters.mpackets;
  state_.counters.bytes += bytes.size();
  state_.counters.frames += eop ? 1 : 0;
  state_.sent.push_back(
      {now + description_.latency, std::make_shared<const std::vector<uint8_t>>(std::move(bytes)), sop, eop});
}

void LinkEnd::take(uint32_t bytes, Tick now) {
  const LinkPart& part = state_.stored.front();
  if (part.sop && state_.taken == 0) state_.frame_bytes = 0;
  state_.taken += bytes;
  state_.frame_bytes += bytes;
  if (state_.taken < part.bytes->size()) return;
  ++state_.counters.mpackets;
  state_.counters.bytes += part.bytes->size();
  state_.counters.frames += part.eop ? 1 : 0;
  state_.stored.pop_front();
  state_.taken = 0;
  state_.places_freed.push_back(now + description_.latency);
}

bool LinkEnd::carry(LinkEnd& from, LinkEnd& to) {
  if (from.state_.sent.empty() && to.state_.places_freed.empty()) return false;
  const auto move = [](auto& source, auto& target) {
    target.insert(target.end(), std::make_move_iterator(source.begin()), std::make_move_iterator(source.end()));
    source.clear();
  };
  move(from.state_.sent, to.state_.coming);
  move(to.state_.places_freed, from.state_.places_coming);
  return true;
}

}  // namespace weft::emulator
