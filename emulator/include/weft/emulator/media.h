// The outside of the chip: where frames come from, where they go, and what each port counted.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "weft/base/diagnostic.h"
#include "weft/base/fields.h"
#include "weft/emulator/command.h"

namespace weft::emulator {

/// A frame from its destination address to the last byte of its payload; no preamble and no check sequence.
struct Frame {
  std::vector<uint8_t> bytes;
  /// The first bit of its preamble is on the wire at this tick or, when the wire is busy, as soon as it is free.
  Tick earliest = 0;
  /// Arrives damaged: the receiver sets the error bit of its last mpacket.
  bool damaged = false;
};

/// Gives the frames of one port in order. A source must give the same frames after a rewind.
class FrameSource {
 public:
  virtual ~FrameSource() = default;
  virtual std::optional<Frame> next() = 0;
  /// So that `given` frames have been taken; for snapshots.
  virtual void rewind(uint64_t given) = 0;
  /// So many frames are sure to come; the fewer, the more often a run asks whether all are in.
  virtual uint64_t left() const { return 0; }
};

/// Takes the frames that a port has sent.
class FrameSink {
 public:
  virtual ~FrameSink() = default;
  /// `sent` is the tick at which the last bit of the check sequence has left. Short frames arrive padded.
  virtual void take(const std::vector<uint8_t>& bytes, unsigned port, Tick sent) = 0;
  /// Forgets all but the first `taken` frames; for snapshots.
  virtual void rewind(uint64_t taken) = 0;
};

/// Frames of a list. Times are ticks.
class ListSource : public FrameSource {
 public:
  explicit ListSource(std::vector<Frame> frames, uint64_t repeat = 1) : frames_(std::move(frames)), repeat_(repeat) {}
  std::optional<Frame> next() override;
  void rewind(uint64_t given) override { given_ = given; }
  uint64_t left() const override;

 private:
  std::vector<Frame> frames_;
  uint64_t repeat_;
  uint64_t given_ = 0;
};

struct PcapSourceOptions {
  bool line_rate = true;  ///< back to back; false: at the distances of the capture's time stamps
  uint64_t repeat = 1;    ///< how many times the capture is sent; with line_rate only
  Tick start = 0;         ///< of the first frame
  uint64_t ticks_per_second = 6'000'000'000;
};
/// A whole capture; its time stamps count from its first frame.
Result<std::unique_ptr<FrameSource>> pcap_source(const std::string& path, const PcapSourceOptions& options = {});

/// Keeps frames with their ticks, and can write them as a capture whose time stamps count from tick 0.
class RecordingSink : public FrameSink {
 public:
  struct Sent {
    std::vector<uint8_t> bytes;
    unsigned port;
    Tick tick;
  };
  void take(const std::vector<uint8_t>& bytes, unsigned port, Tick sent) override {
    frames_.push_back({bytes, port, sent});
  }
  void rewind(uint64_t taken) override { frames_.resize(taken < frames_.size() ? taken : frames_.size()); }
  const std::vector<Sent>& frames() const { return frames_; }
  Result<bool> write_pcap(const std::string& path, uint64_t ticks_per_second) const;

 private:
  std::vector<Sent> frames_;
};

/// What happened at a port. Bytes count the check sequence, not preamble and gap.
struct PortCounters {
  uint64_t received_frames = 0, received_bytes = 0;        ///< all that ended on the wire
  uint64_t accepted_frames = 0;                            ///< of these, put into the MAC's receive buffer
  uint64_t lost_overflow = 0;                              ///< the receive buffer was full
  uint64_t lost_disabled = 0;                              ///< the channel was not enabled in RX_CONTROL
  uint64_t lost_length = 0;                                ///< longer than the port takes
  uint64_t damaged_frames = 0;                             ///< handed on with the error bit
  uint64_t delivered_mpackets = 0;                         ///< moved into RBUF
  uint64_t transmitted_frames = 0, transmitted_bytes = 0;  ///< whose last bit has left
  uint64_t padded_frames = 0;                              ///< of these, made longer to the least size
  uint64_t lost_transmit_order = 0;     ///< mpackets without a start, or frames cut off by the start of the next
  uint64_t lost_transmit_length = 0;    ///< frames that do not fit in the transmit buffer
  uint64_t lost_transmit_disabled = 0;  ///< the channel was not enabled in TX_CONTROL
  uint64_t receive_buffer_max = 0, transmit_buffer_max = 0;  ///< deepest fill, in bytes
  Tick first_transmitted = kNever, last_transmitted = 0;
  Tick first_received = kNever, last_received = 0;
  bool operator==(const PortCounters&) const = default;
  WEFT_FIELDS(PortCounters, received_frames, received_bytes, accepted_frames, lost_overflow, lost_disabled, lost_length,
              damaged_frames, delivered_mpackets, transmitted_frames, transmitted_bytes, padded_frames,
              lost_transmit_order, lost_transmit_length, lost_transmit_disabled, receive_buffer_max,
              transmit_buffer_max, first_transmitted, last_transmitted, first_received, last_received)
};

/// What happened at one end of a link between two chips.
struct LinkCounters {
  uint64_t mpackets = 0, bytes = 0, frames = 0;  ///< sent, or moved into RBUF; a frame counts with its end
  uint64_t waits = 0;                            ///< sending end: elements that found no free place at the other end
  Tick waited = 0;                               ///< and how long they held up all elements behind them
  uint64_t buffer_max = 0;                       ///< receiving end: most mpackets that it held
  bool operator==(const LinkCounters&) const = default;
  WEFT_FIELDS(LinkCounters, mpackets, bytes, frames, waits, waited, buffer_max)
};

}  // namespace weft::emulator
