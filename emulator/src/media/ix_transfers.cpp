// Who has the IX bus, and what crosses it. Both directions share it, in turns when both want it.
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "media/ix_bus.h"

namespace weft::emulator {

using Direction = IxBusState::Direction;

void IxBus::pump(Tick now) {
  if (state_.direction != Direction::none) return;
  if (state_.last == Direction::transmit) {
    if (!start_receive(now)) start_transmit(now);
  } else {
    if (!start_transmit(now)) start_receive(now);
  }
}

bool IxBus::start_receive(Tick now) {
  for (size_t i = 0; i < state_.requests.size(); ++i) {
    ReceiveRequest& request = state_.requests[i];
    if (request.due > now) continue;
    Port& port = *port_of(request.port);
    const bool ready = port.has_mpacket();
    if (!ready && fast(request.port) && now < request.expires) {
      request.waits = true;
      continue;
    }
    state_.request = request;
    state_.requests.erase(state_.requests.begin() + static_cast<std::ptrdiff_t>(i));
    state_.nothing = !ready;
    state_.mpacket = {};
    if (ready) {
      state_.mpacket = port.take_mpacket(now);
      ports_known_ = false;
      note_ready(port, now);
      const SharedBytes& frame = state_.mpacket.bytes;
      // The frame still arrives: this is the first that anybody hears of it.
      if (state_.mpacket.sop && !state_.mpacket.eop && port.state().open && port.state().arriving == frame) {
        port.state().told = true;
        if (bus_.watcher != nullptr) tell_frame(MediaEvent::Kind::arrived, port, frame, now);
      }
    }
    state_.direction = state_.last = Direction::receive;
    state_.end = on_bus_clock(now) + bus_time(state_.mpacket.length);
    return true;
  }
  return false;
}

void IxBus::end_receive(Tick now) {
  const ReceiveRequest request = state_.request;
  const FramePart mpacket = std::exchange(state_.mpacket, {});
  uint32_t word = request.port | uint32_t{request.element} << 8;
  if (state_.nothing) {
    word |= ix::kNothing;
  } else {
    word |= mpacket.length << 16 | (mpacket.sop ? ix::kStart : 0) | (mpacket.eop ? ix::kEnd : 0) |
            (mpacket.error ? ix::kBad : 0);
    for (uint32_t i = 0; i < mpacket.length; i += 4) {
      uint32_t longword = 0;
      for (uint32_t k = 0; k < 4 && i + k < mpacket.length; ++k)
        longword |= uint32_t{(*mpacket.bytes)[mpacket.first + i + k]} << (24 - 8 * k);
      owner_.write_rfifo(request.element * 64u + i, longword);
    }
    state_.filled |= static_cast<uint16_t>(1u << request.element);
    if (bus_.watcher != nullptr) {
      MediaEvent filled = event(MediaEvent::Kind::filled, *port_of(request.port), now);
      filled.element = request.element;
      filled.first = mpacket.first;
      filled.length = mpacket.length;
      filled.sop = mpacket.sop;
      filled.eop = mpacket.eop;
      filled.damaged = mpacket.error;
      tell(filled);
    }
  }
  state_.statuses.push_back({request.to, word});
  state_.direction = Direction::none;
  state_.end = kNever;
  owner_.start_receive(request.to, now + description_.receive_done * period_);
}

// Control word: 7:0 port, 12 start, 13 end, 14 skip, 22:16 bytes.
bool IxBus::start_transmit(Tick now) {
  if (!state_.valid[state_.next]) return false;
  const uint32_t word = state_.control[state_.next];
  const uint32_t bytes = (word & ix::kBad) != 0 ? 0 : word >> 16 & 127;
  const Port* port = port_of(word & 0xff);
  // Elements never overtake each other: a full MAC holds all of them up.
  if (bytes != 0 && port != nullptr && !port->has_room(bytes)) return false;
  state_.direction = state_.last = Direction::transmit;
  state_.end = on_bus_clock(now) + bus_time(std::min<uint32_t>(bytes, 64));
  return true;
}

void IxBus::end_transmit(Tick now) {
  const unsigned element = state_.next;
  const uint32_t word = state_.control[element];
  const uint32_t length = word >> 16 & 127;
  const bool sop = (word & ix::kStart) != 0, eop = (word & ix::kEnd) != 0;
  Port* port = port_of(word & 0xff);
  if ((word & ix::kBad) == 0 && port == nullptr) {
    owner_.media_fault(fmt::format("TFIFO element {} goes to port {}, which does not exist", element, word & 0xff),
                       state_.control_by[element]);
  } else if ((word & ix::kBad) == 0 && length > 64) {
    owner_.media_fault(fmt::format("TFIFO element {} cannot hold {} bytes", element, length),
                       state_.control_by[element]);
  } else if ((word & ix::kBad) == 0) {
    std::array<uint8_t, 64> buffer;
    for (uint32_t i = 0; i < length; i += 4) {
      const uint32_t longword = owner_.read_tfifo(element * 64 + i);
      for (uint32_t k = 0; k < 4; ++k) buffer[i + k] = static_cast<uint8_t>(longword >> (24 - 8 * k));
    }
    const std::span<const uint8_t> bytes(buffer.data(), length);
    if (bus_.watcher == nullptr) {
      port->add(bytes, sop, eop, now);
      ports_known_ = false;
      note_ready(*port, now);
      return next_element();
    }
    using Kind = MediaEvent::Kind;
    MediaEvent taken = event(Kind::taken, *port, now);
    taken.element = static_cast<uint16_t>(element);
    taken.length = length;
    taken.sop = sop;
    taken.eop = eop;
    tell(taken);
    const PortCounters before = port->state().counters;
    const bool part_of_frame = sop || (port->state().in_frame && !port->state().discarding);
    port->add(bytes, sop, eop, now);
    ports_known_ = false;
    note_ready(*port, now);
    const PortCounters& after = port->state().counters;
    MediaEvent lost = event(Kind::lost_out, *port, now);
    const auto tell_lost = [&](std::string_view cause) {
      lost.cause = cause;
      tell(lost);
    };
    if (after.lost_transmit_order != before.lost_transmit_order) tell_lost("transmit-order");
    const bool too_long = after.lost_transmit_length != before.lost_transmit_length;
    if (too_long) tell_lost("transmit-too-long");
    if (eop && part_of_frame && !too_long) tell(event(Kind::complete, *port, now));
  }
  next_element();
}

void IxBus::next_element() {
  state_.valid[state_.next] = false;
  state_.next = static_cast<uint8_t>((state_.next + 1u) % elements_);
  state_.direction = Direction::none;
  state_.end = kNever;
}

}  // namespace weft::emulator
