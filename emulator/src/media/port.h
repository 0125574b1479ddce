// One Gigabit port: the wire, and the MAC with its receive and transmit buffers.
//
// Receiving: a frame ends on the wire, loses its check sequence, and is stored whole or lost whole. Stored frames leave
// the MAC mpacket by mpacket over the media bus. Transmitting: mpackets gather in the transmit buffer; a frame starts on
// the wire when its end is there, and gives its room back at that moment.
#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "units/state_hash.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/media.h"

namespace weft::emulator {

using SharedBytes = std::shared_ptr<const std::vector<uint8_t>>;

struct StoredFrame {
  SharedBytes bytes;
  uint32_t taken = 0;  ///< bytes that have left for RBUF or are on the media bus
  bool damaged = false;
};

struct PortState {
  // Wire to MAC
  uint64_t given = 0;                  ///< frames taken from the source
  SharedBytes arriving;                ///< on the wire, or waiting for its time; null when the source is exhausted
  bool arriving_damaged = false;
  Tick arrival_end = kNever;           ///< last bit of its check sequence
  Tick receive_free = 0;               ///< first tick at which the next preamble may start
  std::deque<StoredFrame> received;
  uint64_t received_bytes = 0;         ///< in the receive buffer
  // MAC to wire
  std::vector<uint8_t> gathering;      ///< mpackets of a frame whose end has not come
  bool in_frame = false;               ///< a start has come
  bool discarding = false;             ///< the rest of this frame is thrown away
  std::deque<SharedBytes> ready;
  uint64_t transmit_bytes = 0;         ///< in the transmit buffer
  SharedBytes sending;
  Tick sending_end = kNever;
  Tick transmit_free = 0;
  uint64_t taken = 0;                  ///< frames given to the sink
  PortCounters counters;
};

class Port {
 public:
  explicit Port(PortDescription description) : description_(std::move(description)) {}

  void set_source(std::shared_ptr<FrameSource> source, Tick now);
  void set_sink(std::shared_ptr<FrameSink> sink) { sink_ = std::move(sink); }

  Tick next_event() const { return std::min(state_.arrival_end, state_.sending_end); }
  /// `enabled`: the channel takes frames (RX_CONTROL).
  void run(Tick now, bool enabled);

  // Towards the media bus
  bool has_mpacket() const { return !state_.received.empty(); }
  /// Room for so many more bytes in the transmit buffer. A frame longer than the whole buffer is told apart by add().
  bool has_room(uint64_t bytes) const {
    return state_.transmit_bytes + bytes <= description_.transmit_buffer || state_.gathering.size() == state_.transmit_bytes;
  }
  /// Takes bytes of a mpacket from the bus; starts the wire when a frame is complete.
  void add(std::span<const uint8_t> bytes, bool sop, bool eop, Tick now);
  void refuse_transmit() { ++state_.counters.lost_transmit_disabled; }

  const PortDescription& description() const { return description_; }
  PortState& state() { return state_; }
  const PortState& state() const { return state_; }
  void restore(const PortState& state);
  void hash_state(StateHash& hash) const;
  bool idle() const;

 private:
  void take_next_frame();
  void end_arrival(Tick now, bool enabled);
  void start_sending(Tick now);

  PortDescription description_;
  std::shared_ptr<FrameSource> source_;
  std::shared_ptr<FrameSink> sink_;
  PortState state_;
};

}  // namespace weft::emulator
