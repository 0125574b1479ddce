// Requests, time and ports of the IX bus; ix_transfers.cpp moves the bytes.
#include "media/ix_bus.h"

#include <fmt/format.h>

#include <algorithm>

namespace weft::emulator {

IxBus::IxBus(const ChipOnBoard& on, Bus& bus, IxBusOwner& owner, IxBusState& state)
    : description_(on.chip.fbi),
      media_(on.media),
      period_(on.chip.engine.period),
      engines_(on.chip.engines),
      contexts_(on.chip.contexts),
      elements_(on.chip.fbi.fifo_elements),
      bus_(bus),
      owner_(owner),
      state_(state),
      ready_(on.chip.fbi.ready_step * on.chip.engine.period, state.ready) {
  uint32_t eighths = 0;
  port_numbers_.fill(kNoPort);
  for (const PortDescription& port : on.ports) {
    uint8_t& number = port_numbers_[port.channel & 255];
    if (number == kNoPort) number = static_cast<uint8_t>(ports_.size());
    ports_.emplace_back(port);
    ready_.add_port(port.channel);
    eighths |= 1u << port.channel / 8;
    ready_.set_line(ReadyBus::Side::transmit, port.channel, true, 0);
  }
  if (!media_.enabled_at_start) return;
  // Receive and transmit flags of every eight ports in turn.
  unsigned step = 0;
  for (unsigned eighth = 0; eighth < 8; ++eighth) {
    if ((eighths >> eighth & 1) == 0) continue;
    for (const uint32_t side : {1u, 2u}) {
      if (step == 12) break;
      state_.ready.program[step / 4] |= (side << 4 | eighth) << (8 * (step % 4));
      ++step;
    }
  }
  if (step != 0) state_.ready.control = 1u << 31 | step;
  ready_.refresh();
}

Tick IxBus::bus_time(uint32_t bytes) const {
  return ((bytes + media_.bytes_per_clock - 1) / media_.bytes_per_clock + media_.overhead_clocks) * media_.period;
}

Tick IxBus::ports_next() const {
  if (ports_known_) return ports_next_;
  ports_next_ = kNever;
  for (const Port& port : ports_) ports_next_ = std::min(ports_next_, port.next_event());
  ports_known_ = true;
  return ports_next_;
}

Tick IxBus::next_event() const {
  Tick next = std::min(state_.end, ports_next());
  if (state_.direction == IxBusState::Direction::none)
    for (const ReceiveRequest& request : state_.requests)
      next = std::min(next, request.waits ? request.expires : request.due);
  return next;
}

void IxBus::run(Tick now) {
  if (ports_next() <= now) {
    for (Port& port : ports_)
      if (port.next_event() <= now) run_port(port, now);
    ports_known_ = false;
  }
  if (state_.end <= now) {
    if (state_.direction == IxBusState::Direction::receive)
      end_receive(now);
    else
      end_transmit(now);
  }
  pump(now);
}

void IxBus::note_ready(const Port& port, Tick now) {
  ready_.set_line(ReadyBus::Side::receive, port.description().channel, port.has_mpacket(), now);
  ready_.set_line(ReadyBus::Side::transmit, port.description().channel, port.has_room(mpacket_bytes()), now);
}

MediaEvent IxBus::event(MediaEvent::Kind kind, const Port& port, Tick now) const {
  MediaEvent out;
  out.kind = kind;
  out.port = static_cast<uint8_t>(port.description().number);
  out.at = now;
  return out;
}

void IxBus::tell_frame(MediaEvent::Kind kind, const Port& port, const SharedBytes& frame, Tick now,
                       std::string_view cause) const {
  MediaEvent out = event(kind, port, now);
  out.cause = cause;
  out.bytes = frame.get();
  if (frame) out.length = static_cast<uint32_t>(frame->size());
  out.damaged =
      kind == MediaEvent::Kind::arrived && !port.state().received.empty() && port.state().received.back().damaged;
  tell(out);
}

void IxBus::run_port(Port& port, Tick now) {
  if (bus_.watcher == nullptr) {
    port.run(now, true);
    return note_ready(port, now);
  }
  const PortCounters before = port.state().counters;
  const SharedBytes arriving = port.state().arriving, sending = port.state().sending;
  // A frame of which an mpacket has been fetched was told before.
  const bool told = port.state().told;
  port.run(now, true);
  note_ready(port, now);
  const PortCounters& after = port.state().counters;
  using Kind = MediaEvent::Kind;
  if (after.accepted_frames != before.accepted_frames && !told) tell_frame(Kind::arrived, port, arriving, now);
  if (after.lost_overflow != before.lost_overflow && !told) tell_frame(Kind::lost_in, port, arriving, now, "mac-full");
  if (after.lost_length != before.lost_length) tell_frame(Kind::lost_in, port, arriving, now, "too-long");
  if (after.transmitted_frames != before.transmitted_frames) tell_frame(Kind::sent, port, sending, now);
}

bool IxBus::request_available() const {
  const size_t on_bus = state_.direction == IxBusState::Direction::receive ? 1 : 0;
  return state_.requests.size() + on_bus < description_.receive_requests;
}

// RCV_REQ: 7:0 port, 11:8 element, 20:16 thread.
void IxBus::request(uint32_t value, Tick now) {
  ReceiveRequest request;
  request.port = static_cast<uint8_t>(value & 0xff);
  request.element = static_cast<uint8_t>(value >> 8 & 15);
  const uint32_t thread = value >> 16 & 31;
  request.to = {static_cast<uint8_t>(thread / contexts_), static_cast<uint8_t>(thread % contexts_)};
  request.due = now + description_.receive_start * period_;
  if (fast(request.port) && state_.fast_wait != 0) request.expires = request.due + state_.fast_wait * media_.period;
  if (!names_all(value)) {
    owner_.media_fault(fmt::format("RCV_REQ = {:#x}: there is no such port, element or thread", value),
                       owner_.media_word());
  } else if (!request_available()) {
    owner_.media_fault(
        fmt::format("RCV_REQ = {:#x} is lost: {} requests are outstanding", value, description_.receive_requests),
        owner_.media_word());
  } else {
    if ((state_.filled >> request.element & 1) != 0 && bus_.watcher != nullptr) {
      MediaEvent freed;
      freed.kind = MediaEvent::Kind::freed;
      freed.element = request.element;
      tell(freed);
    }
    state_.filled &= static_cast<uint16_t>(~(1u << request.element));
    state_.requests.push_back(request);
  }
}

uint32_t IxBus::take_status(ContextRef to, unsigned xfer, Tick now) {
  const auto mine =
      std::find_if(state_.statuses.begin(), state_.statuses.end(), [&](const ReceiveStatus& s) { return s.to == to; });
  if (mine == state_.statuses.end()) return ix::kNothing;
  const uint32_t word = mine->word;
  state_.statuses.erase(mine);
  if ((word & ix::kNothing) == 0 && bus_.watcher != nullptr) {
    MediaEvent handed;
    handed.kind = MediaEvent::Kind::handed;
    handed.element = static_cast<uint16_t>(word >> 8 & 15);
    handed.to = to;
    handed.xfer = static_cast<uint8_t>(xfer);
    handed.at = now;
    tell(handed);
  }
  return word;
}

void IxBus::write_control(unsigned element, uint32_t value) {
  if (state_.valid[element])
    owner_.media_fault(fmt::format("TFIFO element {} is validated again before it was sent", element),
                       owner_.media_word());
  state_.control[element] = value;
  state_.control_by[element] = owner_.media_word();
  state_.valid[element] = true;
}

bool IxBus::idle() const {
  if (state_.direction != IxBusState::Direction::none || !state_.statuses.empty()) return false;
  // Requests that wait for a fast port hold no frame.
  if (!std::all_of(state_.requests.begin(), state_.requests.end(), [](const ReceiveRequest& r) { return r.waits; }))
    return false;
  if (std::any_of(state_.valid.begin(), state_.valid.end(), [](bool v) { return v; })) return false;
  return std::all_of(ports_.begin(), ports_.end(), [](const Port& port) { return port.idle(); });
}

}  // namespace weft::emulator
