// The transmit path of the MSF.
#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "media/msf.h"
#include "weft/packet/bytes.h"

namespace weft::emulator {

void Msf::write_tbuf_control(uint32_t index, uint32_t value) {
  state_.tbuf_control[index] = value;
  state_.tbuf_by[index / 2] = served_word();
  if (index % 2 != 0) state_.tbuf_valid[index / 2] = true;
  may_start_ |= kTransmit;
}

// Control longword 0: 31:24 payload length, 23:21 prepend offset, 20:16 prepend length, 15:13 payload offset, 12 skip,
// 9 SOP, 8 EOP, 7:0 channel. The payload begins at the first multiple of 8 behind the prepended bytes, plus its offset.
// A length of 0 means 256 when elements are that long.
Msf::TbufFields Msf::tbuf_fields(unsigned element) const {
  const uint32_t word = state_.tbuf_control[2 * element];
  TbufFields out{};
  out.payload = word >> 24;
  if (out.payload == 0 && tbuf_element_bytes() == 256) out.payload = 256;
  out.prepend_first = word >> 21 & 7;
  out.prepend = word >> 16 & 31;
  const uint32_t behind = out.prepend == 0 ? 0 : (out.prepend_first + out.prepend + 7) & ~7u;
  out.payload_first = behind + (word >> 13 & 7);
  out.skip = (word >> 12 & 1) != 0;
  out.sop = (word >> 9 & 1) != 0;
  out.eop = (word >> 8 & 1) != 0;
  out.channel = static_cast<uint8_t>(word & 0xff);
  return out;
}

std::optional<unsigned> Msf::sendable(unsigned partition, Tick now) {
  const Partitions parts = tbuf_partitions();
  const unsigned elements = tbuf_elements();
  const unsigned element =
      parts.first(partition, elements) + state_.next_tbuf[partition] % parts.size(partition, elements);
  if (!state_.tbuf_valid[element]) return std::nullopt;
  const TbufFields fields = tbuf_fields(element);
  if (fields.skip) return element;
  const auto port = std::find_if(ports_.begin(), ports_.end(),
                                 [&](const Port& p) { return p.description().channel == fields.channel; });
  // A full MAC holds its partition up: elements of one partition never overtake each other.
  if (port != ports_.end())
    return transmit_enabled(*port) && !port->has_room(fields.prepend + fields.payload) ? std::nullopt
                                                                                       : std::optional(element);
  LinkEnd* link = link_of(fields.channel);
  if (link != nullptr && (!enabled(state_.registers[1], *link) || !link->may_send(now))) return std::nullopt;
  return element;
}

void Msf::start_transmit(Tick now) {
  if (state_.transmit.active) return;
  if (std::memchr(state_.tbuf_valid.data(), 1, state_.tbuf_valid.size()) == nullptr) return;
  const unsigned count = tbuf_partitions().count;
  for (unsigned step = 1; step <= count; ++step) {
    const unsigned partition = (state_.last_partition + step) % count;
    const auto element = sendable(partition, now);
    if (!element) continue;
    const TbufFields fields = tbuf_fields(*element);
    state_.last_partition = static_cast<uint8_t>(partition);
    state_.transmit.active = true;
    state_.transmit.element = static_cast<uint8_t>(*element);
    state_.transmit.partition = static_cast<uint8_t>(partition);
    state_.transmit.end = on_bus_clock(now) + bus_time(fields.skip ? 0 : fields.prepend + fields.payload);
    return;
  }
}

/// For observers the packet has left the chip with its end.
void Msf::link_transmit(LinkEnd& link, unsigned element, std::vector<uint8_t> bytes, const TbufFields& fields,
                        Tick now) {
  if (bus_.watcher != nullptr) {
    MediaEvent event;
    event.kind = MediaEvent::Kind::taken;
    event.element = static_cast<uint16_t>(element);
    event.length = static_cast<uint32_t>(bytes.size());
    event.sop = fields.sop;
    event.eop = fields.eop;
    tell(event, link, now);
    for (const auto kind : {MediaEvent::Kind::complete, MediaEvent::Kind::sent}) {
      event.kind = kind;
      if (fields.eop) tell(event, link, now);
    }
  }
  link.send(std::move(bytes), fields.sop, fields.eop, now);
}

/// The same step as in end_transmit(), told to the watcher.
void Msf::watched_transmit(Port& port, unsigned element, std::span<const uint8_t> bytes, const TbufFields& fields,
                           Tick now) {
  using Kind = MediaEvent::Kind;
  MediaEvent event;
  event.kind = Kind::taken;
  event.port = static_cast<uint8_t>(port.description().number);
  event.element = static_cast<uint16_t>(element);
  event.length = static_cast<uint32_t>(bytes.size());
  event.sop = fields.sop;
  event.eop = fields.eop;
  event.at = now;
  bus_.watcher->on_media(event);
  if (!transmit_enabled(port)) {
    port.refuse_transmit();
    return tell(Kind::lost_out, port, now, "transmit-disabled");
  }
  const PortCounters before = port.state().counters;
  const bool part_of_frame = fields.sop || (port.state().in_frame && !port.state().discarding);
  port.add(bytes, fields.sop, fields.eop, now);
  const PortCounters& after = port.state().counters;
  if (after.lost_transmit_order != before.lost_transmit_order) tell(Kind::lost_out, port, now, "transmit-order");
  const bool too_long = after.lost_transmit_length != before.lost_transmit_length;
  if (too_long) tell(Kind::lost_out, port, now, "transmit-too-long");
  if (fields.eop && part_of_frame && !too_long) tell(Kind::complete, port, now);
}

/// Byte 4n is bits 31:24 of longword n, as in memory.
static void copy_bytes(const std::array<uint32_t, 2048>& from, uint32_t first, std::span<uint8_t> to) {
  size_t at = 0;
  const auto byte = [&] {
    const uint32_t address = first + static_cast<uint32_t>(at);
    to[at++] = static_cast<uint8_t>(from[address / 4 & 2047] >> (24 - 8 * (address % 4)));
  };
  while (at < to.size() && (first + at) % 4 != 0) byte();
  for (uint32_t number = (first + static_cast<uint32_t>(at)) / 4; to.size() - at >= 4; at += 4)
    packet::store32(to.data() + at, from[number++ & 2047]);
  while (at < to.size()) byte();
}

void Msf::end_transmit(Tick now) {
  const unsigned element = state_.transmit.element, partition = state_.transmit.partition;
  const TbufFields fields = tbuf_fields(element);
  const uint32_t size = tbuf_element_bytes();
  if (!fields.skip) {
    std::array<uint8_t, 31 + 256> room;  // the most that the fields can say
    const std::span bytes(room.data(), fields.prepend + fields.payload);
    const auto copy = [&](uint32_t first, uint32_t length, uint8_t* to) {
      while (length != 0) {  // the element goes round
        const uint32_t offset = first % size, part = std::min(length, size - offset);
        copy_bytes(state_.tbuf, element * size + offset, std::span(to, part));
        first += part, to += part, length -= part;
      }
    };
    copy(fields.prepend_first, fields.prepend, bytes.data());
    copy(fields.payload_first, fields.payload, bytes.data() + fields.prepend);
    if (fields.payload_first + fields.payload > size)
      fault(fmt::format("TBUF element {}: {} bytes from byte {} do not fit in {}", element, fields.payload,
                        fields.payload_first, size),
            state_.tbuf_by[element]);
    const auto port = std::find_if(ports_.begin(), ports_.end(),
                                   [&](const Port& p) { return p.description().channel == fields.channel; });
    if (LinkEnd* link = port == ports_.end() ? link_of(fields.channel) : nullptr; link != nullptr)
      link_transmit(*link, element, {bytes.begin(), bytes.end()}, fields, now);
    else if (port == ports_.end())
      fault(fmt::format("TBUF element {} goes to channel {}, where there is no port", element, fields.channel),
            state_.tbuf_by[element]);
    else if (bus_.watcher != nullptr)
      watched_transmit(*port, element, bytes, fields, now);
    else if (!transmit_enabled(*port))
      port->refuse_transmit();
    else
      port->add(bytes, fields.sop, fields.eop, now);
    ports_known_ = false;
  }
  state_.tbuf_valid[element] = false;
  // TX_CONTROL may have been written since: then a partition begins again with its first element.
  const Partitions parts = tbuf_partitions();
  const unsigned first = parts.first(partition, tbuf_elements()), end = parts.first(partition + 1, tbuf_elements());
  state_.next_tbuf[partition] = static_cast<uint8_t>(element >= first && element + 1 < end ? element - first + 1 : 0);
  ++state_.tx_sequence[partition];
  state_.transmit.active = false;
  state_.transmit.end = kNever;
  may_start_ |= kTransmit;
  pump(now);
}

}  // namespace weft::emulator
