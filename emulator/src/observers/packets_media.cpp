// The packet tracker at the media interface: frames get their number when they end on the wire and lose it when they
// leave.
#include <algorithm>

#include "weft/emulator/observers/packets.h"

namespace weft::emulator {
namespace {

constexpr uint32_t kTxControl = 0x04;  // MSF: bits 3:2 = size of transmit elements

}  // namespace

void PacketTracker::arrive(const MediaEvent& event) {
  PortShadow& port = ports_[event.port];
  ++totals_.packets;
  const uint32_t number = ++last_number_;
  auto live = std::make_unique<Live>();
  PacketRecord& record = live->record;
  record.number = number;
  record.port = event.port;
  record.damaged = event.damaged;
  record.bytes = event.length;
  record.frame = ++port.frames;
  record.arrived = event.at / machine_.timing().period;
  if (event.port < units_.port_count()) {  // a link has no wire, and no line rate
    const PortDescription& wire = units_.port(event.port);
    record.budget = (wire.preamble_bytes + event.length + wire.fcs_bytes + wire.gap_bytes) * wire.byte_ticks /
                    machine_.timing().period;
  }
  if (limits_.frames && event.bytes != nullptr) record.data = *event.bytes;
  if (event.kind == MediaEvent::Kind::lost_in) {
    record.reason = std::string(event.cause);
    end(*live_.emplace(number, std::move(live)).first->second, Verdict::lost_in);
    return;
  }
  live_.emplace(number, std::move(live));
  port.arriving.push_back(number);
}

/// One transmit longword or frame less carries the packet; the caller says what became of it.
void PacketTracker::release_outgoing(uint32_t packet) {
  if (Live* live = find(packet); live != nullptr && live->outgoing != 0) --live->outgoing;
}

void PacketTracker::transmit_element(const MediaEvent& event) {
  PortShadow& port = ports_[event.port];
  const unsigned code = units_.host().read_msf(kTxControl) >> 2 & 3;
  const size_t longwords = (size_t{64} << std::min(2u, code)) / 4;
  uint32_t packet = 0;
  for (size_t i = 0; i < longwords; ++i) {
    uint32_t& slot = tbuf_[(event.element * longwords + i) % tbuf_.size()];
    if (packet == 0 && find(slot) != nullptr) {
      packet = slot;
      if (event.sop || (port.gathering == 0 && !port.discarding)) ++find(packet)->outgoing;  // the port carries it now
    }
    release_outgoing(slot);
    end_lost(std::exchange(slot, 0));
  }
  port.sop = event.sop;
  if (event.sop) port.discarding = false;
  if (port.discarding) return;
  if (limits_.frames) bytes_taken(event, packet, port);
  if (event.sop) {
    port.before = port.gathering;
    port.gathering = packet;
  } else if (port.gathering == 0) {
    port.gathering = packet;
  }
}

void PacketTracker::lose_outgoing(uint32_t packet, std::string_view cause) {
  release_outgoing(packet);
  Live* live = find(packet);
  if (live == nullptr) return;
  live->record.reason = std::string(cause);
  live->losing = true;
  end_lost(packet);
}

/// A port has lost it, and nothing that goes out carries it any more.
void PacketTracker::end_lost(uint32_t packet) {
  Live* live = find(packet);
  if (live == nullptr || !live->losing || live->outgoing != 0) return;
  end(*live, live->record.sent != 0 ? Verdict::forwarded : Verdict::lost_out);
}

void PacketTracker::on_media(const MediaEvent& event) {
  using Kind = MediaEvent::Kind;
  const bool at_port = event.kind != Kind::handed && event.kind != Kind::freed;
  if (at_port && event.port >= ports_.size()) return;
  switch (event.kind) {
    case Kind::arrived:
    case Kind::lost_in: arrive(event); return;
    case Kind::filled: {
      auto& arriving = ports_[event.port].arriving;
      if (event.element >= rbuf_.size()) rbuf_.resize(event.element + 1u);
      rbuf_[event.element] = arriving.empty() ? 0 : arriving.front();
      if (event.element >= held_.size()) held_.resize(event.element + 1u);
      held_[event.element] = {event.first, event.length};
      // Over a link the length of a frame shows with its end.
      if (Live* live = find(rbuf_[event.element]); live != nullptr && event.port >= units_.port_count())
        live->record.bytes = std::max(live->record.bytes, event.first + event.length);
      if (event.eop && !arriving.empty()) arriving.pop_front();
      return;
    }
    case Kind::handed:
      handed_[{event.to.engine, event.xfer}].push_back(event.element < rbuf_.size() ? rbuf_[event.element] : 0);
      return;
    case Kind::freed:
      if (event.element < rbuf_.size()) rbuf_[event.element] = 0;
      return;
    case Kind::taken: transmit_element(event); return;
    case Kind::lost_out: {
      PortShadow& port = ports_[event.port];
      if (event.cause == "transmit-order" && port.sop) {
        lose_outgoing(std::exchange(port.before, 0), event.cause);
        return;
      }
      port.discarding = true;
      lose_outgoing(std::exchange(port.gathering, 0), event.cause);
      return;
    }
    case Kind::complete: {
      PortShadow& port = ports_[event.port];
      port.leaving.push_back({std::exchange(port.gathering, 0), std::exchange(port.pieces, {})});
      port.before = 0;
      return;
    }
    case Kind::sent: {
      PortShadow& port = ports_[event.port];
      PortShadow::Leaving leaving;
      if (!port.leaving.empty()) {
        leaving = std::move(port.leaving.front());
        port.leaving.pop_front();
      }
      const uint32_t packet = leaving.packet;
      Live* live = find(packet);
      if (live == nullptr) {
        ++totals_.unnumbered_sent;
        return;
      }
      if (limits_.frames && live->record.sent == 0) bytes_sent(live->record, std::move(leaving.pieces), event.bytes);
      ++live->record.sent;
      live->record.out_port = event.port;
      release_outgoing(packet);
      if (live->outgoing == 0) end(*live, Verdict::forwarded);
      return;
    }
  }
}

}  // namespace weft::emulator
