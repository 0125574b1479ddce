// The media side of the IXP1200: the IX bus with the MACs on it, the receive machine that fills RFIFO elements on
// request, and the transmit machine that empties TFIFO elements in order. Part of the FBI, which gives it registers and
// time. Layouts of RCV_REQ, RCV_CNTL and of control words are ours: docs/timing-units.md, section 8.
#pragma once

#include <deque>
#include <functional>

#include "media/port.h"
#include "media/ready_bus.h"
#include "weft/base/fields.h"
#include "weft/emulator/chip.h"
#include "weft/emulator/units.h"

namespace weft::emulator {

namespace ix {
// RCV_CNTL and control words of the TFIFO: 7:0 port, 11:8 element (RCV_CNTL), 22:16 bytes, and
inline constexpr uint32_t kStart = 1u << 12, kEnd = 1u << 13, kBad = 1u << 14, kNothing = 1u << 15;
}  // namespace ix

struct ReceiveRequest {
  uint8_t port = 0, element = 0;
  ContextRef to;
  Tick due = 0;           ///< the IX bus can be taken for it
  Tick expires = kNever;  ///< fast port: gives up
  bool waits = false;     ///< fast port: was due, and there was no mpacket
  WEFT_FIELDS(ReceiveRequest, port, element, to, due, expires, waits)
};

/// What RCV_CNTL will say.
struct ReceiveStatus {
  ContextRef to;
  uint32_t word = 0;
  WEFT_FIELDS(ReceiveStatus, to, word)
};

struct IxBusState {
  std::deque<ReceiveRequest> requests;  ///< that have not had the bus
  std::deque<ReceiveStatus> statuses;   ///< that nobody has read, oldest first
  // What is on the bus
  enum class Direction : uint8_t { none, receive, transmit } direction = Direction::none;
  Direction last = Direction::transmit;  ///< both want the bus: the other one is next
  Tick end = kNever;
  ReceiveRequest request;
  bool nothing = false;  ///< the port had no mpacket
  FramePart mpacket;
  // Transmit machine
  std::array<uint32_t, 16> control{};      ///< first longword of the control word
  std::array<WordPlace, 16> control_by{};  ///< who has written it
  std::array<bool, 16> valid{};
  uint8_t next = 0;                        ///< XMIT_PTR
  uint32_t fast_ports = 0, fast_wait = 0;  ///< REC_FASTPORT_CTL, FP_READY_WAIT
  uint16_t filled = 0;                     ///< RFIFO elements with an mpacket, for watchers
  ReadyBusState ready;
  WEFT_FIELDS(IxBusState, requests, statuses, direction, last, end, request, nothing, mpacket, control, control_by,
              valid, next, fast_ports, fast_wait, filled, ready)
};

/// What the FBI does for the IX bus.
class IxBusOwner {
 public:
  virtual ~IxBusOwner() = default;
  virtual void write_rfifo(uint32_t offset, uint32_t value) = 0;
  virtual uint32_t read_tfifo(uint32_t offset) const = 0;
  /// Raises start_receive.
  virtual void start_receive(ContextRef to, Tick at) = 0;
  /// The word that asks for what is done now.
  virtual WordPlace media_word() const = 0;
  virtual void media_fault(std::string text, const WordPlace& by) = 0;
};

class IxBus {
 public:
  IxBus(const ChipOnBoard& on, Bus& bus, IxBusOwner& owner, IxBusState& state);

  Tick next_event() const;
  void run(Tick now);
  /// Gives the bus to whoever can use it.
  void pump(Tick now);

  // Registers
  bool request_available() const;
  void request(uint32_t value, Tick now);
  /// request() takes it.
  bool may_request(uint32_t value) const { return names_all(value) && request_available(); }
  /// RCV_CNTL: takes the oldest status of a context; bit 15 alone (nothing) when there is none.
  uint32_t take_status(ContextRef to, unsigned xfer, Tick now);
  uint32_t oldest_status() const { return state_.statuses.empty() ? 0 : state_.statuses.front().word; }
  void write_control(unsigned element, uint32_t value);
  void set_next(uint32_t element) { state_.next = static_cast<uint8_t>(element % elements_); }
  ReadyBus& ready() { return ready_; }

  /// The caller may change them.
  std::vector<Port>& ports() {
    ports_known_ = false;
    return ports_;
  }
  const std::vector<Port>& ports() const { return ports_; }
  unsigned mpacket_bytes() const { return 64; }
  bool idle() const;

 private:
  Port* port_of(unsigned channel) {
    const uint8_t number = port_numbers_[channel & 255];
    return number == kNoPort ? nullptr : &ports_[number];
  }
  /// The port, the element and the thread of RCV_REQ exist.
  bool names_all(uint32_t value) const {
    return port_numbers_[value & 0xff] != kNoPort && (value >> 8 & 15) < elements_ &&
           (value >> 16 & 31) < engines_ * contexts_;
  }
  /// The first event of a port. Looked for again after a change only: ports are many, and most events are not theirs.
  Tick ports_next() const;
  bool fast(unsigned port) const { return port < 32 && (state_.fast_ports >> port & 1) != 0; }
  Tick bus_time(uint32_t bytes) const;
  Tick on_bus_clock(Tick now) const { return (now + media_.period - 1) / media_.period * media_.period; }
  void note_ready(const Port& port, Tick now);
  void run_port(Port& port, Tick now);
  bool start_receive(Tick now);
  void end_receive(Tick now);
  bool start_transmit(Tick now);
  void end_transmit(Tick now);
  /// The transmit machine goes on.
  void next_element();
  void tell(const MediaEvent& event) const {
    if (bus_.watcher != nullptr) bus_.watcher->on_media(event);
  }
  MediaEvent event(MediaEvent::Kind kind, const Port& port, Tick now) const;
  void tell_frame(MediaEvent::Kind kind, const Port& port, const SharedBytes& frame, Tick now,
                  std::string_view cause = {}) const;

  FbiDescription description_;
  MediaBusDescription media_;
  Tick period_;
  unsigned engines_, contexts_, elements_;
  Bus& bus_;
  IxBusOwner& owner_;
  IxBusState& state_;
  ReadyBus ready_;
  std::vector<Port> ports_;
  static constexpr uint8_t kNoPort = 255;
  std::array<uint8_t, 256> port_numbers_;  ///< by channel
  mutable bool ports_known_ = false;
  mutable Tick ports_next_ = kNever;
};

}  // namespace weft::emulator
