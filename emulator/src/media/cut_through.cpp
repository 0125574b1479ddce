// A MAC whose mpackets can be fetched while their frame still arrives (Port with cut_through).
//
// Each byte after the preamble, check sequence included, takes its place in the receive buffer when it has arrived,
// and gives it back when its mpacket starts to cross the bus. A byte that finds no place cuts the frame: what is still
// in the buffer is thrown away, and when the program has had a part of it, an mpacket without bytes tells it (end,
// error).
#include <algorithm>

#include "media/port.h"

namespace weft::emulator {
namespace {

constexpr uint32_t kMpacket = 64;

}  // namespace

/// Bytes of the arriving frame that are in, check sequence included.
uint64_t Port::bytes_in(Tick now) const {
  if (!state_.arriving || now < state_.first_byte) return 0;
  return std::min<uint64_t>((now - state_.first_byte) / description_.byte_ticks,
                            state_.arriving->size() + description_.fcs_bytes);
}

void Port::start_arrival() {
  state_.offered = 0;
  state_.open = false;
  const uint64_t length = state_.arriving->size();
  state_.dropping = length == 0 || length > description_.maximum_frame;
  expect_arrival();
}

/// The next moment before the end of the frame at which something happens to it.
void Port::expect_arrival() {
  state_.arrival_step = kNever;
  if (!state_.arriving || state_.dropping) return;
  const uint64_t length = state_.arriving->size();
  const auto time_of = [&](uint64_t bytes) { return state_.first_byte + bytes * description_.byte_ticks; };
  // The last mpacket is complete when the check sequence is.
  if (state_.offered + kMpacket < length) state_.arrival_step = time_of(state_.offered + kMpacket);
  const uint64_t taken = state_.open ? state_.received.back().taken : 0;
  const uint64_t room =
      description_.receive_buffer - std::min<uint64_t>(state_.received_bytes, description_.receive_buffer);
  if (room + taken < length + description_.fcs_bytes)
    state_.arrival_step = std::min(state_.arrival_step, time_of(room + taken + 1));
}

void Port::note_level(Tick now) {
  const uint64_t open = state_.dropping ? 0 : bytes_in(now) - (state_.open ? state_.received.back().taken : 0);
  state_.counters.receive_buffer_max =
      std::max(state_.counters.receive_buffer_max,
               std::min<uint64_t>(state_.received_bytes + open, description_.receive_buffer));
}

void Port::run_arrival(Tick now) {
  const uint64_t taken = state_.open ? state_.received.back().taken : 0;
  note_level(now);
  if (state_.received_bytes + bytes_in(now) - taken > description_.receive_buffer) {
    state_.dropping = true;
    if (state_.open && taken == 0) {
      state_.received.pop_back();
    } else if (state_.open) {
      state_.received.back().complete = state_.received.back().cut = true;
    }
    state_.open = false;
  } else {
    if (!state_.open) {
      state_.received.push_back({state_.arriving, 0, false, false, false});
      state_.open = true;
    }
    state_.offered += kMpacket;
  }
  expect_arrival();
}

void Port::end_cut_through(Tick now) {
  PortCounters& counters = state_.counters;
  const uint64_t length = state_.arriving->size();
  ++counters.received_frames;
  counters.received_bytes += length + description_.fcs_bytes;
  counters.first_received = std::min(counters.first_received, now);
  counters.last_received = now;
  if (!state_.dropping) note_level(now);
  if (length == 0 || length > description_.maximum_frame) {
    ++counters.lost_length;
  } else if (state_.dropping) {
    ++counters.lost_overflow;
  } else {
    ++counters.accepted_frames;
    counters.damaged_frames += state_.arriving_damaged ? 1 : 0;
    if (!state_.open) state_.received.push_back({state_.arriving, 0, false, true, false});
    StoredFrame& frame = state_.received.back();
    frame.complete = true;
    frame.damaged = state_.arriving_damaged;
    state_.received_bytes += length + description_.fcs_bytes - frame.taken;
    state_.open = false;
  }
  take_next_frame();
}

bool Port::has_cut_through() const {
  if (state_.received.empty()) return false;
  const StoredFrame& front = state_.received.front();
  return front.complete || state_.offered > front.taken;
}

FramePart Port::take_mpacket(Tick now) {
  note_level(now);
  StoredFrame& front = state_.received.front();
  FramePart out;
  out.bytes = front.bytes;
  out.first = front.taken;
  out.sop = front.taken == 0;
  if (!front.cut) {
    const auto length = static_cast<uint32_t>(front.bytes->size());
    out.length = std::min(kMpacket, length - front.taken);
    front.taken += out.length;
    if (front.complete) state_.received_bytes -= out.length;
    out.eop = front.complete && front.taken == length;
    out.error = out.eop && front.damaged;
    if (out.eop) state_.received_bytes -= description_.fcs_bytes;
  } else {
    out.eop = out.error = true;
  }
  ++state_.counters.delivered_mpackets;
  if (out.eop) state_.received.pop_front();
  expect_arrival();
  return out;
}

}  // namespace weft::emulator
