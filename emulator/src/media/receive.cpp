// The receive path of the MSF.
#include <fmt/format.h>

#include <algorithm>

#include "media/msf.h"
#include "weft/packet/bytes.h"

namespace weft::emulator {

void Msf::free_element(uint32_t element) {
  if (element >= rbuf_elements()) {
    fault(fmt::format("RBUF_ELEMENT_DONE names element {}, of which there are {}", element, rbuf_elements()));
    return;
  }
  if (state_.rbuf_free[element]) {
    fault(fmt::format("RBUF element {} is given back twice", element));
    return;
  }
  if (bus_.watcher != nullptr) {
    MediaEvent event;
    event.kind = MediaEvent::Kind::freed;
    event.element = static_cast<uint16_t>(element);
    bus_.watcher->on_media(event);
  }
  may_start_ |= kReceive;
  state_.rbuf_free[element] = true;
  state_.free_elements[rbuf_partitions().of(element, rbuf_elements())].push_back(static_cast<uint8_t>(element));
}

/// Free elements go to the partitions in which they lie, in the order in which they would have been used.
void Msf::divide_rbuf() {
  std::array<std::deque<uint8_t>, 3> before{};
  std::swap(before, state_.free_elements);
  for (const auto& list : before)
    for (const uint8_t element : list)
      if (element < rbuf_elements())
        state_.free_elements[rbuf_partitions().of(element, rbuf_elements())].push_back(element);
}

void Msf::add_waiting(unsigned list, uint32_t value, Tick now) {
  FreelistEntry entry = freelist_entry(value, engines_);
  entry.since = now;
  if (!is_list(list, entry)) {
    fault(fmt::format("RX_THREAD_FREELIST_{} = {:#x} names no context", list, value));
  } else if (state_.waiting[list].size() >= description_.freelist_depth) {
    fault(fmt::format("RX_THREAD_FREELIST_{} is full; engine {} context {} will wait for ever", list,
                      entry.context.engine, entry.context.context));
  } else {
    may_start_ |= kHandOut;
    state_.waiting[list].push_back(entry);
    port_->announce_push(entry.context, entry.xfer, 2);
  }
}

// RX_PORT_MAP, bits 2c + 1:2c: the thread free list of channel c.
unsigned Msf::freelist_of(unsigned channel) const {
  return std::min(2u, state_.registers[msf::kRxPortMap / 4] >> (2 * channel & 31) & 3);
}

/// A channel fills the partition of its free list.
unsigned Msf::rbuf_partition_of(unsigned channel) const {
  return std::min(freelist_of(channel), rbuf_partitions().count - 1);
}

void Msf::announce_pushes() {
  for (const auto& list : state_.waiting)
    for (const FreelistEntry& entry : list) port_->announce_push(entry.context, entry.xfer, 2);
}

void Msf::start_receive(Tick now) {
  if (state_.receive.active) return;
  const auto no_element = [this](unsigned channel) { return state_.free_elements[rbuf_partition_of(channel)].empty(); };
  const size_t count = ports_.size() + links_.size();
  for (size_t step = 1; step <= count; ++step) {
    const size_t number = (state_.last_port + step) % count;
    if (number >= ports_.size()) {
      const LinkEnd& link = links_[number - ports_.size()];
      if (!link.has_mpacket() || !enabled(state_.registers[0], link) || no_element(link.description().channel))
        continue;
      return begin_receive(number, link.state().taken, std::min<uint32_t>(rbuf_element_bytes(), link.left()), now);
    }
    Port& port = ports_[number];
    if (!port.has_mpacket() || no_element(port.description().channel)) continue;
    StoredFrame& frame = port.state().received.front();
    const uint32_t first = frame.taken;
    const uint32_t length =
        std::min<uint32_t>(rbuf_element_bytes(), static_cast<uint32_t>(frame.bytes->size()) - first);
    frame.taken += length;
    return begin_receive(number, first, length, now);
  }
}

void Msf::begin_receive(size_t from, uint32_t first, uint32_t length, Tick now) {
  ReceiveTransfer& transfer = state_.receive;
  transfer.active = true;
  transfer.port = static_cast<uint8_t>(from);
  const unsigned channel =
      from < ports_.size() ? ports_[from].description().channel : links_[from - ports_.size()].description().channel;
  std::deque<uint8_t>& free = state_.free_elements[rbuf_partition_of(channel)];
  transfer.element = free.front();
  transfer.first = first;
  transfer.length = length;
  transfer.end = on_bus_clock(now) + bus_time(length);
  free.pop_front();
  state_.rbuf_free[transfer.element] = false;
  state_.rbuf_frames[transfer.element] = {};
  state_.last_port = transfer.port;
}

/// The element of the transfer gets its bytes, and waits for a context.
void Msf::fill(std::span<const uint8_t> bytes, uint32_t flags, unsigned channel) {
  const ReceiveTransfer& transfer = state_.receive;
  const uint32_t base = transfer.element * rbuf_element_bytes() / 4;
  // Byte 4n is bits 31:24 of longword n. RX_CONTROL may have been written since.
  const auto longword = [&](uint32_t number) -> uint32_t& { return state_.rbuf[(base + number) & 2047]; };
  // Checksum: one's-complement sum of the bytes as 16-bit numbers in network order; an odd last byte is the upper half.
  uint64_t sum = 0;
  uint32_t i = 0;
  if (const uint32_t whole = transfer.length / 4; base + whole <= state_.rbuf.size()) {
    for (uint32_t* to = state_.rbuf.data() + base; i < 4 * whole; i += 4) {
      const uint32_t word = packet::load32(bytes.data() + i);
      *to++ = word;
      sum += word;
    }
  }
  for (; i + 4 <= transfer.length; i += 4) {  // around the end of the buffer
    const uint32_t word = packet::load32(bytes.data() + i);
    longword(i / 4) = word;
    sum += word;
  }
  if (i < transfer.length) {
    uint32_t word = 0;
    for (; i < transfer.length; ++i) word |= uint32_t{bytes[i]} << (24 - 8 * (i % 4));
    longword(i / 4) = word;  // one to three bytes
    sum += word;
  }
  while (sum >> 16 != 0) sum = (sum & 0xffff) + (sum >> 16);  // 65536 = 1 modulo 65535
  const uint32_t status = uint32_t{transfer.element} << 24 | (transfer.length & 0xff) << 16 | flags | channel;
  state_.full[freelist_of(channel)].push_back({status, static_cast<uint32_t>(sum)});
  state_.rbuf_frames[transfer.element] = {(flags & msf::kStatusSop) != 0, false, transfer.port, {}};
}

void Msf::end_link_receive(LinkEnd& link, Tick now) {
  ReceiveTransfer& transfer = state_.receive;
  const LinkPart& part = link.state().stored.front();
  const bool sop = part.sop && transfer.first == 0;
  const bool eop = part.eop && transfer.first + transfer.length == part.bytes->size();
  fill(std::span(part.bytes->data() + transfer.first, transfer.length),
       (sop ? msf::kStatusSop : 0) | (eop ? msf::kStatusEop : 0), link.description().channel);
  if (bus_.watcher != nullptr) {
    MediaEvent event;
    event.kind = MediaEvent::Kind::filled;
    event.element = transfer.element;
    event.first = sop ? 0 : link.state().frame_bytes;
    event.length = transfer.length;
    event.sop = sop;
    event.eop = eop;
    tell(event, link, now);
  }
  link.take(transfer.length, now);
  transfer.active = false;
  transfer.end = kNever;
  may_start_ = kAnything;
  pump(now);
}

void Msf::end_receive(Tick now) {
  ReceiveTransfer& transfer = state_.receive;
  if (transfer.port >= ports_.size()) return end_link_receive(links_[transfer.port - ports_.size()], now);
  Port& port = ports_[transfer.port];
  StoredFrame& frame = port.state().received.front();
  const std::span<const uint8_t> bytes(frame.bytes->data() + transfer.first, transfer.length);
  const bool sop = transfer.first == 0;
  const bool eop = transfer.first + transfer.length == frame.bytes->size();
  fill(bytes,
       (sop ? msf::kStatusSop : 0) | (eop ? msf::kStatusEop : 0) | (eop && frame.damaged ? msf::kStatusError : 0),
       port.description().channel);
  if (bus_.watcher != nullptr) {
    MediaEvent event;
    event.kind = MediaEvent::Kind::filled;
    event.port = static_cast<uint8_t>(port.description().number);
    event.element = transfer.element;
    // Watchers know the frame, not the check sequence.
    const auto frame_bytes = static_cast<uint32_t>(frame.bytes->size()) - port.description().handed_over();
    event.first = std::min(transfer.first, frame_bytes);
    event.length = std::min(transfer.first + transfer.length, frame_bytes) - event.first;
    event.sop = sop;
    event.eop = eop;
    event.at = now;
    bus_.watcher->on_media(event);
  }
  ++port.state().counters.delivered_mpackets;
  port.state().received_bytes -= transfer.length;
  if (eop) port.state().received.pop_front();
  transfer.active = false;
  transfer.end = kNever;
  may_start_ |= kHandOut | kReceive;
  pump(now);
}

void Msf::hand_out(Tick now) {
  for (unsigned list = 0; list < 3; ++list) {
    while (!state_.full[list].empty() && !state_.waiting[list].empty()) {
      const auto status = state_.full[list].front();
      state_.full[list].pop_front();
      push_status(list, status, now);
    }
  }
}

void Msf::push_status(unsigned list, const std::array<uint32_t, 2>& status, Tick now) {
  const FreelistEntry entry = state_.waiting[list].front();
  state_.waiting[list].pop_front();
  port_->withdraw_push(entry.context, entry.xfer, 2);  // it is known now
  state_.last_push[list] = now;
  if ((status[0] & msf::kStatusNull) == 0) {
    RbufFrame& frame = state_.rbuf_frames[status[0] >> 24 & 127];
    frame.handed = true;
    frame.to = entry.context;
  }
  if (bus_.watcher != nullptr && (status[0] & msf::kStatusNull) == 0) {
    MediaEvent event;
    event.kind = MediaEvent::Kind::handed;
    event.element = static_cast<uint16_t>(status[0] >> 24);
    event.to = entry.context;
    event.xfer = entry.xfer;
    event.at = now;
    bus_.watcher->on_media(event);
  }
  Reply out;
  out.at = now + cycles(description_.status_push);
  out.to = entry.context;
  out.xfer = entry.xfer;
  out.count = 2;
  out.data[0] = status[0];
  out.data[1] = status[1];
  out.signals = static_cast<uint16_t>(1u << entry.signal & 0xfffe);
  port_->send(out);
}

}  // namespace weft::emulator
