// One Ethernet port: the wire, and the MAC with its receive and transmit buffers.
//
// Receiving: a frame ends on the wire, loses its check sequence unless the MAC hands it over (hands_over_fcs), and is
// stored whole or lost whole. Stored frames leave the MAC mpacket by mpacket over the media bus. Transmitting: mpackets
// gather in the transmit buffer; a frame starts on the wire when its end is there, and gives its room back at that
// moment. The MACs of an IXP1200 receive in another way: cut_through.cpp.
#pragma once

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "weft/base/fields.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/media.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

using SharedBytes = std::shared_ptr<const std::vector<uint8_t>>;

/// Counts frames at a place (held.cpp).
void add_held(std::vector<HeldFrames>& out, HeldFrames::Where where, unsigned port, uint64_t frames, ContextRef to);

struct StoredFrame {
  SharedBytes bytes;
  uint32_t taken = 0;  ///< bytes that have left for RBUF or are on the media bus
  bool damaged = false;
  bool complete = true;  ///< its end has arrived
  bool cut = false;      ///< cut_through: the rest was lost after some of it had been fetched
  WEFT_FIELDS(StoredFrame, bytes, taken, damaged, complete, cut)
};

/// A part of a frame as it crosses the IX bus.
struct FramePart {
  SharedBytes bytes;  ///< the whole frame
  uint32_t first = 0, length = 0;
  bool sop = false, eop = false, error = false;
  WEFT_FIELDS(FramePart, bytes, first, length, sop, eop, error)
};

struct PortState {
  // Wire to MAC
  uint64_t given = 0;    ///< frames taken from the source
  SharedBytes arriving;  ///< on the wire, or waiting for its time; null when the source is exhausted
  bool arriving_damaged = false;
  Tick arrival_end = kNever;  ///< last bit of its check sequence
  Tick receive_free = 0;      ///< first tick at which the next preamble may start
  std::deque<StoredFrame> received;
  uint64_t received_bytes = 0;  ///< in the receive buffer; cut_through: of frames whose end has arrived
  // cut_through: the frame on the wire
  Tick first_byte = 0;         ///< the preamble ends
  Tick arrival_step = kNever;  ///< an mpacket is complete, or a byte finds the buffer full
  uint32_t offered = 0;        ///< bytes in complete mpackets
  bool open = false;           ///< it is the last of `received`
  bool dropping = false;       ///< the rest of it is thrown away
  bool told = false;           ///< watchers know of it: an mpacket has been fetched
  // MAC to wire
  std::vector<uint8_t> gathering;  ///< mpackets of a frame whose end has not come
  bool in_frame = false;           ///< a start has come
  bool discarding = false;         ///< the rest of this frame is thrown away
  std::deque<SharedBytes> ready;
  uint64_t transmit_bytes = 0;  ///< in the transmit buffer
  SharedBytes sending;
  Tick sending_end = kNever;
  Tick transmit_free = 0;
  uint64_t taken = 0;  ///< frames given to the sink
  PortCounters counters;
  WEFT_FIELDS(PortState, given, arriving, arriving_damaged, arrival_end, receive_free, received, received_bytes,
              first_byte, arrival_step, offered, open, dropping, told, gathering, in_frame, discarding, ready,
              transmit_bytes, sending, sending_end, transmit_free, taken, counters)
};

class Port {
 public:
  explicit Port(PortDescription description) : description_(std::move(description)) {}

  void set_source(std::shared_ptr<FrameSource> source, Tick now);
  void set_sink(std::shared_ptr<FrameSink> sink) { sink_ = std::move(sink); }

  Tick next_event() const { return std::min({state_.arrival_end, state_.sending_end, state_.arrival_step}); }
  /// `enabled`: the channel takes frames (RX_CONTROL).
  void run(Tick now, bool enabled);

  // Towards the media bus
  bool has_mpacket() const { return description_.cut_through ? has_cut_through() : !state_.received.empty(); }
  /// cut_through: the next mpacket, which leaves its room at once. There must be one.
  FramePart take_mpacket(Tick now);
  /// Room for so many more bytes in the transmit buffer. A frame longer than the whole buffer is told apart by add().
  bool has_room(uint64_t bytes) const {
    return state_.transmit_bytes + bytes <= description_.transmit_buffer ||
           state_.gathering.size() == state_.transmit_bytes;
  }
  /// Takes bytes of a mpacket from the bus; starts the wire when a frame is complete.
  void add(std::span<const uint8_t> bytes, bool sop, bool eop, Tick now);
  void refuse_transmit() { ++state_.counters.lost_transmit_disabled; }

  const PortDescription& description() const { return description_; }
  PortState& state() { return state_; }
  const PortState& state() const { return state_; }
  void restore(const PortState& state);
  bool idle() const;
  /// Frames come at least until then; 0: no more do.
  Tick input_lasts_until() const;
  /// Frames in the receive buffer of which nothing was taken, and frames of which the MAC has a part to send.
  uint64_t frames_waiting() const;
  uint64_t frames_leaving() const;

 private:
  void take_next_frame();
  void end_arrival(Tick now, bool enabled);
  void start_sending(Tick now);

  bool has_cut_through() const;
  uint64_t bytes_in(Tick now) const;
  void start_arrival();
  void expect_arrival();
  void note_level(Tick now);
  void run_arrival(Tick now);
  void end_cut_through(Tick now);

  PortDescription description_;
  std::shared_ptr<FrameSource> source_;
  std::shared_ptr<FrameSink> sink_;
  PortState state_;
};

}  // namespace weft::emulator
