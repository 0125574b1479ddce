// Rules for ports, links and the buses between them and the chip.
#include <algorithm>

#include "serialization/validation.h"

namespace weft::emulator {
namespace {

constexpr uint32_t kMpacket = 64;  // of the IX bus

bool times_valid(const std::deque<Tick>& times) {
  return std::is_sorted(times.begin(), times.end()) && (times.empty() || times.back() <= kLastTick);
}
bool parts_valid(const std::deque<LinkPart>& parts) {
  return std::is_sorted(parts.begin(), parts.end(), [](const LinkPart& a, const LinkPart& b) { return a.at < b.at; });
}

}  // namespace

bool StateValidation::valid(const ReceiveTransfer& v) const {
  return v.port < std::max<size_t>(1, sources()) && v.element < 128 && ends(v.active, v.end) && v.length <= 256 &&
         v.first <= v.first + v.length;
}

bool StateValidation::valid(const MsfState& v) const {
  for (const auto& list : v.free_elements)
    if (std::any_of(list.begin(), list.end(), [](uint8_t element) { return element >= 128; })) return false;
  for (const auto& list : v.waiting)
    if (list.size() > on_.chip.msf.freelist_depth) return false;
  return v.last_port < std::max<size_t>(1, sources()) && time(v.free) &&
         std::all_of(v.last_push.begin(), v.last_push.end(), [&](Tick push) { return push <= now_; });
}

// What is on a wire has an end that is not over, and what has an end is on a wire.
bool StateValidation::valid(const PortState& v) const {
  if (!ends(v.arriving != nullptr, v.arrival_end) || !ends(v.sending != nullptr, v.sending_end)) return false;
  if (v.arriving != nullptr && v.receive_free < v.arrival_end) return false;
  if (v.arrival_step != kNever && (v.arriving == nullptr || v.arrival_step < now_)) return false;
  if (v.open && (v.received.empty() || v.received.back().complete)) return false;
  if (std::any_of(v.ready.begin(), v.ready.end(), [](const SharedBytes& frame) { return frame == nullptr; }))
    return false;
  return time(v.arrival_step) && time(v.receive_free) && time(v.transmit_free) && v.first_byte <= kLastTick;
}

bool StateValidation::port_valid(const PortState& v, const PortDescription& description) const {
  if (!description.cut_through && (v.arrival_step != kNever || v.open)) return false;
  // The first mpacket of a frame is one with bytes.
  if (!description.cut_through && std::any_of(v.received.begin(), v.received.end(), [](const StoredFrame& frame) {
        return frame.bytes == nullptr || frame.bytes->empty();
      }))
    return false;
  uint64_t bytes = v.gathering.size();
  for (const SharedBytes& frame : v.ready)
    if (frame != nullptr) bytes += frame->size();
  return v.transmit_bytes == bytes;
}

bool StateValidation::valid(const FramePart& v) const {
  if (v.bytes == nullptr) return v.length == 0;
  return v.length <= kMpacket && uint64_t{v.first} + v.length <= v.bytes->size();
}

bool StateValidation::valid(const LinkEndState& v) const {
  if (!times_valid(v.places_coming) || !times_valid(v.places_freed) || !parts_valid(v.coming) || !parts_valid(v.sent))
    return false;
  // Of the first one there is always something left.
  return v.stored.empty() ? v.taken == 0
                          : v.stored.front().bytes != nullptr && v.taken < v.stored.front().bytes->size();
}

bool StateValidation::valid(const ReceiveRequest& v) const {
  return v.element < on_.chip.fbi.fifo_elements && v.due <= kLastTick && time(v.expires);
}

bool StateValidation::valid(const IxBusState& v) const {
  using Direction = IxBusState::Direction;
  if (!ends(v.direction != Direction::none, v.end) || v.next >= on_.chip.fbi.fifo_elements) return false;
  const auto has_port = [&](const ReceiveRequest& request) {
    return std::any_of(on_.ports.begin(), on_.ports.end(),
                       [&](const PortDescription& port) { return port.channel == request.port; });
  };
  if (v.direction == Direction::receive && ((!v.nothing && v.mpacket.bytes == nullptr) || !has_port(v.request)))
    return false;
  return v.requests.size() <= on_.chip.fbi.receive_requests &&
         std::all_of(v.requests.begin(), v.requests.end(), has_port);
}

}  // namespace weft::emulator
