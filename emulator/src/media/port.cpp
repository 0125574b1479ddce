#include "media/port.h"

#include <algorithm>
#include <array>

namespace weft::emulator {
namespace {

/// IEEE 802.3, 3.2.9: polynomial 04c11db7 with the least significant bit of each byte first, begun with ones and
/// complemented. Sent from the highest term on, which is the lowest bit of the first byte.
constexpr std::array<uint32_t, 256> kCrcOfByte = [] {
  std::array<uint32_t, 256> table{};
  for (uint32_t byte = 0; byte < 256; ++byte) {
    uint32_t rest = byte;
    for (int bit = 0; bit < 8; ++bit) rest = (rest & 1) != 0 ? rest >> 1 ^ 0xedb88320u : rest >> 1;
    table[byte] = rest;
  }
  return table;
}();

/// The frame and its check sequence. That of a damaged frame is another one.
SharedBytes with_check_sequence(const std::vector<uint8_t>& frame, bool damaged) {
  auto out = std::make_shared<std::vector<uint8_t>>();
  out->reserve(frame.size() + 4);
  *out = frame;
  uint32_t crc = ~uint32_t{0};
  for (const uint8_t byte : frame) crc = crc >> 8 ^ kCrcOfByte[(crc ^ byte) & 0xff];
  if (!damaged) crc = ~crc;
  for (unsigned i = 0; i < 4; ++i) out->push_back(static_cast<uint8_t>(crc >> 8 * i));
  return out;
}

}  // namespace

void Port::set_source(std::shared_ptr<FrameSource> source, Tick now) {
  source_ = std::move(source);
  if (state_.open) state_.received.back().complete = state_.received.back().cut = true;
  state_.arriving = nullptr;
  state_.arrival_end = kNever;
  state_.given = 0;
  state_.receive_free = std::max(state_.receive_free, now);
  take_next_frame();
}

void Port::take_next_frame() {
  state_.arriving = nullptr;
  state_.arrival_end = state_.arrival_step = kNever;
  state_.open = state_.told = false;
  if (!source_) return;
  auto frame = source_->next();
  if (!frame) return;
  ++state_.given;
  const Tick start = std::max(frame->earliest, state_.receive_free);
  const uint64_t on_wire = description_.preamble_bytes + frame->bytes.size() + description_.fcs_bytes;
  state_.arrival_end = start + on_wire * description_.byte_ticks;
  state_.receive_free = state_.arrival_end + description_.gap_bytes * description_.byte_ticks;
  state_.arriving_damaged = frame->damaged;
  state_.arriving = std::make_shared<const std::vector<uint8_t>>(std::move(frame->bytes));
  state_.first_byte = start + description_.preamble_bytes * description_.byte_ticks;
  if (description_.cut_through) start_arrival();
}

// However short the frames are that are left.
Tick Port::input_lasts_until() const {
  if (!state_.arriving || state_.arrival_end == kNever) return 0;
  constexpr uint64_t kMany = 1'000'000;
  const uint64_t left = source_ ? std::min(source_->left(), kMany) : 0;
  return state_.arrival_end + left * (description_.preamble_bytes + description_.fcs_bytes) * description_.byte_ticks;
}

void Port::end_arrival(Tick now, bool enabled) {
  PortCounters& counters = state_.counters;
  const uint64_t length = state_.arriving->size();
  const uint64_t stored = length + description_.handed_over();
  ++counters.received_frames;
  counters.received_bytes += length + description_.fcs_bytes;
  counters.first_received = std::min(counters.first_received, now);
  counters.last_received = now;
  if (!enabled) {
    ++counters.lost_disabled;
  } else if (length > description_.maximum_frame || length == 0) {
    ++counters.lost_length;
  } else if (state_.received_bytes + stored > description_.receive_buffer) {
    ++counters.lost_overflow;
  } else {
    ++counters.accepted_frames;
    counters.damaged_frames += state_.arriving_damaged ? 1 : 0;
    state_.received_bytes += stored;
    counters.receive_buffer_max = std::max(counters.receive_buffer_max, state_.received_bytes);
    state_.received.push_back(
        {description_.hands_over_fcs ? with_check_sequence(*state_.arriving, state_.arriving_damaged) : state_.arriving,
         0, state_.arriving_damaged, true, false});
  }
  take_next_frame();
}

void Port::run(Tick now, bool enabled) {
  if (state_.arrival_step <= now) run_arrival(now);
  if (state_.arrival_end <= now) {
    if (description_.cut_through)
      end_cut_through(now);
    else
      end_arrival(now, enabled);
  }
  if (state_.sending_end <= now) {
    PortCounters& counters = state_.counters;
    ++counters.transmitted_frames;
    counters.transmitted_bytes += state_.sending->size() + description_.fcs_bytes;
    counters.first_transmitted = std::min(counters.first_transmitted, now);
    counters.last_transmitted = now;
    if (sink_) sink_->take(*state_.sending, description_.number, now);
    ++state_.taken;
    state_.sending = nullptr;
    state_.sending_end = kNever;
    start_sending(now);
  }
}

void Port::start_sending(Tick now) {
  if (state_.sending || state_.ready.empty()) return;
  state_.transmit_bytes -= state_.ready.front()->size();
  SharedBytes frame = std::move(state_.ready.front());
  state_.ready.pop_front();
  if (frame->size() < description_.minimum_frame) {
    ++state_.counters.padded_frames;
    std::vector<uint8_t> padded = *frame;
    padded.resize(description_.minimum_frame, 0);
    frame = std::make_shared<const std::vector<uint8_t>>(std::move(padded));
  }
  const Tick start = std::max(now, state_.transmit_free);
  const uint64_t on_wire = description_.preamble_bytes + frame->size() + description_.fcs_bytes;
  state_.sending_end = start + on_wire * description_.byte_ticks;
  state_.transmit_free = state_.sending_end + description_.gap_bytes * description_.byte_ticks;
  state_.sending = std::move(frame);
}

void Port::add(std::span<const uint8_t> bytes, bool sop, bool eop, Tick now) {
  PortCounters& counters = state_.counters;
  const auto forget = [&] {
    state_.transmit_bytes -= state_.gathering.size();
    state_.gathering.clear();
  };
  if (sop) {
    if (state_.in_frame && !state_.discarding) {
      ++counters.lost_transmit_order;
      forget();
    }
    state_.in_frame = true;
    state_.discarding = false;
  } else if (!state_.in_frame) {
    ++counters.lost_transmit_order;
    return;
  }
  if (!state_.discarding && state_.gathering.size() + bytes.size() > description_.transmit_buffer) {
    ++counters.lost_transmit_length;
    state_.discarding = true;
    forget();
  }
  if (!state_.discarding) {
    state_.gathering.insert(state_.gathering.end(), bytes.begin(), bytes.end());
    state_.transmit_bytes += bytes.size();
    counters.transmit_buffer_max = std::max(counters.transmit_buffer_max, state_.transmit_bytes);
  }
  if (!eop) return;
  state_.in_frame = false;
  if (!state_.discarding) {
    state_.ready.push_back(std::make_shared<const std::vector<uint8_t>>(std::move(state_.gathering)));
    state_.gathering = {};
    start_sending(now);
  }
  state_.discarding = false;
}

void Port::restore(const PortState& state) {
  state_ = state;
  if (source_) source_->rewind(state_.given);
  if (sink_) sink_->rewind(state_.taken);
}

bool Port::idle() const {
  return state_.received.empty() && !state_.in_frame && state_.ready.empty() && !state_.sending;
}

}  // namespace weft::emulator
